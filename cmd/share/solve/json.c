/* fs-solve/1 */
#include "share/solve/solve.h"

#include "columns/share.h"
#include "render/json.h"

#include <math.h>

static const char *const moments[] = { [FS_SOLVE_NOW] = "now", [FS_SOLVE_THEN] = "then", [FS_SOLVE_SHORT] = "short" };

static void put_row(struct fs_json *j, const char *key, const struct fs_share_row *row)
{
	share_json_name(j, key, row->account ? row : NULL);
}

#define QUESTION(m) COLUMN_MEMBER(struct solve_question, m)

static const struct column goal_columns[] = {
	{ NULL, "kind", QUESTION(goal), .word = solve_goal_name, .help = "of what" },
	{ NULL, "value", QUESTION(value), .help = "that is to be reached" },
};

#define STANDING(m) COLUMN_MEMBER(struct fs_standing, m)

static const struct column standing_columns[] = {
	{ NULL, "norm_shares", STANDING(norm_shares), .help = "as in fs-share" },
	{ NULL, "raw_usage", STANDING(raw_usage), .help = "as in fs-share" },
	{ NULL, "effective_usage", STANDING(effective_usage), .help = "as in fs-share" },
	{ NULL, "level_fs", STANDING(level_fs), .help = "as in fs-share" },
	{ NULL, "fairshare", STANDING(fairshare), .help = "as in fs-share" },
	{ NULL, "rank", STANDING(rank), .none_at_0 = true, .help = "as in fs-share" },
};

static void put_standing(struct fs_json *j, const struct solve_answer *a, enum fs_solve i)
{
	fs_json_object(j);
	json_text(j, "moment", moments[i]);
	json_number(j, "amount", a->found.amount[i]);
	json_number(j, "from", a->found.from[i]);
	columns_json(j, COLUMNS(standing_columns), NULL, &a->found.at[i]);
	fs_json_end_object(j);
}

static void put_standings(struct fs_json *j, const struct solve_answer *a)
{
	json_list(j, "states");
	for (int i = 0; a->q->kind != SOLVE_TIME && i < FS_SOLVE_COUNT; i++)
		if (!isnan(a->found.amount[i]) && (i != FS_SOLVE_SHORT || a->found.bounded))
			put_standing(j, a, (enum fs_solve)i);
	fs_json_end_array(j);
}

static void put_commands(struct fs_json *j, const struct solve_answer *a)
{
	json_list(j, "commands");
	for (int i = 0; a->q->kind != SOLVE_TIME && a->found.possible && i < 2; i++)
		if (*a->found.command[i])
			fs_json_string(j, a->found.command[i]);
	fs_json_end_array(j);
}

COLUMN_KNOWN(is_told, void, struct solve_when, !row->already && row->event.assumptions)
COLUMN_GET(get_never, void, struct solve_when, is_told(of, row) && row->event.never)

#define WHEN(m) COLUMN_MEMBER(struct solve_when, m)

static const struct column when_columns[] = {
	{ NULL, "already", WHEN(already), .help = "the goal is met now" },
	{ NULL, "time", WHEN(event.time), .known = is_told, .unit = UNIT_TIME, .help = "when it is" },
	{ NULL, "never", .get = get_never, .help = "it is not met, however long one waits" },
	{ NULL, "fairshare_before", WHEN(event.before.fairshare), .known = is_told, .help = "the calculation before" },
	{ NULL, "fairshare", WHEN(event.after.fairshare), .known = is_told, .help = "at that one" },
	{ NULL, "rank_before", WHEN(event.before.rank), .known = is_told, .none_at_0 = true,
	  .help = "the calculation before" },
	{ NULL, "rank", WHEN(event.after.rank), .known = is_told, .none_at_0 = true, .help = "at that one" },
};

static void put_time(struct fs_json *j, enum fs_assumption k, const struct solve_when *w)
{
	fs_json_object(j);
	json_text(j, "assumption", fs_assumption_name(k));
	columns_json(j, COLUMNS(when_columns), NULL, w);
	fs_json_end_object(j);
}

COLUMN_GET(get_partition, struct solve_question, void, of->partition)

#define ANSWER(m) COLUMN_MEMBER(struct solve_answer, m)

/* Of an answer; of: its question. */
static const struct column cost_columns[] = {
	{ NULL, "partition", .get = get_partition, .help = "that bills" },
	{ NULL, "rate", ANSWER(rate), .help = "TRES seconds a second" },
	{ NULL, "present_rate", ANSWER(have), .help = "of the hardware there is" },
	{ NULL, "tres_s", ANSWER(tres_s), .help = "of the job in all" },
};

int solve_json(const struct solve_answer *a)
{
	struct fs_json j;

	json_begin(&j, "fs-solve/1", a->r->snapshot, a->r->json);
	json_text(&j, "question", solve_kind_name(a->q->kind));
	columns_json_object(&j, "goal", COLUMNS(goal_columns), NULL, isnan(a->q->value) ? NULL : a->q);
	put_row(&j, "subject", &a->row);
	put_row(&j, "of", &a->of);
	put_row(&j, "from", &a->from);
	columns_json_object(&j, "cost", COLUMNS(cost_columns), a->q, isnan(a->rate) ? NULL : a);
	fs_json_key(&j, "possible");
	if (a->q->kind == SOLVE_TIME)
		fs_json_null(&j);
	else
		fs_json_bool(&j, a->found.possible);
	put_standings(&j, a);
	put_commands(&j, a);
	json_list(&j, "times");
	for (int k = 0; a->q->kind == SOLVE_TIME && k < FS_ASSUMPTION_COUNT; k++)
		put_time(&j, (enum fs_assumption)k, &a->when[k]);
	fs_json_end_array(&j);
	return json_end(&j);
}
