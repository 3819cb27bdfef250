/* The options of Moab's layout: those of slurm_showq 0.0.7, the constraints (-w) and the XML of Moab's own (Moab
 * Workload Manager, Administrator Guide: showq), and what every layout here takes. */
#include "showq/options.h"

#include <string.h>
#include <strings.h>

enum { OPT_XML = OPT_SHOWQ_FREE };

static const struct option_row option_rows[] = {
	HEADING("Sections"),
	{ 'r', "running", NULL, "only active jobs, with what they use", SET(only_running) },
	{ 'i', "idle", NULL, "only eligible jobs, with their priorities", SET(only_idle) },
	{ 'b', "blocking", NULL, "only blocked jobs", SET(show_blocked) },
	{ 'c', "completed", NULL, "only jobs that ended", SET(moab.completed) },
	{ 's', "summary", NULL, "the numbers only", SET(summary) },
	HEADING("Rows"),
	{ 'u', "username", "USER", "only this user's jobs", SET(moab.user) },
	{ 'g', "group", "GROUP", "only this group's jobs", SET(moab.group) },
	{ 'a', "account", "ACCOUNT", "only jobs of this account", SET(moab.account) },
	{ 'p', "partition", "PARTITION", "only jobs of this partition", SET(moab.partition) },
	{ 'q', "qos", "QOS", "only jobs of this QOS", SET(moab.qos) },
	{ 'R', "reservation", "NAME", "only jobs of this reservation", SET(moab.reservation) },
	{ 'w', "where", "ATTR=VALUE", "the same: user, group, acct, class, partition, qos or rsv", TAKEN },
	HEADING("Columns and order"),
	{ 'n', "names", NULL, "names of jobs instead of ids", SET(moab.names) },
	{ 'N', "nodes", NULL, "the nodes of each active job below it", SET(moab.nodes) },
	{ 'o', "orderby", "KEY", "active jobs by REMAINING, REVERSEREMAINING, JOB, USER or STARTTIME", TAKEN },
	START_OPTIONS,
	HEADING("Output"),
	{ OPT_XML, "xml", NULL, "Moab's XML", SET(moab.xml) },
	SHOWQ_JSON_OPTION,
	JSONL_OPTION(SET(json)),
	STRICT_OPTION,
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	HEADING("Other"),
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION('h'),
	{ OPT_USAGE, "usage", NULL, NULL, DOES(OPTION_HELP) },
};
static const struct option_table option_table = { .synopsis = "--style=moab [OPTION]...",
						  .about = "The queue of Slurm as Moab's showq lays it out.",
						  OPTIONS(option_rows) };

static const char *const orders[] = {
	[MOAB_REMAINING] = "REMAINING", [MOAB_REVERSEREMAINING] = "REVERSEREMAINING", [MOAB_JOB] = "JOB",
	[MOAB_USER] = "USER",		[MOAB_STARTTIME] = "STARTTIME",
};

static int take_order(struct showq_run *r, const char *arg)
{
	for (size_t i = MOAB_REMAINING; i <= MOAB_STARTTIME; i++)
		if (!strcasecmp(orders[i], arg)) {
			r->moab.order = (enum moab_order)i;
			return -1;
		}
	complain(r->inv, "-o: no order \"%s\"; there are REMAINING, REVERSEREMAINING, JOB, USER and STARTTIME", arg);
	return EXIT_USAGE;
}

/* Where the value of an attribute of -w goes. */
static const char **constraint(struct showq_run *r, const char *name, size_t len)
{
	const struct {
		const char *name;
		const char **at;
	} known[] = {
		{ "user", &r->moab.user },	   { "group", &r->moab.group },
		{ "acct", &r->moab.account },	   { "account", &r->moab.account },
		{ "class", &r->moab.partition },   { "partition", &r->moab.partition },
		{ "qos", &r->moab.qos },	   { "rsv", &r->moab.reservation },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == len && !strncasecmp(known[i].name, name, len))
			return known[i].at;
	return NULL;
}

static int take_constraint(struct showq_run *r, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const char **at = equals ? constraint(r, arg, (size_t)(equals - arg)) : NULL;

	if (!at) {
		complain(r->inv,
			 "-w: expected user, group, acct, class, partition, qos or rsv, = and a name, got \"%s\"", arg);
		return EXIT_USAGE;
	}
	*at = equals + 1;
	return -1;
}

static int take_option(void *run, const struct options *o, int id)
{
	return id == 'w' ? take_constraint(run, o->arg) : take_order(run, o->arg);
}

int showq_moab_options(struct showq_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .take = take_option };
	int next, status = options_parse(&to, &option_table, argc, argv, &next);

	if (status < 0 && next < argc) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --style=moab --help", argv[next], r->inv->name);
		status = usage_status(r->inv);
	}
	r->partition = r->moab.partition;
	return status;
}
