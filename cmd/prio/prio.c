#include "prio/prio.h"

#include "dialect/dialect.h"
#include "fs/weights.h"
#include "history/history.h"
#include "page/page.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/doc.h"
#include "render/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- why a requested job has no priority */

/* Fills *job with the job of the given id, and returns true, if the snapshot has the job and the viewer may see it. If
 * there is no such job, looks for a job of the array with this id. */
static bool find_visible_job(const struct prio_run *r, uint64_t id, struct fs_job *job)
{
	const size_t n = fs_snapshot_info(r->snapshot)->jobs;
	bool *seen = calloc(n + 1, sizeof(*seen));
	size_t found = n;

	if (seen)
		fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), seen);
	for (size_t i = 0; seen && i < n && id; i++) {
		if (!seen[i] || !fs_snapshot_job(r->snapshot, i, job))
			continue;
		if (job->id == id)
			found = i;
		else if (found == n && job->array.job == id)
			found = i;
	}
	free(seen);
	return found < n && fs_snapshot_job(r->snapshot, found, job);
}

/* Describes a pending job that is not held. */
static void describe_pending_job(const struct prio_run *r, const struct fs_job *job, char *buf, size_t size)
{
	const int64_t eligible = job->times.eligible;
	const struct fs_snapshot_info *info = fs_snapshot_info(r->snapshot);
	char when[WORDS], seen[200];

	if (eligible != FS_UNKNOWN && eligible > info->time)
		snprintf(buf, size, "it is not eligible before %s", format_full_time(when, r->snapshot, eligible));
	else if (*job->request.dependency)
		snprintf(buf, size, "it is not eligible; it waits for its dependency %s",
			 text_make_visible(seen, sizeof(seen), job->request.dependency));
	else if (eligible == FS_UNKNOWN && *job->reason)
		snprintf(buf, size, "its eligible time is unknown (reason %s)",
			 text_make_visible(seen, sizeof(seen), job->reason));
	else
		snprintf(buf, size, "the reason is unknown");
}

/* Writes why fs-prio has no priority of the job with this id, a clause; 0: an unknown job. Does not reveal whether a
 * job exists that the viewer may not see. Returns buf. */
static const char *describe_missing_job(const struct prio_run *r, uint64_t id, char *buf, size_t size)
{
	struct fs_job job;
	char seen[100];

	if (!find_visible_job(r, id, &job))
		snprintf(buf, size, "the snapshot shows no such job");
	else if (job.id != id && job.array.has_task)
		snprintf(buf, size, "it is an array; name one of its tasks, such as %llu_%u",
			 (unsigned long long)job.array.job, job.array.task);
	else if (strcmp(job.state, "PENDING") != 0)
		snprintf(buf, size, "it is not pending (state %s)", text_make_visible(seen, sizeof(seen), job.state));
	else if (!job.priority)
		snprintf(buf, size, "it is held: its priority is 0 (reason %s)",
			 *job.reason ? text_make_visible(seen, sizeof(seen), job.reason) : "unknown");
	else
		describe_pending_job(r, &job, buf, size);
	return buf;
}

/* ---- job ids, users, partitions and accounts that the command line names */

/* Sets *number to the job id that the text `id` names, or to 0 if the viewer sees no such job. A task of an array that
 * has no job record of its own gets the job id of the array's record. Returns false if `id` is not a valid job id. */
static bool find_job_number(const struct prio_run *r, const char *id, uint64_t *number)
{
	struct fs_job job;
	uint32_t row;
	char *end;

	if (!r->inv->emulated && strpbrk(id, "_+") && !fs_job_find(r->snapshot, id, &row)) {
		*number = 0; /* never a job id */
		if (row != FS_NO_ROW && fs_snapshot_job(r->snapshot, row, &job) && find_visible_job(r, job.id, &job))
			*number = job.id;
		return true;
	}
	if (!fs_job_id_parse(r->snapshot, id, number))
		return *number || !r->inv->emulated;
	*number = strtoull(id, &end, 10);
	if (end == id || *id == '-' || (r->inv->emulated && !*number))
		return false;
	return !*end || (*end == '_' && fs_slurm_has(r->compat, FS_SLURM_SPRIO_TASK_IDS));
}

/* Checks that the requested cluster is the snapshot's cluster, and replaces the texts in r->jobs by job ids in decimal.
 * Returns 0, or the exit status after an error message. */
static int resolve_requested_jobs(struct prio_run *r)
{
	const int status = clusters_check_snapshot(r->inv, &r->input, r->snapshot);

	if (status)
		return status;
	for (size_t i = 0; i < r->jobs.n; i++) {
		char *id, seen[64], why[320];
		uint64_t number;

		if (!find_job_number(r, r->jobs.v[i], &number)) {
			cmd_print_message(r->inv, r->inv->emulated ? "Invalid job id: %s" : "invalid job id \"%s\"",
					  r->jobs.v[i]);
			return cmd_get_usage_status(r->inv);
		}
		if (!number && !r->inv->emulated) {
			cmd_print_message(r->inv, "cannot find a priority of job %s: %s",
					  text_make_visible(seen, sizeof(seen), r->jobs.v[i]),
					  describe_missing_job(r, 0, why, sizeof(why)));
			r->missing_names++;
		}
		id = malloc(24);
		if (!id)
			return cmd_report_no_memory(r->inv);
		snprintf(id, 24, "%llu", (unsigned long long)number);
		free(r->jobs.v[i]);
		r->jobs.v[i] = id;
	}
	return 0;
}

/* Replaces numeric user ids in r->users by user names. An unknown user is reported and removed from the list, so that
 * it selects no rows. Returns 0, or the exit status after an error message. */
static int resolve_requested_users(struct prio_run *r)
{
	const char *viewer = input_get_viewer_name(&r->input);
	struct names named = { .given = r->users.given };

	for (size_t i = 0; i < r->users.n; i++) {
		char *end;
		const unsigned long uid = strtoul(r->users.v[i], &end, 10);
		const char *name = *end ? r->users.v[i] : fs_snapshot_user_name(r->snapshot, (uint32_t)uid);

		if (!name || !fs_snapshot_has_user(r->snapshot, viewer, name)) {
			cmd_print_message(r->inv,
					  r->inv->only_emulated_options ? "Invalid user: %s\n" : "no user \"%s\" in the snapshot",
					  r->users.v[i]);
			r->missing_names++;
		} else if (names_add_comma_list(&named, name, false)) {
			names_free_all(&named);
			return cmd_report_no_memory(r->inv);
		}
	}
	names_free_all(&r->users);
	r->users = named;
	return 0;
}

/* Reports unknown partitions and accounts, and adds their number to r->missing_names. The emulated sprio does not
 * report them. */
static void report_unknown_names(struct prio_run *r)
{
	const char *viewer = input_get_viewer_name(&r->input);

	if (r->inv->emulated)
		return;
	r->missing_names += missing_report_unknown_names(r->inv, r->snapshot, viewer, MISSING_PARTITION,
							 &r->partitions);
	r->missing_names += missing_report_unknown_name(r->inv, r->snapshot, viewer, MISSING_ACCOUNT, r->subtree);
}

/* Returns true if the job has a priority that the viewer may see. */
static bool has_visible_priority(const struct prio_run *r, uint64_t id)
{
	struct fs_prio_row row;

	for (size_t i = 0; i < fs_prios_count(r->prios); i++) {
		fs_prios_row(r->prios, i, &row);
		if (row.visible && row.job == id)
			return true;
	}
	return false;
}

/* Reports requested jobs that have no priority or that the viewer may not see, and adds their number to
 * r->missing_names. */
static void report_jobs_without_priority(struct prio_run *r)
{
	char text[FS_JOB_ID_TEXT], why[320];

	for (size_t i = 0; i < r->jobs.n && !r->inv->emulated; i++) {
		const uint64_t id = strtoull(r->jobs.v[i], NULL, 10);

		/* 0: unknown job, which resolve_requested_jobs has reported already */
		if (!id || has_visible_priority(r, id))
			continue;
		cmd_print_message(r->inv, "cannot find a priority of job %s: %s",
				  fs_job_id_format(r->snapshot, id, true, text),
				  describe_missing_job(r, id, why, sizeof(why)));
		r->missing_names++;
	}
}

/* ---- selection of the rows to print */

static bool list_has_job_number(const struct names *jobs, uint64_t job)
{
	char id[24];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)job);
	return names_contain_word(jobs, id);
}

static bool is_priority_row_requested(const struct prio_run *r, const struct fs_prio_row *row)
{
	return row->visible && (!r->jobs.given || list_has_job_number(&r->jobs, row->job)) &&
	       (!r->users.given || names_contain_word(&r->users, row->user)) &&
	       (!r->partitions.given || names_contain_word(&r->partitions, row->partition)) &&
	       (!r->states.n || names_contain_word(&r->states, row->state)) &&
	       (!r->me || !strcmp(row->user, input_get_viewer_name(&r->input))) &&
	       (!r->subtree || fs_snapshot_account_within(r->snapshot, row->account, r->subtree));
}

static bool has_row_filters(const struct prio_run *r)
{
	return r->jobs.given || r->users.given || r->partitions.given || r->states.n || r->me || r->subtree;
}

/* Selects all rows of jobs that the viewer may see. Called only if the request has no filters. */
static void select_visible_rows(struct prio_run *r, bool *seen)
{
	const size_t all = fs_prios_count(r->prios);

	fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), seen);
	for (size_t i = 0; i < all; i++)
		if (seen[fs_prios_job_row(r->prios, i)])
			r->rows[r->n++] = i;
}

/* Fills r->rows with the indices of the requested rows. Returns 0, or EXIT_FAILED after an error message if out of
 * memory. */
static int select_priority_rows(struct prio_run *r)
{
	const size_t all = fs_prios_count(r->prios);
	bool *seen = has_row_filters(r) ? NULL : malloc(fs_snapshot_info(r->snapshot)->jobs + 1);
	struct fs_prio_row row;

	r->rows = malloc((all + 1) * sizeof(*r->rows));
	if (r->rows && seen)
		select_visible_rows(r, seen);
	for (size_t i = 0; r->rows && !seen && i < all; i++) {
		fs_prios_label(r->prios, i, &row);
		if (is_priority_row_requested(r, &row))
			r->rows[r->n++] = i;
	}
	free(seen);
	return r->rows ? 0 : cmd_report_no_memory(r->inv);
}

/* ---- sorting by format letters, like sprio -S */

struct row_sort_key {
	const char *text; /* text by which rows are compared; NULL: compare by `number` */
	double number;
	size_t row;
};

/* Returns an invalid letter among the sort keys; 0 if all letters are valid. If several are invalid, returns the last
 * of them, because sort_by_letters applies the keys from the last to the first. */
static char find_invalid_sort_letter(const struct prio_run *r, unsigned version)
{
	const char *keys = r->sort ? r->sort : "";

	for (size_t i = strlen(keys); i-- > 0;) {
		const struct prio_column *c;

		if (strchr("+-,", keys[i]))
			continue;
		c = prio_find_letter_column(r->layout, keys[i], version);
		if (!c || c->sort == SORT_NEVER)
			return keys[i];
	}
	return 0;
}

static double get_sort_number(const struct prio_run *r, const struct prio_column *c, const struct fs_prio_row *row,
			      const struct value *v)
{
	/* Slurm versions without FS_SLURM_ADMIN_SET_CLEARED sort by the stored nice value. The stored value has an
	 * offset of 2^31; it is 0 in jobs whose priority an administrator set. Such jobs are therefore sorted as if
	 * their nice value were -2^31. */
	if (c->of_term && c->factor == FS_FACTOR_NICE && row->set_directly &&
	    !fs_slurm_has(r->compat, FS_SLURM_ADMIN_SET_CLEARED))
		return -2147483648.0;
	if (c->sort == SORT_POINTS)
		return row->terms[fs_prios_find_term(r->prios, c->factor)].points;
	if (c->sort == SORT_SUM)
		return row->sum < 1 ? 1 : row->sum;
	return value_to_number(v);
}

static struct row_sort_key make_row_sort_key(const struct prio_run *r, const struct prio_column *c, size_t i)
{
	struct row_sort_key k = { NULL, 0, i };
	struct fs_prio_row row;
	struct value v;

	if (c->sort == SORT_EQUAL)
		return k;
	fs_prios_row(r->prios, i, &row);
	prio_get_value(c, &r->source, &row, &v);
	if (v.type == VALUE_TEXT)
		k.text = v.text;
	else
		k.number = get_sort_number(r, c, &row, &v);
	if (isnan(k.number)) /* an unknown number is less than all others */
		k.number = -INFINITY;
	return k;
}

static int compare_row_sort_keys(const void *x, const void *y, const void *ctx)
{
	const struct row_sort_key *a = x, *b = y;
	const int sign = *(const int *)ctx;

	if (a->text)
		return sign * strcmp(a->text, b->text);
	if (a->number == b->number ||
	    /* the same comparison of numbers as fuzzy_equal of src/common/macros.h */
	    fabs(a->number - b->number) < 0.00001)
		return 0;
	return a->number > b->number ? sign : -sign;
}

static int compare_list_positions(const void *x, const void *y, const void *ctx)
{
	const struct prio_run *r = ctx;
	const uint64_t *place = r->list_positions, a = place[fs_prios_job_row(r->prios, *(const size_t *)x)],
		       b = place[fs_prios_job_row(r->prios, *(const size_t *)y)];

	return (a > b) - (a < b);
}

/* Sorts the rows in the order in which slurmctld sends them to sprio. Rows that are equal by all sort keys stay in this
 * order. Returns -1 if out of memory. */
static int sort_by_list_position(struct prio_run *r)
{
	int rc;

	r->list_positions = malloc((fs_snapshot_info(r->snapshot)->jobs + 1) * sizeof(*r->list_positions));
	rc = !r->list_positions || fs_jobs_list_order(r->snapshot, r->list_positions) ||
	     fs_sort(r->rows, r->n, sizeof(*r->rows), compare_list_positions, r);
	free(r->list_positions);
	r->list_positions = NULL;
	return rc ? -1 : 0;
}

/* Sorts by format letters as sprio does: one stable sort for each key, from the last key to the first. A `-` before a
 * letter reverses its order. Returns 0, or EXIT_FAILED after an error message if out of memory. */
static int sort_by_letters(struct prio_run *r)
{
	const char *keys = r->sort ? r->sort : "";
	struct row_sort_key *k = malloc((r->n + 1) * sizeof(*k));
	int rc = k && (!*keys || !sort_by_list_position(r)) ? 0 : -1;

	for (size_t at = strlen(keys); !rc && at-- > 0;) {
		const struct prio_column *c = prio_find_letter_column(r->layout, keys[at], (unsigned)-1);
		const int sign = at && keys[at - 1] == '-' ? -1 : 1;

		if (!c)
			continue;
		for (size_t i = 0; i < r->n; i++)
			k[i] = make_row_sort_key(r, c, r->rows[i]);
		rc = fs_sort(k, r->n, sizeof(*k), compare_row_sort_keys, &sign);
		for (size_t i = 0; i < r->n; i++)
			r->rows[i] = k[i].row;
	}
	free(k);
	return rc ? cmd_report_no_memory(r->inv) : 0;
}

/* ---- fs-prio --history */

static struct history_requested_formats get_prio_history_forms(const struct prio_run *r)
{
	return (struct history_requested_formats){ .json = r->json != JSON_NONE,
						   .csv = r->csv,
						   .plot = r->plot,
						   .svg = r->svg != NULL,
						   .unsupported = r->metrics };
}

/* Returns the error message if --history is given without -j, or with an option that it does not support; otherwise
 * NULL. */
static const char *find_unsupported_history_option(const struct prio_run *r)
{
	if (!r->jobs.n)
		return "--history requires -j LIST";
	if (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable ||
	    usage_is_computation_requested(&r->input))
		return "--history cannot be combined with -l, -n, -o, -w, -P, -S, --usage, --at, "
		       "--decay or --decay-runs";
	if (r->users.given || r->partitions.given || r->states.given || r->me || r->subtree || r->input.clusters)
		return "--history cannot be combined with -u, -p, -M, --state, --me or --subtree";
	return NULL;
}

/* Rejects options that cannot be combined with --history, --csv or --plot. Returns -1 if --history, --csv and --plot
 * are all missing, otherwise the result of history_check_options. */
static int check_prio_history_options(const struct prio_run *r)
{
	const struct history_requested_formats forms = get_prio_history_forms(r);

	if (!r->history && !forms.csv && !forms.plot)
		return -1;
	return history_check_options(r->inv, &r->input, r->history, &forms, find_unsupported_history_option(r));
}

static int show_priority_history(const struct prio_run *r)
{
	const struct history_requested_formats forms = get_prio_history_forms(r);
	const struct history_query c = {
		.inv = r->inv,
		.input = &r->input,
		.folder = r->history,
		.jobs = &r->jobs,
		.form = history_select_format(&forms),
		.svg = r->svg,
		.json = r->json,
		.no_header = r->no_header,
	};

	return history_print_query(&c);
}

/* ---- the options of fs-prio and sprio */

enum {
	OPT_HELPFORMAT = OPT_FIRST_FREE,
	OPT_FEDERATION,
	OPT_LOCAL,
	OPT_SIBLING,
	OPT_ME,
	OPT_SUBTREE,
	OPT_STATE,
	OPT_WEIGHTS_REPORT,
	OPT_SVG
};

#define SET(member) OPTION_SETS(struct prio_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct prio_run, member, values)
static const struct option_row prio_option_rows[] = {
	OPTION_HEADING("Rows"),
	{ 'j', "jobs", "[LIST]", "only these jobs", OPTION_BY_COMMAND_WITH_VALUES(":jobs,") },
	{ 'u', "user", "LIST", "only jobs of the named users, by name or id",
	  OPTION_BY_COMMAND_WITH_VALUES(":users,") },
	{ 'u', "users", "LIST", NULL, OPTION_BY_COMMAND },
	{ 'p', "partition", "LIST", "only jobs in these partitions", OPTION_BY_COMMAND_WITH_VALUES(":partitions,") },
	{ 'p', "partitions", "LIST", NULL, OPTION_BY_COMMAND },
	{ OPT_ME, "me", NULL, "only your own jobs", SET(me) },
	{ OPT_SUBTREE, "subtree", "ACCOUNT", "only jobs of this account and those below it", SET(subtree) },
	{ OPT_STATE, "state", "LIST", "only jobs in these states (states other than PENDING require CALCULATE_RUNNING)",
	  OPTION_BY_COMMAND_WITH_VALUES("PENDING RUNNING SUSPENDED COMPLETED CANCELLED FAILED TIMEOUT,") },
	{ 'S', "sort", "KEYS", "sort by these format letters; -LETTER: descending", SET_OF(sort, ":sort_letters") },
	{ 'M', "cluster", "LIST", "these clusters, each with its name above the table; all: every cluster",
	  INPUT_SETS(clusters) },
	{ 'M', "clusters", "LIST", NULL, INPUT_SETS(clusters) },
	{ OPT_SIBLING, "sibling", NULL, "add the cluster of each row", SET(sibling) },
	{ OPT_SIBLING, "sib", NULL, NULL, SET(sibling) },
	{ OPT_FEDERATION, "federation", NULL, "no effect: a snapshot has one cluster", OPTION_IGNORED },
	{ OPT_LOCAL, "local", NULL, "cancel --sibling", SET(local) },
	OPTION_HEADING("Columns"),
	{ 'l', "long", NULL, "show all columns", SET(wide) },
	{ 'n', "norm", NULL, "show factors before they are multiplied by their weights", SET(norm) },
	{ 'w', "weights", NULL, "show one row with the weights, no jobs", SET(weights) },
	{ 'o', "format", "FORMAT", "columns: %[.][WIDTH]LETTER[TEXT]...; see --helpformat",
	  SET_OF(format_text, ":letters") },
	{ OPT_HELPFORMAT, "helpformat", NULL, "list the format letters", SET(letters) },
	{ OPT_SVG, "svg", "FILE", "draw the factors of the rows, or --history, as an SVG picture in this file", SET(svg) },
	{ OPT_WEIGHTS_REPORT, "weights-report", NULL,
	  "show how much each weight influences the order of jobs", SET(weights_report) },
	OPTION_HEADING("Output"),
	{ 'h', "noheader", NULL, "no heading", SET(no_header) },
	{ 'P', "parsable2", NULL, "print a | between fields, without cutting or padding", SET(parsable) },
	JSON_OPTION("schema fs-prio/1"),
	JSONL_OPTION(SET(json)),
	OPENMETRICS_OPTION(SET(metrics)),
	USAGE_OPTIONS,
	HISTORY_OPTIONS("priorities of jobs (-j)", SET(history), SET(csv), SET(plot)),
	COMMON_OPTIONS,
	OPTION_HEADING("Other"),
	{ 'v', "verbose", NULL, "print the options in effect first", SET(verbose) },
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION(OPT_HELP),
};

/* The options of sprio (src/sprio/opts.c:parse_command_line). */
static const struct emulated_option sprio_option_rows[] = {
	{ 'h', "noheader", NULL },
	{ 'j', "jobs", "[LIST]" },
	{ 'l', "long", NULL },
	{ 'M', "cluster", "LIST" },
	{ 'M', "clusters", "LIST" },
	{ 'n', "norm", NULL },
	{ 'o', "format", "FORMAT" },
	{ 'S', "sort", "KEYS" },
	{ 'p', "partition", "LIST" },
	{ 'u', "user", "LIST" },
	{ 'u', "users", "LIST" },
	{ 'v', "verbose", NULL },
	{ 'V', "version", NULL },
	{ 'w', "weights", NULL },
	{ OPT_FEDERATION, "federation", NULL },
	{ OPT_HELP, "help", NULL },
	{ OPT_HELPFORMAT, "helpformat", NULL },
	{ OPT_LOCAL, "local", NULL },
	{ OPT_SIBLING, "sib", NULL },
	{ OPT_SIBLING, "sibling", NULL },
	{ OPT_USAGE, "usage", NULL },
};
/* src/sprio/usage.txt */
static const char *const sprio_usage[] = { "Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]",
					   "   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]", NULL };
static const struct option_table prio_options = { "[OPTION]...",
						  "Show the priority of each pending job, factor by factor.",
						  OPTION_ROWS(prio_option_rows), OPTION_ROWS(sprio_option_rows),
						  sprio_usage };

/* Prints one letter of the list of format letters. n: number of letters already printed. */
static void print_format_letter(char letter, size_t n)
{
	emit(n % 8 == 7 ? "%%%-5c\n" : "%%%-5c", letter);
}

/* Prints a list of the format letters of a layout, eight on a line. */
static void print_format_letters(const struct prio_layout *l, unsigned version)
{
	size_t n = 0;

	for (const char *letter = l->letter_order; *letter; letter++)
		if (prio_find_letter_column(l, *letter, version))
			print_format_letter(*letter, n++);
	for (const struct prio_column *c = prio_columns; c->column.help; c++)
		if (prio_layout_has_column(l, c, version) && !strchr(l->letter_order, c->letter))
			print_format_letter(c->letter, n++);
	if (n % 8)
		emit("\n");
}

/* Adds the names in `arg` to a list of the request. For the emulated sprio, the names replace those of an earlier
 * option. Returns -1 to continue, or the exit status if out of memory. */
static int add_requested_names(struct prio_run *r, struct names *names, const char *arg)
{
	if (r->inv->emulated)
		names_free_all(names);
	if (!names_add_comma_list(names, arg, false))
		return -1;
	return cmd_report_no_memory(r->inv);
}

static int handle_jobs_option(struct prio_run *r, const char *list)
{
	r->jobs_given = true;
	return list ? add_requested_names(r, &r->jobs, list) : -1;
}

/* Handles arguments that are not options. After -j they are lists of jobs. The emulated sprio accepts one such list,
 * which replaces the list of -j. Returns -1 to continue, or the exit status after an error message. */
static int handle_prio_arguments(struct prio_run *r, int next, int argc, char **argv)
{
	while (r->jobs_given && next < argc) {
		const int status = add_requested_names(r, &r->jobs, argv[next++]);

		if (status >= 0)
			return status;
		if (r->inv->emulated)
			break;
	}
	if (next == argc)
		return -1;
	if (!r->inv->only_emulated_options)
		return options_report_unexpected_argument(r->inv, argv[next]);
	cmd_print_message(r->inv, "Unrecognized option: %s", argv[next]);
	options_print_usage(r->inv, &prio_options);
	return cmd_get_usage_status(r->inv);
}

/* Reads the variables of sprio (src/sprio/opts.c:_opt_env). SPRIO_FEDERATION has no effect, because a snapshot has one
 * cluster. */
static void read_sprio_variables(struct prio_run *r)
{
	r->input.clusters = getenv("SLURM_CLUSTERS");
	r->local = getenv("SPRIO_LOCAL");
	r->sibling = getenv("SPRIO_SIBLING");
}

static int handle_prio_option(void *run, const struct options *o, int id)
{
	struct prio_run *r = run;

	switch (id) {
	case 'j':
		return handle_jobs_option(r, o->arg);
	case 'u':
		return add_requested_names(r, &r->users, o->arg);
	case 'p':
		return add_requested_names(r, &r->partitions, o->arg);
	case OPT_STATE:
		return add_requested_names(r, &r->states, o->arg);
	default:
		return cmd_get_usage_status(r->inv);
	}
}

/* Parses the command line. Returns -1 to continue, or the exit status after printing help or an error message. */
static int parse_prio_command_line(struct prio_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .take = handle_prio_option };
	int next, status;

	if (r->inv->emulated)
		read_sprio_variables(r);
	status = options_parse_command_line(&to, &prio_options, argc, argv, &next);
	r->local |= r->input.clusters != NULL;
	if (status < 0 && r->format_text && r->wide) {
		cmd_print_message(r->inv,
				  r->inv->only_emulated_options
					  ? "fatal: Options -o(--format) and -l(--long) are mutually exclusive. "
					    "Please remove one and retry."
					  : "--long cannot be combined with --format");
		status = cmd_get_usage_status(r->inv);
	}
	if (status < 0 && r->json && r->metrics) {
		cmd_print_message(r->inv, "--openmetrics cannot be combined with --json or --jsonl");
		status = cmd_get_usage_status(r->inv);
	}
	if (status < 0 && r->svg && (r->json || r->metrics || r->weights || r->weights_report || r->format_text)) {
		cmd_print_message(r->inv, "--svg cannot be combined with -o, -w, --json, --jsonl, --openmetrics or "
					  "--weights-report");
		status = cmd_get_usage_status(r->inv);
	}
	if (status < 0 && r->weights_report &&
	    (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable || r->metrics ||
	     r->jobs_given || r->users.given || r->partitions.given || r->states.given || r->me || r->subtree ||
	     usage_is_computation_requested(&r->input))) {
		cmd_print_message(r->inv,
				  "--weights-report cannot be combined with -j, -l, -n, -o, -p, -P, -S, -u, -w, --at, "
				  "--decay, --decay-runs, --me, --openmetrics, --state, --subtree or --usage");
		status = cmd_get_usage_status(r->inv);
	}
	if (status < 0 && !(r->inv->only_emulated_options && r->version))
		status = handle_prio_arguments(r, next, argc, argv);
	return status < 0 ? check_prio_history_options(r) : status;
}

/* ---- fs-prio --json: schema fs-prio/1 (man/fs-prio.1, man/fs-prio-1.schema.json) */

/* Writes the list "blocked": the jobs that have no priority because of a fair-share cap. `w` is NULL if the scheduler
 * has no fair-share caps; the list is then empty. */
static void write_jobs_over_cap(struct fs_json *j, const fs_snapshot *s, const fs_windows *w)
{
	struct fs_cap_row c;

	json_begin_list(j, "blocked");
	for (uint32_t i = 0; w && i < fs_snapshot_info(s)->jobs; i++)
		if (fs_windows_capped(w, i, &c))
			columns_write_object(j, prio_cap_columns, PRIO_CAP_COLUMNS, s, &c);
	fs_json_end_array(j);
}

/* Prints the rows as a JSON document. Returns the exit status. */
static int print_priorities_json(struct prio_run *r)
{
	struct fs_prio_row row;
	struct fs_error err;
	fs_windows *w = NULL;
	fs_accrue *a = NULL;
	struct fs_json j;

	if (fs_accrue_compute(&a, r->snapshot, r->compat, &err) && err.code != FS_ENODATA)
		return cmd_report_error(r->inv, &err);
	if (fs_windows_compute(&w, r->snapshot, &err) && err.code != FS_ENODATA) {
		fs_accrue_free(a);
		return cmd_report_error(r->inv, &err);
	}
	r->source.accrue = a;
	json_begin_document(&j, "fs-prio/1", r->snapshot, r->json);
	if (r->json == JSON_LINES)
		write_jobs_over_cap(&j, r->snapshot, w);
	json_begin_rows(&j);
	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		prio_write_json_row(&j, &r->source, &row);
		json_end_row(&j);
	}
	r->source.accrue = NULL;
	fs_accrue_free(a);
	json_end_rows(&j);
	if (r->json != JSON_LINES)
		write_jobs_over_cap(&j, r->snapshot, w);
	fs_windows_free(w);
	return json_end_document(&j);
}

/* ---- fs-prio --openmetrics */

static const struct metric_family priority_metrics[] = {
	{ "fs_prio_jobs", "fs-prio: jobs that have a priority, by partition and account.", { "partition", "account" }, METRIC_COUNT },
	{ "fs_prio_highest_priority", "fs-prio: highest priority by partition and account.", { "partition", "account" },
	  MAX_METRIC },
	{ "fs_prio_lowest_priority", "fs-prio: lowest priority by partition and account.", { "partition", "account" },
	  MIN_METRIC },
};
static const struct metric_family weight_metric = {
	"fs_prio_weight", "fs-prio: the weight of a factor.", { "factor" }, METRIC_SUM
};
static const struct metric_family mean_points_metric = {
	"fs_prio_mean_points", "fs-prio: mean points of a factor over the jobs of a partition.",
	{ "partition", "factor" }, METRIC_MEAN
};

static int write_priority_metrics(const struct prio_run *r, struct metric_record *v)
{
	struct fs_prio_row row;
	int status = EXIT_DONE;

	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		v[i] = (struct metric_record){ { row.partition, row.account }, row.priority };
	}
	for (size_t i = 0; i < sizeof(priority_metrics) / sizeof(*priority_metrics) && !status; i++)
		status = metrics_print_family(r->snapshot, &priority_metrics[i], v, r->n);
	return status;
}

static int write_weight_metric(const struct prio_run *r, struct metric_record *v)
{
	const struct fs_prio_term *term = fs_prios_weights(r->prios);
	const size_t n = fs_prios_terms(r->prios);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct metric_record){ { term[i].name }, term[i].weight };
	return metrics_print_family(r->snapshot, &weight_metric, v, n);
}

/* Prints the mean points of each factor by partition. Jobs whose priority an administrator set are omitted, because
 * their terms have no effect. Returns an exit status. */
static int write_mean_points_metric(const struct prio_run *r, struct metric_record *v)
{
	const size_t nterms = fs_prios_terms(r->prios);
	struct fs_prio_row row;
	size_t m = 0;

	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		for (size_t t = 0; t < nterms && !row.set_directly; t++)
			v[m++] = (struct metric_record){ { row.partition, row.terms[t].name }, row.terms[t].points };
	}
	return metrics_print_family(r->snapshot, &mean_points_metric, v, m);
}

/* Prints the metrics of the rows, aggregated by partition, account and factor. Returns the exit status. */
static int print_priority_metrics(const struct prio_run *r)
{
	struct metric_record *v = calloc((r->n + 1) * (fs_prios_terms(r->prios) + 1), sizeof(*v));
	int status = v ? EXIT_DONE : EXIT_FAILED;

	if (v)
		metrics_print_time(r->snapshot, "fs_prio");
	if (!status)
		status = write_priority_metrics(r, v);
	if (!status)
		status = write_weight_metric(r, v);
	if (!status)
		status = write_mean_points_metric(r, v);
	free(v);
	return status ? cmd_report_no_memory(r->inv) : metrics_print_end();
}

/* ---- fs-prio --svg: the priority of each row as a bar with a segment for each factor */

enum { MAX_BARS = 60, BAR_NAME_SIZE = 80 };

struct priority_bars {
	struct bars_row *row;
	char (*name)[BAR_NAME_SIZE];
	/* copies of the terms of all rows, because fs_prios_row overwrites the terms of the previous row */
	struct fs_prio_term *terms;
	size_t n;
};

struct ranked_row {
	double priority;
	size_t at; /* index in prio_run.rows */
};

/* Compares for qsort: the highest priority first, as in the queue. */
static int compare_ranked_rows(const void *x, const void *y)
{
	const struct ranked_row *a = x, *b = y;

	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Returns the rows in the order of their priorities or, with --sort, in the order of the table. Returns NULL if out of
 * memory; the caller frees the result. */
static struct ranked_row *rank_rows(const struct prio_run *r)
{
	struct ranked_row *v = malloc((r->n + 1) * sizeof(*v));
	struct fs_prio_row row;

	for (size_t i = 0; v && i < r->n; i++) {
		fs_prios_row(r->prios, r->rows[i], &row);
		v[i] = (struct ranked_row){ row.priority, i };
	}
	if (v && r->n && !r->sort)
		qsort(v, r->n, sizeof(*v), compare_ranked_rows);
	return v;
}

static int collect_priority_bars(struct priority_bars *x, const struct prio_run *r)
{
	const size_t terms = fs_prios_terms(r->prios), n = r->n < MAX_BARS ? r->n : MAX_BARS;
	const char *set_by = find_scheduler_dialect(r->snapshot)->vocabulary.direct_by;
	struct ranked_row *rank = rank_rows(r);
	struct fs_prio_row row;
	char id[FS_JOB_ID_TEXT];

	x->row = calloc(n + 1, sizeof(*x->row));
	x->name = calloc(n + 1, sizeof(*x->name));
	x->terms = calloc(n * terms + 1, sizeof(*x->terms));
	for (size_t i = 0; rank && x->row && x->name && x->terms && i < n; i++) {
		fs_prios_row(r->prios, r->rows[rank[i].at], &row);
		snprintf(x->name[i], BAR_NAME_SIZE, "%s %s %s", fs_job_id_format(r->snapshot, row.job, false, id),
			 row.user, row.partition);
		memcpy(x->terms + i * terms, row.terms, terms * sizeof(*x->terms));
		x->row[i] = (struct bars_row){ .name = x->name[i],
					       .terms = x->terms + i * terms,
					       .n = row.set_directly ? 0 : terms,
					       .priority = row.priority,
					       .set_by = row.set_directly ? set_by : NULL,
					       .marked = true };
		x->n = i + 1;
	}
	free(rank);
	return x->n == n ? 0 : -1;
}

/* Saves a picture with a bar for each row in the file of --svg. Returns the exit status. */
static int save_priority_picture(const struct prio_run *r)
{
	struct priority_bars x = { 0 };
	struct markup v = { .state = r->snapshot };
	int status;

	if (!r->n) {
		cmd_print_message(r->inv, "--svg: no jobs to draw");
		return EXIT_NOTHING;
	}
	if (collect_priority_bars(&x, r)) {
		status = cmd_report_no_memory(r->inv);
	} else {
		svg_draw_priority_bars(&v, x.row, x.n, false);
		status = markup_save_file(r->inv, &v, r->svg);
	}
	if (!status && r->n > x.n)
		cmd_print_message(r->inv, "--svg: only the first %zu of %zu rows are drawn", x.n, r->n);
	free(x.row);
	free(x.name);
	free(x.terms);
	return status;
}

/* ---- fs-prio --weights-report */

struct weights_report {
	const struct prio_run *run;
	/* `now`: weights of the snapshot. `before`: weights of the snapshot without the commands of --if; NULL: --if
	 * was not given, or its commands changed the number of terms */
	const fs_weights *now, *before;
	const fs_snapshot *snapshot;
	size_t zero_shares; /* number of visible user associations whose raw shares are 0; 0 if shares are unknown */
};

static double compute_count_fraction(uint64_t n, uint64_t of)
{
	return of ? (double)n / (double)of : (double)NAN;
}

/* Returns true if the report has a row for term number t. A term has a row if its weight is not 0 or was changed by
 * --if. The weights of the terms nice and site are constant; these terms have a row if and only if some job has points
 * for them. */
static bool is_term_reported(const struct weights_report *r, size_t t)
{
	const struct fs_weight_row *w = fs_weights_row(r->now, t), *b = r->before ? fs_weights_row(r->before, t) : w;

	const bool set = strcmp(w->name, "nice") != 0 && strcmp(w->name, "site") != 0;

	return (w->weight != 0 && (w->min_points != 0 || w->max_points != 0 || set)) || b->weight != w->weight;
}

/* ---- --weights-report as text */

/* Formats n as a percentage of `of` with two decimals. A percentage that would round to 0 is printed as "< 0.01 %". */
static const char *format_percentage_of(char buf[WORDS], uint64_t n, uint64_t of)
{
	const double percent = 100 * compute_count_fraction(n, of);

	if (!of)
		return "-";
	format_text(buf, WORDS, n && percent < 0.01 ? "< 0.01 %%" : "%.2f %%", percent);
	return buf;
}

static const char *get_weight_verdict(const struct fs_weight_row *w, const fs_weights *all)
{
	if (!fs_weights_pairs(all))
		return "";
	return !w->flips ? "dead" : w->alone ? "alone" : "";
}

COLUMN_GET_VALUE(get_turned_fraction, fs_weights, struct fs_weight_row,
		 compute_count_fraction(row->flips, fs_weights_pairs(of)))
COLUMN_GET_VALUE(get_dead_flag, void, struct fs_weight_row, !row->flips)

#define WEIGHT(m) COLUMN_MEMBER(struct fs_weight_row, m)

/* Indices of the columns of struct fs_weight_row, in the order of the JSON. The parameter `of` of the column functions
 * is the fs_weights that contains the row. add_weights_table defines the order of the columns in the text report. */
enum {
	WEIGHT_FACTOR,
	WEIGHT_VALUE,
	WEIGHT_FLIPS,
	WEIGHT_TURNS,
	WEIGHT_DEAD,
	WEIGHT_ALONE,
	WEIGHT_MIN,
	WEIGHT_MAX,
	WEIGHT_FULL,
	WEIGHT_NONE,
	WEIGHT_COLUMNS
};

static const struct column weight_columns[WEIGHT_COLUMNS] = {
	[WEIGHT_FACTOR] = { "factor", "factor", WEIGHT(name), .help = "name of the factor" },
	[WEIGHT_VALUE] = { "weight", "weight", WEIGHT(weight), .help = "weight of the factor" },
	[WEIGHT_FLIPS] = { NULL, "flips", WEIGHT(flips),
			   .help = "number of pairs whose order would change without the factor" },
	[WEIGHT_TURNS] = { "turns", "share", .get_value = get_turned_fraction,
			   .help = "pairs whose order would change without the factor, as a fraction of all pairs" },
	[WEIGHT_DEAD] = { NULL, "dead", .get_value = get_dead_flag,
			  .help = "true: no pair would change its order without the factor" },
	[WEIGHT_ALONE] = { NULL, "alone", WEIGHT(alone),
			   .help = "true: the factor outweighs all other factors together wherever two rows differ in "
				   "it" },
	[WEIGHT_MIN] = { "min", "min", WEIGHT(min_points), .help = "lowest points" },
	[WEIGHT_MAX] = { "max", "max", WEIGHT(max_points), .help = "highest points" },
	[WEIGHT_FULL] = { "full", "full", WEIGHT(full), .help = "rows with a factor of 1 or more" },
	[WEIGHT_NONE] = { NULL, "none", WEIGHT(none), .help = "rows with a factor of 0" },
};

static void add_weight_row(struct page *p, const struct weights_report *r, size_t t)
{
	const struct fs_weight_row *w = fs_weights_row(r->now, t);
	char a[WORDS], b[WORDS];

	page_add_cell(p, "%s", format_factor_name(a, w->name));
	page_add_cell(p, "%s", format_config_number(a, w->weight));
	if (r->before) {
		const struct fs_weight_row *o = fs_weights_row(r->before, t);

		page_add_cell(p, "%s", format_percentage_of(b, o->flips, fs_weights_pairs(r->before)));
	}
	page_add_cell(p, "%s", format_percentage_of(a, w->flips, fs_weights_pairs(r->now)));
	page_add_cell(p, "%s", isnan(w->min_points) ? "-" : format_decimal_number(a, w->min_points, 0));
	page_add_cell(p, "%s", isnan(w->max_points) ? "-" : format_decimal_number(a, w->max_points, 0));
	page_add_cell(p, "%s", format_percentage_of(a, w->full, fs_weights_rows(r->now)));
	page_add_cell(p, "%s", get_weight_verdict(w, r->now));
	page_end_row(p, TONE_PLAIN);
}

static void add_weights_table(struct page *p, const struct weights_report *r)
{
	struct page_column column[] = {
		{ weight_columns[WEIGHT_FACTOR].name, ALIGN_LEFT },
		{ weight_columns[WEIGHT_VALUE].name, ALIGN_RIGHT },
		{ "before", ALIGN_RIGHT },
		{ weight_columns[WEIGHT_TURNS].name, ALIGN_RIGHT },
		{ weight_columns[WEIGHT_MIN].name, ALIGN_RIGHT },
		{ weight_columns[WEIGHT_MAX].name, ALIGN_RIGHT },
		{ weight_columns[WEIGHT_FULL].name, ALIGN_RIGHT },
		{ "", ALIGN_LEFT },
	};
	size_t n = sizeof(column) / sizeof(*column);

	if (!r->before)
		memmove(&column[2], &column[3], (--n - 2) * sizeof(*column));
	page_begin_table(p, column, n);
	for (size_t t = 0; t < fs_weights_count(r->now); t++)
		if (is_term_reported(r, t))
			add_weight_row(p, r, t);
	page_end_table(p);
}

/* Returns true if usage has no half-life and so never decays. Sets *resets to true if the scheduler resets usage
 * periodically, else to false. On error, returns false and leaves *resets unchanged. */
static bool has_no_half_life(const fs_snapshot *s, bool *resets)
{
	const struct fs_usage_options o = { .totals_only = true };
	struct fs_usage_info info;
	fs_usage *u = NULL;

	if (fs_usage_begin(&u, s, &o, NULL))
		return false;
	fs_usage_info(u, &info);
	fs_usage_free(u);
	*resets = info.resets;
	return !info.half_life_s;
}

static void add_settings_notes(struct page *p, const struct weights_report *r)
{
	bool resets = false;
	const bool no_decay = has_no_half_life(r->snapshot, &resets);
	char a[WORDS];

	if (no_decay || r->zero_shares)
		page_add_gap(p);
	if (no_decay)
		page_add_sentence(p, "Usage has no half-life: it never decays%s.",
				  resets ? ", but is reset periodically" : "");
	if (r->zero_shares)
		page_add_sentence(p, "%s no shares: each ranks last among its siblings, whatever its usage.",
				  format_counted_term(a, r->zero_shares, "user association has",
						      "user associations have"));
	page_end_paragraph(p);
}

static int print_weights_text(const struct weights_report *r)
{
	char a[WORDS], b[WORDS];
	struct page p;

	page_init_form(&p, PAGE_TEXT, 80, text_has_utf8());
	page_add_what_if(&p, r->snapshot);
	page_add_sentence(&p, "The report compares %s of priorities in %s that compete for the same nodes.",
			  format_counted_term(a, fs_weights_rows(r->now), "row", "rows"),
			  format_counted_term(b, fs_weights_pairs(r->now), "pair", "pairs"));
	page_add_sentence(
		&p,
		"turns: pairs whose order would change without the factor%s. min, max: lowest and highest points of "
		"the factor. full: rows whose factor is 1. dead: the factor changes no order. alone: the factor "
		"outweighs all other factors together wherever two jobs differ in it.",
		r->before ? " (before: without --if)" : "");
	page_end_paragraph(&p);
	page_add_gap(&p);
	add_weights_table(&p, r);
	add_settings_notes(&p, r);
	if (!p.failed)
		page_print_lines(&p, stdout, false);
	page_free_text(&p);
	return p.failed ? cmd_report_no_memory(r->run->inv) : EXIT_DONE;
}

/* ---- --weights-report as JSON, schema fs-weights/2 */

static int print_weights_json(const struct weights_report *r)
{
	struct fs_json j;

	json_begin_document(&j, "fs-weights/2", r->snapshot, r->run->json);
	json_write_whole(&j, "compared", true, fs_weights_rows(r->now));
	json_write_whole(&j, "pairs", true, fs_weights_pairs(r->now));
	json_write_whole(&j, "users_without_shares", true, r->zero_shares);
	json_begin_rows(&j);
	for (size_t t = 0; t < fs_weights_count(r->now); t++) {
		fs_json_object(&j);
		columns_write_members(&j, weight_columns, WEIGHT_COLUMNS, r->now, fs_weights_row(r->now, t));
		columns_write_named_object(&j, "before", weight_columns + WEIGHT_VALUE, WEIGHT_COLUMNS - WEIGHT_VALUE,
					   r->before, r->before ? fs_weights_row(r->before, t) : NULL);
		fs_json_end_object(&j);
		json_end_row(&j);
	}
	json_end_rows(&j);
	return json_end_document(&j);
}

/* ---- --weights-report: the computation, and the choice between text and JSON */

static size_t count_users_without_shares(const struct prio_run *r)
{
	const struct fs_view view = input_get_view(&r->input);
	fs_shares *s = NULL;
	size_t n = 0;

	if (fs_shares_compute(&s, r->snapshot, &view, NULL))
		return 0;
	for (size_t i = 0; i < fs_shares_count(s); i++) {
		const struct fs_share_row *row = fs_shares_row(s, i);

		n += *row->user && row->counted && row->visible && row->shares_kind == FS_SHARES_NUMBER &&
		     !row->raw_shares;
	}
	fs_shares_free(s);
	return n;
}

/* Computes the weights without the commands of --if; for this the snapshot is read a second time. Without --if, *out
 * stays NULL. Returns 0, or the exit status after an error message. */
static int compute_weights_before_edits(const struct prio_run *r, fs_snapshot **snapshot, fs_prios **prios,
					fs_weights **out)
{
	struct input in = r->input;
	struct fs_prios_options o = { .view = input_get_view(&in) };
	struct fs_error err;
	const char *file;
	const enum input_source source = input_find_source(&in, &file);
	int status;

	if (!in.edits.n)
		return 0;
	in.edits.n = 0;
	in.spool = NULL;
	in.cluster_file = NULL;
	if (source != INPUT_DEMO && !(source == INPUT_FILE && strcmp(file, "-") != 0)) {
		cmd_print_message(r->inv, "--weights-report with --if requires -f FILE or --demo");
		return EXIT_USAGE;
	}
	status = input_open_snapshot(r->inv, &in, snapshot);
	if (!status && (fs_prios_compute(prios, *snapshot, &o, &err) || fs_weights_compute(out, *prios, &err)))
		status = cmd_report_error(r->inv, &err);
	input_release_resources(&in);
	return status;
}

/* Prints the report on the weights that determine the order of jobs. With --if, the report shows the weights before and
 * after the commands of --if. Returns the exit status. */
static int print_weights_report(struct prio_run *r)
{
	fs_snapshot *old = NULL;
	fs_prios *prios = NULL;
	fs_weights *now = NULL, *before = NULL;
	struct fs_error err;
	int status = fs_weights_compute(&now, r->prios, &err) ? cmd_report_error(r->inv, &err)
							      : compute_weights_before_edits(r, &old, &prios, &before);

	if (!status && before && fs_weights_count(before) != fs_weights_count(now)) {
		fs_weights_free(before);
		before = NULL;
	}
	if (!status) {
		const struct weights_report x = { r, now, before, r->snapshot, count_users_without_shares(r) };

		status = r->json ? print_weights_json(&x) : print_weights_text(&x);
	}
	fs_weights_free(before);
	fs_weights_free(now);
	fs_prios_free(prios);
	fs_snapshot_free(old);
	return status;
}

/* ---- the steps of one call of fs-prio */

/* Returns true if the output is JSON, metrics or a picture. */
static bool is_document_requested(const struct prio_run *r)
{
	return r->json || r->metrics || r->svg;
}

static int show_prio_version(const struct prio_run *r)
{
	if (r->inv->emulated)
		input_slurm_version(r->snapshot);
	else
		emit("fs-prio " FS_VERSION "\n");
	return EXIT_DONE;
}

/* Returns the Slurm version whose format letters are valid; 0: the letters of all versions. Only the emulated sprio is
 * limited to the letters of one version. */
static unsigned get_letters_version(const struct prio_run *r)
{
	return r->inv->emulated ? r->compat : 0;
}

static int choose_prio_format(struct prio_run *r)
{
	char buf[512];
	const char *env = getenv("SPRIO_FORMAT"), *text = buf;

	if (r->layout->get_default_format)
		text = r->format_text ? r->format_text : r->layout->get_default_format(r->wide, r->norm);
	else if (r->wide)
		text = prio_get_long_format(r->norm, r->compat);
	else if (r->format_text)
		text = r->format_text;
	else if (env && r->inv->emulated)
		text = env;
	else
		prio_write_default_format(r, buf, sizeof(buf));
	return prio_parse_format(r, text, get_letters_version(r)) ? cmd_report_no_memory(r->inv) : 0;
}

/* Returns true if sprio prints its message that it found no jobs; the message goes to standard output. Slurm versions
 * without FS_SLURM_SPRIO_FILTERS print it if no row is selected; later versions print it if there are no rows to select
 * from (src/sprio/sprio.c). */
static bool is_answer_empty(const struct prio_run *r)
{
	if (!r->jobs.given)
		return false;
	return fs_slurm_has(r->compat, FS_SLURM_SPRIO_FILTERS) ? !fs_prios_count(r->prios) : !r->n;
}

/* Returns true if jobs were requested and none was found. This is an error, but not for the emulated sprio. */
static bool are_requested_jobs_missing(const struct prio_run *r)
{
	return r->jobs.given && !r->n && !r->inv->emulated;
}

static void print_selected_row(FILE *out, const void *of, size_t i)
{
	const struct prio_run *r = of;
	struct fs_prio_row row;

	fs_prios_row(r->prios, r->rows[i], &row);
	prio_print_table_row(out, r, &row);
}

static int print_priority_table(struct prio_run *r)
{
	if (!r->weights && is_answer_empty(r)) {
		emit("Unable to find jobs matching user/id(s) specified\n");
		return r->inv->emulated ? EXIT_DONE : EXIT_NOTHING;
	}
	what_if_table(r->snapshot);
	if (!r->no_header)
		prio_print_table_header(r);
	if (r->weights) {
		prio_print_weights_row(r);
		return EXIT_DONE;
	}
	emit_all_rows(r->n, print_selected_row, r);
	return are_requested_jobs_missing(r) ? EXIT_NOTHING : EXIT_DONE;
}

static int compute_requested_priorities(struct prio_run *r)
{
	const bool table = !is_document_requested(r) && !r->weights_report;
	struct fs_prios_options o = { .view = input_get_view(&r->input), .as_printed = table, .recorded = true };
	struct fs_error err;

	o.view.compat = r->compat;
	if (usage_is_computation_requested(&r->input)) {
		const int status = usage_load_with_options(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage);

		if (status)
			return status;
		o.view.usage = r->usage;
	}
	o.running = r->states.n || r->jobs.n;
	if (fs_prios_compute(&r->prios, r->snapshot, &o, &err))
		return cmd_report_error(r->inv, &err);
	if (find_scheduler_dialect(r->snapshot)->prio->shows_holds && fs_holds_compute(&r->holds, r->snapshot, &err))
		return cmd_report_error(r->inv, &err);
	r->source = (struct prio_source){ .snapshot = r->snapshot, .prios = r->prios, .holds = r->holds };
	return 0;
}

/* Selects the layout of the snapshot's scheduler. If --style requests another layout for a table, reports an error: the
 * columns of that layout show terms that this scheduler does not have. Returns 0, or the exit status after an error
 * message. */
static int choose_terms_layout(struct prio_run *r)
{
	const struct dialect *d = find_scheduler_dialect(r->snapshot);
	const enum style asked = r->inv->emulated ? STYLE_SLURM : r->input.style;

	r->layout = d->prio->layout;
	if (is_document_requested(r) || asked == STYLE_OF_SCHEDULER || asked == d->prio->style)
		return 0;
	cmd_print_message(r->inv, "%scannot show priorities of %s jobs in the layout of another scheduler",
			  r->inv->emulated ? "" : "--style: ", d->vocabulary.scheduler);
	return cmd_get_usage_status(r->inv);
}

/* Checks the sort keys and sorts the rows. sprio reports an invalid key after printing the heading, because it checks
 * the keys only when it sorts. Returns 0, or the exit status after an error message. */
static int check_and_sort_rows(struct prio_run *r)
{
	const char bad = find_invalid_sort_letter(r, get_letters_version(r));

	if (!bad)
		return sort_by_letters(r);
	if (r->inv->emulated && !r->no_header)
		prio_print_table_header(r);
	cmd_print_message(r->inv, "Invalid sort specification: %c", bad);
	return cmd_get_usage_status(r->inv);
}

static int print_sprio_format_letters(const struct prio_run *r)
{
	if (!fs_slurm_has(r->compat, FS_SLURM_SPRIO_HELPFORMAT)) {
		options_report_unknown_option(r->inv, r->program, "--helpformat");
		return EXIT_FAILED;
	}
	print_format_letters(&prio_slurm_layout, r->compat);
	return EXIT_DONE;
}

static void print_prio_request(const struct prio_run *r)
{
	static const char rule[] = "-----------------------------";

	emit_safe_line(rule);
	emit("format     = %s\n", r->format_text ? r->format_text : "(null)");
	emit("job_flag   = %d\n", r->jobs_given);
	names_print_with_label("jobs      ", &r->jobs);
	names_print_with_label("partition ", &r->partitions);
	names_print_with_label("users     ", &r->users);
	emit("verbose    = %d\n", r->verbose);
	emit("%s\n\n\n", rule);
}

static int show_dialect_page(struct prio_run *r, const struct prio_dialect *d)
{
	int status = 0;

	if (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable) {
		cmd_print_message(r->inv,
				  "-l, -n, -o, -P, -S and -w cannot be combined with the layout of Maui");
		return cmd_get_usage_status(r->inv);
	}
	status = select_priority_rows(r);
	if (!status)
		report_jobs_without_priority(r);
	if (!status)
		what_if_table(r->snapshot);
	if (!status)
		status = d->print_page(r);
	if (!status && r->verbose)
		status = d->print_blocked_jobs(r);
	return !status && are_requested_jobs_missing(r) ? EXIT_NOTHING : status;
}

static int print_priorities_output(struct prio_run *r)
{
	int status;

	if (!is_document_requested(r))
		return print_priority_table(r);
	if (r->svg)
		return save_priority_picture(r);
	if (r->metrics)
		return print_priority_metrics(r);
	status = print_priorities_json(r);
	return !status && are_requested_jobs_missing(r) ? EXIT_NOTHING : status;
}

/* Returns the kind of data that a capture of the running scheduler must contain. A table of all jobs with the default
 * columns needs only the data that sprio prints. */
static enum capture_need get_prio_capture_need(const struct prio_run *r)
{
	const bool columns = r->format_text || r->norm || r->weights || r->weights_report || r->sort || r->verbose ||
			     r->svg || (r->inv->emulated && getenv("SPRIO_FORMAT"));
	const bool rows = r->jobs_given || r->users.given || r->partitions.given || r->states.given || r->subtree;

	return columns || rows || is_document_requested(r) || usage_is_computation_requested(&r->input) ? CAPTURE_ALL
										      : CAPTURE_PRIORITIES;
}

/* Chooses the next cluster. sprio accepts only one cluster (src/sprio/opts.c:parse_command_line). Returns 0, or the
 * exit status after an error message. */
static int choose_next_cluster(struct prio_run *r)
{
	const bool later = r->clusters->next;
	const int status = clusters_choose_next(r->inv, &r->input, r->clusters);

	if (status || r->clusters->n < 2)
		return status;
	if (r->inv->emulated || is_document_requested(r)) {
		cmd_print_message(r->inv, r->inv->emulated
						  ? "fatal: Only one cluster can be used at a time with sprio"
						  : "-M with several clusters cannot be combined with --json, --jsonl, "
						    "--openmetrics or --svg");
		clusters_stop(r->clusters);
		return cmd_get_usage_status(r->inv);
	}
	emit(later ? "\nCLUSTER: %s\n" : "CLUSTER: %s\n", clusters_get_name(r->clusters));
	return 0;
}

static int run_prio_request(struct prio_run *r)
{
	int status;

	if (r->history)
		return show_priority_history(r);
	status = choose_next_cluster(r);
	if (status)
		return status;
	r->input.need = get_prio_capture_need(r);
	status = input_open_snapshot(r->inv, &r->input, &r->snapshot);
	if (status)
		return status;
	r->compat = r->input.compat ? r->input.compat : fs_snapshot_info(r->snapshot)->version;
	if (r->version)
		return show_prio_version(r);
	if (r->letters)
		return print_sprio_format_letters(r);
	status = choose_terms_layout(r);
	if (!status)
		status = resolve_requested_jobs(r);
	if (!status)
		status = resolve_requested_users(r);
	if (!status)
		report_unknown_names(r);
	if (!status)
		status = compute_requested_priorities(r);
	if (!status && r->weights_report)
		return print_weights_report(r);
	if (!status && find_scheduler_dialect(r->snapshot)->prio->print_page && !is_document_requested(r))
		return missing_get_exit_status(r->inv, show_dialect_page(r, find_scheduler_dialect(r->snapshot)->prio),
					       r->missing_names);
	if (!status)
		status = is_document_requested(r) && (r->layout->get_default_format ||
						      find_scheduler_dialect(r->snapshot)->prio->print_page)
				 ? 0
				 : choose_prio_format(r);
	if (!status && r->verbose && !is_document_requested(r))
		print_prio_request(r);
	if (!status)
		status = select_priority_rows(r);
	if (!status && (r->n || !r->inv->emulated))
		status = check_and_sort_rows(r);
	if (status)
		return status;
	report_jobs_without_priority(r);
	return missing_get_exit_status(r->inv, print_priorities_output(r), r->missing_names);
}

static int run_for_one_cluster(const struct invocation *inv, int argc, char **argv, struct clusters *clusters)
{
	struct prio_run r = { .inv = inv, .program = argv[0], .input.recorded = true, .clusters = clusters };
	int status = parse_prio_command_line(&r, argc, argv);

	if (status < 0 && r.letters && !inv->emulated) {
		print_format_letters(r.input.style == STYLE_FLUX ? &prio_flux_layout : &prio_slurm_layout, 0);
		status = EXIT_DONE;
	}
	if (status < 0)
		status = r.version && !inv->emulated ? show_prio_version(&r) : run_prio_request(&r);
	free(r.rows);
	prio_free_format(&r.format);
	fs_holds_free(r.holds);
	fs_prios_free(r.prios);
	fs_usage_free(r.usage);
	fs_snapshot_free(r.snapshot);
	input_release_resources(&r.input);
	names_free_all(&r.jobs);
	names_free_all(&r.users);
	names_free_all(&r.partitions);
	names_free_all(&r.states);
	return status;
}

static int run_prio_command(const struct invocation *inv, int argc, char **argv)
{
	return clusters_run_command(inv, argc, argv, run_for_one_cluster);
}

const struct command prio_command = { "fs-prio", "sprio", "priority of each pending job, factor by factor",
				      "error: ", true, run_prio_command };
