/* Limits of associations and QOS: which there are, and how much of each is in use. */
#ifndef FSI_LIMITS_H
#define FSI_LIMITS_H

#include "explain/explain.h"

/* What is held against the limit. */
enum fsi_measure {
	FSI_RUNNING_TRES,
	FSI_RUNNING_JOBS,
	FSI_QUEUED_JOBS,
	FSI_USED_MINUTES,     /* TRES minutes used up */
	FSI_PROMISED_MINUTES, /* those that running jobs may still use */
	FSI_USED_WALL,
	FSI_JOB_TRES,
	FSI_NODE_TRES, /* the job's, on each of its nodes */
	FSI_JOB_MINUTES,
	FSI_JOB_TIME,
	FSI_LEAST_TRES
};

enum fsi_counted { FSI_EVERYBODY, FSI_USER, FSI_ACCOUNT };

struct fsi_limit_kind {
	const char *name;
	enum fsi_measure measure;
	enum fsi_counted counted;
	enum fsi_field_type type; /* of the field: TRES, U32 or DUR */
	uint8_t bit;
	uint16_t offset;
};

/* libfs/explain/limit_kinds.c: those that every ancestor has come first. */
extern const struct fsi_limit_kind fsi_assoc_limits[], fsi_qos_limits[];
extern const size_t fsi_group_limit_count, fsi_assoc_limit_count, fsi_qos_limit_count;

static inline bool fsi_limit_of_job(const struct fsi_limit_kind *k)
{
	return k->measure >= FSI_JOB_TRES;
}

/* Does a QOS that has a limit of kind q take the place of an association's of kind a, of one TRES? */
bool fsi_limit_replaces(const struct fsi_limit_kind *q, const struct fsi_limit_kind *a);

/* Where a limit counts: an association with all below it, or a QOS. */
struct fsi_limit_place {
	enum fs_limit_scope scope;
	uint32_t assoc; /* row, or FSI_NO_INDEX */
	uint32_t qos;	/* name */
};

/* libfs/explain/limit_use.c. Zeroed but for the first two; release it. */
struct fsi_limit_counter {
	fs_explain *x;
	const struct fsi_job *job; /* whose user and account count */
	FSI_VEC(struct fs_explain_holder) holder;
	struct fsi_intern holders; /* (user, account) to its place there, from 1 */
	struct fsi_intern nodes;   /* (holder or 0, name of a node) */
};
void fsi_limit_counter_release(struct fsi_limit_counter *c);

/* Fills l->used, l->holders where it is counted from jobs, and l->promised of minutes used if safe. NAN: unknown.
 * tres: name of it. -1 without memory. */
int fsi_limit_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k,
		  const struct fsi_limit_place *at, uint32_t tres, bool safe,
		  struct fs_explain_limit *l);

/* The TRES a job holds, or else asks for; NAN: unknown. */
double fsi_limit_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* libfs/explain/limit_decide.c */
struct fsi_limit_rules {
	const fs_snapshot *m;
	const struct fsi_job *job;
	uint32_t node;	    /* name */
	bool safe;	    /* a job must have minutes left to the end of its time limit */
	bool free;	    /* UsageFactor 0: minutes used and promised do not count */
	double time_factor; /* on its time limit, in TRES minutes */
};

/* What the job would add, or asks for; NAN: unknown. */
double fsi_limit_wants(const struct fsi_limit_rules *r, const struct fsi_limit_kind *k,
		       uint32_t tres);

/* Fills l->blocks and l->never from the rest. */
void fsi_limit_decide(const struct fsi_limit_rules *r, const struct fsi_limit_kind *k,
		      uint32_t tres, struct fs_explain_limit *l);

/* Does a pending reason name a limit of this kind, of an association or of a QOS? */
bool fsi_limit_named(const struct fs_reason *r, const struct fsi_limit_kind *k, bool of_assoc,
		     const char *tres);

#endif
