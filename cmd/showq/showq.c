/* The command fs-showq: options, showq.conf, the JSON document, and the selection of the layout and page. */
#include "showq/showq.h"

#include "columns/queue.h"
#include "dialect/dialect.h"
#include "page/page.h"
#include "render/emit.h"
#include "words/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options */

enum { OPT_ALL_RESERV = OPT_SHOWQ_FREE, OPT_CONFIG, OPT_WHY, OPT_SVG };

static const struct option_row option_rows[] = {
	HEADING("Rows"),
	{ 'u', "user", NULL, "only your own jobs; of Maui's, a user's name follows", SET(own) },
	{ 'U', "of-user", "NAME", "only this user's jobs", SET_OF(named, ":users") },
	{ 'p', "partition", "PARTITION", "only jobs of this partition", SET(partition) },
	{ 'q', "queue", "PARTITION", "the same", SET(partition) },
	{ 'b', "blocked", NULL, "blocked jobs of other users too; Maui's: only blocked jobs, with reasons", SET(show_blocked) },
	{ 'i', "idle", NULL, "Maui's: only idle jobs, with priorities", SET(only_idle) },
	{ 'r', "running", NULL, "Maui's: only running jobs", SET(only_running) },
	{ 's', "summary", NULL, "the summary only", SET(summary) },
	{ OPT_ALL_RESERV, "all-reserv", NULL, "accepted: the tools ignore it too", ACCEPTED },
	HEADING("Columns and order"),
	{ 'l', "long", NULL, "with nodes, cores and partition", SET(wide) },
	{ 'v', "verbose", NULL, "Maui's -r with priorities", SET(verbose) },
	{ 'o', "by-priority", NULL, "waiting jobs by falling priority", SET(by_priority) },
	{ OPT_WHY, "why", NULL, "waiting jobs in scheduling order, and what keeps each behind the one before", SET(why) },
	START_OPTIONS,
	{ OPT_SVG, "svg", "FILE", "--plan or --start as an SVG picture in this file", SET(svg) },
	HEADING("Output"),
	SHOWQ_JSON_OPTION,
	JSONL_OPTION(SET(json)),
	OPENMETRICS_OPTION(SET(metrics)),
	STRICT_OPTION,
	{ OPT_CONFIG, "config", "FILE", "read hosts_available from this showq.conf", SET(config) },
	COMMON_OPTIONS_STYLED(SHOWQ_STYLES),
	HEADING("Other"),
	{ 'V', "version", NULL, "print the version", SET(version) },
	HELP_OPTION('h'),
	{ OPT_USAGE, "usage", NULL, NULL, DOES(OPTION_HELP) },
};
/* Options of Harvard's showq, as its usage lists them. The tools of TACC and Maui have some of them. */
static const struct option_word their_rows[] = {
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
static const struct option_table options_option_table = {
	"[OPTION]...", "The queue in sections, in scheduling order, and when each job may start.", OPTIONS(option_rows),
	OPTIONS(their_rows)
};

/* Prints the help. Returns the exit status. */
static int showq_show_help(const struct showq_run *r)
{
	return options_help(r->inv, &options_option_table);
}

/* Reports that -U and -u were both given. The emulated tools print this message and their usage, and exit with 0. */
static int showq_refuse_both(const struct showq_run *r)
{
	if (!r->inv->emulated) {
		complain(r->inv, "-u and -U exclude each other");
		return EXIT_USAGE;
	}
	emit_to(stderr, "\n -U and -u are mutually exclusive options. Exiting.\n");
	return showq_show_help(r);
}

/* Returns true if the last argument is -U, -p or -q without a name. The emulated tools then use an empty name. */
static bool lacks_name(int argc, char **argv)
{
	const char *last = argc > 1 ? argv[argc - 1] : "";

	return last[0] == '-' && last[1] && strchr("Upq", last[1]) && !last[2];
}

/* Checks the n arguments that are not options. The first one may be the user of Maui's -u; only the snapshot determines
 * whether the layout is Maui's. Returns -1 to continue, or the exit status after an error message. */
static int take_words(struct showq_run *r, int n, char **words)
{
	if (n > 0 && words[0] == r->user_word)
		return n > 1 && !r->inv->emulated ? options_unexpected(r->inv, words[1]) : -1;
	r->user_word = NULL;
	return n > 0 && !r->inv->emulated ? options_unexpected(r->inv, words[0]) : -1;
}

/* Returns the argument after -u; NULL if there is none or if it is an option. */
static const char *word_behind_u(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++)
		if ((!strcmp(argv[i], "-u") || !strcmp(argv[i], "--user")) && argv[i + 1][0] != '-')
			return argv[i + 1];
	return NULL;
}

static int parse_words(struct showq_run *r, int argc, char **argv)
{
	/* the emulated tools ignore unknown options */
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json,
					  .passes_unknown = r->inv->emulated };
	int next, status;

	r->user_word = word_behind_u(argc, argv);
	status = options_parse(&to, &options_option_table, argc, argv, &next);
	if (status < 0)
		status = take_words(r, argc - next, argv + next);
	if (status < 0 && r->own && r->named)
		status = showq_refuse_both(r);
	if (status < 0 && r->json && r->metrics) {
		complain(r->inv, "--json and --openmetrics exclude each other");
		status = usage_status(r->inv);
	}
	if (status < 0 && r->svg && ((!r->plan && !r->start) || r->json || r->metrics)) {
		complain(r->inv, "--svg goes with --plan and --start alone");
		status = usage_status(r->inv);
	}
	return status;
}

/* Parses the command line. Returns -1 to continue, or the exit status. */
static int showq_parse(struct showq_run *r, int argc, char **argv)
{
	char **words = malloc(((size_t)argc + 2) * sizeof(*words)), empty[] = "";
	int n = argc, status;

	if (!words)
		return no_memory(r->inv);
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	if (lacks_name(argc, argv))
		words[n++] = empty;
	words[n] = NULL;
	status = parse_words(r, n, words);
	if (r->named == empty)
		r->named = "";
	if (r->partition == empty)
		r->partition = "";
	free(words);
	return status;
}

/* ---- showq.conf: only its key `hosts_available=N` is used. Harvard's tool reads the file beside its program; TACC's
 * tool reads $TACC_SHOWQ_CONF, else /usr/local/bin/showq.conf. */

static const char conf_name[] = "showq.conf";

/* Writes the path of showq.conf in the folder of `path`. Returns false if the path has no folder or does not fit. */
static bool folder_of(char *dir, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 0;

	if (!len || len + sizeof(conf_name) > size)
		return false;
	memcpy(dir, path, len);
	memcpy(dir + len, conf_name, sizeof(conf_name));
	return true;
}

/* Opens showq.conf beside the program as called, else beside the executable. Returns NULL if neither exists. */
static FILE *beside_program(struct showq_run *r)
{
	char exe[sizeof(r->config_file)];
	const ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	FILE *f = NULL;

	if (folder_of(r->config_file, sizeof(r->config_file), r->program))
		f = fopen(r->config_file, "r");
	if (!f && len > 0) {
		exe[len] = '\0';
		if (folder_of(r->config_file, sizeof(r->config_file), exe))
			f = fopen(r->config_file, "r");
	}
	return f;
}

static FILE *open_config(struct showq_run *r)
{
	const char *env = getenv("TACC_SHOWQ_CONF"), *file = r->config;

	if (!file && r->style->style == STYLE_FASRC)
		return beside_program(r);
	if (!file)
		file = env && *env ? env : "/usr/local/bin/showq.conf";
	r->config_custom = r->config || (env && *env);
	snprintf(r->config_file, sizeof(r->config_file), "%s", file);
	return fopen(file, "r");
}

/* Sets r->hosts_available from showq.conf, as the tools read it. A missing file is an error only with --config. */
static void showq_read_config(struct showq_run *r)
{
	enum { MAX_LINES = 10000 };
	static const char key[] = "hosts_available";
	int lines = 0;
	FILE *f = open_config(r);
	char line[512];

	if (!f) {
		if (r->config)
			complain(r->inv, "%s: cannot be opened", r->config);
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
			r->hosts = n;
	}
	if (lines > MAX_LINES)
		complain(r->inv, "warning: %s: of more than %d lines the rest is not read", r->config_file, MAX_LINES);
	fclose(f);
}

/* ---- JSON document: schema fs-showq/1. A pending job has a row for each partition and QOS that it requests, another
 * job has one row. */

struct json_run {
	struct showq_run *r;
	struct fs_json j;
	struct queue_source source;
	fs_plan *plan;	 /* NULL: no starts requested */
	fs_queue *queue; /* NULL until the queue is computed */
	uint64_t only_job; /* write only the rows of this job id (--start); 0: of all jobs */
};

/* Writes the object "plan" of a queue row from plan row i. */
static void write_plan(struct json_run *x, size_t i)
{
	const struct plan_source of = { x->r, x->plan };
	struct plan_line line = { .at = i };

	fs_plan_row(x->plan, i, &line.row);
	json_object(&x->j, "plan");
	plan_line_json(&x->j, &of, &line);
	fs_json_end_object(&x->j);
}

/* Fills the queue row of a job that is not pending. Such a job is not in the queue. */
static void fill_running(const fs_snapshot *s, uint32_t row, struct queue_line *line)
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

/* Returns the GPUs of a job; FS_UNKNOWN if the snapshot lacks job fields (a paste) and the job's TRES are unknown. */
static int64_t json_gpus(const fs_snapshot *s, uint32_t row)
{
	struct fs_tres t;

	return fs_snapshot_hidden(s, "job fields") && !fs_job_tres(s, row, 0, &t) ? FS_UNKNOWN : showq_gpus(s, row);
}

/* Writes a row. Sets *r->oom if out of memory for the verdict. */
static void write_line(struct json_run *x, struct queue_line *line)
{
	const uint32_t row = line->row.job_row;
	struct fs_verdict v = { .kind = FS_VERDICT_NONE };
	char words[VERDICT_TEXT] = "";
	const bool waits = line->row.visible;

	line->gpus = json_gpus(x->r->snapshot, row);
	if (waits && x->queue && fs_queue_verdict(x->queue, row, &v))
		*x->r->starved = true;
	line->verdict = fs_verdict_name(v.kind);
	line->verdict_cause = fs_verdict_cause_name(v.cause);
	line->verdict_text = waits ? verdict_words(words, &x->r->dialect->nouns, x->r->snapshot, &v) : "";
	fs_json_object(&x->j);
	columns_json(&x->j, queue_columns, QUEUE_COLUMNS, &x->source, line);
	fs_verdict_release(&v);
	if (waits && x->plan && fs_plan_find(x->plan, row) != FS_NO_ROW)
		write_plan(x, fs_plan_find(x->plan, row));
	fs_json_end_object(&x->j);
	json_row_done(&x->j);
}

static void write_running(struct json_run *x, uint32_t row)
{
	struct queue_line line;

	fs_snapshot_job(x->r->snapshot, row, &line.job);
	fill_running(x->r->snapshot, row, &line);
	write_line(x, &line);
}

static void write_waiting(struct json_run *x, const struct fs_queue_row *q)
{
	struct queue_line line = { .row = *q };

	fs_snapshot_job(x->r->snapshot, q->job_row, &line.job);
	write_line(x, &line);
}

/* Returns true if the options select the job. partition: partition of a queue row; NULL: check all partitions of the
 * job. */
static bool wanted(const struct json_run *x, uint32_t row, const char *partition)
{
	const struct showq_run *r = x->r;
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_of_user(r, &job) && (!x->only_job || job.id == x->only_job) &&
	       (!r->partition || (partition ? !strcmp(partition, r->partition) : showq_in_partition(r, row)));
}

/* Writes the selected jobs that are not pending, then the selected queue rows. visible: by job row. Returns 0, or the
 * exit status after an error message. */
static int write_rows(struct json_run *x, const bool *seen)
{
	const struct fs_queue_options o = { .view = input_view(&x->r->input) };
	bool *waits = calloc(x->r->info->jobs + 1, sizeof(*waits));
	struct fs_queue_row row;
	struct fs_error err;
	fs_queue *q = NULL;

	if (!waits || fs_queue_compute(&q, x->r->snapshot, &o, &err)) {
		const int status = waits ? report(x->r->inv, &err) : no_memory(x->r->inv);

		free(waits);
		return status;
	}
	x->queue = q;
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		waits[row.job_row] = true;
	}
	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (!waits[i] && seen[i] && wanted(x, i, NULL))
			write_running(x, i);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		if (row.visible && wanted(x, row.job_row, row.partition))
			write_waiting(x, &row);
	}
	free(waits);
	fs_queue_free(q);
	return 0;
}

static void write_assumptions(struct json_run *x)
{
	const char *s;

	if (!x->plan)
		return;
	fs_json_key(&x->j, "bf_resolution_s");
	fs_json_i64(&x->j, fs_plan_resolution_s(x->plan));
	json_list(&x->j, "assumptions");
	for (size_t i = 0; (s = fs_plan_assumption(x->plan, i)); i++)
		fs_json_string(&x->j, s);
	fs_json_end_array(&x->j);
}

static int showq_json(struct showq_run *r)
{
	struct json_run x = { .r = r, .source = { r->snapshot, r->dialect->waiting_reasons } };
	bool *seen = calloc(r->info->jobs + 1, sizeof(*seen));
	int status = seen ? 0 : no_memory(r->inv);
	size_t row;

	if (!status && r->start)
		status = plan_job_id(r, &x.only_job);
	if (!status && (r->plan || r->start))
		status = plan_compute(x.r, FS_PLAN_BACKFILL, &x.plan);
	if (!status && r->start)
		status = plan_find(r, x.plan, x.only_job, &row);
	if (!status) {
		fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), seen);
		json_begin(&x.j, "fs-showq/1", r->snapshot, r->json);
		write_assumptions(&x);
		json_rows(&x.j);
		status = write_rows(&x, seen);
		json_end_rows(&x.j);
		status = json_end(&x.j) ? EXIT_FAILED : status;
	}
	free(seen);
	fs_plan_free(x.plan);
	return status;
}

/* ---- the command */

/* Returns the layout of --style, or the default layout of the scheduler; NULL if the scheduler has no such layout. */
static const struct showq_style *style_of(const struct showq_run *r, const struct dialect *d)
{
	for (size_t i = 0; d->queue[i]; i++)
		if (r->input.style == STYLE_OF_SCHEDULER || d->queue[i]->style == r->input.style)
			return d->queue[i];
	return NULL;
}

/* Prints the version of fs-showq, or in strict mode the version of the emulated tool. */
static int show_version(const struct showq_run *r)
{
	static const char rule[] = "--------------------------------------------------";
	const struct showq_style *style = style_of(r, &dialect_slurm);

	if (!r->inv->emulated && !r->strict) {
		emit("fs-showq " FS_VERSION "\n");
		return EXIT_DONE;
	}
	if (!style || !style->version)
		style = &showq_fasrc;
	if (style->style == STYLE_TACC)
		style->begin(&(struct showq_run){ .style = style });
	emit("\n%s\nslurm_showq: Version ", rule);
	emit_own(stdout, style->version);
	emit("\n%s\n\n", rule);
	return EXIT_DONE;
}

/* Applies the options as Maui's showq does: the argument after -u is a user, and -p is a partition of Maui, not a
 * class. Snapshots know only Maui's partition DEFAULT, so ALL and DEFAULT select all jobs. Returns -1 to continue. */
static int check_maui(struct showq_run *r)
{
	if (r->user_word)
		r->named = r->user_word;
	if (r->partition && strcmp(r->partition, "ALL") != 0)
		r->named_partition = r->partition;
	if (r->partition && (!strcmp(r->partition, "ALL") || !strcmp(r->partition, "DEFAULT")))
		r->partition = NULL;
	return -1;
}

/* Rejects the options that only Maui's layout has. Returns -1 to continue, or the exit status after an error
 * message. */
static int check_others(struct showq_run *r)
{
	if (r->inv->emulated)
		return -1;
	if (r->user_word)
		return options_unexpected(r->inv, r->user_word);
	if (r->only_idle || r->only_running || r->verbose) {
		complain(r->inv, "-i, -r and -v belong to Maui's layout; see %s --help", r->inv->name);
		return EXIT_USAGE;
	}
	return -1;
}

/* Selects the dialect and the layout, and checks the options against them. Returns 0, or the exit status after an error
 * message. */
static int check(struct showq_run *r)
{
	int status;

	r->info = fs_snapshot_info(r->snapshot);
	r->dialect = dialect_of(r->snapshot);
	r->style = style_of(r, r->dialect);
	if (!r->style) {
		complain(r->inv, "no layout for the queue of scheduler \"%s\"", r->info->scheduler);
		return EXIT_FAILED;
	}
	status = r->style->style == STYLE_MAUI ? check_maui(r) : check_others(r);
	if (status >= 0)
		return status;
	r->user = r->named ? r->named : input_viewer(&r->input);
	if (r->strict && !r->style->partitions) {
		r->partition = NULL;
		r->by_priority = r->summary = r->show_blocked = false;
	}
	if (!r->strict)
		r->missing = missing_name(r->inv, r->snapshot, MISSING_PARTITION, r->partition);
	if (!r->inv->emulated)
		r->missing = missing_name(r->inv, r->snapshot, MISSING_USER, r->named) || r->missing;
	return 0;
}

/* Prints the requested page or document. Returns the exit status. */
static int print(struct showq_run *r)
{
	int status;

	if (r->svg)
		return showq_plan_picture(r);
	if (r->metrics && !r->start)
		return showq_metrics(r);
	if (r->json)
		return showq_json(r);
	what_if_table(r->snapshot);
	if (r->start)
		return showq_start(r);
	if (r->plan)
		return showq_plan(r);
	if (r->style->page)
		return r->style->page(r);
	showq_read_config(r);
	status = showq_load(r);
	return status ? status : showq_layout(r);
}

static int show(struct showq_run *r)
{
	const int status = check(r);

	return status ? status : missing_status(r->inv, print(r), r->missing);
}

/* Handles --version, --help and invalid options, in the order of the emulated tools. Returns -1 to continue, or the
 * exit status. */
static int answer_words(struct showq_run *r)
{
	if (r->version)
		return show_version(r);
	if (r->help || r->refused) {
		showq_show_help(r);
		return r->refused ? EXIT_FAILED : EXIT_DONE;
	}
	return r->own && r->named ? showq_refuse_both(r) : -1;
}

/* Returns true if the arguments request the help or the version, which need no snapshot. */
static bool asks_of_the_tool(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* Runs as the emulated tool: parses the arguments as that tool does. The scheduler of the snapshot determines the tool,
 * so the snapshot is opened before the arguments are parsed. */
static int run_real(struct showq_run *r, int argc, char **argv)
{
	const bool asks = asks_of_the_tool(argc, argv);
	const struct showq_style *style = &showq_fasrc;
	int status = asks ? EXIT_DONE : input_open(r->inv, &r->input, &r->snapshot);

	r->strict = true;
	if (status)
		return status;
	if (!asks) {
		r->dialect = dialect_of(r->snapshot);
		style = style_of(r, r->dialect);
	}
	if (style && style->words) {
		style->words(r, argc, argv);
		status = answer_words(r);
	} else {
		status = showq_parse(r, argc, argv);
	}
	return status < 0 ? show(r) : status;
}

static int run_ours(struct showq_run *r, int argc, char **argv)
{
	int status = showq_parse(r, argc, argv);

	if (status >= 0)
		return status;
	if (r->version)
		return show_version(r);
	status = input_open(r->inv, &r->input, &r->snapshot);
	return status ? status : show(r);
}

/* Applies the environment variable FS_SHOWQ_STYLE, which is a default for --style. Returns 0, or EXIT_USAGE after an
 * error message. */
static int take_environment(struct showq_run *r)
{
	const char *style = getenv("FS_SHOWQ_STYLE");

	return style && *style && input_option(r->inv, &r->input, OPT_STYLE, style) < 0 ? EXIT_USAGE : EXIT_DONE;
}

static int run_showq(const struct invocation *inv, int argc, char **argv)
{
	bool starved = false;
	struct showq_run r = { .inv = inv, .program = argv[0], .starved = &starved, .input.recorded = true };
	int status;

	r.input.styles = 1u << STYLE_FASRC | 1u << STYLE_TACC | 1u << STYLE_MAUI | 1u << STYLE_FLUX;
	status = take_environment(&r);
	if (!status)
		status = inv->strict ? run_real(&r, argc, argv) : run_ours(&r, argc, argv);
	if (starved)
		status = no_memory(inv);
	free(r.jobs);
	fs_queue_free(r.queue);
	input_release(&r.input);
	fs_snapshot_free(r.snapshot);
	return status;
}

const struct command showq_command = { "fs-showq", "showq", "the queue in sections, and when each job may start", "", true, run_showq };
