/* What of an explanation only one scheduler has. NULL: nothing is said there. */
#ifndef EXPLAIN_DIALECT_H
#define EXPLAIN_DIALECT_H

#include "explain/text.h"

struct explain_dialect {
	bool account_optional; /* a job without an account is nothing to mention */
	bool title_partition;  /* the title of a job's page names its partition */
	bool held_apart;       /* a held job has no place and does not age */
	bool sum_in_steps;     /* between sum and priority stand the steps of rounding and caps */
	const char *posted_factor; /* of a job without an association: where its factor is from */
	/* Why a pending job waits, in place of the words for all schedulers. */
	void (*state)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	/* What mere waiting does about those ahead. */
	void (*waiting)(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
	void (*limits)(struct page *p, const struct fs_explain_job *job); /* the limits that apply to a job */
	/* The reservation that keeps it from starting before its planned start, if one does. */
	bool (*kept_off)(const struct explain_view *v, uint32_t job_row, int64_t start, struct fs_reservation *out);
	/* Why a stored priority, or a stored factor, differs from the one computed. */
	void (*stored_sum)(struct page *p, const struct fs_explain_sum *s);
	void (*stored_factor)(struct page *p, const struct fs_explain_path *path);
	void (*usage)(struct page *p, const struct explain_view *v, const struct fs_share_row *r); /* the page of an account */
};

extern const struct explain_dialect explain_slurm, explain_flux, explain_maui, explain_other;

#endif
