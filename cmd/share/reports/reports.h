/* What fs-share shows instead of the table of shares. */
#ifndef SHARE_REPORTS_H
#define SHARE_REPORTS_H

#include "input/usage.h"
#include "input/names.h"
#include "render/json.h"
#include "share/rows.h"

struct share_report {
	const struct invocation *inv;
	struct input *input;
	const fs_snapshot *snapshot;
	enum json_form json; /* NONE: text */
	bool no_header;
};

/* All return the exit status, what went wrong being reported. */

/* Recorded usage compared with computed usage for the rows, then what cannot be known. */
int share_compare(const struct share_report *r, const fs_usage *computed, const fs_shares *shares,
		  const struct share_rows *rows);

/* Who spent it, in the account (NULL: all). */
int share_spent(const struct share_report *r, const char *account);

/* Where the account's shares come from (NULL: all accounts). */
int share_grants(const struct share_report *r, const char *account);

/* What the TRES cost in each partition. */
int share_bill(const struct share_report *r, const char *tres);

/* How the rows of users, and of these accounts, will stand until then (NULL: as far as seems best); svg: as a picture
 * in that file, of one row. */
int share_forecast(const struct share_report *r, const char *until, const struct share_rows *rows,
		   const struct names *accounts, const char *svg);

/* What --solve asks of the one row of a user, or of an account that was asked for and no user. Changes the snapshot:
 * results of it are no longer to be looked at. */
int share_solve(const struct share_report *r, fs_snapshot *s, const char *text, const fs_shares *shares,
		const struct share_rows *rows, const struct names *accounts, bool users_given);

#endif
