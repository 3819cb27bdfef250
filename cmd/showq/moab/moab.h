/* Moab's layout over Slurm: what its files share. */
#ifndef SHOWQ_MOAB_H
#define SHOWQ_MOAB_H

#include "showq/showq.h"

/* One job's values as they are printed; numbers are FS_UNKNOWN where they are not known. */
struct moab_job {
	const struct showq_job *of;
	struct fs_job job;
	const char *state;
	char id[FS_JOB_ID_TEXT];
	char partition[256]; /* those it asks for, with commas between them */
	char host[256];	     /* the first of its nodes */
	int64_t limit_s;     /* or FS_UNLIMITED */
	int64_t left_s;	     /* until it must have ended */
	double xfactor;	     /* NAN unknown */
};

void moab_job(const struct showq_run *r, const struct showq_job *j, struct moab_job *out);

/* Of each place the number of jobs that are wanted. */
struct moab_counts {
	size_t n[PLACE_COUNT];
	int64_t busy_nodes, nodes; /* of active jobs, of the partitions; -1 without memory */
};

/* cmd/showq/moab/jobs.c */
bool moab_place(const struct showq_run *r, const struct fs_job *job, struct showq_job *j);
bool moab_wanted(const struct showq_run *r, const struct showq_job *j);
/* Is this the name that is asked for, or one with that in it? NULL asks for none. */
bool moab_is(const char *want, const char *have, bool part);

/* cmd/showq/moab/rows.c: the section of a place, with the columns that it has among others or alone. */
void moab_section(const struct showq_run *r, enum showq_place place, bool alone);

/* cmd/showq/moab/xml.c: the sections of the mask (bit per enum showq_place). */
int moab_xml(struct showq_run *r, const struct moab_counts *c, unsigned places);

#endif
