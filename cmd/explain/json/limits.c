/* What is in a job's way, with the numbers of job/limits.c. */
#include "columns/column.h"
#include "explain/json/json.h"

#include <math.h>

#define CHOICE(m) COLUMN_MEMBER(struct fs_explain_choice, m)

static const struct column choice_columns[] = {
	{ NULL, "partition", CHOICE(partition), .help = "a partition that it may run in" },
	{ NULL, "qos", CHOICE(qos), .help = "a QOS that it may use there" },
	{ NULL, "blocked", CHOICE(blocked), .help = "a limit is in its way" },
	{ NULL, "never", CHOICE(never), .help = "a limit is that no wait removes" },
};

#define HOLDER(m) COLUMN_MEMBER(struct fs_explain_holder, m)

static const struct column holder_columns[] = {
	{ NULL, "user", HOLDER(user), .help = "who uses it" },
	{ NULL, "account", HOLDER(account), .help = "for which account" },
	{ NULL, "jobs", HOLDER(jobs), .help = "with how many jobs" },
	{ NULL, "amount", HOLDER(amount), .help = "how much" },
};

static const char *scope_name(uint32_t scope)
{
	static const char *const scopes[] = { "association", "account", "qos", "partition_qos" };

	return scopes[scope];
}

/* Nothing is used up of what one job may ask for. */
COLUMN_GET(get_used, void, struct fs_explain_limit, row->per_job ? (double)NAN : row->used)
COLUMN_JSON(write_holders, void, struct fs_explain_limit,
	    columns_list(j, COLUMNS(holder_columns), of, row->holders, row->nholders, sizeof(*row->holders)))

#define LIMIT(m) COLUMN_MEMBER(struct fs_explain_limit, m)

static const struct column limit_columns[] = {
	{ NULL, "limit", LIMIT(name), .help = "its name in the scheduler" },
	{ NULL, "tres", LIMIT(tres), .help = "the TRES that it limits" },
	{ NULL, "scope", LIMIT(scope), .word = scope_name, .help = "what kind of record it is set in" },
	{ NULL, "of", LIMIT(of), .help = "the account or QOS that has it" },
	{ NULL, "whose", LIMIT(whose), .help = "the user or account that is counted, none: all" },
	{ NULL, "partition", LIMIT(partition), .help = "the partition that it holds in, none: all" },
	{ NULL, "qos", LIMIT(qos), .help = "the QOS that it holds in, none: all" },
	{ NULL, "value", LIMIT(value), .help = "how much it allows" },
	{ NULL, "factor", LIMIT(factor), .help = "the LimitFactor in the value" },
	{ NULL, "used", .get = get_used, .help = "what counts against it" },
	{ NULL, "promised", LIMIT(promised), .help = "TRES minutes that running jobs may still use" },
	{ NULL, "wants", LIMIT(wants), .help = "what the job would add, or asks for" },
	{ NULL, "blocks", LIMIT(blocks), .help = "the job would pass it now" },
	{ NULL, "never", LIMIT(never), .help = "the job alone passes it" },
	{ NULL, "named", LIMIT(named), .help = "the job's reason names a limit of this kind" },
	{ NULL, "holders", .json = write_holders, .help = "who uses it, the greatest first" },
};

#define OBSTACLE(m) COLUMN_MEMBER(struct fs_explain_obstacle, m)

static const struct column obstacle_columns[] = {
	{ NULL, "partition", OBSTACLE(partition), .help = "the partition that lacks it" },
	{ NULL, "what", OBSTACLE(what), .help = "what the job asks for" },
	{ NULL, "name", OBSTACLE(name), .help = "the account or QOS that is not admitted" },
	{ NULL, "wants", OBSTACLE(wants), .help = "how much the job asks for" },
	{ NULL, "has", OBSTACLE(has), .help = "how much there is" },
};

void explain_limits_json(struct fs_json *j, const struct fs_explain_job *job)
{
	columns_json_list(j, "choices", COLUMNS(choice_columns), NULL, job->choices, job->nchoices, sizeof(*job->choices));
	columns_json_list(j, "limits", COLUMNS(limit_columns), NULL, job->limits, job->nlimits, sizeof(*job->limits));
	columns_json_list(j, "obstacles", COLUMNS(obstacle_columns), NULL, job->obstacles, job->nobstacles,
			  sizeof(*job->obstacles));
}
