/* The question of --solve: its first word says what is asked for, the others are KEY=VALUE. */
#include "share/solve/solve.h"

#include "dialect/dialect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TAKES_GOAL = 1,
	TAKES_OF = 2,
	TAKES_FROM = 4,
	TAKES_TRES = 8,
	TAKES_JOB = 16,
	TAKES_HAVE = 32,
	TAKES_PROCS = 64
};

static const struct {
	const char *name;
	unsigned takes, of_windows; /* where there are shares; where there are targets and windows; 0: it is not asked there */
} kinds[] = {
	[SOLVE_SHARES] = { "shares", TAKES_GOAL | TAKES_OF | TAKES_FROM, 0 },
	[SOLVE_USAGE] = { "usage", TAKES_GOAL | TAKES_OF, TAKES_GOAL },
	[SOLVE_TIME] = { "time", TAKES_GOAL, TAKES_GOAL },
	[SOLVE_JOB] = { "job", TAKES_TRES | TAKES_JOB, TAKES_JOB | TAKES_PROCS },
	[SOLVE_HARDWARE] = { "hardware", TAKES_TRES | TAKES_HAVE | TAKES_FROM, 0 },
	[SOLVE_TARGET] = { "target", 0, TAKES_GOAL },
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const char *const goals[] = { [FS_GOAL_FACTOR] = "factor", [FS_GOAL_RANK] = "rank", [FS_GOAL_LEVEL] = "level" };
enum { GOALS = sizeof(goals) / sizeof(*goals) };

const char *solve_kind_name(enum solve_kind kind)
{
	return kinds[kind].name;
}

const char *solve_goal_name(enum fs_goal goal)
{
	return goals[goal];
}

static int number(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end == text || *end || !isfinite(*out) ? -1 : 0;
}

static unsigned takes_of(const struct solve_question *q, int kind)
{
	return q->windows ? kinds[kind].of_windows : kinds[kind].takes;
}

static bool goal_fits(const struct solve_question *q, enum fs_goal goal, double v)
{
	const double max_rank = 4294967295.0;

	if (q->windows)
		return goal == FS_GOAL_FACTOR;
	if (goal == FS_GOAL_FACTOR)
		return v > 0 && v <= 1;
	return v > 0 && (goal == FS_GOAL_LEVEL || (v == floor(v) && v <= max_rank));
}

/* 1 for a goal, 0 for another word, -1 for a bad one. */
static int take_goal(struct solve_question *q, const char *key, const char *value)
{
	for (int i = 0; i < GOALS; i++)
		if (!strcmp(key, goals[i])) {
			q->goal = (enum fs_goal)i;
			return number(value, &q->value) || !goal_fits(q, q->goal, q->value) ? -1 : 1;
		}
	return 0;
}

static int take_seconds(const struct share_run *r, const char *value, double *out)
{
	char later[64];
	int64_t t;

	if (strlen(value) + 2 > sizeof(later))
		return -1;
	snprintf(later, sizeof(later), "+%s", value);
	if (fs_time_parse(r->snapshot, later, &t, NULL))
		return -1;
	*out = (double)(t - fs_snapshot_info(r->snapshot)->time);
	return 1;
}

static int take_jobs(const char *value, double *out)
{
	const double max = 1e9;

	return number(value, out) || *out < 1 || *out > max || *out != floor(*out) ? -1 : 1;
}

static int take_text(const char *value, const char **out)
{
	*out = value;
	return *value ? 1 : -1;
}

static int take(const struct share_run *r, struct solve_question *q, const char *key, const char *value)
{
	const unsigned takes = takes_of(q, (int)q->kind);
	const int goal = takes & TAKES_GOAL ? take_goal(q, key, value) : 0;

	if (goal)
		return goal;
	if (takes & TAKES_OF && !strcmp(key, "of"))
		return take_text(value, &q->of);
	if (takes & TAKES_FROM && !strcmp(key, "from"))
		return take_text(value, &q->from);
	if (takes & TAKES_TRES && !strcmp(key, "tres"))
		return take_text(value, &q->tres);
	if (takes & TAKES_TRES && !strcmp(key, "partition"))
		return take_text(value, &q->partition);
	if (takes & TAKES_HAVE && !strcmp(key, "have"))
		return take_text(value, &q->have);
	if (takes & TAKES_PROCS && !strcmp(key, "procs"))
		return take_jobs(value, &q->procs);
	if (takes & TAKES_JOB && !strcmp(key, "time"))
		return take_seconds(r, value, &q->seconds);
	return takes & TAKES_JOB && !strcmp(key, "jobs") ? take_jobs(value, &q->jobs) : 0;
}

static int refuse(const struct share_run *r, const char *why, const char *word)
{
	complain(r->inv, "--solve: %s%s; see fs-share(1)", why, word);
	return usage_status(r->inv);
}

/* Returns the snapshot's only partition, if there is just one. */
static const char *only_partition(const fs_snapshot *s)
{
	return fs_snapshot_partition_name(s, 0) && !fs_snapshot_partition_name(s, 1) ? fs_snapshot_partition_name(s, 0)
										     : NULL;
}

static int check_question(const struct share_run *r, struct solve_question *q)
{
	const unsigned takes = takes_of(q, (int)q->kind);

	if (takes & TAKES_GOAL && isnan(q->value))
		return refuse(r, q->windows ? "say which goal: factor=5" : "say which goal: factor=0.5, rank=10 or level=1", "");
	if (takes & TAKES_PROCS && isnan(q->procs))
		return refuse(r, "say of what: procs=16", "");
	if (q->kind == SOLVE_TIME && q->goal == FS_GOAL_LEVEL)
		return refuse(r, "time is told of a factor or a rank", "");
	if (takes & TAKES_TRES && !q->tres)
		return refuse(r, "say of what: tres=cpu=16,mem=64G", "");
	if (takes & TAKES_JOB && isnan(q->seconds))
		return refuse(r, "say how long the job runs: time=12h", "");
	if (takes & TAKES_TRES && !fs_snapshot_partition_name(r->snapshot, 0)) {
		complain(r->inv, "--solve: the snapshot holds no partitions, by whose weights a cost is told");
		return EXIT_FAILED;
	}
	q->partition = q->partition ? q->partition : only_partition(r->snapshot);
	return takes & TAKES_TRES && !q->partition ? refuse(r, "say where: partition=NAME", "") : 0;
}

int solve_parse(const struct share_run *r, const char *text, struct solve_question *q)
{
	char *save, *word;
	int kind = 0;

	*q = (struct solve_question){ .value = NAN, .seconds = NAN, .jobs = 1, .procs = NAN,
				      .windows = dialect_of(r->snapshot)->windows };
	if (strlen(text) >= sizeof(q->text))
		return refuse(r, "the question is too long", "");
	memcpy(q->text, text, strlen(text) + 1);
	word = strtok_r(q->text, " \t\n", &save);
	while (word && kind < KINDS && (!takes_of(q, kind) || strcmp(word, kinds[kind].name) != 0))
		kind++;
	if (!word || kind == KINDS)
		return refuse(r, q->windows ? "ask for target, usage, time or job, not " : "ask for shares, usage, time, job or hardware, not ",
			      word ? word : "nothing");
	q->kind = (enum solve_kind)kind;
	while ((word = strtok_r(NULL, " \t\n", &save))) {
		char *value = strchr(word, '=');
		int took = 0;

		if (value) {
			*value++ = '\0';
			took = take(r, q, word, value);
		}
		if (!took)
			return refuse(r, "the question takes no word ", word);
		if (took < 0)
			return refuse(r, "not what can be asked for: ", value);
	}
	return check_question(r, q);
}
