#include "usage_input.h"

#include <stdlib.h>
#include <string.h>

bool usage_wanted(const struct input *in)
{
	return in->usage != USAGE_RECORDED || in->at || in->decay_given || in->decay_runs;
}

/* Times separated by commas. Returns how many, or -1 (reported). */
static int parse_runs(const struct invocation *inv, const fs_snapshot *s, const char *list, int64_t *out, size_t max)
{
	char word[64];
	struct fs_error err;
	size_t n = 0;

	for (; *list; list += strspn(list, ",")) {
		const size_t len = strcspn(list, ",");

		snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), list);
		if (n == max) {
			complain(inv, "--decay-runs: more than %zu times", max);
			return -1;
		}
		if (fs_time_parse(s, word, &out[n++], &err)) {
			report(inv, &err);
			return -1;
		}
		list += len;
	}
	return (int)n;
}

static int fill_options(const struct invocation *inv, const struct input *in, const fs_snapshot *s,
			struct fs_usage_options *o, int64_t *runs, size_t max)
{
	struct fs_error err;
	int n = 0;

	if (in->usage == USAGE_COMPARE) {
		complain(inv, "--usage=compare: only fs-share compares");
		return usage_status(inv);
	}
	o->source = in->usage == USAGE_COMPUTED ? FS_USAGE_COMPUTED : FS_USAGE_RECORDED;
	o->decay = in->decay;
	o->at_set = in->at != NULL;
	if (in->at && fs_time_parse(s, in->at, &o->at, &err))
		return report(inv, &err);
	if (in->decay_runs)
		n = parse_runs(inv, s, in->decay_runs, runs, max);
	if (n < 0)
		return usage_status(inv);
	o->runs = runs;
	o->nruns = (size_t)n;
	return 0;
}

int usage_load(const struct invocation *inv, const struct input *in, const fs_snapshot *s, fs_charge_fn fn,
	       void *ctx, fs_usage **out)
{
	enum { MOST_RUNS = 4096 };
	struct fs_usage_options o = { .charge = fn, .charge_ctx = ctx };
	int64_t *runs = malloc(MOST_RUNS * sizeof(*runs));
	struct fs_error err;
	int status = EXIT_FAILED;

	if (!runs) {
		complain(inv, "out of memory");
		return status;
	}
	status = fill_options(inv, in, s, &o, runs, MOST_RUNS);
	if (!status && fs_snapshot_info(s)->kind == FS_MAUI) {
		complain(inv, "--usage, --decay and --at are for usage with a half-life: Maui keeps windows");
		status = usage_status(inv);
	}
	if (!status && fs_usage_begin(out, s, &o, &err))
		status = report(inv, &err);
	if (!status && o.source == FS_USAGE_COMPUTED)
		status = input_usage_records(inv, in, *out);
	if (!status && fs_usage_finish(*out, &err))
		status = report(inv, &err);
	free(runs);
	return status;
}
