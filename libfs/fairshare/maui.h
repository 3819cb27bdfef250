/* Maui's fair share: targets and caps of credentials against their windows. */
#ifndef FSI_FAIRSHARE_MAUI_H
#define FSI_FAIRSHARE_MAUI_H

#include "fairshare/fairshare.h"
#include "usage/windows.h"

struct fs_windows {
	struct fsi_arena arena;
	struct fsi_windows w;
	struct fs_windows_info info;
	struct fs_window_row *rows;
	size_t n;
	uint32_t *row_of; /* by credential: its row */
	uint32_t fallback[FS_CRED_KINDS]; /* fsi_maui_lender */
};

/* The factor of a credential's jobs in the fair-share component, before weights and caps; 0 without a target. */
double fsi_maui_factor(const struct fs_windows *w, uint32_t credential);

/* The credential whose PRIORITY counts for one of that kind: itself, DEFAULT, or none (FSI_NO_INDEX). */
uint32_t fsi_maui_priority_holder(const struct fs_windows *w, enum fs_cred_kind kind,
				  uint32_t credential);

/* May a cap hold back any job? By the code a target below 0 does too. */
bool fsi_maui_has_caps(const struct fs_windows *w);

/* Bit by kind: those of the waiting job's credentials whose caps hold it back, as fs_windows_capped has the first. */
unsigned fsi_maui_caps(const struct fs_windows *w, uint32_t job_row);

#endif
