/* Parts of pages that only one scheduler has. */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include "explain_decimals.h"
#include "explain_text.h"

/* "account" or, of Flux, "bank"; "accounts" and "banks". */
const char *account_noun(const struct explain_view *v, bool many);

/* Shares over usage; flux-accounting has a number in place of infinity. */
const char *weight_words(char buf[WORDS], const struct explain_view *v, double level);

/* Name, value, weight and points of a line of the sum; its note and the end of the row are the caller's. */
void explain_points_row(struct page *p, const char *name, const struct fs_prio_term *t, const struct sheet *d,
			int64_t points);

/* ---- Flux: cmd/explain_flux.c */

void explain_flux_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_flux_usage(struct page *p, const struct explain_view *v, const struct fs_share_row *r);
void explain_flux_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);
void explain_flux_range_path(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

/* ---- Maui: cmd/explain_maui.c */

void explain_maui_state(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);
void explain_maui_terms(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			const struct fs_explain_sum *s, const struct sheet *d);
/* Targets and windows of the credentials of a job that count. */
void explain_maui_path(struct page *p, const struct explain_view *v, const struct fs_explain_job *job);

/* ---- the way through the tree: cmd/explain_path.c */

/* Level, shares, usage, shares over usage (under that heading), and who stands beside it. */
void explain_levels_table(struct page *p, const struct explain_view *v, const struct fs_explain_path *path,
			  const char *heading);
void explain_rank_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path);

#endif
