/* fs-explain SCRIPT --where: where the job of a script would start first. Each place is tried on a copy of the
 * snapshot: the script is submitted there, and planned if it is accepted. */
#include "explain/explain.h"

#include "fs/scenario.h"
#include "render/emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place_search {
	const struct invocation *inv;
	struct explain_script *script;
	const struct fs_view *view;
	const fs_snapshot *snapshot;
	struct script_places *out;
};

/* Fills the results of a place from the evaluated copy. Returns 0 or an error code. */
static int decide_place(struct script_place *place, struct explain_view *v, const struct fs_view *view,
			const struct explain_script *trial, const fs_snapshot *copy, struct fs_error *err)
{
	const struct fs_plan_options options = { .view = *view, .starts_alone = true };
	struct fs_plan_row r = { .start_time = FS_UNKNOWN };
	struct fs_explain_job job;
	struct script_decision d;
	const bool added = !trial->error.code;
	fs_plan *plan = NULL;
	int rc = added ? fs_explain_job_heads(v->explain, trial->first_row, &job, err) : 0;

	if (!rc)
		rc = explain_decide_submission(&d, v, trial, added ? &job : NULL, err);
	if (!rc && d.accepted)
		rc = fs_plan_compute(&plan, copy, &options, err);
	rc = rc == FS_ENODATA ? 0 : rc;
	if (!rc && plan) {
		v->plan = plan;
		rc = explain_decide_submission(&d, v, trial, &job, err);
	}
	if (!rc && added)
		rc = explain_compute_script_cost(v, &job, &place->cost, err);
	if (rc) {
		fs_plan_free(plan);
		return rc;
	}
	place->accepted = d.accepted;
	place->denied = !strcmp(d.message, "Access denied to requested reservation");
	if (d.accepted && explain_find_plan_row(v, job.job_row, &r))
		place->start = r.start_time;
	if (added && job.nsums)
		place->priority = job.sums[0].total;
	if (!d.accepted)
		append_text(place->note, sizeof(place->note), "%s", d.n ? d.problem[0].text : d.message);
	else if (place->start == FS_UNKNOWN)
		append_text(place->note, sizeof(place->note), "%s",
			    format_verdict_clause((char[VERDICT_TEXT]){ "" }, v->vocabulary, copy, &job.verdict));
	fs_plan_free(plan);
	return 0;
}

/* Evaluates the copy, in which the script was submitted, and decides about the place. Returns 0 or an error code. */
static int evaluate_place(struct script_place *place, const struct place_search *w, const struct explain_script *trial,
			  fs_snapshot *copy, struct fs_error *err)
{
	struct explain_view v;
	struct fs_eval eval;
	int rc = fs_eval_compute(copy, w->view, &eval, err);

	if (rc)
		return rc;
	explain_init_view(&v, &eval);
	rc = fs_explain_new(&v.explain, &eval, err);
	if (!rc)
		rc = decide_place(place, &v, w->view, trial, copy, err);
	fs_explain_free(v.explain);
	fs_eval_release(&eval);
	return rc;
}

/* Submits the script at the place on a copy of the snapshot. Returns 0, or the exit status after an error message. */
static int try_place(struct place_search *w, struct script_place *place)
{
	struct explain_script trial = { .file = w->script->file, .text = w->script->text, .nwords = w->script->nwords };
	const char *const extra[] = {
		"-p", place->partition, "-q", place->qos, "-A", place->account, "--reservation", place->reservation
	};
	const size_t n = *place->reservation ? 8 : 6;
	struct fs_error err;
	fs_snapshot *copy;
	int status;

	if (trial.nwords + n > sizeof(trial.words) / sizeof(*trial.words))
		return 0;
	memcpy(trial.words, w->script->words, sizeof(trial.words));
	for (size_t i = 0; i < n; i++)
		trial.words[trial.nwords++] = extra[i];
	if (fs_snapshot_copy(&copy, w->snapshot, &err))
		return cmd_report_error(w->inv, &err);
	status = explain_submit_script(w->inv, &trial, w->view->viewer, copy);
	if (!status && evaluate_place(place, w, &trial, copy, &err))
		status = cmd_report_error(w->inv, &err);
	fs_snapshot_free(copy);
	w->script->text = trial.text; /* standard input is read only once */
	trial.text = (struct job_script){ .text = NULL };
	explain_free_script(&trial);
	return status;
}

static int add_place(struct place_search *w, const struct script_place *place)
{
	struct script_places *out = w->out;
	struct script_place *v;
	int status;

	if (out->n == PLACES_MAX) {
		out->cut = true;
		return 0;
	}
	v = array_grow_by_one(out->v, out->n, &out->capacity, sizeof(*v));
	if (!v)
		return cmd_report_no_memory(w->inv);
	out->v = v;
	v[out->n] = *place;
	status = try_place(w, &v[out->n]);
	out->n += !v[out->n].denied;
	return status;
}

/* Adds the place without a reservation, and one place for each reservation that has not ended. */
static int add_places_of_reservations(struct place_search *w, struct script_place *place)
{
	struct fs_reservation r;
	int status;

	*place->reservation = '\0';
	status = add_place(w, place);
	for (size_t i = 0; !status && fs_snapshot_reservation(w->snapshot, i, &r); i++) {
		if (r.end_time != FS_UNKNOWN && r.end_time <= fs_snapshot_info(w->snapshot)->time)
			continue;
		snprintf(place->reservation, sizeof(place->reservation), "%s", r.name);
		status = add_place(w, place);
	}
	return status;
}

/* Returns true if an earlier association of the user has the same account. */
static bool is_account_repeated(const struct place_search *w, const char *account, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!strcmp(fs_user_account(w->snapshot, w->view->viewer, i), account))
			return true;
	return false;
}

static int compare_places(const void *a, const void *b, const void *ctx)
{
	const struct script_place *x = a, *y = b;
	const bool starts_x = x->start != FS_UNKNOWN, starts_y = y->start != FS_UNKNOWN;

	(void)ctx;
	if (x->accepted != y->accepted)
		return x->accepted ? -1 : 1;
	if (starts_x != starts_y)
		return starts_x ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (!isnan(x->cost) && !isnan(y->cost) && (x->cost < y->cost || x->cost > y->cost))
		return x->cost < y->cost ? -1 : 1;
	return 0;
}

int explain_find_places(const struct invocation *inv, struct explain_script *script, const struct fs_view *view,
			const fs_snapshot *s, struct script_places *out)
{
	struct place_search w = { inv, script, view, s, out };
	struct script_place p = { .start = FS_UNKNOWN, .priority = NAN, .cost = NAN };
	int status = 0;

	for (size_t a = 0; !status && (p.account = fs_user_account(s, view->viewer, a)); a++)
		for (size_t q = 0; !status && !is_account_repeated(&w, p.account, a) &&
				   (p.qos = fs_user_qos(s, view->viewer, p.account, q));
		     q++)
			for (size_t i = 0; !status && (p.partition = fs_snapshot_partition_name(s, i)); i++)
				status = add_places_of_reservations(&w, &p);
	if (!status && out->n && fs_sort(out->v, out->n, sizeof(*out->v), compare_places, NULL))
		status = cmd_report_no_memory(inv);
	return status;
}

int explain_print_header(const struct invocation *inv, const struct script_places *places)
{
	const struct script_place *x = places->v;

	if (!places->n || !x->accepted) {
		cmd_print_message(inv, "--write: no partition, QOS and account accept the job; --where lists the reasons");
		return EXIT_NOTHING;
	}
	emit("#SBATCH --account=%s\n#SBATCH --partition=%s\n#SBATCH --qos=%s\n", x->account, x->partition, x->qos);
	if (*x->reservation)
		emit("#SBATCH --reservation=%s\n", x->reservation);
	return EXIT_DONE;
}
