/* Maui's fair share: compares the usage of credentials in fair-share windows with their targets and caps
 * (src/moab/MFS.c).
 *
 * struct fs_windows owns its windows, rows and strings. The function fs_windows_row returns its rows. Parameters named
 * `credential` are rows of m->credential. */
#ifndef FSI_FAIRSHARE_MAUI_H
#define FSI_FAIRSHARE_MAUI_H

#include "fairshare/fairshare.h"
#include "usage/maui_windows.h"

extern const struct fsi_algorithm fsi_maui;

struct fs_windows {
	struct fsi_arena arena;
	struct fsi_windows w;
	struct fs_windows_info info;
	struct fs_window_row *rows;
	size_t n;
	uint32_t *row_of;		  /* indexed by credential: index of its row in `rows` */
	/* indexed by kind of credential: row of the credential with the defaults of this kind
	 * (fsi_maui_find_default) */
	uint32_t fallback[FS_CRED_KINDS];
};

/* Returns the fair-share factor of the credential's jobs, without weights and caps; 0 if the credential has no
 * target. */
double fsi_maui_compute_factor(const struct fs_windows *w, uint32_t credential);

/* Returns the credential whose PRIORITY applies to `credential`: `credential` itself, DEFAULT, or FSI_NO_INDEX
 * (none). */
uint32_t fsi_maui_priority_holder(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t credential);

#endif
