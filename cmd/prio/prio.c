/* fs-prio, sprio: the priority of each pending job, factor by factor. */
#include "prio/prio.h"

#include "dialect/dialect.h"
#include "input/missing.h"
#include "page/what_if.h"
#include "render/emit.h"

#include <stdlib.h>

/* Returns whether a document or a picture was asked for, which has all terms and no layout. */
static bool document(const struct prio_run *r)
{
	return r->json || r->metrics || r->svg;
}

static int show_version(const struct prio_run *r)
{
	if (r->inv->emulated)
		input_slurm_version(r->snapshot);
	else
		emit("fs-prio " FS_VERSION "\n");
	return EXIT_DONE;
}

/* The version whose letters and options count: under our own name all of them do. */
static unsigned letters_version(const struct prio_run *r)
{
	return r->inv->emulated ? r->compat : 0;
}

static int choose_format(struct prio_run *r)
{
	char buf[512];
	const char *env = getenv("SPRIO_FORMAT"), *text = buf;

	if (r->layout->format)
		text = r->format_text ? r->format_text : r->layout->format(r->wide, r->norm);
	else if (r->wide)
		text = prio_long_format(r->norm, r->compat);
	else if (r->format_text)
		text = r->format_text;
	else if (env && r->inv->emulated)
		text = env;
	else
		prio_default_format(r, buf, sizeof(buf));
	return prio_format_parse(r, text, letters_version(r)) ? no_memory(r->inv) : 0;
}

/* Prints sprio's sentence for an answer without rows, on standard output (src/sprio/sprio.c). */
static bool empty_answer(const struct prio_run *r)
{
	if (!r->jobs.given)
		return false;
	return fs_slurm_has(r->compat, FS_SLURM_SPRIO_FILTERS) ? !fs_prios_count(r->prios) : !r->n;
}

/* Jobs were asked for, and there are none to list: a failure under our own name alone. */
static bool found_nothing(const struct prio_run *r)
{
	return r->jobs.given && !r->n && !r->inv->emulated;
}

static void print_row(FILE *out, const void *of, size_t i)
{
	const struct prio_run *r = of;
	struct fs_prio_row row;

	fs_prios_row(r->prios, r->rows[i], &row);
	prio_print_row(out, r, &row);
}

static int print_table(struct prio_run *r)
{
	if (!r->weights && empty_answer(r)) {
		emit("Unable to find jobs matching user/id(s) specified\n");
		return r->inv->emulated ? EXIT_DONE : EXIT_NOTHING;
	}
	what_if_table(r->snapshot);
	if (!r->no_header)
		prio_print_header(r);
	if (r->weights) {
		prio_print_weights(r);
		return EXIT_DONE;
	}
	emit_rows(r->n, print_row, r);
	return found_nothing(r) ? EXIT_NOTHING : EXIT_DONE;
}

static int compute(struct prio_run *r)
{
	struct fs_prios_options o = { .view = input_view(&r->input), .as_printed = !document(r) };
	struct fs_error err;

	o.view.compat = r->compat;
	if (usage_wanted(&r->input)) {
		const int status =
			usage_load(r->inv, &r->input, r->snapshot, NULL, NULL, &r->usage);

		if (status)
			return status;
		o.view.usage = r->usage;
	}
	o.running = r->states.n || r->jobs.n;
	if (fs_prios_compute(&r->prios, r->snapshot, &o, &err))
		return report(r->inv, &err);
	if (dialect_of(r->snapshot)->prio->holds && fs_holds_compute(&r->holds, r->snapshot, &err))
		return report(r->inv, &err);
	r->source = (struct prio_source){ .snapshot = r->snapshot, .prios = r->prios, .holds = r->holds };
	return 0;
}

/* The columns are the priority's terms: those of the jobs' scheduler, and of no other. */
static int choose_layout(struct prio_run *r)
{
	const struct dialect *d = dialect_of(r->snapshot);
	const enum style asked = r->inv->emulated ? STYLE_SLURM : r->input.style;

	r->layout = d->prio->layout;
	if (document(r) || asked == STYLE_OF_SCHEDULER || asked == d->prio->style)
		return 0;
	complain(r->inv,
		 "the jobs are %s's: their priorities have no terms for the layout asked for",
		 d->nouns.scheduler);
	return usage_status(r->inv);
}

/* sprio learns of a bad key when it sorts rows: the heading is out by then. */
static int sort_rows(struct prio_run *r)
{
	const char bad = prio_sort_check(r, letters_version(r));

	if (!bad)
		return prio_sort(r);
	if (r->inv->emulated && !r->no_header)
		prio_print_header(r);
	complain(r->inv, "Invalid sort specification: %c", bad);
	return usage_status(r->inv);
}

static int emulated_help_format(const struct prio_run *r)
{
	if (!fs_slurm_has(r->compat, FS_SLURM_SPRIO_HELPFORMAT)) {
		options_unknown(r->inv, r->program, "--helpformat");
		return EXIT_FAILED;
	}
	prio_help_format(&prio_slurm_layout, r->compat);
	return EXIT_DONE;
}

static void print_request(const struct prio_run *r)
{
	static const char rule[] = "-----------------------------";

	emit_line(rule);
	emit("format     = %s\n", r->format_text ? r->format_text : "(null)");
	emit("job_flag   = %d\n", r->jobs_asked);
	names_print("jobs      ", &r->jobs);
	names_print("partition ", &r->partitions);
	names_print("users     ", &r->users);
	emit("verbose    = %d\n", r->verbose);
	emit("%s\n\n\n", rule);
}

static int show_page(struct prio_run *r, const struct prio_dialect *d)
{
	int status = 0;

	if (r->format_text || r->wide || r->norm || r->weights || r->sort || r->parsable) {
		complain(
			r->inv,
			"columns and keys are those of the layout of slurm: they do not fit Maui's terms");
		return usage_status(r->inv);
	}
	status = prio_choose_rows(r);
	if (!status)
		prio_check_jobs(r);
	if (!status)
		what_if_table(r->snapshot);
	if (!status)
		status = d->page(r);
	if (!status && r->verbose)
		status = d->blocked(r);
	return !status && found_nothing(r) ? EXIT_NOTHING : status;
}

static int print(struct prio_run *r)
{
	int status;

	if (!document(r))
		return print_table(r);
	if (r->svg)
		return prio_picture(r);
	if (r->metrics)
		return prio_metrics(r);
	status = prio_json(r);
	return !status && found_nothing(r) ? EXIT_NOTHING : status;
}

/* The usual columns of all rows need no more than what sprio prints. */
static enum capture_need need_of(const struct prio_run *r)
{
	const bool columns = r->format_text || r->norm || r->weights || r->weights_report || r->sort || r->verbose ||
			     r->svg || (r->inv->emulated && getenv("SPRIO_FORMAT"));
	const bool rows = r->jobs_asked || r->users.given || r->partitions.given || r->states.given || r->subtree;

	return columns || rows || document(r) || usage_wanted(&r->input) ? CAPTURE_ALL : CAPTURE_PRIORITIES;
}

static int show(struct prio_run *r)
{
	int status;

	if (r->history)
		return prio_history(r);
	r->input.need = need_of(r);
	status = input_open(r->inv, &r->input, &r->snapshot);
	if (status)
		return status;
	r->compat = r->input.compat ? r->input.compat : fs_snapshot_info(r->snapshot)->version;
	if (r->version)
		return show_version(r);
	if (r->letters)
		return emulated_help_format(r);
	status = choose_layout(r);
	if (!status)
		status = prio_check_lists(r);
	if (!status)
		status = prio_resolve_users(r);
	if (!status)
		prio_check_names(r);
	if (!status)
		status = compute(r);
	if (!status && r->weights_report)
		return prio_weights_report(r);
	if (!status && dialect_of(r->snapshot)->prio->page && !document(r))
		return missing_status(r->inv, show_page(r, dialect_of(r->snapshot)->prio), r->missing);
	if (!status)
		status = document(r) && (r->layout->format || dialect_of(r->snapshot)->prio->page) ? 0
												   : choose_format(r);
	if (!status && r->verbose && !document(r))
		print_request(r);
	if (!status)
		status = prio_choose_rows(r);
	if (!status && (r->n || !r->inv->emulated))
		status = sort_rows(r);
	if (status)
		return status;
	prio_check_jobs(r);
	return missing_status(r->inv, print(r), r->missing);
}

static int run(const struct invocation *inv, int argc, char **argv)
{
	struct prio_run r = { .inv = inv, .program = argv[0] };
	int status = prio_parse(&r, argc, argv);

	if (status < 0 && r.letters && !inv->emulated) {
		prio_help_format(r.input.style == STYLE_FLUX ? &prio_flux_layout
							     : &prio_slurm_layout,
				 0);
		status = EXIT_DONE;
	}
	if (status < 0)
		status = r.version && !inv->emulated ? show_version(&r) : show(&r);
	free(r.rows);
	prio_format_free(&r.format);
	fs_holds_free(r.holds);
	fs_prios_free(r.prios);
	fs_usage_free(r.usage);
	fs_snapshot_free(r.snapshot);
	input_release(&r.input);
	names_free(&r.jobs);
	names_free(&r.users);
	names_free(&r.partitions);
	names_free(&r.states);
	names_free(&r.clusters);
	return status;
}

const struct command prio_command = { "fs-prio", "sprio",
				      "priority of each pending job, factor by factor", "error: ", true, run };
