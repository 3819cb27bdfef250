/* fs-solve/1 */
#include "share/solve.h"

#include <math.h>

static const char *const moments[] = { [FS_SOLVE_NOW] = "now", [FS_SOLVE_THEN] = "then", [FS_SOLVE_SHORT] = "short" };

static void put_row(struct fs_json *j, const char *key, const struct fs_share_row *row)
{
	fs_json_key(j, key);
	if (!row->account) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "account", row->account);
	json_text(j, "user", row->user);
	json_text(j, "partition", row->partition);
	fs_json_end_object(j);
}

static void put_goal(struct fs_json *j, const struct solve_question *q)
{
	fs_json_key(j, "goal");
	if (isnan(q->value)) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "kind", solve_goal_name(q->goal));
	json_number(j, "value", q->value);
	fs_json_end_object(j);
}

static void put_standing(struct fs_json *j, const struct solve_answer *a, enum fs_solve i)
{
	const struct fs_standing *s = &a->found.at[i];

	fs_json_object(j);
	json_text(j, "moment", moments[i]);
	json_number(j, "amount", a->found.amount[i]);
	json_number(j, "from", a->found.from[i]);
	json_number(j, "norm_shares", s->norm_shares);
	json_number(j, "raw_usage", s->raw_usage);
	json_number(j, "effective_usage", s->effective_usage);
	json_number(j, "level_fs", s->level_fs);
	json_number(j, "fairshare", s->fairshare);
	json_whole(j, "rank", s->rank != 0, s->rank);
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
	for (int i = 0; a->q->kind != SOLVE_TIME && i < 2; i++)
		if (*a->found.command[i])
			fs_json_string(j, a->found.command[i]);
	fs_json_end_array(j);
}

static void put_time(struct fs_json *j, enum fs_assumption k, const struct solve_when *w)
{
	const bool told = !w->already && w->event.assumptions;

	fs_json_object(j);
	json_text(j, "assumption", fs_assumption_name(k));
	json_flag(j, "already", w->already);
	json_integer(j, "time", told ? w->event.time : FS_UNKNOWN);
	json_flag(j, "never", told && w->event.never);
	json_number(j, "fairshare_before", told ? w->event.before.fairshare : (double)NAN);
	json_number(j, "fairshare", told ? w->event.after.fairshare : (double)NAN);
	json_whole(j, "rank_before", told && w->event.before.rank, w->event.before.rank);
	json_whole(j, "rank", told && w->event.after.rank, w->event.after.rank);
	fs_json_end_object(j);
}

static void put_cost(struct fs_json *j, const struct solve_answer *a)
{
	fs_json_key(j, "cost");
	if (isnan(a->rate)) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "partition", a->q->partition ? a->q->partition : "");
	json_number(j, "rate", a->rate);
	json_number(j, "present_rate", a->have);
	json_number(j, "tres_s", a->tres_s);
	fs_json_end_object(j);
}

int solve_json(const struct solve_answer *a)
{
	struct fs_json j;

	json_begin(&j, "fs-solve/1", a->r->snapshot, a->r->json);
	json_text(&j, "question", solve_kind_name(a->q->kind));
	put_goal(&j, a->q);
	put_row(&j, "subject", &a->row);
	put_row(&j, "of", &a->of);
	put_row(&j, "from", &a->from);
	put_cost(&j, a);
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
