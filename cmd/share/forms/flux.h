/* The tree of `flux account view-bank root -t`. */
#ifndef SHARE_FORMS_FLUX_H
#define SHARE_FORMS_FLUX_H

#include "share/rows.h"

struct share_flux {
	const fs_shares *shares;
	const struct share_rows *rows;
	bool parsable, header;
	bool computed; /* the algorithm's factors, not those that the database holds */
	bool concise;  /* only users with usage */
};

int share_flux_print(const struct share_flux *s); /* -1 without memory */

#endif
