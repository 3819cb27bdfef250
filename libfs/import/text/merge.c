#include "import/text/merge.h"

#include <stdio.h>
#include <string.h>

static int grow(struct fsi_text_merge *m)
{
	const size_t cap = m->cap ? m->cap * 2 : 64;
	struct fsi_span *v = realloc(m->v, cap * m->fields * sizeof(*v)), *key;
	uint32_t *no, *said;

	if (!v)
		return -1;
	m->v = v;
	key = realloc(m->key, cap * sizeof(*key));
	if (!key)
		return -1;
	m->key = key;
	no = realloc(m->no, cap * sizeof(*no));
	if (!no)
		return -1;
	m->no = no;
	said = realloc(m->said, cap * m->fields * sizeof(*said));
	if (!said)
		return -1;
	m->said = said;
	memset(m->v + m->cap * m->fields, 0, (cap - m->cap) * m->fields * sizeof(*v));
	m->cap = cap;
	return 0;
}

uint32_t fsi_text_merge_row(struct fsi_text_merge *m, struct fsi_span key, uint32_t no)
{
	const uint32_t before = m->keys.count;
	const uint32_t id = fsi_intern(&m->keys, key.s, key.len);

	if (id == FSI_INTERN_FAILED || (m->n == m->cap && grow(m)))
		return UINT32_MAX;
	if (m->keys.count > before) {
		m->key[m->n] = key;
		m->no[m->n++] = no;
	}
	return id - 1; /* a key is not empty, so that its number is not 0 */
}

/* The name of the command that printed the line. */
static const char *page_of(const struct fsi_text *t, uint32_t no)
{
	for (size_t i = 0; i < t->pieces.n; i++) {
		const struct fsi_text_piece *p = &t->pieces.v[i];

		if (t->lines.v[p->begin].no <= no && no <= t->lines.v[p->end - 1].no)
			return fsi_text_kind_name(p->kind);
	}
	return "?";
}

static struct fsi_span shown(struct fsi_span v)
{
	enum { MOST = 40 };

	return (struct fsi_span){ v.s, v.len < MOST ? v.len : MOST };
}

static void note_first(struct fsi_text_merge *m, uint32_t row, const char *name, const struct fsi_span said[2],
		       const uint32_t no[2])
{
	const struct fsi_span key = shown(m->key[row]), first = shown(said[0]), second = shown(said[1]);

	snprintf(m->first, sizeof(m->first),
		 "line %u (%s) and line %u (%s): %s %.*s: %s is \"%.*s\" and \"%.*s\"", no[0],
		 page_of(m->t, no[0]), no[1], page_of(m->t, no[1]), m->what, (int)key.len, key.s, name,
		 (int)first.len, first.s, (int)second.len, second.s);
}

void fsi_text_merge_set(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			uint32_t no)
{
	const size_t at = row * m->fields + field;
	struct fsi_span *old = &m->v[at];

	if (!v.len)
		return;
	if (!old->len) {
		*old = v;
		m->said[at] = no;
		return;
	}
	if (fsi_span_equals(*old, v))
		return;
	if (!m->differ++)
		note_first(m, row, name, (const struct fsi_span[]){ *old, v },
			   (const uint32_t[]){ m->said[at], no });
}

int fsi_text_merge_end(struct fsi_text_merge *m, int rc)
{
	if (!rc && m->differ)
		rc = fsi_text_warn(m->t, "%s%s: the first is taken", m->first, m->differ > 1 ? ", and more such" : "");
	fsi_intern_release(&m->keys);
	free(m->v);
	free(m->key);
	free(m->no);
	free(m->said);
	return rc;
}

uint32_t fsi_text_merge_find(const struct fsi_text_merge *m, struct fsi_span key)
{
	const uint32_t id = key.len ? fsi_intern_find(&m->keys, key.s, key.len) : 0;

	return id ? id - 1 : UINT32_MAX;
}

void fsi_text_row_add(struct fsi_text_row *l, struct fsi_span v, const char *sep)
{
	const size_t m = strlen(sep);

	if (l->n + v.len + m >= sizeof(l->text)) {
		l->full = true;
		return;
	}
	if (v.len)
		memcpy(l->text + l->n, v.s, v.len);
	memcpy(l->text + l->n + v.len, sep, m);
	l->n += v.len + m;
}

struct fsi_span fsi_text_row_span(const struct fsi_text_row *l)
{
	return (struct fsi_span){ l->text, l->n };
}

int fsi_text_heading(struct fsi_text *t, const char *file, const char *heading)
{
	return fsi_text_has(t, file) ? 0 : fsi_text_put(t, file, fsi_span_of(heading), 0);
}
