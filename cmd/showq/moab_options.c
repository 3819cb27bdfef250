/* The options of Moab's layout: those of slurm_showq 0.0.7, the constraints (-w) and the XML of Moab's own (Moab
 * Workload Manager, Administrator Guide: showq), and what every layout here takes. */
#include "showq/showq.h"

#include "options/options.h"

#include <string.h>
#include <strings.h>

enum { OPT_XML = OPT_FIRST_FREE, OPT_STRICT, OPT_PLAN, OPT_START };

static const struct option_row option_rows[] = {
	{ 0, NULL, NULL, "Sections" },
	{ 'r', "running", NULL, "only active jobs, with what they use" },
	{ 'i', "idle", NULL, "only eligible jobs, with their priorities" },
	{ 'b', "blocking", NULL, "only blocked jobs" },
	{ 'c', "completed", NULL, "only jobs that ended" },
	{ 's', "summary", NULL, "the numbers only" },
	{ 0, NULL, NULL, "Rows" },
	{ 'u', "username", "USER", "only this user's jobs" },
	{ 'g', "group", "GROUP", "only this group's jobs" },
	{ 'a', "account", "ACCOUNT", "only jobs of this account" },
	{ 'p', "partition", "PARTITION", "only jobs of this partition" },
	{ 'q', "qos", "QOS", "only jobs of this QOS" },
	{ 'R', "reservation", "NAME", "only jobs of this reservation" },
	{ 'w', "where", "ATTR=VALUE", "the same: user, group, acct, class, partition, qos or rsv" },
	{ 0, NULL, NULL, "Columns and order" },
	{ 'n', "names", NULL, "names of jobs instead of ids" },
	{ 'N', "nodes", NULL, "the nodes of each active job below it" },
	{ 'o', "orderby", "KEY", "active jobs by REMAINING, REVERSEREMAINING, JOB, USER or STARTTIME" },
	{ 0, NULL, NULL, "Start times" },
	{ OPT_PLAN, "plan", NULL, "when each pending job may start, by simulation" },
	{ OPT_START, "start", "JOB", "one job's start: as recorded, by priority alone, with backfill" },
	{ 0, NULL, NULL, "Output" },
	{ OPT_XML, "xml", NULL, "Moab's XML" },
	{ OPT_JSON, "json", "[SHAPE]", "JSON, schema fs-showq/1, with --plan the starts too; SHAPE pretty: indented" },
	{ OPT_JSONL, "jsonl", NULL, "the same as lines: one row a line" },
	{ OPT_STRICT, "strict-compat", NULL, "the tool's own defects too" },
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	{ 0, NULL, NULL, "Other" },
	{ 'V', "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this text" },
	{ OPT_USAGE, "usage", NULL, NULL },
};
static const struct option_table option_table = OPTION_TABLE(option_rows);

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

static const struct option_member members[] = {
	OPTION_SETS(struct showq_run, 'r', only_running),
	OPTION_SETS(struct showq_run, 'i', only_idle),
	OPTION_SETS(struct showq_run, 'b', show_blocked),
	OPTION_SETS(struct showq_run, 'c', moab.completed),
	OPTION_SETS(struct showq_run, 's', summary),
	OPTION_SETS(struct showq_run, 'n', moab.names),
	OPTION_SETS(struct showq_run, 'N', moab.nodes),
	OPTION_SETS(struct showq_run, 'V', version),
	OPTION_SETS(struct showq_run, OPT_XML, moab.xml),
	OPTION_SETS(struct showq_run, OPT_JSONL, json),
	OPTION_SETS(struct showq_run, OPT_PLAN, plan),
	OPTION_SETS(struct showq_run, OPT_STRICT, strict),
	OPTION_SETS(struct showq_run, 'u', moab.user),
	OPTION_SETS(struct showq_run, 'g', moab.group),
	OPTION_SETS(struct showq_run, 'a', moab.account),
	OPTION_SETS(struct showq_run, 'p', moab.partition),
	OPTION_SETS(struct showq_run, 'q', moab.qos),
	OPTION_SETS(struct showq_run, 'R', moab.reservation),
	OPTION_SETS(struct showq_run, OPT_START, start),
};

static int take_value(struct showq_run *r, int id, const char *arg)
{
	if (options_set(members, sizeof(members) / sizeof(*members), r, id, arg))
		return -1;
	switch (id) {
	case 'w':
		return take_constraint(r, arg);
	case 'o':
		return take_order(r, arg);
	case OPT_JSON:
		return json_option(r->inv, arg, &r->json);
	default:
		return usage_status(r->inv);
	}
}

static int take(void *ctx, const struct options *o, int id)
{
	struct showq_run *r = ctx;
	const int common = input_option(r->inv, &r->input, id, o->arg);

	if (common)
		return common > 0 ? -1 : usage_status(r->inv);
	if (id != 'h' && id != OPT_USAGE)
		return take_value(r, id, o->arg);
	options_help(o, "--style=moab [OPTION]...", "The queue of Slurm as Moab's showq lays it out.");
	return EXIT_DONE;
}

int showq_moab_options(struct showq_run *r, int argc, char **argv)
{
	int next, status = options_parse(r->inv, &option_table, argc, argv, take, r, &next);

	if (status < 0 && next < argc) {
		complain(r->inv, "unexpected argument \"%s\"; see %s --style=moab --help", argv[next], r->inv->name);
		status = usage_status(r->inv);
	}
	r->partition = r->moab.partition;
	return status;
}
