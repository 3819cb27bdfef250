#include "import/text_merge.h"

#include <stdio.h>
#include <string.h>

static int grow(struct fsi_text_merge *m)
{
	const size_t cap = m->cap ? m->cap * 2 : 64;
	struct fsi_span *v = realloc(m->v, cap * m->fields * sizeof(*v)), *key;
	uint32_t *no;

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
	return id - 1; /* keys are not empty, which is number 0 */
}

void fsi_text_merge_set(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			uint32_t no)
{
	struct fsi_span *old = &m->v[row * m->fields + field];

	if (!v.len)
		return;
	if (!old->len) {
		*old = v;
		return;
	}
	if (old->len == v.len && !memcmp(old->s, v.s, v.len))
		return;
	if (!m->differ++)
		snprintf(m->first, sizeof(m->first), "lines %u and %u: %s %.*s: %s is \"%.*s\" and \"%.*s\"",
			 m->no[row], no, m->what, (int)(m->key[row].len < 40 ? m->key[row].len : 40), m->key[row].s,
			 name, (int)(old->len < 40 ? old->len : 40), old->s, (int)(v.len < 40 ? v.len : 40), v.s);
}

int fsi_text_merge_end(struct fsi_text_merge *m, int rc)
{
	if (!rc && m->differ)
		rc = fsi_text_warn(m->t, "%s%s: the first is taken", m->first, m->differ > 1 ? ", and more such" : "");
	fsi_intern_release(&m->keys);
	free(m->v);
	free(m->key);
	free(m->no);
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
	return fsi_text_has(t, file) ? 0 : fsi_text_put(t, file, (struct fsi_span){ heading, strlen(heading) }, 0);
}
