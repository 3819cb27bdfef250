/* The forecast under each assumption in turn: first where siblings pass each other, or priorities bend, then the
 * subject at all moments that matter. */
#include "forecast/forecast.h"

#include "base/options.h"
#include "model/scheduler.h"

#include <stdlib.h>

static const struct {
	const char *name, *text;
} assumptions[] = {
#define ROW(tag, name, text) { name, text },
	FS_ASSUMPTIONS(ROW)
#undef ROW
};

const char *fs_assumption_name(enum fs_assumption a)
{
	return assumptions[a].name;
}

const char *fs_assumption_text(enum fs_assumption a)
{
	return assumptions[a].text;
}

static int add_all(const struct fs_forecast *f, struct fsi_moments *to, const struct fsi_moments *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (fsi_forecast_note_one(f, to, from->v[i]))
			return -1;
	fsi_forecast_sort(to);
	return 0;
}

static int assume(struct fs_forecast *f, enum fs_assumption a)
{
	int rc;

	f->bend.n = f->flip.n = 0;
	if (add_all(f, &f->bend, &f->mark) || (a == FS_ASSUME_RUNNING && add_all(f, &f->bend, &f->end)))
		return FS_ENOMEM;
	if (f->windows) {
		if (fsi_forecast_note_windows(f, a))
			return FS_ENOMEM;
		rc = fsi_forecast_cut(f, a);
		return rc ? rc : fsi_forecast_follow(f, a);
	}
	rc = fsi_forecast_flips(f, a);
	f->bend.n = 0;
	if (!rc && (add_all(f, &f->bend, &f->mark) || add_all(f, &f->bend, &f->flip)))
		rc = FS_ENOMEM;
	return rc ? rc : fsi_forecast_follow(f, a);
}

int fs_forecast_compute(fs_forecast **out, const fs_snapshot *s, const struct fs_forecast_options *options,
			struct fs_error *err)
{
	struct fs_forecast *f = calloc(1, sizeof(*f));
	struct fs_error own;
	int rc;

	if (!f)
		return fsi_nomem(err);
	FSI_OPTIONS(f->o, options);
	f->o.view.usage = NULL;
	f->m = s;
	f->err = err ? err : &own;
	f->now = s->info.time;
	f->reset = FS_UNKNOWN;
	f->row = f->o.share_row;
	rc = s->scheduler->in_windows ? fsi_forecast_prepare_windows(f) : fsi_forecast_prepare(f);
	for (int a = 0; a < FS_ASSUMPTION_COUNT && !rc; a++)
		rc = assume(f, (enum fs_assumption)a);
	if (!rc && (fsi_forecast_unmet_pairs(f) || fsi_forecast_unmet_rivals(f)))
		rc = FS_ENOMEM;
	fsi_forecast_sort_events(f);
	if (rc) {
		fs_forecast_free(f);
		return rc == FS_ENOMEM ? fsi_nomem(err) : rc;
	}
	*out = f;
	return 0;
}

void fs_forecast_free(fs_forecast *f)
{
	if (!f)
		return;
	fs_usage_free(f->clock);
	fsi_forecast_release_windows(f);
	FSI_VEC_FREE(&f->pair);
	FSI_VEC_FREE(&f->rival);
	FSI_VEC_FREE(&f->bend);
	FSI_VEC_FREE(&f->flip);
	FSI_VEC_FREE(&f->end);
	FSI_VEC_FREE(&f->mark);
	FSI_VEC_FREE(&f->event);
	fsi_arena_release(&f->arena);
	free(f);
}

size_t fs_forecast_points(const fs_forecast *f)
{
	return f->o.points;
}

const struct fs_forecast_point *fs_forecast_point(const fs_forecast *f, enum fs_assumption a, size_t i)
{
	return i < f->o.points ? &f->point[a][i] : NULL;
}

size_t fs_forecast_events(const fs_forecast *f)
{
	return f->event.n;
}

const struct fs_forecast_event *fs_forecast_event(const fs_forecast *f, size_t i)
{
	return i < f->event.n ? &f->event.v[i] : NULL;
}

uint32_t fs_forecast_row(const fs_forecast *f)
{
	return f->row;
}

double fs_forecast_rate(const fs_forecast *f)
{
	return f->running;
}

int64_t fs_forecast_reset(const fs_forecast *f)
{
	return f->reset;
}

bool fs_forecast_decays(const fs_forecast *f)
{
	return f->half_life_s != 0;
}

bool fs_forecast_still(const fs_forecast *f, enum fs_assumption a)
{
	return f->still[a];
}
