/* The options of COMMON_OPTIONS and USAGE_OPTIONS. */
#include "input/input.h"
#include "input/options.h"

#include <stdio.h>
#include <string.h>

static int parse_compat(const struct invocation *inv, const char *arg, unsigned *out)
{
	unsigned major = 0, minor = 0, micro;
	int series = 0, whole = 0;

	sscanf(arg, "%2u.%2u%n.%2u%n", &major, &minor, &series, &micro, &whole);
	if (!series || arg[whole ? whole : series] || major < 17 || minor > 12) {
		complain(inv, "--compat: expected a Slurm version such as 22.05 or 24.05.3, got \"%s\"", arg);
		return -1;
	}
	*out = fs_slurm_release(arg);
	if (fs_slurm_unknown(*out))
		complain(inv, "warning: --compat=%s is %s than any version known here: it is taken for %s", arg,
			 fs_slurm_unknown(*out) < 0 ? "older" : "newer",
			 fs_slurm_unknown(*out) < 0 ? FS_SLURM_OLDEST_NAME : FS_SLURM_NEWEST_NAME);
	return 1;
}

/* The number of the word among them, -1 if it is none (reported); rest: behind the complaint. */
static int number_of(const struct invocation *inv, const char *option, const char *what, const char *const *words,
		     int n, const char *arg, const char *rest)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(arg, words[i]))
			return i;
	complain(inv, "--%s: no %s \"%s\"%s", option, what, arg, rest);
	return -1;
}

static int parse_algorithm(const struct invocation *inv, const char *arg, const char **out)
{
	const char *name;

	for (size_t i = 0; (name = fs_algorithm_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = name;
			return 1;
		}
	complain(inv, "--algorithm: no algorithm \"%s\"", arg);
	return -1;
}

static int parse_style(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { [STYLE_SLURM] = "slurm", [STYLE_FLUX] = "flux", [STYLE_MAUI] = "maui",
					     [STYLE_FASRC] = "fasrc", [STYLE_TACC] = "tacc", [STYLE_MOAB] = "moab" };
	const unsigned have =
		in->styles ? in->styles : 1u << STYLE_SLURM | 1u << STYLE_FLUX | 1u << STYLE_MAUI;

	for (int i = STYLE_SLURM; i <= STYLE_MOAB; i++)
		if (!strcmp(names[i], arg) && (have >> i & 1)) {
			in->style = (enum style)i;
			return 1;
		}
	complain(inv, "--style: no style \"%s\"", arg);
	return -1;
}

int maui_dialect_option(const struct invocation *inv, const char *arg, enum fs_maui_dialect *out)
{
	static const char *const names[] = { [FS_MAUI_CODE] = "code", [FS_MAUI_MANUAL] = "manual" };
	const int i = number_of(inv, "maui-dialect", "dialect", names, 2, arg, "; there are: code, manual");

	*out = i < 0 ? *out : (enum fs_maui_dialect)i;
	return i < 0 ? -1 : 1;
}

static int parse_usage(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "recorded", "computed", "compare" };
	const int i = number_of(inv, "usage", "source", names, 3, arg, "; there are recorded, computed and compare");

	in->usage = i < 0 ? in->usage : (enum usage_source)i;
	in->usage_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_decay(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "slurm", "exact" };
	const int i = number_of(inv, "decay", "model", names, 2, arg, "; there are slurm and exact");

	in->decay = i ? FS_DECAY_EXACT : FS_DECAY_SLURM;
	in->decay_given = i >= 0;
	return i < 0 ? -1 : 1;
}

static int parse_position(const struct invocation *inv, const char *arg, enum fs_position *out)
{
	const char *name;

	for (size_t i = 0; (name = fs_position_name(i)); i++)
		if (!strcmp(name, arg)) {
			*out = (enum fs_position)i;
			return 1;
		}
	complain(inv, "--position: no position \"%s\"; there are pow2, ratio and rank", arg);
	return -1;
}

int input_option(const struct invocation *inv, struct input *in, int id, const char *arg)
{
	switch (id) {
	case OPT_IF:
		return edits_option(inv, &in->edits, arg);
	case OPT_ALGORITHM:
		return parse_algorithm(inv, arg, &in->algorithm);
	case OPT_POSITION:
		return parse_position(inv, arg, &in->position);
	case OPT_COMPAT:
		return parse_compat(inv, arg, &in->compat);
	case OPT_MAUI_DIALECT:
		return maui_dialect_option(inv, arg, &in->maui_dialect);
	case OPT_USAGE:
		return parse_usage(inv, arg, in);
	case OPT_DECAY:
		return parse_decay(inv, arg, in);
	case OPT_STYLE:
		return parse_style(inv, arg, in);
	default:
		return 0;
	}
}
