/* fs-share --solve: which shares, usage, time or hardware an account or user needs to reach a fair-share factor, rank
 * or level (fs/solve.h).
 *
 * parse_solve_question reads the question. find_subject_row and copy_question_rows find the share rows that the
 * question is about. compute_solve_answer computes the answer; print_solve_json or print_solve_text prints it. */
#include "cmd.h"
#include "columns/share.h"
#include "dialect/dialect.h"
#include "fs/solve.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/json.h"
#include "render/text.h"
#include "share/share.h"
#include "words/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of questions that --solve answers. */
enum solve_kind { SOLVE_SHARES, SOLVE_USAGE, SOLVE_TIME, SOLVE_JOB, SOLVE_HARDWARE };
/* maximum size of the argument of --solve, the question, in bytes */
enum { SOLVE_TEXT_SIZE = 1024 };

/* The parsed question, which is the argument of --solve. Numbers that the argument does not contain are NAN, except
 * `jobs`, which is then 1. */
struct solve_question {
	char text[SOLVE_TEXT_SIZE]; /* copy of the option's argument; the strings below point into it */
	enum solve_kind kind;
	enum fs_goal goal;
	double value;
	/* `target_name`: row whose shares or usage may change (of=). `source_name`: row that gives shares (from=).
	 * NULL: not given */
	const char *target_name, *source_name;
	/* `tres`: the TRES of a job, or of new hardware; `present_tres`: the TRES of the present hardware (have=);
	 * `partition`: name of the partition whose billing weights apply. NULL: not given */
	const char *tres, *present_tres, *partition;
	double seconds, jobs; /* `seconds`: time limit of a job; `jobs`: number of jobs */
};

/* The time at which the share row reaches the goal of the question, under one of the forecast's assumptions about
 * future jobs. */
struct goal_time {
	bool already; /* the goal is met now */
	/* the forecast's event of the kind FS_FORECAST_GOAL; all members are 0 if the forecast has no such event */
	struct fs_forecast_event event;
};

struct solve_answer {
	const struct share_run *r;
	const struct solve_question *q;
	/* Copies of share rows. `subject`: the row that the question is about. `target`: the row whose shares or usage
	 * change. `source`: the row that gives shares to the target; source.account is NULL if there is none. */
	struct fs_share_row subject, target, source;
	uint32_t ranked_users;			   /* number of users that have a rank */
	struct fs_solution solution;		 /* result of the solver; unused if the question is SOLVE_TIME */
	/* times at which the row reaches the goal, indexed by enum fs_assumption; set only if the question is
	 * SOLVE_TIME */
	struct goal_time goal_times[FS_ASSUMPTION_COUNT];
	/* `rate`: charge for the TRES of a job or of new hardware, in TRES seconds per second. `present_rate`: charge
	 * for the present hardware, in TRES seconds per second. `tres_s`: total charge, in TRES seconds, if the jobs
	 * that the question describes run until their time limits. NAN: not computed */
	double rate, present_rate, tres_s;
};

/* ---- parsing the question of --solve: the first word is the kind of question, the other words are KEY=VALUE */

enum {
	ACCEPTS_GOAL = 1,
	ACCEPTS_TARGET = 2,
	ACCEPTS_SOURCE = 4,
	ACCEPTS_TRES = 8,
	ACCEPTS_JOB = 16,
	ACCEPTS_PRESENT = 32
};

static const struct {
	const char *name;
	unsigned accepted_keys;
} solve_kinds[] = {
	[SOLVE_SHARES] = { "shares", ACCEPTS_GOAL | ACCEPTS_TARGET | ACCEPTS_SOURCE },
	[SOLVE_USAGE] = { "usage", ACCEPTS_GOAL | ACCEPTS_TARGET },
	[SOLVE_TIME] = { "time", ACCEPTS_GOAL },
	[SOLVE_JOB] = { "job", ACCEPTS_TRES | ACCEPTS_JOB },
	[SOLVE_HARDWARE] = { "hardware", ACCEPTS_TRES | ACCEPTS_PRESENT | ACCEPTS_SOURCE },
};
enum { SOLVE_KINDS = sizeof(solve_kinds) / sizeof(*solve_kinds) };

static const char *const solve_goals[] = {
	[FS_GOAL_FACTOR] = "factor", [FS_GOAL_RANK] = "rank", [FS_GOAL_LEVEL] = "level"
};
enum { SOLVE_GOALS = sizeof(solve_goals) / sizeof(*solve_goals) };

/* Returns the word that selects this kind of question in the argument of --solve, such as "shares". */
static const char *get_solve_kind_name(enum solve_kind kind)
{
	return solve_kinds[kind].name;
}

/* Returns the key that names this goal in the argument of --solve, such as "rank". */
static const char *get_solve_goal_name(enum fs_goal goal)
{
	return solve_goals[goal];
}

static int parse_finite_number(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end == text || *end || !isfinite(*out) ? -1 : 0;
}

static bool is_valid_goal_value(enum fs_goal goal, double v)
{
	const double max_rank = 4294967295.0;

	if (goal == FS_GOAL_FACTOR)
		return v > 0 && v <= 1;
	return v > 0 && (goal == FS_GOAL_LEVEL || (v == floor(v) && v <= max_rank));
}

/* Parses a word KEY=VALUE of the question as a goal. Returns 1 on success, 0 if `key` is not the key of a goal, -1 if
 * the value is invalid. */
static int parse_goal_word(struct solve_question *q, const char *key, const char *value)
{
	for (int i = 0; i < SOLVE_GOALS; i++)
		if (!strcmp(key, solve_goals[i])) {
			q->goal = (enum fs_goal)i;
			return parse_finite_number(value, &q->value) || !is_valid_goal_value(q->goal, q->value) ? -1
														: 1;
		}
	return 0;
}

static int parse_job_seconds(const struct share_run *r, const char *value, double *out)
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

static int parse_job_count(const char *value, double *out)
{
	const double max = 1e9;

	return parse_finite_number(value, out) || *out < 1 || *out > max || *out != floor(*out) ? -1 : 1;
}

static int parse_nonempty_text(const char *value, const char **out)
{
	*out = value;
	return *value ? 1 : -1;
}

static int parse_question_word(const struct share_run *r, struct solve_question *q, const char *key, const char *value)
{
	const unsigned accepted_keys = solve_kinds[q->kind].accepted_keys;
	const int goal = accepted_keys & ACCEPTS_GOAL ? parse_goal_word(q, key, value) : 0;

	if (goal)
		return goal;
	if (accepted_keys & ACCEPTS_TARGET && !strcmp(key, "of"))
		return parse_nonempty_text(value, &q->target_name);
	if (accepted_keys & ACCEPTS_SOURCE && !strcmp(key, "from"))
		return parse_nonempty_text(value, &q->source_name);
	if (accepted_keys & ACCEPTS_TRES && !strcmp(key, "tres"))
		return parse_nonempty_text(value, &q->tres);
	if (accepted_keys & ACCEPTS_TRES && !strcmp(key, "partition"))
		return parse_nonempty_text(value, &q->partition);
	if (accepted_keys & ACCEPTS_PRESENT && !strcmp(key, "have"))
		return parse_nonempty_text(value, &q->present_tres);
	if (accepted_keys & ACCEPTS_JOB && !strcmp(key, "time"))
		return parse_job_seconds(r, value, &q->seconds);
	return accepted_keys & ACCEPTS_JOB && !strcmp(key, "jobs") ? parse_job_count(value, &q->jobs) : 0;
}

static int report_question_error(const struct share_run *r, const char *why, const char *word)
{
	cmd_print_message(r->inv, "--solve: %s%s; see fs-share(1)", why, word);
	return cmd_get_usage_status(r->inv);
}

/* Returns the name of the partition if the snapshot has exactly one partition; otherwise NULL. */
static const char *get_only_partition(const fs_snapshot *s)
{
	return fs_snapshot_partition_name(s, 0) && !fs_snapshot_partition_name(s, 1) ? fs_snapshot_partition_name(s, 0)
										     : NULL;
}

static int check_solve_question(const struct share_run *r, struct solve_question *q)
{
	const unsigned accepted_keys = solve_kinds[q->kind].accepted_keys;

	if (accepted_keys & ACCEPTS_GOAL && isnan(q->value))
		return report_question_error(r, "the goal is missing; example: factor=0.5, rank=10 or level=1", "");
	if (q->kind == SOLVE_TIME && q->goal == FS_GOAL_LEVEL)
		return report_question_error(r, "the question \"time\" supports only the goals factor and rank", "");
	if (accepted_keys & ACCEPTS_TRES && !q->tres)
		return report_question_error(r, "the TRES of the job are missing; example: tres=cpu=16,mem=64G", "");
	if (accepted_keys & ACCEPTS_JOB && isnan(q->seconds))
		return report_question_error(r, "the run time of the job is missing; example: time=12h", "");
	if (accepted_keys & ACCEPTS_TRES && !fs_snapshot_partition_name(r->snapshot, 0)) {
		cmd_print_message(r->inv, "--solve: cannot compute a cost: the snapshot has no partitions");
		return EXIT_FAILED;
	}
	q->partition = q->partition ? q->partition : get_only_partition(r->snapshot);
	return accepted_keys & ACCEPTS_TRES && !q->partition ? report_question_error(r, "partition=NAME is missing, and the snapshot has several partitions", "")
							     : 0;
}

/* Parses `text`, the argument of --solve, into *q. Returns 0, or the exit status after an error message. */
static int parse_solve_question(const struct share_run *r, const char *text, struct solve_question *q)
{
	char *rest, *word;
	int kind = 0;

	*q = (struct solve_question){ .value = NAN, .seconds = NAN, .jobs = 1 };
	if (strlen(text) >= sizeof(q->text))
		return report_question_error(r, "the argument is too long", "");
	memcpy(q->text, text, strlen(text) + 1);
	word = strtok_r(q->text, " \t\n", &rest);
	while (word && kind < SOLVE_KINDS && strcmp(word, solve_kinds[kind].name) != 0)
		kind++;
	if (!word || kind == SOLVE_KINDS)
		return report_question_error(r, "expected shares, usage, time, job or hardware, not ",
					     word ? word : "nothing");
	q->kind = (enum solve_kind)kind;
	while ((word = strtok_r(NULL, " \t\n", &rest))) {
		char *value = strchr(word, '=');
		int accepted = 0;

		if (value) {
			*value++ = '\0';
			accepted = parse_question_word(r, q, word, value);
		}
		if (!accepted)
			return report_question_error(r, "unexpected word ", word);
		if (accepted < 0)
			return report_question_error(r, "invalid value ", value);
	}
	return check_solve_question(r, q);
}

/* ---- the answer as JSON, schema fs-solve/1 */

static const char *const solve_moment_names[] = {
	[FS_SOLVE_NOW] = "now", [FS_SOLVE_THEN] = "then", [FS_SOLVE_SHORT] = "short"
};

static void write_solve_row(struct fs_json *j, const char *key, const struct fs_share_row *row)
{
	share_write_row_name(j, key, row->account ? row : NULL);
}

#define QUESTION(m) COLUMN_MEMBER(struct solve_question, m)

static const struct column goal_columns[] = {
	{ NULL, "kind", QUESTION(goal), .enum_name = get_solve_goal_name, .help = "kind of goal" },
	{ NULL, "value", QUESTION(value), .help = "value to be reached" },
};

#define STANDING(m) COLUMN_MEMBER(struct fs_standing, m)

static const struct column standing_columns[] = {
	{ NULL, "norm_shares", STANDING(norm_shares), .help = "normalised shares, as in fs-share" },
	{ NULL, "raw_usage", STANDING(raw_usage), .help = "raw usage, as in fs-share" },
	{ NULL, "effective_usage", STANDING(effective_usage), .help = "effective usage, as in fs-share" },
	{ NULL, "level_fs", STANDING(level_fs), .help = "LevelFS, as in fs-share" },
	{ NULL, "fairshare", STANDING(fairshare), .help = "fair-share factor, as in fs-share" },
	{ NULL, "rank", STANDING(rank), .zero_is_none = true, .help = "rank, as in fs-share" },
};

static void write_one_standing(struct fs_json *j, const struct solve_answer *a, enum fs_solve i)
{
	fs_json_object(j);
	json_write_text(j, "moment", solve_moment_names[i]);
	json_write_number(j, "amount", a->solution.amount[i]);
	json_write_number(j, "from", a->solution.from[i]);
	columns_write_members(j, COLUMNS(standing_columns), NULL, &a->solution.at[i]);
	fs_json_end_object(j);
}

static void write_standing_rows(struct fs_json *j, const struct solve_answer *a)
{
	json_begin_list(j, "states");
	for (int i = 0; a->q->kind != SOLVE_TIME && i < FS_SOLVE_COUNT; i++)
		if (!isnan(a->solution.amount[i]) && (i != FS_SOLVE_SHORT || a->solution.bounded))
			write_one_standing(j, a, (enum fs_solve)i);
	fs_json_end_array(j);
}

static void write_solve_commands(struct fs_json *j, const struct solve_answer *a)
{
	json_begin_list(j, "commands");
	for (int i = 0; a->q->kind != SOLVE_TIME && a->solution.possible && i < 2; i++)
		if (*a->solution.command[i])
			fs_json_string(j, a->solution.command[i]);
	fs_json_end_array(j);
}

COLUMN_HAS_VALUE(is_event_known, void, struct goal_time, !row->already && row->event.assumptions)
COLUMN_GET_VALUE(get_never_flag, void, struct goal_time, is_event_known(of, row) && row->event.never)

#define WHEN(m) COLUMN_MEMBER(struct goal_time, m)

static const struct column when_columns[] = {
	{ NULL, "already", WHEN(already), .help = "true: the goal is met now" },
	{ NULL, "time", WHEN(event.time), .has_value = is_event_known, .unit = UNIT_TIME,
	  .help = "time at which the goal is met" },
	{ NULL, "never", .get_value = get_never_flag, .help = "true: the goal is never met" },
	{ NULL, "fairshare_before", WHEN(event.before.fairshare), .has_value = is_event_known,
	  .help = "fair-share factor in the priority calculation before `time`" },
	{ NULL, "fairshare", WHEN(event.after.fairshare), .has_value = is_event_known,
	  .help = "fair-share factor at `time`" },
	{ NULL, "rank_before", WHEN(event.before.rank), .has_value = is_event_known, .zero_is_none = true,
	  .help = "rank in the priority calculation before `time`" },
	{ NULL, "rank", WHEN(event.after.rank), .has_value = is_event_known, .zero_is_none = true,
	  .help = "rank at `time`" },
};

static void write_goal_time(struct fs_json *j, enum fs_assumption k, const struct goal_time *w)
{
	fs_json_object(j);
	json_write_text(j, "assumption", fs_assumption_name(k));
	columns_write_members(j, COLUMNS(when_columns), NULL, w);
	fs_json_end_object(j);
}

COLUMN_GET_VALUE(get_question_partition, struct solve_question, void, of->partition)

#define ANSWER(m) COLUMN_MEMBER(struct solve_answer, m)

/* Members of the JSON object "cost", computed from a struct solve_answer. `of` points to the struct solve_question. */
static const struct column cost_columns[] = {
	{ NULL, "partition", .get_value = get_question_partition, .help = "partition whose weights apply" },
	{ NULL, "rate", ANSWER(rate), .help = "TRES seconds charged per second" },
	{ NULL, "present_rate", ANSWER(present_rate),
	  .help = "TRES seconds charged per second for the present hardware" },
	{ NULL, "tres_s", ANSWER(tres_s), .help = "TRES seconds charged for all jobs" },
};

/* Prints the answer as JSON. Returns the exit status. */
static int print_solve_json(const struct solve_answer *a)
{
	struct fs_json j;

	json_begin_document(&j, "fs-solve/1", a->r->snapshot, a->r->json);
	json_write_text(&j, "question", get_solve_kind_name(a->q->kind));
	columns_write_named_object(&j, "goal", COLUMNS(goal_columns), NULL, isnan(a->q->value) ? NULL : a->q);
	write_solve_row(&j, "subject", &a->subject);
	write_solve_row(&j, "of", &a->target);
	write_solve_row(&j, "from", &a->source);
	columns_write_named_object(&j, "cost", COLUMNS(cost_columns), a->q, isnan(a->rate) ? NULL : a);
	fs_json_key(&j, "possible");
	if (a->q->kind == SOLVE_TIME)
		fs_json_null(&j);
	else
		fs_json_bool(&j, a->solution.possible);
	write_standing_rows(&j, a);
	write_solve_commands(&j, a);
	json_begin_list(&j, "times");
	for (int k = 0; a->q->kind == SOLVE_TIME && k < FS_ASSUMPTION_COUNT; k++)
		write_goal_time(&j, (enum fs_assumption)k, &a->goal_times[k]);
	fs_json_end_array(&j);
	return json_end_document(&j);
}

/* ---- the answer as text */

enum { ROW_NAME_SIZE = 320 };

static void format_row_name(char out[ROW_NAME_SIZE], const struct fs_share_row *row)
{
	if (*row->user)
		snprintf(out, ROW_NAME_SIZE, "%.100s in %.100s%s%.100s", row->user, row->account,
			 *row->partition ? ", partition " : "", row->partition);
	else
		snprintf(out, ROW_NAME_SIZE, "%.300s", row->account);
}

static void format_solve_goal(char out[WORDS], const struct solve_answer *a)
{
	static const char *const names[] = { "FairShare", "rank", "LevelFS" };
	char v[WORDS];

	snprintf(out, WORDS, "%s %s", names[a->q->goal], format_config_number(v, a->q->value));
}

/* Formats the goal with a capital letter, for the beginning of a sentence. */
static void format_capitalized_goal(char out[WORDS], const struct solve_answer *a)
{
	format_solve_goal(out, a);
	*out = (char)toupper((unsigned char)*out);
}

static bool is_about_shares(const struct solve_answer *a)
{
	return a->q->kind == SOLVE_SHARES || a->q->kind == SOLVE_HARDWARE;
}

/* ---- the table that compares shares, usage, factor and rank before and after the proposed change */

static void add_standing_row(struct page *p, const struct solve_answer *a, enum fs_solve i, const char *name)
{
	const struct fs_standing *s = &a->solution.at[i];
	char v[WORDS];

	page_add_cell(p, "%s", name);
	page_add_cell(p, "%s", format_decimal_number(v, a->solution.amount[i], 0));
	if (a->source.account)
		page_add_cell(p, "%s", format_decimal_number(v, a->solution.from[i], 0));
	page_add_cell(p, "%.6f", s->norm_shares);
	page_add_cell(p, "%.6f", s->effective_usage);
	if (a->q->goal == FS_GOAL_LEVEL)
		page_add_cell(p, "%s", format_share_level(v, s->level_fs));
	if (isnan(s->fairshare))
		page_add_cell(p, "none");
	else
		page_add_cell(p, "%.6f", s->fairshare);
	if (s->rank)
		page_add_cell(p, "%" PRIu32 "/%" PRIu32, s->rank, a->ranked_users);
	page_end_row(p, TONE_PLAIN);
}

static const char *get_reached_label(const struct solve_answer *a)
{
	if (!a->solution.possible)
		return is_about_shares(a) ? "at most" : "without usage";
	return "then";
}

/* Adds a row for the present values and a row for the values after the change. If a->solution.bounded is true, also
 * adds a row with the label `missed_label`: the values after a slightly different change that misses the goal. */
static void add_standing_rows(struct page *p, const struct solve_answer *a, const char *missed_label)
{
	add_standing_row(p, a, FS_SOLVE_NOW, "now");
	add_standing_row(p, a, FS_SOLVE_THEN, get_reached_label(a));
	if (a->solution.bounded)
		add_standing_row(p, a, FS_SOLVE_SHORT, missed_label);
	page_end_table(p);
	page_add_gap(p);
}

static void add_standing_table(struct page *p, const struct solve_answer *a)
{
	struct page_column c[PAGE_COLUMNS] = { { "", ALIGN_LEFT } };
	char from[ROW_NAME_SIZE];
	size_t n = 1;

	c[n++] = (struct page_column){ is_about_shares(a) ? "shares" : "TRES s", ALIGN_RIGHT };
	if (a->source.account) {
		snprintf(from, sizeof(from), "of %.60s", *a->source.user ? a->source.user : a->source.account);
		c[n++] = (struct page_column){ from, ALIGN_RIGHT };
	}
	c[n++] = (struct page_column){ "NormShares", ALIGN_RIGHT };
	c[n++] = (struct page_column){ "EffectvUsage", ALIGN_RIGHT };
	if (a->q->goal == FS_GOAL_LEVEL)
		c[n++] = (struct page_column){ "LevelFS", ALIGN_RIGHT };
	c[n++] = (struct page_column){ "FairShare", ALIGN_RIGHT };
	if (a->subject.rank)
		c[n++] = (struct page_column){ "rank", ALIGN_RIGHT };
	page_begin_table(p, c, n);
	add_standing_rows(p, a, is_about_shares(a) ? "a share less" : "a second more");
}

static void add_solve_commands(struct page *p, const struct solve_answer *a)
{
	for (int i = 0; i < 2; i++)
		if (*a->solution.command[i]) {
			page_add_sentence(p, "%s", a->solution.command[i]);
			page_end_paragraph(p);
		}
}

/* ---- the sentences of the answer */

/* Adds a sentence that explains why the goal cannot be reached. Fair Tree compares level by level: if another account
 * is ahead at a higher level of the tree, changes below that level do not help. */
static void add_unreachable_reason(struct page *p, const struct solve_answer *a, const char *goal, const char *of)
{
	const struct fs_standing *max = &a->solution.at[FS_SOLVE_THEN];

	page_add_sentence(
		p, is_about_shares(a) ? "No number of shares of %s reaches %s:" : "No usage of %s reaches %s:", of,
		goal);
	if (a->q->goal == FS_GOAL_LEVEL)
		page_add_sentence(p, "the table shows the highest possible LevelFS.");
	else if (max->rank)
		page_add_sentence(
			p, "the best rank is %" PRIu32 " of %" PRIu32 "%s", max->rank, a->ranked_users,
			a->target.depth > 1
				? "; users ahead are elsewhere in the tree: try of=ACCOUNT with an account above."
				: ".");
	else
		page_add_sentence(
			p,
			"the highest possible factor is %.6f; the rest depends on the accounts above.",
			max->fairshare);
}

static void add_amount_sentence(struct page *p, const struct solve_answer *a)
{
	const double then = a->solution.amount[FS_SOLVE_THEN], now = a->solution.amount[FS_SOLVE_NOW];
	char goal[WORDS], begin[WORDS], of[ROW_NAME_SIZE], v[WORDS], w[WORDS];

	format_solve_goal(goal, a);
	format_capitalized_goal(begin, a);
	format_row_name(of, &a->target);
	if (!a->solution.possible)
		add_unreachable_reason(p, a, goal, of);
	else if (is_about_shares(a))
		page_add_sentence(p, "%s requires %s of %s (now %s).", begin,
				  format_counted_term(v, (uint64_t)then, "share", "shares"), of,
				  format_decimal_number(w, now, 0));
	else if (!a->solution.bounded)
		page_add_sentence(p, "Whatever the usage of %s, %s is reached.", of, goal);
	else
		page_add_sentence(p, "%s requires the usage of %s to be at most %s TRES seconds (now %s).", begin, of,
				  format_decimal_number(v, then, 0), format_decimal_number(w, now, 0));
	if (!is_about_shares(a))
		page_add_sentence(p, "The usage of all others does not change.");
	else if (!a->source.account)
		page_add_sentence(p, "The shares of all others do not change.");
	page_end_paragraph(p);
	page_add_gap(p);
}

static void add_cost_sentence(struct page *p, const struct solve_answer *a)
{
	const double more = fmax(0, a->solution.amount[FS_SOLVE_THEN] - a->solution.amount[FS_SOLVE_NOW]);
	char rate[WORDS], all[WORDS], each[WORDS], jobs[WORDS], of[ROW_NAME_SIZE];

	format_row_name(of, &a->target);
	format_config_number(rate, a->rate);
	if (a->q->kind == SOLVE_HARDWARE) {
		page_add_sentence(p,
				  "In %s, the present hardware bills %s per second and the new hardware %s: "
				  "worth %s more to %s.",
				  a->q->partition, format_config_number(each, a->present_rate), rate,
				  format_counted_term(all, (uint64_t)more, "share", "shares"), of);
	} else {
		page_add_sentence(p, "In %s, a second costs %s, a job %s TRES seconds", a->q->partition, rate,
				  format_config_number(each, a->rate * a->q->seconds));
		if (a->q->jobs > 1)
			page_append_text(p, ", %s jobs %s", format_decimal_number(jobs, a->q->jobs, 0),
					 format_config_number(all, a->tres_s));
		page_append_text(p, ".");
		page_add_sentence(p, "Charged to %s at once, without decay during the run:", of);
	}
	page_end_paragraph(p);
	page_add_gap(p);
}

static void add_goal_time_row(struct page *p, const struct solve_answer *a, int k)
{
	const struct goal_time *w = &a->goal_times[k];
	const struct fs_forecast_event *e = &w->event;
	char v[WORDS];

	page_add_cell(p, "%s", fs_assumption_text((enum fs_assumption)k));
	if (w->already) {
		page_add_cell(p, "met now");
		page_end_row(p, TONE_PLAIN);
		return;
	}
	if (e->time != FS_UNKNOWN) {
		page_add_cell(p, "%s", format_full_time(v, a->r->snapshot, e->time));
		page_add_cell(p, "%s", format_time_span(v, (double)(e->time - fs_snapshot_info(a->r->snapshot)->time)));
	} else {
		page_add_cell(p, e->never ? "never" : "not in the forecast");
		page_add_cell(p, "%s", "");
	}
	page_add_cell(p, "%.6f", e->after.fairshare);
	if (e->time != FS_UNKNOWN)
		page_add_cell(p, "%.6f", e->before.fairshare);
	page_end_row(p, TONE_PLAIN);
}

static void add_goal_times_table(struct page *p, const struct solve_answer *a)
{
	static const struct page_column c[] = { { "if", ALIGN_LEFT }, { "when", ALIGN_LEFT }, { "after", ALIGN_RIGHT },
						{ "FairShare then", ALIGN_RIGHT }, { "a calculation before", ALIGN_RIGHT } };
	char goal[WORDS];

	format_solve_goal(goal, a);
	page_add_sentence(
		p,
		"%s is now %.6f. Time until %s, if nothing is submitted, changed or cancelled except as assumed:",
		a->subject.rank ? "FairShare (a rank)" : "FairShare", fs_share_factor(&a->subject), goal);
	page_end_paragraph(p);
	page_add_gap(p);
	page_begin_table(p, c, sizeof(c) / sizeof(*c));
	for (int k = 0; k < FS_ASSUMPTION_COUNT; k++)
		add_goal_time_row(p, a, k);
	page_end_table(p);
}

/* Prints the answer as text. Returns the exit status. */
static int print_solve_text(const struct solve_answer *a)
{
	struct page p;
	char name[ROW_NAME_SIZE];
	int status = EXIT_DONE;

	page_init_form(&p, PAGE_TEXT, 80, text_has_utf8());
	page_add_what_if(&p, a->r->snapshot);
	format_row_name(name, &a->subject);
	page_add_heading(&p, "%s", name);
	page_add_gap(&p);
	if (a->q->kind == SOLVE_TIME) {
		add_goal_times_table(&p, a);
	} else {
		if (isnan(a->rate))
			add_amount_sentence(&p, a);
		else
			add_cost_sentence(&p, a);
		add_standing_table(&p, a);
		if (a->solution.possible)
			add_solve_commands(&p, a);
	}
	if (p.failed)
		status = cmd_report_no_memory(a->r->inv);
	else
		page_print_lines(&p, stdout, false);
	page_free_text(&p);
	return status;
}

/* Prints a note about a hypothetical command that the solver applies to the snapshot; a callback of type fs_note_fn. */
static void report_edit_note(void *ctx, const char *sentence)
{
	const struct share_run *r = ctx;

	cmd_print_message(r->inv, "note on the change computed by --solve: %s", sentence);
}

/* ---- search for the share rows that the question is about */

/* Finds the share row that the question of --solve is about. If the options name accounts but no users, finds the row
 * of the account, otherwise the selected row of a user. Reports an error if no row or more than one row is found.
 * Returns 0, or the exit status after an error message. */
static int find_subject_row(const struct share_run *r, const struct fs_share_row **out)
{
	const bool of_account = r->accounts.n && !r->users.given;
	size_t n = 0;

	for (size_t i = 0; i < r->rows.n; i++) {
		const struct fs_share_row *row = r->rows.v[i];

		if (of_account ? !*row->user && names_contain_word(&r->accounts, row->account)
			       : *row->user && row->visible) {
			*out = row;
			n++;
		}
	}
	if (n == 1)
		return 0;
	cmd_print_message(
		r->inv,
		n ? "--solve requires one row, but %zu are selected; name a user with -u (and the account with -A), "
		    "or only an account"
		  : "--solve: no row is selected; name a user with -u or an account with -A",
		n);
	return n ? cmd_get_usage_status(r->inv) : EXIT_NOTHING;
}

/* Returns the row of the account `name`. If `sibling` is not NULL, returns instead the row of the account or user
 * `name` that has the same parent as `sibling`. Returns NULL if there is no such row. */
static const struct fs_share_row *find_named_row(const fs_shares *s, const char *name,
						 const struct fs_share_row *sibling)
{
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *row = fs_shares_row(s, i);

		if (sibling ? row->parent_row == sibling->parent_row && row != sibling &&
				      !strcmp(*row->user ? row->user : row->account, name)
			    : !*row->user && !strcmp(row->account, name))
			return row;
	}
	return NULL;
}

static int copy_share_row(struct fs_share_row *to, const struct fs_share_row *row)
{
	*to = *row;
	to->account = strdup(row->account);
	to->user = strdup(row->user);
	to->partition = strdup(row->partition);
	return to->account && to->user && to->partition ? 0 : -1;
}

static void free_share_row(struct fs_share_row *row)
{
	free((void *)(uintptr_t)row->account);
	free((void *)(uintptr_t)row->user);
	free((void *)(uintptr_t)row->partition);
}

/* Finds the rows named by of= and from=. Copies them and `row`, the row that the question is about, into *a. The copies
 * are needed because the solver changes the snapshot, which invalidates pointers to its strings. Returns 0, or the exit
 * status after an error message. */
static int copy_question_rows(struct solve_answer *a, const fs_shares *shares, const struct fs_share_row *row)
{
	const struct fs_share_row *of = a->q->target_name ? find_named_row(shares, a->q->target_name, NULL) : row;
	const struct fs_share_row *from =
		of && a->q->source_name ? find_named_row(shares, a->q->source_name, of) : NULL;

	if (!of || (a->q->source_name && !from)) {
		cmd_print_message(a->r->inv,
				  of ? "--solve: cannot find the sibling \"%s\" to take shares from" : "--solve: cannot find the account \"%s\"",
				  of ? a->q->source_name : a->q->target_name);
		return EXIT_NOTHING;
	}
	a->ranked_users = fs_shares_users(shares);
	if (copy_share_row(&a->subject, row) || copy_share_row(&a->target, of) ||
	    (from && copy_share_row(&a->source, from)))
		return cmd_report_no_memory(a->r->inv);
	return 0;
}

/* ---- computation of the answer. Functions with a parameter of type struct fs_error return the error code, or 0 */

static struct fs_solve_options make_solve_options(const struct solve_answer *a)
{
	struct fs_solve_options o = FS_SOLVE_OPTIONS_INIT;

	o.view = input_get_view(&a->r->input);
	o.row = a->subject.row;
	o.of = a->target.row;
	o.from = a->source.account ? a->source.row : FS_NO_ROW;
	o.goal = a->q->goal;
	o.value = a->q->value;
	o.note = report_edit_note;
	o.note_ctx = (void *)(uintptr_t)a->r;
	return o;
}

static int compute_bill_rate(const struct solve_answer *a, const char *text, double *rate, struct fs_error *err)
{
	struct fs_tres tres[FS_BILL_MAX];
	struct fs_bill b;
	const int n = fs_tres_parse(a->r->snapshot, text, tres, FS_BILL_MAX, err);
	const int rc = n < 0 ? err->code : fs_bill_tres(a->r->snapshot, a->q->partition, tres, (size_t)n, &b, err);

	if (!rc)
		*rate = b.rate;
	return rc;
}

static int solve_job_charge(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	const struct fs_solve_options o = make_solve_options(a);
	const int rc = compute_bill_rate(a, a->q->tres, &a->rate, err);

	if (rc)
		return rc;
	a->tres_s = a->rate * a->q->seconds * a->q->jobs;
	return fs_solve_charge(s, &o, a->tres_s, &a->solution, err);
}

static int solve_new_hardware(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	const struct fs_solve_options o = make_solve_options(a);
	struct fs_bill all;
	int rc = compute_bill_rate(a, a->q->tres, &a->rate, err);

	if (!rc && a->q->present_tres)
		rc = compute_bill_rate(a, a->q->present_tres, &a->present_rate, err);
	else if (!rc) {
		rc = fs_bill_nodes(s, a->q->partition, &all, err);
		a->present_rate = rc ? (double)NAN : all.rate;
	}
	return rc ? rc : fs_solve_hardware(s, &o, a->present_rate, a->rate, &a->solution, err);
}

static bool is_goal_met_now(const struct solve_answer *a)
{
	return a->q->goal == FS_GOAL_RANK ? a->subject.rank >= a->q->value
					  : fs_share_factor(&a->subject) >= a->q->value;
}

/* For each assumption, sets members of a->goal_times: `event` to the earliest event that meets the goal, and `already`
 * to true if the goal is met now. */
static void store_goal_events(struct solve_answer *a, const fs_forecast *f)
{
	for (size_t i = fs_forecast_events(f); i--;) {
		const struct fs_forecast_event *e = fs_forecast_event(f, i);

		for (int k = 0; e->kind == FS_FORECAST_GOAL && k < FS_ASSUMPTION_COUNT; k++)
			if (e->assumptions >> k & 1)
				a->goal_times[k].event = *e;
	}
	for (int k = 0; k < FS_ASSUMPTION_COUNT; k++)
		a->goal_times[k].already = is_goal_met_now(a);
}

static int solve_goal_times(struct solve_answer *a, fs_snapshot *s, struct fs_error *err)
{
	struct fs_forecast_options o = FS_FORECAST_OPTIONS_INIT;
	struct fs_eval eval;
	fs_forecast *f = NULL;
	int rc;

	if (isnan(fs_share_factor(&a->subject)) || (a->q->goal == FS_GOAL_RANK && !a->subject.rank)) {
		*err = (struct fs_error){ .code = FS_EUSAGE };
		snprintf(err->message, sizeof(err->message), "--solve: the selected row has no known %s",
			 a->q->goal == FS_GOAL_RANK ? "rank" : "fair-share factor");
		return err->code;
	}
	o.view = input_get_view(&a->r->input);
	o.eval = &eval;
	o.points = 2;
	o.job_row = FS_NO_ROW;
	o.share_row = a->subject.row;
	o.goal_factor = a->q->goal == FS_GOAL_FACTOR ? a->q->value : 0;
	o.goal_rank = a->q->goal == FS_GOAL_RANK ? (uint32_t)a->q->value : 0;
	rc = forecast_parse_until(s, NULL, &o.until, err);
	if (!rc)
		rc = fs_eval_compute(s, &o.view, &eval, err);
	if (rc)
		return rc;
	rc = fs_forecast_compute(&f, s, &o, err);
	if (!rc)
		store_goal_events(a, f);
	fs_forecast_free(f);
	fs_eval_release(&eval);
	return rc;
}

static int compute_solve_answer(struct solve_answer *a, fs_snapshot *s)
{
	const struct fs_solve_options o = make_solve_options(a);
	struct fs_error err;
	int rc;

	switch (a->q->kind) {
	case SOLVE_SHARES:
		rc = fs_solve_shares(s, &o, &a->solution, &err);
		break;
	case SOLVE_USAGE:
		rc = fs_solve_usage(s, &o, &a->solution, &err);
		break;
	case SOLVE_TIME:
		rc = solve_goal_times(a, s, &err);
		break;
	case SOLVE_JOB:
		rc = solve_job_charge(a, s, &err);
		break;
	default:
		rc = solve_new_hardware(a, s, &err);
	}
	if (rc && a->q->kind == SOLVE_TIME)
		return forecast_report_error(a->r->inv, &err);
	return rc ? cmd_report_error(a->r->inv, &err) : 0;
}

static int report_windows_unsupported(const struct share_run *r)
{
	cmd_print_message(r->inv, "--solve does not support Maui's targets and windows");
	return EXIT_FAILED;
}

int share_answer_question(struct share_run *r)
{
	struct solve_question q;
	struct solve_answer a = { .r = r, .q = &q, .rate = NAN, .present_rate = NAN, .tres_s = NAN };
	const struct fs_share_row *row = NULL;
	int status = find_scheduler_dialect(r->snapshot)->has_usage_windows ? report_windows_unsupported(r)
						      : parse_solve_question(r, r->report_argument, &q);

	if (!status)
		status = find_subject_row(r, &row);
	if (!status)
		status = copy_question_rows(&a, r->shares, row);
	if (!status)
		status = compute_solve_answer(&a, r->snapshot);
	if (!status)
		status = r->json ? print_solve_json(&a) : print_solve_text(&a);
	free_share_row(&a.subject);
	free_share_row(&a.target);
	free_share_row(&a.source);
	return status;
}
