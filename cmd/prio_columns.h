/* The columns of the priorities: of a job in a partition, and of the terms that add up to its priority. */
#ifndef PRIO_ROW_COLUMNS_H
#define PRIO_ROW_COLUMNS_H

#include "column.h"

/* In the order of the JSON. */
enum prio_column {
	PRIO_JOBID, PRIO_NAME, PRIO_PARTITION, PRIO_USER, PRIO_ACCOUNT, PRIO_QOS, PRIO_PRIORITY, PRIO_SUM, PRIO_DIRECT,
	PRIO_TERMS, PRIO_CAPS, PRIO_ACCRUE, PRIO_F58, PRIO_STATE, PRIO_URGENCY, PRIO_REASONS, PRIO_SLUID, PRIO_CLUSTER,
	PRIO_TRES, PRIO_COLUMNS
};

/* Of struct fs_prio_row. */
extern const struct column prio_columns[PRIO_COLUMNS];

enum prio_term_column { TERM_FACTOR, TERM_VALUE, TERM_WEIGHT, TERM_POINTS, TERM_RECORDED, TERM_SHARE, TERM_COLUMNS };

/* Of struct fs_prio_term. */
extern const struct column prio_term_columns[TERM_COLUMNS];

/* What the rows belong to. */
struct prio_source {
	const fs_snapshot *snapshot;
	const fs_prios *prios;
	const fs_accrue *accrue; /* NULL: jobs do not age */
	const fs_holds *holds;	 /* NULL: no limits hold jobs back beside their priority */
};

/* The object of a term, in a list; that of the ageing of a job behind the key "accrue": does it age, and if not, which
 * limit keeps it young? NULL: the scheduler has no such limits. */
void prio_json_term(struct fs_json *j, const struct fs_prio_term *t);
void prio_json_accrue(struct fs_json *j, const struct fs_accrue_row *a);

#endif
