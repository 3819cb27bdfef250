/* What of an explanation only one scheduler has. NULL: nothing is said there. */
#ifndef EXPLAIN_DIALECT_H
#define EXPLAIN_DIALECT_H

#include "explain/text.h"
#include "words/decimals.h"

struct explain_dialect {
	bool account_optional; /* a job without an account is nothing to mention */
	bool title_partition;  /* the title of a job's page names its partition */
	bool held_apart;       /* a held job has no place and does not age */
	bool sum_in_steps;     /* between sum and priority stand the steps of rounding and caps */
	bool sum_of_class;     /* a sum is of the job's class, not of one partition of several */
	bool direct_is_a_step; /* an administrator's priority is a step from the sum, whose terms are shown all the same */
	const char *posted_factor; /* of a job without an association: where its factor is from */
	/* Why a pending job waits, in place of the words for all schedulers. */
	void (*state)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* What mere waiting does about those ahead. */
	void (*waiting)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* the limits that apply to a job; by the plan, does one not allow what the nodes that it would get give it? */
	void (*limits)(struct page *p, const struct fs_explain_job *job, bool gets_too_much);
	/* The reservation that keeps it from starting before its planned start, if one does. */
	bool (*kept_off)(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
	/* A priority that something sets directly, in place of the words for all schedulers; false: they will do. */
	bool (*direct)(struct page *p, const struct fs_explain_sum *s);
	/* The rows of the sum's terms, in place of those of all schedulers; and what is said of their weights. */
	void (*terms)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
		      const struct fs_explain_sum *s, const struct sheet *d);
	void (*weights)(struct page *p, const struct fs_explain_sum *s);
	/* Why a stored priority, or a stored factor, differs from the one computed. */
	void (*stored_sum)(struct page *p, const struct fs_explain_sum *s);
	void (*stored_factor)(struct page *p, const struct fs_explain_path *path);
	void (*usage)(struct page *p, const struct explain_view *v, const struct fs_share_row *r); /* the page of an account */
};

extern const struct explain_dialect explain_slurm, explain_flux, explain_maui, explain_other;

#endif
