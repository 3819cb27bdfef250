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
	static const struct {
		const char *name;
		enum style style;
	} styles[] = { { "slurm", STYLE_SLURM },
		       { "flux", STYLE_FLUX },
		       { "maui", STYLE_MAUI },
		       { "fasrc", STYLE_FASRC },
		       { "tacc", STYLE_TACC },
		       { "moab", STYLE_MOAB } };
	const unsigned have =
		in->styles ? in->styles : 1u << STYLE_SLURM | 1u << STYLE_FLUX | 1u << STYLE_MAUI;

	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
		if (!strcmp(styles[i].name, arg) && (have >> styles[i].style & 1)) {
			in->style = styles[i].style;
			return 1;
		}
	complain(inv, "--style: no style \"%s\"", arg);
	return -1;
}

int maui_dialect_option(const struct invocation *inv, const char *arg, enum fs_maui_dialect *out)
{
	if (strcmp(arg, "code") != 0 && strcmp(arg, "manual") != 0) {
		complain(inv, "--maui-dialect: no dialect \"%s\"; there are: code, manual", arg);
		return -1;
	}
	*out = !strcmp(arg, "code") ? FS_MAUI_CODE : FS_MAUI_MANUAL;
	return 1;
}

static int parse_usage(const struct invocation *inv, const char *arg, struct input *in)
{
	static const char *const names[] = { "recorded", "computed", "compare" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(arg, names[i])) {
			in->usage = (enum usage_source)i;
			in->usage_given = true;
			return 1;
		}
	complain(inv, "--usage: no source \"%s\"; there are recorded, computed and compare", arg);
	return -1;
}

static int parse_decay(const struct invocation *inv, const char *arg, struct input *in)
{
	if (strcmp(arg, "slurm") != 0 && strcmp(arg, "exact") != 0) {
		complain(inv, "--decay: no model \"%s\"; there are slurm and exact", arg);
		return -1;
	}
	in->decay = *arg == 's' ? FS_DECAY_SLURM : FS_DECAY_EXACT;
	in->decay_given = true;
	return 1;
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
	case 'f':
		in->file = arg;
		return 1;
	case OPT_DEMO:
		in->demo = true;
		return 1;
	case OPT_FRESH:
		in->fresh = true;
		return 1;
	case OPT_AS:
		in->as = arg;
		return 1;
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
		return arg ? parse_usage(inv, arg, in) : 0;
	case OPT_AT:
		in->at = arg;
		return 1;
	case OPT_DECAY:
		return parse_decay(inv, arg, in);
	case OPT_DECAY_RUNS:
		in->decay_runs = arg;
		return 1;
	case OPT_STYLE:
		return parse_style(inv, arg, in);
	default:
		return 0;
	}
}
