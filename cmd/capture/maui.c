#include "capture/maui.h"

int capture_import_maui(fs_snapshot **out, const struct capture_folder *from, struct fs_error *err)
{
	const struct fs_maui_import_options o = { .includes_anywhere = from->outside,
						  .offsets = from->offsets,
						  .noffsets = from->noffsets,
						  .time = from->time };

	return fs_import_maui(out, from->source, &o, err);
}
