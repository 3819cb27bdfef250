/* The command fs-showq: options, showq.conf, the JSON document, and the selection of the layout and page. */
#include "showq/showq.h"

#include "columns/queue.h"
#include "dialect/dialect.h"
#include "page/page.h"
#include "render/emit.h"
#include "words/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the options of fs-showq */

enum { OPT_ALL_RESERV = OPT_SHOWQ_FREE, OPT_CONFIG, OPT_WHY, OPT_SVG };

static const struct option_row showq_option_rows[] = {
	OPTION_HEADING("Rows"),
	{ 'u', "user", NULL, "show only your own jobs; Maui's layout: a user name may follow", SHOWQ_SETS(own_jobs_only) },
	{ 'U', "of-user", "NAME", "only this user's jobs", SHOWQ_SETS_OF(only_user, ":users") },
	{ 'p', "partition", "PARTITION", "only jobs of this partition", SHOWQ_SETS(partition) },
	{ 'q', "queue", "PARTITION", "the same as -p", SHOWQ_SETS(partition) },
	{ 'b', "blocked", NULL, "show also blocked jobs of others; Maui's layout: only blocked jobs, with reasons",
	  SHOWQ_SETS(show_blocked) },
	{ 'i', "idle", NULL, "Maui's layout: only idle jobs, with priorities", SHOWQ_SETS(only_idle) },
	{ 'r', "running", NULL, "Maui's layout: only running jobs", SHOWQ_SETS(only_running) },
	{ 's', "summary", NULL, "show only the summary", SHOWQ_SETS(summary_only) },
	{ OPT_ALL_RESERV, "all-reserv", NULL, "no effect, as in the original tools", OPTION_IGNORED },
	OPTION_HEADING("Columns and order"),
	{ 'l', "long", NULL, "add nodes, cores and partition", SHOWQ_SETS(long_format) },
	{ 'v', "verbose", NULL, "Maui's layout: add priorities to -r", SHOWQ_SETS(verbose) },
	{ 'o', "by-priority", NULL, "sort waiting jobs by priority, highest first", SHOWQ_SETS(by_priority) },
	{ OPT_WHY, "why", NULL, "list waiting jobs in scheduling order, with the sort key that decides each position",
	  SHOWQ_SETS(why) },
	SHOWQ_START_OPTIONS,
	{ OPT_SVG, "svg", "FILE", "draw --plan or --start as an SVG picture in this file", SHOWQ_SETS(svg) },
	OPTION_HEADING("Output"),
	SHOWQ_JSON_OPTION,
	JSONL_OPTION(SHOWQ_SETS(json)),
	OPENMETRICS_OPTION(SHOWQ_SETS(metrics)),
	SHOWQ_STRICT_OPTION,
	{ OPT_CONFIG, "config", "FILE", "read hosts_available from this showq.conf", SHOWQ_SETS(config) },
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	OPTION_HEADING("Other"),
	{ 'V', "version", NULL, "print the version", SHOWQ_SETS(version) },
	HELP_OPTION('h'),
	{ OPT_USAGE, "usage", NULL, NULL, OPTION_EFFECT(OPTION_HELP) },
};
/* Options of Harvard's showq, in the order of its usage text. Some of the options also exist in the tools of TACC and
 * Maui. */
static const struct emulated_option emulated_option_rows[] = {
	{ 'h', "help", NULL },
	{ 'V', "version", NULL },
	{ OPT_ALL_RESERV, "all-reserv", NULL },
	{ 'l', "long", NULL },
	{ 'b', "blocked", NULL },
	{ 'u', "user", NULL },
	{ 'U', NULL, "NAME" },
	{ 'p', NULL, "PARTITION" },
	{ 'q', NULL, "PARTITION" },
	{ 'o', NULL, NULL },
	{ 's', NULL, NULL },
};
static const struct option_table showq_option_table = {
	"[OPTION]...", "List the queue in sections, and show when each job may start.",
	OPTION_ROWS(showq_option_rows), OPTION_ROWS(emulated_option_rows), NULL
};

/* Prints the help. Returns the exit status. */
static int print_showq_help(const struct showq_run *r)
{
	return options_print_help(r->inv, &showq_option_table);
}

/* Reports that -U and -u were both given. Under an emulated name, prints the tool's message and usage,
 * and returns 0 as the tool does. Otherwise returns EXIT_USAGE. */
static int refuse_both_users(const struct showq_run *r)
{
	if (!r->inv->emulated) {
		cmd_print_message(r->inv, "-u cannot be combined with -U");
		return EXIT_USAGE;
	}
	emit_to_stream(stderr, "\n -U and -u are mutually exclusive options. Exiting.\n");
	return print_showq_help(r);
}

/* Returns true if the last argument is -U, -p or -q, whose value is then missing. The emulated tools use an empty name
 * as the value. */
static bool lacks_last_name(int argc, char **argv)
{
	const char *last = argc > 1 ? argv[argc - 1] : "";

	return last[0] == '-' && last[1] && strchr("Upq", last[1]) && !last[2];
}

/* Rejects the n arguments that are not options; the emulated tools ignore such arguments. An argument after -u is
 * accepted in every layout: it names the user in Maui's layout, and the layout may not be known yet. Returns -1 to
 * continue, or the exit status after an error message. */
static int check_other_arguments(struct showq_run *r, int n, char **words)
{
	if (n > 0 && words[0] == r->argument_after_u)
		return n > 1 && !r->inv->emulated ? options_report_unexpected_argument(r->inv, words[1]) : -1;
	r->argument_after_u = NULL;
	return n > 0 && !r->inv->emulated ? options_report_unexpected_argument(r->inv, words[0]) : -1;
}

/* Returns the argument after -u; NULL if there is none, or if that argument is an option. */
static const char *find_argument_after_u(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++)
		if ((!strcmp(argv[i], "-u") || !strcmp(argv[i], "--user")) && argv[i + 1][0] != '-')
			return argv[i + 1];
	return NULL;
}

static int parse_showq_options(struct showq_run *r, int argc, char **argv)
{
	/* passes_unknown: like the tool that it emulates, the command reports an unknown option and continues */
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .passes_unknown = r->inv->emulated };
	int next, status;

	r->argument_after_u = find_argument_after_u(argc, argv);
	status = options_parse_command_line(&to, &showq_option_table, argc, argv, &next);
	if (status < 0)
		status = check_other_arguments(r, argc - next, argv + next);
	if (status < 0 && r->own_jobs_only && r->only_user)
		status = refuse_both_users(r);
	if (status < 0 && r->json && r->metrics) {
		cmd_print_message(r->inv, "--openmetrics cannot be combined with --json or --jsonl");
		status = cmd_get_usage_status(r->inv);
	}
	if (status < 0 && r->svg && ((!r->plan && !r->start) || r->json || r->metrics)) {
		cmd_print_message(r->inv, r->plan || r->start
						  ? "--svg cannot be combined with --json, --jsonl or --openmetrics"
						  : "--svg requires --plan or --start");
		status = cmd_get_usage_status(r->inv);
	}
	return status;
}

/* Parses the command line. Returns -1 to continue, or the exit status. */
static int parse_command_line(struct showq_run *r, int argc, char **argv)
{
	char **words = malloc(((size_t)argc + 2) * sizeof(*words)), empty[] = "";
	int n = argc, status;

	if (!words)
		return cmd_report_no_memory(r->inv);
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	if (lacks_last_name(argc, argv))
		words[n++] = empty;
	words[n] = NULL;
	status = parse_showq_options(r, n, words);
	if (r->only_user == empty)
		r->only_user = "";
	if (r->partition == empty)
		r->partition = "";
	free(words);
	return status;
}

/* ---- showq.conf: only its key `hosts_available=N` is used. Harvard's tool reads the file showq.conf in the folder of
 * its program. TACC's tool reads $TACC_SHOWQ_CONF, else /usr/local/bin/showq.conf. */

static const char config_file_name[] = "showq.conf";

/* Sets `dir` to the path of the file showq.conf beside the file `path`. Returns false if `path` contains no slash or if
 * the result does not fit. */
static bool format_config_path(char *dir, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 0;

	if (!len || len + sizeof(config_file_name) > size)
		return false;
	memcpy(dir, path, len);
	memcpy(dir + len, config_file_name, sizeof(config_file_name));
	return true;
}

/* Opens showq.conf in the folder of argv[0] or, if that fails, in the folder of the executable. Returns NULL if neither
 * file can be opened. */
static FILE *open_config_beside_program(struct showq_run *r)
{
	char exe[sizeof(r->config_file)];
	const ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	FILE *f = NULL;

	if (format_config_path(r->config_file, sizeof(r->config_file), r->program))
		f = fopen(r->config_file, "r");
	if (!f && len > 0) {
		exe[len] = '\0';
		if (format_config_path(r->config_file, sizeof(r->config_file), exe))
			f = fopen(r->config_file, "r");
	}
	return f;
}

static FILE *open_showq_config(struct showq_run *r)
{
	const char *env = getenv("TACC_SHOWQ_CONF"), *file = r->config;

	if (!file && r->style->style == STYLE_FASRC)
		return open_config_beside_program(r);
	if (!file)
		file = env && *env ? env : "/usr/local/bin/showq.conf";
	r->config_is_custom = r->config || (env && *env);
	snprintf(r->config_file, sizeof(r->config_file), "%s", file);
	return fopen(file, "r");
}

/* Sets r->hosts_available from showq.conf, which is parsed as the emulated tools parse it. A missing file is an error
 * only with --config. */
static void read_showq_config(struct showq_run *r)
{
	enum { MAX_LINES = 10000 };
	static const char key[] = "hosts_available";
	int lines = 0;
	FILE *f = open_showq_config(r);
	char line[512];

	if (!f) {
		if (r->config)
			cmd_print_message(r->inv, "cannot read '%s': %s", r->config, strerror(errno));
		return;
	}
	r->config_found = true;
	while (fgets(line, sizeof(line), f) && lines++ < MAX_LINES) {
		char *p = line + strspn(line, " \t");
		long long n;

		if (strncmp(p, key, sizeof(key) - 1) != 0)
			continue;
		p += sizeof(key) - 1;
		p += strspn(p, " \t");
		if (*p == '=' && sscanf(p + 1, "%lld", &n) == 1 && n > 0 && n <= INT32_MAX)
			r->hosts_available = n;
	}
	if (lines > MAX_LINES)
		cmd_print_message(r->inv, "warning: %s: lines after line %d are ignored", r->config_file,
				  MAX_LINES);
	fclose(f);
}

/* ---- JSON document: schema fs-showq/1. A pending job has one row for each partition and QOS that it requests. Any
 * other job has one row. */

struct showq_json_output {
	struct showq_run *r;
	struct fs_json j;
	struct queue_source source;
	fs_plan *plan;     /* the plan of starts; NULL: not requested */
	fs_delays *delays; /* jobs that delay the rows of the plan; NULL: not requested */
	fs_queue *queue;   /* the queue; NULL until it is computed */
	uint64_t only_job; /* write only the rows of the job with this id (--start); 0: write the rows of all jobs */
};

/* Writes row i of the plan as the object "plan" of a queue row. */
static void write_planned_start(struct showq_json_output *x, size_t i)
{
	const struct showq_plan_context of = { x->r, x->plan, x->delays };
	struct showq_planned_start line = { .plan_index = i };

	fs_plan_row(x->plan, i, &line.row);
	json_begin_object(&x->j, "plan");
	showq_write_plan_json(&x->j, &of, &line);
	fs_json_end_object(&x->j);
}

/* Makes a queue row for a job that is not pending, because the queue has no row for such a job. */
static void fill_active_row(const fs_snapshot *s, uint32_t row, struct queue_table_row *line)
{
	const char *partition = fs_job_partition(s, row, 0), *qos = fs_job_qos(s, row, 0);
	struct fs_queue_row *q = &line->row;

	*q = (struct fs_queue_row){ .job = line->job.id,
				    .job_row = row,
				    .partition = partition ? partition : "",
				    .qos = qos ? qos : "",
				    .user = line->job.user,
				    .account = line->job.account,
				    .tier = FS_UNKNOWN,
				    .priority = line->job.priority == FS_UNKNOWN ? (double)NAN
										 : (double)line->job.priority };
	q->section = fs_job_section(s, row, &q->reason);
	q->tasks = fs_job_tasks(s, row, &q->tasks_exact);
}

/* Returns the number of GPUs of a job. Returns FS_UNKNOWN if the snapshot lacks job fields (as after fs-snap import of
 * pasted text) and the TRES of the job are unknown. */
static int64_t get_known_gpus(const fs_snapshot *s, uint32_t row)
{
	struct fs_tres t;

	return fs_snapshot_hidden(s, "job fields") && !fs_job_tres(s, row, 0, &t) ? FS_UNKNOWN
										  : showq_get_job_gpus(s, row);
}

/* Writes a row of the document. Sets *x->r->oom if out of memory. */
static void write_queue_line(struct showq_json_output *x, struct queue_table_row *line)
{
	const uint32_t row = line->row.job_row;
	struct fs_verdict v = { .kind = FS_VERDICT_NONE };
	char words[VERDICT_TEXT] = "";
	const bool is_pending = line->row.visible;

	line->gpus = get_known_gpus(x->r->snapshot, row);
	if (is_pending && x->queue && fs_queue_verdict(x->queue, row, &v))
		*x->r->oom = true;
	line->verdict = fs_verdict_name(v.kind);
	line->verdict_cause = fs_verdict_cause_name(v.cause);
	line->verdict_text =
		is_pending ? format_verdict_clause(words, &x->r->dialect->vocabulary, x->r->snapshot, &v) : "";
	fs_json_object(&x->j);
	columns_write_members(&x->j, queue_columns, QUEUE_COLUMNS, &x->source, line);
	fs_verdict_release(&v);
	if (is_pending && x->plan && fs_plan_find(x->plan, row) != FS_NO_ROW)
		write_planned_start(x, fs_plan_find(x->plan, row));
	fs_json_end_object(&x->j);
	json_end_row(&x->j);
}

static void write_active_job(struct showq_json_output *x, uint32_t row)
{
	struct queue_table_row line;

	fs_snapshot_job(x->r->snapshot, row, &line.job);
	fill_active_row(x->r->snapshot, row, &line);
	write_queue_line(x, &line);
}

static void write_pending_row(struct showq_json_output *x, const struct fs_queue_row *q)
{
	struct queue_table_row line = { .row = *q };

	fs_snapshot_job(x->r->snapshot, q->job_row, &line.job);
	write_queue_line(x, &line);
}

/* Returns true if the options select the job. partition: partition of the job's queue row; NULL: all partitions of the
 * job are checked. */
static bool is_json_row_selected(const struct showq_json_output *x, uint32_t row, const char *partition)
{
	const struct showq_run *r = x->r;
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_matches_user(r, &job) && (!x->only_job || job.id == x->only_job) &&
	       (!r->partition || (partition ? !strcmp(partition, r->partition) : showq_matches_partition(r, row)));
}

/* Writes the selected jobs that are not pending, then the selected queue rows. visible[job row]: the viewer may see the
 * job. Returns 0, or the exit status after an error message. */
static int write_json_rows(struct showq_json_output *x, const bool *visible)
{
	const struct fs_queue_options o = { .view = input_get_view(&x->r->input) };
	bool *has_queue_row = calloc(x->r->info->jobs + 1, sizeof(*has_queue_row));
	struct fs_queue_row row;
	struct fs_error err;
	fs_queue *q = NULL;

	if (!has_queue_row || fs_queue_compute(&q, x->r->snapshot, &o, &err)) {
		const int status = has_queue_row ? cmd_report_error(x->r->inv, &err) : cmd_report_no_memory(x->r->inv);

		free(has_queue_row);
		return status;
	}
	x->queue = q;
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		has_queue_row[row.job_row] = true;
	}
	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (!has_queue_row[i] && visible[i] && is_json_row_selected(x, i, NULL))
			write_active_job(x, i);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		if (row.visible && is_json_row_selected(x, row.job_row, row.partition))
			write_pending_row(x, &row);
	}
	free(has_queue_row);
	fs_queue_free(q);
	return 0;
}

static void write_plan_assumptions(struct showq_json_output *x)
{
	const char *s;

	if (!x->plan)
		return;
	fs_json_key(&x->j, "bf_resolution_s");
	fs_json_i64(&x->j, fs_plan_resolution_s(x->plan));
	json_begin_list(&x->j, "assumptions");
	for (size_t i = 0; (s = fs_plan_assumption(x->plan, i)); i++)
		fs_json_string(&x->j, s);
	fs_json_end_array(&x->j);
}

static int print_showq_json(struct showq_run *r)
{
	struct showq_json_output x = { .r = r, .source = { r->snapshot, r->dialect->records_waiting_reasons } };
	bool *visible = calloc(r->info->jobs + 1, sizeof(*visible));
	int status = visible ? 0 : cmd_report_no_memory(r->inv);
	size_t row;

	if (!status && r->start)
		status = showq_parse_start_job(r, &x.only_job);
	if (!status && (r->plan || r->start))
		status = showq_compute_plan(x.r, FS_PLAN_BACKFILL, &x.plan);
	if (!status && r->start)
		status = showq_find_plan_row(r, x.plan, x.only_job, &row);
	if (!status && x.plan)
		status = showq_find_delays(r, x.plan, &x.delays);
	if (!status) {
		fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), visible);
		json_begin_document(&x.j, "fs-showq/1", r->snapshot, r->json);
		write_plan_assumptions(&x);
		json_begin_rows(&x.j);
		status = write_json_rows(&x, visible);
		json_end_rows(&x.j);
		status = json_end_document(&x.j) ? EXIT_FAILED : status;
	}
	free(visible);
	fs_delays_free(x.delays);
	fs_plan_free(x.plan);
	return status;
}

/* ---- running the command */

/* Returns the layout of --style, or the default layout of the scheduler; NULL if the scheduler does not have the
 * layout. */
static const struct showq_style *select_showq_style(const struct showq_run *r, const struct dialect *d)
{
	for (size_t i = 0; d->queue_styles[i]; i++)
		if (r->input.style == STYLE_OF_SCHEDULER || d->queue_styles[i]->style == r->input.style)
			return d->queue_styles[i];
	return NULL;
}

/* Prints the version of fs-showq, or in strict mode the version of the emulated tool. */
static int print_showq_version(const struct showq_run *r)
{
	static const char rule[] = "--------------------------------------------------";
	const struct showq_style *style = select_showq_style(r, &dialect_slurm);

	if (!r->inv->emulated && !r->strict) {
		emit("fs-showq " FS_VERSION "\n");
		return EXIT_DONE;
	}
	if (!style || !style->version)
		style = &showq_fasrc;
	if (style->style == STYLE_TACC)
		style->print_top_lines(&(struct showq_run){ .style = style });
	emit("\n%s\nslurm_showq: Version ", rule);
	emit_raw_text(stdout, style->version);
	emit("\n%s\n\n", rule);
	return EXIT_DONE;
}

/* Rejects the options that only Maui's layout has: an argument after -u, and the options -i, -r and -v. Returns -1 to
 * continue, or the exit status after an error message. */
static int reject_layout_options(struct showq_run *r)
{
	if (r->inv->emulated)
		return -1;
	if (r->argument_after_u)
		return options_report_unexpected_argument(r->inv, r->argument_after_u);
	if (r->only_idle || r->only_running || r->verbose) {
		cmd_print_message(r->inv, "-i, -r and -v require Maui's layout; see %s --help", r->inv->name);
		return EXIT_USAGE;
	}
	return -1;
}

/* Selects the scheduler's dialect (struct dialect) and the layout, and checks the options. Returns 0, or the exit
 * status after an error message. */
static int check_showq_run(struct showq_run *r)
{
	const char *viewer = input_get_viewer_name(&r->input);
	int status;

	r->info = fs_snapshot_info(r->snapshot);
	r->dialect = find_scheduler_dialect(r->snapshot);
	r->style = select_showq_style(r, r->dialect);
	if (!r->style) {
		cmd_print_message(r->inv,
				  r->input.style == STYLE_OF_SCHEDULER
					  ? "cannot show the queue: no layout for scheduler \"%s\""
					  : "--style: the requested layout is not available for scheduler \"%s\"",
				  r->info->scheduler);
		return EXIT_FAILED;
	}
	status = r->style->check_options ? r->style->check_options(r) : reject_layout_options(r);
	if (status >= 0)
		return status;
	r->user = r->only_user ? r->only_user : viewer;
	if (r->strict && !r->style->has_partition_options) {
		r->partition = NULL;
		r->by_priority = r->summary_only = r->show_blocked = false;
	}
	if (!r->strict)
		r->names_missing = missing_report_unknown_name(r->inv, r->snapshot, viewer, MISSING_PARTITION,
							       r->partition);
	if (!r->inv->emulated)
		r->names_missing = missing_report_unknown_name(r->inv, r->snapshot, viewer, MISSING_USER,
							       r->only_user) ||
				   r->names_missing;
	return 0;
}

/* Prints the page or the document that the options request. Returns the exit status. */
static int print_requested_page(struct showq_run *r)
{
	int status;

	if (r->svg)
		return showq_draw_plan(r);
	if (r->metrics && !r->start)
		return showq_print_metrics(r);
	if (r->json)
		return print_showq_json(r);
	what_if_table(r->snapshot);
	if (r->start)
		return showq_print_start(r);
	if (r->plan)
		return showq_print_plan(r);
	if (r->style->print_page)
		return r->style->print_page(r);
	read_showq_config(r);
	status = showq_load_jobs(r);
	return status ? status : showq_print_layout(r);
}

static int check_and_print(struct showq_run *r)
{
	const int status = check_showq_run(r);

	return status ? status : missing_get_exit_status(r->inv, print_requested_page(r), r->names_missing);
}

/* Handles --version, --help and invalid options, in the same order as the emulated tools. Returns -1 to continue, or
 * the exit status. */
static int answer_help_or_version(struct showq_run *r)
{
	if (r->version)
		return print_showq_version(r);
	if (r->help || r->arguments_invalid) {
		print_showq_help(r);
		return r->arguments_invalid ? EXIT_FAILED : EXIT_DONE;
	}
	return r->own_jobs_only && r->only_user ? refuse_both_users(r) : -1;
}

/* Returns true if the arguments request the help text or the version. Neither needs a snapshot. */
static bool requests_help_or_version(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* Runs fs-showq as the emulated tool, and parses the arguments as that tool does. The scheduler of the snapshot
 * determines which tool is emulated, so the snapshot is opened before the arguments are parsed. */
static int run_emulated_showq(struct showq_run *r, int argc, char **argv)
{
	const bool asks = requests_help_or_version(argc, argv);
	const struct showq_style *style = &showq_fasrc;
	int status = asks ? EXIT_DONE : clusters_open_snapshot(r->inv, &r->input, &r->snapshot);

	r->strict = true;
	if (status)
		return status;
	if (!asks) {
		r->dialect = find_scheduler_dialect(r->snapshot);
		style = select_showq_style(r, r->dialect);
	}
	if (style && style->parse_arguments) {
		style->parse_arguments(r, argc, argv);
		status = answer_help_or_version(r);
	} else {
		status = parse_command_line(r, argc, argv);
	}
	return status < 0 ? check_and_print(r) : status;
}

static int run_fs_showq(struct showq_run *r, int argc, char **argv)
{
	int status = parse_command_line(r, argc, argv);

	if (status >= 0)
		return status;
	if (r->version)
		return print_showq_version(r);
	r->input.past_jobs = r->plan || r->start;
	status = clusters_open_snapshot(r->inv, &r->input, &r->snapshot);
	return status ? status : check_and_print(r);
}

/* Applies $FS_SHOWQ_STYLE, the default for --style. Returns 0, or EXIT_USAGE after an error message. */
static int apply_style_variable(struct showq_run *r)
{
	const char *style = getenv("FS_SHOWQ_STYLE");

	return style && *style && input_handle_option(r->inv, &r->input, OPT_STYLE, style) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int run_showq_command(const struct invocation *inv, int argc, char **argv)
{
	bool oom = false;
	struct showq_run r = { .inv = inv, .program = argv[0], .oom = &oom, .input.recorded = true };
	int status;

	r.input.styles = 1u << STYLE_FASRC | 1u << STYLE_TACC | 1u << STYLE_MAUI | 1u << STYLE_FLUX;
	status = apply_style_variable(&r);
	if (!status)
		status = inv->only_emulated_options ? run_emulated_showq(&r, argc, argv) : run_fs_showq(&r, argc, argv);
	if (oom)
		status = cmd_report_no_memory(inv);
	free(r.jobs);
	fs_queue_free(r.queue);
	input_release_resources(&r.input);
	fs_snapshot_free(r.snapshot);
	return status;
}

const struct command showq_command = { "fs-showq", "showq", "the queue in sections, and when each job may start",
				       "",         true,    run_showq_command };
