/* The table of fs-share: sshare's, aligned or parsable. */
#ifndef SHARE_FORMS_TABLE_H
#define SHARE_FORMS_TABLE_H

#include "share/rows.h"

enum share_layout { ALIGNED, PARSABLE, PARSABLE2 };

struct share_table {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	const struct share_rows *rows;
	struct share_format *format; /* widths of columns that are never cut are filled in */
	enum share_layout layout;
	bool header, cluster_line;
};

int share_table_print(const struct share_table *t); /* -1 without memory */

#endif
