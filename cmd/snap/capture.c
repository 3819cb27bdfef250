/* fs-snap capture: a capture of the live cluster, to a file. */
#include "capture/capture.h"
#include "capture/command.h"
#include "snap/snap.h"

/* A whole number from 1 to max. */
static int parse_number(const struct invocation *inv, const char *option, const char *arg,
			unsigned max, unsigned *out)
{
	char rest;

	if (arg[0] != '-' && sscanf(arg, "%9u%c", out, &rest) == 1 && *out && *out <= max)
		return 0;
	complain(inv, "--%s: expected a number from 1 to %u, got \"%s\"", option, max, arg);
	return EXIT_USAGE;
}

int snap_limit(const struct invocation *inv, const struct snap_options *o, uint64_t usual, uint64_t *bytes)
{
	unsigned mib = (unsigned)(usual >> 20);
	const int status = o->limit ? parse_number(inv, "limit", o->limit, 1u << 20, &mib) : 0;

	*bytes = (uint64_t)mib << 20;
	return status;
}

static int parse_limits(const struct invocation *inv, const struct snap_options *o,
			struct capture_limits *limits, unsigned *days)
{
	int status = snap_limit(inv, o, limits->output, &limits->output);

	if (!status && o->timeout)
		status = parse_number(inv, "timeout", o->timeout, 86400, &limits->timeout_s);
	if (!status && o->records)
		status = parse_number(inv, "records", o->records, 36500, days);
	return status;
}

/* A signal leaves no half-written file beside the output. */
static int write_snapshot(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o)
{
	struct snap_options checked = *o;
	int status;

	if (!o->output)
		return snap_write(inv, s, o);
	checked.checked = true;
	capture_begin();
	status = snap_write(inv, s, &checked);
	capture_end();
	return status;
}

int snap_take(const struct invocation *inv, const struct snap_options *o, const char *scheduler, fs_snapshot **out)
{
	struct capture c = { .inv = inv, .limits = capture_usual_limits, .tool = capture_tool(scheduler) };
	const int status = parse_limits(inv, o, &c.limits, &c.records_days);

	return status ? status : capture_run(c, o->raw, o->exact_usage, out);
}

int snap_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL;
	int status;

	if (argc > 1 || !capture_tool(argc ? argv[0] : NULL)) {
		complain(
			inv,
			"capture: takes a scheduler at most, slurm or flux: capture [flux] [--raw DIR] [-o FILE]");
		return EXIT_USAGE;
	}
	if (o->index && !o->output) {
		complain(inv, "capture: --index needs -o FILE: the index is of a file");
		return EXIT_USAGE;
	}
	status = snap_take(inv, o, argc ? argv[0] : NULL, &s);
	if (!status)
		status = write_snapshot(inv, s, o);
	if (!status && o->index)
		status = snap_make_index(inv, o->output);
	fs_snapshot_free(s);
	return status;
}
