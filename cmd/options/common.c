#include "options/common.h"

#include "render/emit.h"

int common_option(const struct common_options *c, const struct options *o, int id)
{
	const int taken = options_wants_help(o, id) ? 0 : input_option(c->inv, c->input, id, o->arg);

	if (taken)
		return taken > 0 ? -1 : EXIT_USAGE;
	if (options_set(c->member, c->members, c->run, id, o->arg))
		return -1;
	switch (id) {
	case OPT_HELP:
	case OPT_USAGE:
		options_help(o, c->synopsis, c->about);
		return EXIT_DONE;
	case OPT_JSON:
		return json_option(c->inv, o->arg, c->json);
	case 'V':
		emit("%s " FS_VERSION "\n", c->inv->name);
		return EXIT_DONE;
	default:
		return OPTION_OWN;
	}
}
