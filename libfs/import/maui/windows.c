/* Which window files FS.<epoch> there are, and which of them count: window.c reads each. */
#include "base/sort.h"
#include "import/maui/maui.h"

#include "base/num.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOWS_BACK = 25 };

struct window_list {
	FSI_VEC(int64_t) start;
};

static int note_file(void *ctx, const char *name)
{
	struct window_list *l = ctx;
	int64_t start;

	if (strncmp(name, "FS.", 3) != 0 || fsi_parse_i64(name + 3, strlen(name) - 3, &start) || start < 0)
		return 0;
	if (FSI_VEC_ROOM(&l->start))
		return FS_ENOMEM;
	l->start.v[l->start.n++] = start;
	return 0;
}

/* Returns true if the window is not over, or only since the last iteration. */
static bool is_current(const struct fsi_maui_import *x, int64_t start, int64_t interval)
{
	return start <= x->now &&
	       start + interval > x->now - fsi_config_int(x->imp->m, "RMPOLLINTERVAL", FSI_MAUI_POLL_S);
}

/* A simulation's statistics may hold a window that was current at the capture and written when it was over: 1, or 0, or
 * negative. */
static int later(struct fsi_maui_import *x, const char *dir, int64_t start, int64_t interval)
{
	int64_t written;
	int rc;

	if (start > x->now)
		return 1;
	if (!x->simulation || !is_current(x, start, interval))
		return 0;
	rc = fsi_maui_window_written(x, dir, start, &written);
	return rc < 0 ? rc : !rc && written >= start + interval;
}

static int read_windows(struct fsi_maui_import *x, const char *dir, const struct window_list *l,
			int64_t interval)
{
	const int64_t current = x->now - x->now % interval;
	size_t odd = 0, i;
	int rc = 0;

	for (i = 0; i < l->start.n && !rc; i++) {
		const int64_t start = l->start.v[i];

		if (start % interval) {
			odd++;
			continue;
		}
		if (start < current - WINDOWS_BACK * interval)
			continue;
		rc = later(x, dir, start, interval);
		rc = rc ? (rc < 0 ? rc : 0) : fsi_maui_window(x, dir, start, is_current(x, start, interval));
	}
	if (!rc && odd &&
	    fsi_warn(x->imp->m,
		     "%s/%s: %zu files FS.* are not named after the start of a window of %lld s:"
		     " Maui does not read them",
		     x->imp->source->name, dir, odd, (long long)interval))
		rc = fsi_nomem(x->imp->err);
	return rc;
}

static bool listed(const struct window_list *l, int64_t start)
{
	return bsearch(&start, l->start.v, l->start.n, sizeof(start), fsi_rising_i64) != NULL;
}

/* Maui counts a window without a file as nothing used (src/moab/MFS.c:MFSLoadDataFile). Before the oldest there may
 * have been none, and the current one may not be written yet; one that is missing in between is lost. */
static int look_for_gaps(struct fsi_maui_import *x, const char *dir, const struct window_list *l, int64_t interval)
{
	const int64_t current = x->now - x->now % interval;
	struct fsi_maui_conf c;
	struct fs_error err;
	size_t lost = 0, none = 0;

	if (fsi_maui_conf_load(x->imp->m, x->o->dialect, &c, &err) || c.policy == FSI_FS_NONE)
		return 0;
	for (int64_t i = 0; i < (int64_t)c.depth; i++) {
		const int64_t start = current - i * interval;

		if (!listed(l, start))
			++*(!i || start < l->start.v[0] ? &none : &lost);
	}
	if (lost && (fsi_warn(x->imp->m, "%s/%s: of the last %u windows %zu have no file FS.*: they count as nothing", x->imp->source->name,
			      dir, c.depth, lost) ||
		     fsi_import_hide(x->imp, "window")))
		return fsi_nomem(x->imp->err);
	if (none && fsi_warn(x->imp->m, "%s/%s: no file FS.* for %zu of the last %u windows, the current one or those before the oldest: they count as nothing",
			     x->imp->source->name, dir, none, c.depth))
		return fsi_nomem(x->imp->err);
	return 0;
}

int fsi_maui_windows(struct fsi_maui_import *x)
{
	static const char *const dirs[] = { "fs_in", "", "stats" };
	const int64_t interval = fsi_config_int(x->imp->m, "FSINTERVAL", 43200);
	const struct fs_source *source = x->imp->source;
	struct window_list l = { 0 };
	int rc = 0;

	for (size_t i = 0; source->list && i < sizeof(dirs) / sizeof(*dirs) && !rc && !l.start.n;
	     i++) {
		rc = source->list(source->ctx, dirs[i], note_file, &l);
		if (rc < 0)
			rc = fsi_maui_no_list(x, rc, dirs[i]);
		else
			rc = 0;
		if (!rc && l.start.n) {
			qsort(l.start.v, l.start.n, sizeof(*l.start.v), fsi_rising_i64);
			rc = read_windows(x, dirs[i], &l, interval);
			if (!rc && !x->partial)
				rc = look_for_gaps(x, dirs[i], &l, interval);
		}
	}
	FSI_VEC_FREE(&l.start);
	return rc;
}
