/* Flux's pieces as the files of a capture. */
#include "import/text/flux/flux.h"

#include <string.h>

/* ---- flux queue status and list */

static int name_queue(struct fsi_text_flux *x, struct fsi_span name, uint32_t no)
{
	const struct fsi_kv row = { .n = 1, .key = { { "queue", 5 } }, .value = { name } };
	const int rc = fsi_text_flux_row(x, &row, no);

	return rc < 0 ? rc : 0;
}

static int take_status(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span line = fsi_span_trim(fsi_text_span(l)), rest = line, name;

		if (fsi_text_record_of(line) != TEXT_FLUX_STATUS || l->cut) {
			p->odd += line.len > 0;
			continue;
		}
		if (fsi_span_cut(&rest, ':', &name) && rest.s && !memchr(name.s, ' ', name.len))
			rc = name_queue(x, name, l->no);
		rc = rc ? rc : fsi_text_put(x->t, "flux_queue_status.txt", line, l->no);
		p->taken++;
	}
	return rc;
}

static int put_status(struct fsi_text *t, struct fsi_span queue, const char *what, struct fsi_span mark, const char *on,
		      const char *off, uint32_t no)
{
	const bool yes = fsi_span_is(mark, "\xe2\x9c\x94") || fsi_span_is(mark, "y");
	struct fsi_text_row l = { .n = 0 };

	if (!yes && !fsi_span_is(mark, "\xe2\x9c\x97") && !fsi_span_is(mark, "n"))
		return 0;
	fsi_text_row_add(&l, queue, ": ");
	fsi_text_row_add(&l, fsi_span_of(what), yes ? on : off);
	return fsi_text_put(t, "flux_queue_status.txt", fsi_text_row_span(&l), no);
}

/* QUEUE [PARENT] EN ST TDEFAULT TLIMIT ...: a row with a parent has one word more. */
static int take_queues(struct fsi_text_flux *x, struct fsi_text_piece *p, bool told)
{
	struct fsi_span w[12];
	int rc = 0;

	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span rest = { l->s, l->len }, word;
		size_t n = 0, at;

		while (n < 12 && fsi_span_cut(&rest, ' ', &word))
			if (word.len)
				w[n++] = word;
		if (n < 3 || l->cut) {
			p->odd += n > 0;
			continue;
		}
		w[0].len -= w[0].s[w[0].len - 1] == '*'; /* a * marks the default queue */
		w[0] = fsi_text_flux_queue(x, w[0]);
		at = w[1].len == 1 || w[1].len == 3 ? 1 : 2;
		if (!w[0].len || at + 1 >= n)
			continue;
		rc = name_queue(x, w[0], l->no);
		if (!rc && !told)
			rc = put_status(x->t, w[0], "Job submission is ", w[at], "enabled", "disabled", l->no);
		if (!rc && !told)
			rc = put_status(x->t, w[0], "Scheduling is ", w[at + 1], "started", "stopped", l->no);
		p->taken++;
	}
	return rc;
}

/* ---- flux resource list and status: as they are, the first of each */

static int take_as_it_is(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	if (fsi_text_has(t, file))
		return fsi_text_warn(t, "line %u: a second output of %s is left out", t->lines.v[p->begin].no, fsi_text_kind_name(p->kind));
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		if (l->cut) {
			p->odd++;
			continue;
		}
		rc = fsi_text_put(t, file, fsi_text_span(l), l->no);
		p->taken += i > p->begin && l->len > 0;
	}
	return rc;
}

/* ---- all pieces */

static int take_piece(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_ROWS:
		return fsi_text_flux_table(x, p);
	case TEXT_FLUX_TREE:
		return fsi_text_flux_tree(x, p);
	case TEXT_FLUX_JSON:
		return fsi_text_flux_json(x, p);
	case TEXT_FLUX_STATUS:
		return take_status(x, p);
	case TEXT_FLUX_NODES:
		return take_as_it_is(x->t, p, "flux_resource_list.txt");
	case TEXT_FLUX_DRAINED:
		return take_as_it_is(x->t, p, "flux_resource_status.txt");
	default:
		return 0;
	}
}

/* Columns of queues and jobs may be cut: they are read when the whole names are known. */
static int take_narrow(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_QUEUES:
		return take_queues(x, p, fsi_text_has(x->t, "flux_queue_status.txt") != NULL);
	case TEXT_FLUX_PRIORITIES:
		return fsi_text_flux_priorities(x, p);
	case TEXT_FLUX_JOBS:
		return fsi_text_flux_jobs(x, p);
	default:
		return 0;
	}
}

static int each_piece(struct fsi_text_flux *x, int (*fn)(struct fsi_text_flux *x, struct fsi_text_piece *p))
{
	int rc = 0;

	for (size_t i = 0; i < x->t->pieces.n && !rc; i++)
		if (fsi_text_scheduler(x->t->pieces.v[i].kind) == TEXT_FLUX)
			rc = fn(x, &x->t->pieces.v[i]);
	return rc;
}

int fsi_text_flux(struct fsi_text *t)
{
	struct fsi_text_flux x;
	int rc;

	fsi_text_flux_begin(&x, t);
	rc = each_piece(&x, take_piece);
	rc = rc ? rc : each_piece(&x, take_narrow);
	rc = rc ? rc : fsi_text_flux_name_banks(&x);
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS && !rc; i++)
		rc = fsi_text_flux_put_list(&x, i);
	rc = rc ? rc : fsi_text_flux_put_jobs(&x);
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		rc = fsi_text_merge_end(&x.list[i], rc);
	return fsi_text_merge_end(&x.jobs, rc);
}
