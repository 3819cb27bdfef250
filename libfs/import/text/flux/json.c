/* JSON in a paste: jobs of `flux jobs --json`, rows of flux-accounting's commands. Where it is cut, what stands
 * before that counts. */
#include "import/text/flux/flux.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct piece {
	struct fsi_text_flux *x;
	struct fsi_text_piece *p;
	char *text;
	size_t len, at;
};

/* ---- the lines as one text: a terminal folds at its width, wherever that is, and a blank there is not copied */

static int join(struct piece *j)
{
	const struct fsi_text *t = j->x->t;
	size_t wide = 0, room = 1;

	for (size_t i = j->p->begin; i < j->p->end; i++) {
		wide = t->lines.v[i].len > wide ? t->lines.v[i].len : wide;
		room += t->lines.v[i].len + 1;
	}
	j->text = malloc(room);
	if (!j->text)
		return fsi_nomem(t->err);
	for (size_t i = j->p->begin; i < j->p->end; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		memcpy(j->text + j->len, l->s, l->len);
		j->len += l->len;
		if (l->len < wide)
			j->text[j->len++] = ' ';
	}
	return 0;
}

static ptrdiff_t read_text(void *ctx, void *buf, size_t size)
{
	struct piece *j = ctx;
	const size_t left = j->len - j->at, n = left < size ? left : size;

	memcpy(buf, j->text + j->at, n);
	j->at += n;
	return (ptrdiff_t)n;
}

/* ---- jobs */

static const struct {
	const char *key;
	enum fsi_text_flux_field field;
} keys[] = {
	{ "name", J_NAME },	      { "username", J_USER },	  { "userid", J_UID },	      { "bank", J_BANK },
	{ "queue", J_QUEUE },	      { "ntasks", J_TASKS },	  { "ncores", J_CORES },      { "nnodes", J_NODES },
	{ "urgency", J_URGENCY },     { "priority", J_PRIORITY }, { "state", J_STATE },	      { "result", J_RESULT },
	{ "nodelist", J_NODELIST },   { "t_submit", J_SUBMIT },	  { "t_sched", J_SCHED },     { "t_run", J_RUN },
	{ "expiration", J_EXPIRATION }, { "t_inactive", J_INACTIVE }, { "duration", J_DURATION },
};

static struct fsi_span copy(struct fsi_text *t, const char *s, size_t n)
{
	const char *own = fsi_arena_strndup(&t->arena, s, n);

	return (struct fsi_span){ own, own ? n : 0 };
}

static void set_number(struct piece *j, uint32_t row, enum fsi_text_flux_field field, const struct fsi_json *v,
		       uint32_t no)
{
	char text[FSI_DOUBLE_TEXT];

	if (v && fsi_json_type(v) == FSI_JNUMBER && isfinite(fsi_json_double(v)))
		fsi_text_flux_set(j->x, row, field,
				  copy(j->x->t, text, (size_t)fsi_format_double(text, fsi_json_double(v))), no);
}

static void set_dependencies(struct piece *j, uint32_t row, const struct fsi_json *list, uint32_t no)
{
	struct fsi_text_row l = { .n = 0 };

	for (const struct fsi_json *d = list ? fsi_json_first(list) : NULL; d; d = fsi_json_next(d)) {
		const char *s = fsi_json_string(d);

		if (!s)
			return;
		fsi_text_row_add(&l, fsi_span_of(s), fsi_json_next(d) ? "," : "");
	}
	if (l.n && !l.full)
		fsi_text_flux_set(j->x, row, J_DEPENDENCIES, copy(j->x->t, l.text, l.n), no);
}

static int take_job(struct piece *j, const struct fsi_json *v, const struct fsi_kv *kv, uint32_t no)
{
	const struct fsi_json *notes = fsi_json_member(v, "annotations");
	uint32_t row;
	int rc = fsi_text_flux_job(j->x, fsi_kv_get(kv, "id"), no, &row);

	if (rc)
		return rc < 0 ? rc : 0;
	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		const struct fsi_span s = fsi_kv_get(kv, keys[k].key);

		if (s.len)
			fsi_text_flux_set(j->x, row, keys[k].field, copy(j->x->t, s.s, s.len), no);
	}
	set_dependencies(j, row, fsi_json_member(v, "dependencies"), no);
	set_number(j, row, J_FAIRSHARE, fsi_json_member(fsi_json_member(notes, "user"), "fairshare"), no);
	set_number(j, row, J_ESTIMATE, fsi_json_member(fsi_json_member(notes, "sched"), "t_estimate"), no);
	j->p->taken++;
	return 0;
}

/* ---- rows */

/* Is it a user's row that lost the line with the name? What it has is not the bank's. */
static bool lacks_name(const struct fsi_kv *kv)
{
	return !fsi_kv_get(kv, "username").s && fsi_kv_get(kv, "bank").s && (!fsi_kv_get(kv, "parent_bank").s || fsi_kv_get(kv, "userid").s);
}

static int take_row(struct piece *j, const struct fsi_kv *kv, uint32_t no)
{
	struct fsi_kv *own = malloc(sizeof(*own));
	int rc;

	if (!own)
		return fsi_nomem(j->x->t->err);
	if (lacks_name(kv)) {
		free(own);
		j->p->odd++;
		return 0;
	}
	*own = *kv;
	for (size_t i = 0; i < own->n; i++) {
		own->key[i] = copy(j->x->t, kv->key[i].s, kv->key[i].len);
		own->value[i] = copy(j->x->t, kv->value[i].s, kv->value[i].len);
	}
	rc = fsi_text_flux_row(j->x, own, no);
	free(own);
	j->p->taken += !rc;
	return rc > 0 ? 0 : rc;
}

static int object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct piece *j = ctx;
	struct fsi_flux_import f = { .imp = { .err = j->x->t->err, .where = where } };
	const uint32_t no = j->x->t->lines.v[j->p->begin].no;
	char numbers[FSI_FLUX_NUMBERS];
	struct fsi_kv *kv;
	int rc;

	if (!depth && fsi_json_member(v, "jobs"))
		return 0;
	kv = malloc(sizeof(*kv));
	rc = kv ? fsi_flux_flatten(&f, v, kv, numbers) : fsi_nomem(j->x->t->err);
	if (!rc)
		rc = fsi_kv_get(kv, "id").len && (fsi_json_member(v, "t_submit") || fsi_json_member(v, "urgency"))
			     ? take_job(j, v, kv, no)
			     : take_row(j, kv, no);
	free(kv);
	return rc;
}

int fsi_text_flux_json(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	static const char *const nested[] = { "jobs", NULL };
	struct piece j = { .x = x, .p = p };
	const struct fsi_json_split split = { nested, NULL, object, &j };
	int rc = join(&j);

	if (!rc)
		rc = fsi_json_split(&split, read_text, &j, x->t->name, x->t->err);
	free(j.text);
	if (!rc || rc == FS_ENOMEM)
		return rc;
	p->odd++;
	return fsi_text_warn(x->t, "line %u: JSON that is not whole, or damaged: what stands before that is taken", x->t->lines.v[p->begin].no);
}
