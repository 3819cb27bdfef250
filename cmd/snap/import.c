/* fs-snap import: captured files to a snapshot. */
#include "capture/capture.h"
#include "capture/folder.h"
#include "snap/snap.h"

#include <string.h>

int snap_import(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	const struct capture_maui maui = { o->at, o->maui_dialect };
	struct capture_bounds bounds = { .outside = o->outside, .zone = o->zone };
	fs_snapshot *s = NULL;
	int status = snap_limit(inv, o, capture_usual_limits.output, &bounds.file_max);

	if (status)
		return status;
	if (argc != 2) {
		complain(inv,
			 "import: give a format and a folder: import slurm DIR, import maui DIR, import text FILE");
		return EXIT_USAGE;
	}
	if (o->zone && (!strcmp(argv[0], "flux") || !strcmp(argv[0], "text"))) {
		complain(inv, "import %s: --tz is not for it: %s", argv[0],
			 *argv[0] == 'f' ? "Flux writes no local times" : "a paste is read in the time it was printed in");
		return EXIT_USAGE;
	}
	if (!strcmp(argv[0], "slurm")) {
		status = capture_read_slurm(inv, argv[1], &bounds, o->exact_usage, &s);
	} else if (!strcmp(argv[0], "flux")) {
		status = capture_read_flux(inv, argv[1], &bounds, &s);
	} else if (!strcmp(argv[0], "maui")) {
		status = capture_read_maui(inv, argv[1], &bounds, &maui, &s);
	} else if (!strcmp(argv[0], "text")) {
		status = capture_read_text(inv, argv[1], o->at, false, &s);
	} else {
		complain(inv, "import: no format \"%s\"; there are slurm, flux, maui and text", argv[0]);
		return EXIT_USAGE;
	}
	if (!status)
		status = snap_write(inv, s, o);
	fs_snapshot_free(s);
	return status;
}
