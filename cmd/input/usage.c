#include "input/input.h"

#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>

/* Parses a comma-separated list of the times at which the scheduler decayed usage (--decay-runs). Returns the number of
 * times, or -1 on error. */
static int parse_decay_runs(const fs_snapshot *s, const char *list, int64_t *out, size_t max, struct fs_error *err)
{
	char word[64];
	size_t n = 0;

	for (; *list; list += strspn(list, ",")) {
		const size_t len = strcspn(list, ",");

		snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), list);
		if (n == max) {
			*err = (struct fs_error){ .code = FS_EUSAGE };
			snprintf(err->message, sizeof(err->message), "--decay-runs: expected a list of at most %zu times", max);
			return -1;
		}
		if (fs_time_parse(s, word, &out[n++], err))
			return -1;
		list += len;
	}
	return (int)n;
}

static int fill_usage_options(const struct input *in, const fs_snapshot *s, struct fs_usage_options *o, int64_t *runs,
			      size_t max, struct fs_error *err)
{
	int n = 0;

	*err = (struct fs_error){ .code = FS_EUSAGE };
	o->source = in->usage == USAGE_COMPUTED ? FS_USAGE_COMPUTED : FS_USAGE_RECORDED;
	o->decay = in->decay;
	o->at_set = in->at != NULL;
	if (in->usage == USAGE_COMPARE)
		snprintf(err->message, sizeof(err->message), "--usage=compare requires fs-share");
	else if (find_scheduler_dialect(s)->has_usage_windows)
		snprintf(err->message, sizeof(err->message),
			 "--usage, --decay and --at require usage with a half-life; %s records usage in windows",
			 find_scheduler_dialect(s)->vocabulary.scheduler);
	if (*err->message)
		return FS_EUSAGE;
	if (in->at && fs_time_parse(s, in->at, &o->at, err))
		return err->code;
	if (in->decay_runs)
		n = parse_decay_runs(s, in->decay_runs, runs, max, err);
	if (n < 0)
		return err->code;
	o->runs = runs;
	o->nruns = (size_t)n;
	return 0;
}

static int start_usage_computation(const struct input *in, const fs_snapshot *s, fs_charge_fn fn, void *ctx,
				   fs_usage **out, struct fs_error *err)
{
	enum { MAX_DECAY_RUNS = 4096 };
	struct fs_usage_options o = { .charge = fn, .charge_ctx = ctx };
	int64_t *runs = malloc(MAX_DECAY_RUNS * sizeof(*runs));
	int rc;

	if (!runs) {
		*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
		return FS_ENOMEM;
	}
	rc = fill_usage_options(in, s, &o, runs, MAX_DECAY_RUNS, err);
	if (!rc)
		rc = fs_usage_begin(out, s, &o, err);
	free(runs);
	return rc;
}

int usage_load_with_options(const struct invocation *inv, const struct input *in, const fs_snapshot *s, fs_charge_fn fn,
			    void *ctx, fs_usage **out)
{
	struct fs_error err;
	int status = start_usage_computation(in, s, fn, ctx, out, &err) ? cmd_report_error(inv, &err) : 0;

	/* with in->past_jobs, the snapshot has the usage records already */
	if (!status && in->usage == USAGE_COMPUTED && !in->past_jobs)
		status = input_usage_records(inv, in, *out);
	if (!status && fs_usage_finish(*out, &err))
		status = cmd_report_error(inv, &err);
	return status;
}

int usage_try_load(const struct input *in, const char *file, const fs_snapshot *s, fs_usage **out, struct fs_error *err)
{
	int rc = start_usage_computation(in, s, NULL, NULL, out, err);

	if (!rc && in->usage == USAGE_COMPUTED && !in->past_jobs)
		rc = input_try_usage_records(file, *out, err);
	return rc ? rc : fs_usage_finish(*out, err);
}
