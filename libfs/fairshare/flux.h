/* Flux's fair share: levels of siblings, and the order of users by ratio of usage to shares. */
#ifndef FSI_FAIRSHARE_FLUX_H
#define FSI_FAIRSHARE_FLUX_H

#include "base/num.h"
#include "fairshare/fairshare.h"

/* What Flux's algorithms have in common: levels of siblings, and the walk from the most to the least
 * under-served user. */

/* Order of rows among siblings, or among the children of tied siblings. */
struct fsi_flux_order {
	/* Compares two row numbers: who is better served comes later; equal rows go by number. */
	fs_compare_fn compare;
	bool (*tied)(const void *ctx, uint32_t a, uint32_t b); /* Do neighbours in that order tie? */
	const void *ctx;
};

/* Does the row have shares of its own to compete with? Slurm's `parent` users do not: they stand at the top. */
static inline bool fsi_flux_competes(const struct fsi_fairshare *f, uint32_t row)
{
	return !fsi_uses_parent_shares(&f->m->association.v[row]);
}

/* An account with `parent` shares has no place of its own: its children are in its parent's level. */
static inline bool fsi_flux_dissolved(const struct fsi_fairshare *f, uint32_t row)
{
	return !fsi_flux_competes(f, row) && !f->m->association.v[row].user;
}

/* ---- exact ratios ---- */

enum fsi_standing { FSI_NO_SHARES, FSI_USED, FSI_UNUSED };

struct fsi_ratios {
	const struct fsi_fairshare *f;
	struct fsi_exact_form form;
	uint32_t *usage;       /* limbs a row */
	uint32_t *level_usage; /* of the children of a row, likewise */
	uint64_t *level_shares;
	uint32_t *work; /* scratch for one comparison or division */
};

int fsi_ratios_make(struct fsi_ratios *r, const struct fsi_fairshare *f); /* -1 without memory */
enum fsi_standing fsi_ratio_standing(const struct fsi_ratios *r, uint32_t row);

/* x = (usage / level usage) / (shares / level shares) of a row that is FSI_USED, and 1 / (1 + x), each rounded once. */
double fsi_ratio_x(const struct fsi_ratios *r, uint32_t row);
double fsi_ratio_position(const struct fsi_ratios *r, uint32_t row);

/* Puts usage_efctv and level_fs (1 / x; infinite without usage, 0 without shares) into the share. */
void fsi_ratio_show(const struct fsi_ratios *r, uint32_t row, struct fsi_share *s);

/* Compares by exact ratios; fsi_flux_order.ctx is the struct fsi_ratios. */
int fsi_ratio_compare_rows(const void *a, const void *b, const void *ctx);
bool fsi_ratio_tied(const void *ctx, uint32_t a, uint32_t b);

#endif
