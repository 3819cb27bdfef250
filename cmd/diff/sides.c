/* The two states of fs-diff. */
#include "diff/diff.h"
#include "input/usage.h"
#include "threads.h"

#include <string.h>

/* Returns whether the first state can be read again. */
static bool is_lasting(const struct input *in)
{
	const char *file;
	const enum input_source source = input_source(in, &file);

	return source == INPUT_DEMO || (source == INPUT_FILE && strcmp(file, "-") != 0);
}

static int copy_first(struct diff_run *r)
{
	struct diff_side *b = &r->side[FS_AFTER];
	struct fs_error err;

	if (fs_snapshot_copy(&b->snapshot, r->side[FS_BEFORE].snapshot, &err))
		return report(r->inv, &err);
	return edits_apply(r->inv, &b->input.edits, input_viewer(&b->input), b->snapshot);
}

static int open_other(struct diff_run *r)
{
	const struct input *a = &r->side[FS_BEFORE].input;
	struct diff_side *b = &r->side[FS_AFTER];
	const bool computed = usage_wanted(&b->input) && b->input.usage != USAGE_RECORDED;

	if (r->other || ((computed || b->input.algorithm) && is_lasting(a)))
		return input_open(r->inv, &b->input, &b->snapshot);
	if (!computed)
		return copy_first(r);
	complain(r->inv, "--usage=computed reads job records a second time: give a file");
	return EXIT_USAGE;
}

/* The first state is as it is; where there is a file for the second, both are computed alike, and the second alone is
 * changed and moved in time. */
static void divide_input(struct diff_run *r)
{
	struct input *a = &r->side[FS_BEFORE].input, *b = &r->side[FS_AFTER].input;

	*a = *b = r->input;
	a->edits.n = 0;
	a->at = NULL;
	if (r->other) {
		b->file = r->other;
		b->demo = false;
		return;
	}
	a->algorithm = NULL;
	a->position = FS_POSITION_POW2;
	a->compat = 0;
	a->usage = USAGE_RECORDED;
	a->decay_given = false;
	a->decay_runs = NULL;
}

/* ---- both computed side by side */

struct side_task {
	const struct diff_run *r;
	struct diff_side *side;
	struct fs_view view[2]; /* the login name is asked for before there are threads: getpwuid has one answer for all */
	bool planned; /* starts are compared where both clocks are the snapshots' own: a plan knows of no other */
	struct fs_error eval_error[2], plan_error[2];
};

static void compute(void *arg, size_t k)
{
	struct side_task *c = arg;
	struct diff_side *s = &c->side[k];
	const struct fs_view view = c->view[k];
	struct fs_plan_options o = { .view = view, .starts_alone = true };
	const fs_parallel_fn parallel = threads_wanted() > 1 ? threads_run : NULL;

	if (fs_eval_compute(s->snapshot, &view, parallel, NULL, &s->eval, &c->eval_error[k]) || !c->planned)
		return;
	o.queue = s->eval.queue;
	fs_plan_compute(&s->plan, s->snapshot, &o, &c->plan_error[k]);
}

static int fatal(const struct diff_run *r, const struct fs_error *err)
{
	return err->code && err->code != FS_ENODATA ? report(r->inv, err) : 0;
}

static int failed(const struct side_task *c, size_t k)
{
	const struct fs_eval *e = &c->side[k].eval;
	int status = c->eval_error[k].code ? report(c->r->inv, &c->eval_error[k]) : fatal(c->r, &e->shares_error);

	if (!status)
		status = fatal(c->r, &e->prios_error);
	if (!status)
		status = fatal(c->r, &e->queue_error);
	return status ? status : fatal(c->r, &c->plan_error[k]);
}

static int compute_both(struct diff_run *r)
{
	struct side_task c = { .r = r, .side = r->side,
			       .planned = !r->no_plan && !usage_wanted(&r->side[FS_AFTER].input) };
	bool computed = false;
	int status = 0;

	for (int k = 0; k < 2 && !status; k++) {
		struct diff_side *s = &r->side[k];

		if (usage_wanted(&s->input))
			status = usage_load(r->inv, &s->input, s->snapshot, NULL, NULL, &s->usage);
		c.view[k] = input_view(&s->input);
		c.view[k].usage = s->usage;
		computed = computed || fs_view_differs(s->snapshot, &c.view[k]);
	}
	if (status)
		return status;
	c.view[FS_BEFORE].computed = c.view[FS_AFTER].computed = computed; /* recorded and computed priorities do not compare */
	if (threads_wanted() > 1) {
		threads_run(NULL, 2, compute, &c);
	} else {
		compute(&c, 0);
		compute(&c, 1);
	}
	status = failed(&c, 0);
	return status ? status : failed(&c, 1);
}

int diff_open(struct diff_run *r)
{
	struct diff_side *a = &r->side[FS_BEFORE], *b = &r->side[FS_AFTER];
	int status;

	divide_input(r);
	status = input_open(r->inv, &a->input, &a->snapshot);
	if (!status)
		status = open_other(r);
	if (!status)
		status = compute_both(r);
	if (!status && (!a->plan || !b->plan)) {
		fs_plan_free(a->plan);
		fs_plan_free(b->plan);
		a->plan = b->plan = NULL;
	}
	return status;
}

void diff_release(struct diff_run *r)
{
	fs_comparison_free(r->compared);
	for (int k = 0; k < 2; k++) {
		struct diff_side *s = &r->side[k];

		fs_plan_free(s->plan);
		fs_eval_release(&s->eval);
		fs_usage_free(s->usage);
		input_release(&s->input);
		fs_snapshot_free(s->snapshot);
	}
}
