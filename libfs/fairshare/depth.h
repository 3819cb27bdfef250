/* The two ratios that DEPTH_OBLIVIOUS multiplies, for whoever explains them. */
#ifndef FSI_DEPTH_H
#define FSI_DEPTH_H

#include "fairshare/fairshare.h"

struct fsi_depth_ratios {
	long double parent;  /* Rp: how far the fs parent is over its shares */
	long double level;   /* Rl: how far the association is over its shares among its siblings */
	long double damping; /* k: exponent of the second, below 1 when the two disagree */
};

/* False where the ratios do not apply, and usage is taken from the association or from its fs parent. */
bool fsi_depth_ratios(const struct fsi_fairshare *f, uint32_t i, struct fsi_depth_ratios *out);

#endif
