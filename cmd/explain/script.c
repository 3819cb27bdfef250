/* The page of a job script before it is submitted. */
#include "explain/explain.h"

#include "fs/scenario.h"
#include "input/script.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- command line */

bool explain_is_script_name(const char *word)
{
	if (!strcmp(word, "-") || strchr(word, '/'))
		return true;
	return word[strspn(word, "0123456789_+")] && !access(word, R_OK);
}

static void add_sbatch_word(struct explain_script *script, const char *word)
{
	if (script->nwords < sizeof(script->words) / sizeof(*script->words))
		script->words[script->nwords++] = word;
}

int explain_split_script_options(struct explain_script *script, int argc, char **argv,
				 bool (*is_own)(const char *word, bool *takes_value))
{
	bool named = false, own_value = false, of_sbatch = false, takes_value;
	int n = 0;

	for (int i = 0; i < argc; i++) {
		const char *word = argv[i];
		const bool option = word[0] == '-' && word[1];
		const bool own = option && is_own(word, &takes_value);

		if (named && !own_value && (option ? !own : of_sbatch)) {
			add_sbatch_word(script, word);
			of_sbatch = true;
			continue;
		}
		named = named || !strncmp(word, "--script=", 9) ||
			(i && !option && !own_value && explain_is_script_name(word));
		own_value = own && takes_value;
		of_sbatch = false;
		argv[n++] = argv[i];
	}
	argv[n] = NULL;
	return n;
}

/* Appends a word to the command, in quotes if it contains blanks or quotes. Returns false if it does not fit. */
static bool append_command_word(struct explain_script *script, const char *word)
{
	const size_t len = strlen(script->command), size = sizeof(script->command) - len;
	const char *quote = !word[strcspn(word, " \t'\"")] ? "" : strchr(word, '\'') ? "\"" : "'";

	return snprintf(script->command + len, size, "%s%s%s%s", len ? " " : "", quote, word, quote) < (int)size;
}

/* ---- submission */

struct submit_context {
	struct job_script text; /* must be first: the callbacks of input/script.h get this struct */
	struct explain_script *script;
	bool failed;
};

static void store_submit_option(void *ctx, const struct fs_submit_option *o)
{
	struct submit_context *c = ctx;
	struct explain_script *s = c->script;
	struct script_option *v = array_grow_by_one(s->options, s->noptions, &s->capacity, sizeof(*v));

	if (!v) {
		c->failed = true;
		return;
	}
	s->options = v;
	s->options[s->noptions] = (struct script_option){ strdup(o->name), strdup(o->value), o->line };
	c->failed = c->failed || !v[s->noptions].name || !v[s->noptions].value;
	s->noptions++;
}

/* Stores a note about the request. Notes without a cause in the script are left out: the page itself shows the job. */
static void store_submit_note(void *ctx, const char *sentence)
{
	struct submit_context *c = ctx;
	const char *text =
		!strncmp(sentence, "job ", 4) && strchr(sentence, ':') ? strchr(sentence, ':') + 2 : sentence;
	const size_t len = strlen(c->script->notes);

	if (strcmp(text, "submitted by this command") != 0)
		snprintf(c->script->notes + len, sizeof(c->script->notes) - len, "%s%c%s", len ? ".\n" : "",
			 toupper((unsigned char)*text), text + 1);
}

int explain_submit_script(const struct invocation *inv, struct explain_script *script, const char *viewer,
			  fs_snapshot *s)
{
	struct submit_context c = { .text = script->text, .script = script };
	int rc;
	const struct fs_edit_options o = { .viewer = viewer,
					   .note = store_submit_note,
					   .note_ctx = &c,
					   .script = job_script_read,
					   .environment = job_script_get_variable,
					   .option = store_submit_option,
					   .script_ctx = &c };
	bool fits = append_command_word(script, "sbatch");

	c.text.reads_stdin = true;
	for (size_t i = 0; i < script->nwords; i++)
		fits = fits && append_command_word(script, script->words[i]);
	if (!fits || !append_command_word(script, script->file)) {
		cmd_print_message(inv, "the options of sbatch are too long");
		return EXIT_USAGE;
	}
	script->first_row = (uint32_t)fs_snapshot_info(s)->jobs;
	rc = fs_snapshot_edit(s, script->command, &o, &script->error);
	script->text = c.text;
	if (rc && rc != FS_EUSAGE)
		return cmd_report_error(inv, &script->error);
	script->jobs = (uint32_t)fs_snapshot_info(s)->jobs - script->first_row;
	return c.failed ? cmd_report_no_memory(inv) : 0;
}

void explain_free_script(struct explain_script *script)
{
	job_script_free(&script->text);
	for (size_t i = 0; i < script->noptions; i++) {
		free(script->options[i].name);
		free(script->options[i].value);
	}
	free(script->options);
}

/* ---- texts */

/* Finds the first option of the list `names` (separated by commas) that the request sets; NULL: none. */
static const struct script_option *find_script_option(const struct explain_script *script, const char *names)
{
	for (size_t len; *names; names += len + (names[len] != '\0')) {
		len = strcspn(names, ",");
		for (size_t i = 0; i < script->noptions; i++)
			if (strlen(script->options[i].name) == len && !strncmp(script->options[i].name, names, len))
				return &script->options[i];
	}
	return NULL;
}

static const char *format_refused_amount(char buf[WORDS], const char *what, double amount)
{
	if (!strcmp(what, "time"))
		return format_time_span(buf, amount);
	return format_tres_amount(buf, !strcmp(what, "min_nodes") ? "node" : what, amount);
}

/* Appends what the job asks for and what would be valid. */
static void append_valid_request(char *text, const struct fs_refusal *r)
{
	if (r->limit)
		append_text(text, REFUSAL_TEXT,
			    strstr(r->limit->name, "Submit")
				    ? "limit %s%s%s of %s is %.0f; with this job, there are %.0f"
				    : "limit %s%s%s of %s is %.0f; the job asks for %.0f",
			    r->limit->name, *r->limit->tres ? " " : "", r->limit->tres, r->limit->set_by, r->has,
			    strstr(r->limit->name, "Submit") ? r->limit->used : r->wants);
	else if (!isnan(r->wants))
		append_text(text, REFUSAL_TEXT, "the job asks for %s; partition %s %s %s",
			    format_refused_amount(BUF, r->what, r->wants), r->partition,
			    !strcmp(r->what, "min_nodes") ? "requires at least"
			    : !strcmp(r->what, "time")    ? "allows at most"
							  : "has",
			    format_refused_amount(BUF, r->what, r->has));
	else if (!strcmp(r->what, "features"))
		append_text(text, REFUSAL_TEXT, "no node has all features that \"%s\" names", r->name);
	else if (!strcmp(r->what, "reservation"))
		append_text(text, REFUSAL_TEXT, "the reservation does not admit the job");
	else if (*r->name && strcmp(r->name, "nodes") != 0)
		append_text(text, REFUSAL_TEXT, "partition %s does not allow %s %s", r->partition, r->what, r->name);
	else
		append_text(text, REFUSAL_TEXT,
			    "no set of nodes of partition %s can take the job, even if all are idle", r->partition);
	if (!isnan(r->node_has) && strcmp(r->what, "node") != 0 && strcmp(r->what, "min_nodes") != 0)
		append_text(text, REFUSAL_TEXT, "; its largest node has %s",
			    format_refused_amount(BUF, r->what, r->node_has));
	append_text(text, REFUSAL_TEXT, ".");
}

static void append_option(char *text, const struct script_option *o)
{
	append_text(text, REFUSAL_TEXT, "--%s%s%s", o->name, *o->value ? "=" : "", o->value);
}

/* Fills the decision for a command that was refused before the job was added. */
static void fill_edit_decision(struct script_decision *d, const struct explain_script *script)
{
	const struct fs_error *e = &script->error;
	const char *message = *e->field ? fs_submit_refusal(e->field) : NULL;
	const char *text = !strncmp(e->message, "sbatch: ", 8) ? e->message + 8 : e->message;

	d->accepted = false;
	d->message = message ? message : "";
	d->n = 1;
	d->problem[0].line = e->line;
	append_text(d->problem[0].text, REFUSAL_TEXT, "%s", text);
	if (*text && text[strlen(text) - 1] != '.' && text[strlen(text) - 1] != '!')
		append_text(d->problem[0].text, REFUSAL_TEXT, ".");
}

static void describe_problem(struct request_problem *out, const struct explain_script *script,
			     const struct fs_refusal *r)
{
	const struct script_option *o = find_script_option(script, r->options);

	*out = (struct request_problem){ .line = o ? o->line : 0 };
	if (o) {
		append_option(out->text, o);
		append_text(out->text, REFUSAL_TEXT, ": ");
	}
	append_valid_request(out->text, r);
}

int explain_decide_submission(struct script_decision *d, const struct explain_view *v,
			      const struct explain_script *script, const struct fs_explain_job *job,
			      struct fs_error *err)
{
	struct fs_submission s;

	*d = (struct script_decision){ .accepted = true, .message = "" };
	if (!job) {
		fill_edit_decision(d, script);
		return 0;
	}
	if (fs_explain_submission(v->explain, job, v->plan, &s, err))
		return err->code;
	for (d->n = 0; d->n < s.n; d->n++)
		describe_problem(&d->problem[d->n], script, &s.refusal[d->n]);
	d->enforcement_unknown = s.enforcement_unknown;
	d->never = job->state == FS_EXPLAIN_NEVER;
	d->accepted = !s.n || !s.refusal[0].message;
	d->message = d->accepted ? "" : s.refusal[0].message;
	return 0;
}

/* ---- page */

static void add_decision_lines(struct page *p, const struct script_decision *d)
{
	char text[2 * REFUSAL_TEXT] = "";

	append_text(text, sizeof(text), d->accepted ? "Yes" : "No.");
	if (d->enforcement_unknown)
		append_text(text, sizeof(text), ", unless EnforcePartLimits is set; it is not in the snapshot");
	if (d->accepted)
		append_text(text, sizeof(text),
			    !d->n      ? "."
			    : d->never ? ". But it can never start:"
				       : ". But not all of its partitions can run it:");
	if (*d->message)
		append_text(text, sizeof(text), " sbatch: error: Batch job submission failed: %s.", d->message);
	page_add_labelled(p, "Accepted?", text);
	for (size_t i = 0; i < d->n; i++) {
		text[0] = '\0';
		if (d->problem[i].line)
			append_text(text, sizeof(text), "line %" PRIu64 ": ", d->problem[i].line);
		append_text(text, sizeof(text), "%s", d->problem[i].text);
		page_add_labelled(p, "", text);
	}
}

/* Returns the partition for which the cost is computed: that of the planned start, or the first of the request. */
static const char *get_start_partition(const struct explain_view *v, const struct fs_explain_job *job)
{
	struct fs_plan_row r;

	if (explain_find_plan_row(v, job->job_row, &r) && *r.partition)
		return r.partition;
	return fs_job_partition(v->snapshot, job->job_row, 0);
}

int explain_compute_script_cost(const struct explain_view *v, const struct fs_explain_job *job, double *hours,
				struct fs_error *err)
{
	const char *partition = get_start_partition(v, job);

	*hours = NAN;
	return partition ? fs_explain_cost(v->explain, job->job_row, partition, hours, err) : 0;
}

static int add_cost_line(struct page *p, const struct explain_view *v, const struct fs_explain_job *job,
			 struct fs_error *err)
{
	char text[WORDS] = "";
	double hours;

	if (explain_compute_script_cost(v, job, &hours, err))
		return err->code;
	if (isfinite(hours))
		append_text(text, sizeof(text), "%.*f billing hours%s if it runs to its time limit.",
			    hours < 10000 ? 2 : 0, hours,
			    fs_job_tasks(v->snapshot, job->job_row, &(bool){ true }) > 1 ? " for each task" : "");
	else
		snprintf(text, sizeof(text), "%s.",
			 isnan(hours) ? "Unknown" : "Not limited: the job has no time limit");
	page_add_labelled(p, "Cost", text);
	return 0;
}

static void add_notes(struct page *p, const struct explain_script *script)
{
	char text[sizeof(script->notes) + 2];
	const char *label = "Note";

	snprintf(text, sizeof(text), "%s%s", script->notes, *script->notes ? "." : "");
	for (char *at = text, *end; *at; at = end, label = "") {
		end = at + strcspn(at, "\n");
		if (*end)
			*end++ = '\0';
		page_add_labelled(p, label, at);
	}
}

int explain_add_script(struct page *p, const struct explain_view *v, const struct explain_script *script,
		       const struct fs_explain_job *job, bool *accepted, struct fs_error *err)
{
	struct script_decision d;

	if (explain_decide_submission(&d, v, script, job, err))
		return err->code;
	if (job)
		explain_add_title(p, v, job);
	add_decision_lines(p, &d);
	if (d.accepted)
		explain_add_start_lines(p, v, job);
	if (job && add_cost_line(p, v, job, err))
		return err->code;
	add_notes(p, script);
	*accepted = d.accepted;
	return 0;
}

/* ---- places */

void explain_add_places(struct page *p, const fs_snapshot *s, const struct script_places *places)
{
	page_add_gap(p);
	page_add_heading(p, "WHERE it would start");
	PAGE_BEGIN_TABLE(p, AT_LEFT("partition"), AT_LEFT("QOS"), AT_LEFT("account"), AT_LEFT("reservation"),
			 AT_LEFT("planned start"), AT_RIGHT("priority"), AT_RIGHT("cost"), AT_LEFT("note"));
	for (size_t i = 0; i < places->n; i++) {
		const struct script_place *x = &places->v[i];

		page_add_cell(p, "%s", format_cell_name(BUF, x->partition));
		page_add_cell(p, "%s", format_cell_name(BUF, x->qos));
		page_add_cell(p, "%s", format_cell_name(BUF, x->account));
		page_add_cell(p, "%s", *x->reservation ? format_cell_name(BUF, x->reservation) : "");
		page_add_cell(p, "%s",
			      !x->accepted             ? "refused"
			      : x->start == FS_UNKNOWN ? "unknown"
						       : format_full_time(BUF, s, x->start));
		page_add_cell(p, "%s", isnan(x->priority) || !x->accepted ? "" : format_words(BUF, "%.0f", x->priority));
		page_add_cell(p, "%s", isfinite(x->cost) ? format_words(BUF, "%.2f", x->cost) : "");
		page_add_cell(p, "%s", x->note);
		page_end_row(p, TONE_PLAIN);
	}
	page_end_table(p);
	if (places->cut)
		page_end_with(p, "Only the first %d places were tried.", (int)PLACES_MAX);
}

/* ---- JSON */

static void write_places(struct fs_json *j, const struct script_places *places)
{
	json_begin_list(j, "alternatives");
	for (size_t i = 0; i < places->n; i++) {
		const struct script_place *x = &places->v[i];

		fs_json_object(j);
		json_write_text(j, "partition", x->partition);
		json_write_text(j, "qos", x->qos);
		json_write_text(j, "account", x->account);
		json_write_text(j, "reservation", x->reservation);
		json_write_flag(j, "accepted", x->accepted);
		json_write_integer(j, "planned_start", x->start);
		json_write_number(j, "priority", x->priority);
		json_write_number(j, "cost", x->cost);
		json_write_text(j, "note", x->note);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_problems(struct fs_json *j, const struct script_decision *d)
{
	json_begin_list(j, "problems");
	for (size_t i = 0; i < d->n; i++) {
		fs_json_object(j);
		json_write_whole(j, "line", d->problem[i].line != 0, d->problem[i].line);
		json_write_text(j, "text", d->problem[i].text);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_script_options(struct fs_json *j, const struct explain_script *script)
{
	json_begin_list(j, "options");
	for (size_t i = 0; i < script->noptions; i++) {
		fs_json_object(j);
		json_write_text(j, "option", script->options[i].name);
		json_write_text(j, "value", script->options[i].value);
		json_write_whole(j, "line", script->options[i].line != 0, script->options[i].line);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

int explain_write_script(const struct explain_view *v, const struct explain_script *script,
			 const struct fs_explain_job *job, const struct script_places *places, bool *accepted)
{
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	struct fs_error err;
	struct script_decision d;
	struct fs_json j;
	double hours = NAN;

	if (explain_decide_submission(&d, v, script, job, &err) ||
	    (job && explain_compute_script_cost(v, job, &hours, &err)))
		return FS_ENOMEM;
	*accepted = d.accepted;
	explain_begin_document(&j, v, "script");
	json_begin_object(&j, "script");
	json_write_text(&j, "file", script->file);
	json_write_flag(&j, "accepted", d.accepted);
	json_write_text(&j, "message", d.message);
	write_problems(&j, &d);
	if (job && d.accepted)
		explain_find_plan_row(v, job->job_row, &r);
	json_write_integer(&j, "planned_start", r.start_time);
	json_write_number(&j, "cost", hours);
	explain_write_start_lines(&j, v, d.accepted ? job : NULL);
	write_script_options(&j, script);
	json_write_text(&j, "notes", script->notes);
	fs_json_end_object(&j);
	if (places)
		write_places(&j, places);
	return json_end_document(&j);
}
