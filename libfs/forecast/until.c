/* How far a forecast looks if nothing else is asked for. */
#include "base/error.h"
#include "model/maui/maui.h"
#include "model/scheduler.h"

#include <fs/forecast.h>
#include <fs/usage.h>

enum { DAYS = 14, SECONDS_DAY = 86400 };

/* Until all windows of now count no more. */
static int windows_end(const fs_snapshot *s, int64_t *out, struct fs_error *err)
{
	struct fsi_maui_conf c;
	const int rc = fsi_maui_conf_load(s, FS_MAUI_CODE, &c, err);

	if (!rc)
		*out = s->info.time + ((int64_t)c.depth + 1) * c.interval_s;
	return rc;
}

int fs_forecast_default_until(const fs_snapshot *s, int64_t *out, struct fs_error *err)
{
	const struct fs_usage_options o = FS_USAGE_OPTIONS_INIT;
	struct fs_usage_info info = { 0 };
	struct fs_error own;
	fs_usage *u = NULL;

	if (s->scheduler->in_windows)
		return windows_end(s, out, err);
	if (!fs_usage_begin(&u, s, &o, &own))
		fs_usage_info(u, &info);
	else if (own.code == FS_ENOMEM)
		return fsi_nomem(err);
	fs_usage_free(u);
	*out = s->info.time + (info.half_life_s ? 2 * info.half_life_s : DAYS * SECONDS_DAY);
	return 0;
}
