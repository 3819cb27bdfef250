/* The two line forms of Slurm's commands: `Key=Value ...` and `a|b|c`. */
#include "import/import.h"

#include <string.h>

static bool key_char(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (!first && ((c >= '-' && c <= ':') || c == '_' || c == '[' || c == ']' || c == '(' || c == ')' ||
			   c == '%'));
}

size_t fsi_kv_key_len(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && *p && key_char(*p, p == s))
		p++;
	return p < end && p > s && *p == '=' ? (size_t)(p - s) : 0;
}

void fsi_kv_split(struct fsi_kv *kv, struct fsi_span line)
{
	const char *p = line.s, *end = line.s + line.len;

	kv->n = 0;
	while (p < end && kv->n < FSI_KV_MAX) {
		const size_t len = fsi_kv_key_len(p, end);
		const char *v;

		if (!len) { /* skip to the next word */
			while (p < end && *p != ' ')
				p++;
			while (p < end && *p == ' ')
				p++;
			continue;
		}
		kv->key[kv->n] = (struct fsi_span){ p, len };
		v = p + len + 1;
		for (p = v; p < end; p++)
			if (*p == ' ' && p + 1 < end && fsi_kv_key_len(p + 1, end))
				break;
		kv->value[kv->n++] = fsi_span_trim((struct fsi_span){ v, (size_t)(p - v) });
		p += p < end;
	}
}

struct fsi_span fsi_kv_get(const struct fsi_kv *kv, const char *key)
{
	const size_t len = strlen(key);

	for (size_t i = 0; i < kv->n; i++)
		if (kv->key[i].len == len && *kv->key[i].s == *key && !memcmp(kv->key[i].s, key, len))
			return kv->value[i];
	return (struct fsi_span){ NULL, 0 };
}

int fsi_kv_set_all(struct fsi_import *imp, const struct fsi_kv *kv,
		   const struct fsi_import_map *map, size_t n, enum fsi_record_type type,
		   struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		rc = fsi_import_set(imp, t, map[i].bit, rec, fsi_kv_get(kv, map[i].key));
	return rc;
}

bool fsi_pipe_row(struct fsi_pipe *p, struct fsi_span line)
{
	struct fsi_span cell;
	size_t n = 0;

	if (!p->columns) {
		while (p->columns < FSI_COLUMNS_MAX && fsi_span_cut(&line, '|', &cell)) {
			char *name = p->names[p->columns++];

			if (cell.len >= sizeof(p->names[0]))
				cell.len = sizeof(p->names[0]) - 1;
			memcpy(name, cell.s, cell.len);
			name[cell.len] = '\0';
		}
		return false;
	}
	memset(p->cell, 0, sizeof(p->cell));
	while (n < p->columns && fsi_span_cut(&line, '|', &cell))
		p->cell[n++] = cell;
	return true;
}

/* The rows of a table are asked for the same columns again and again. */
size_t fsi_pipe_column(struct fsi_pipe *p, const char *name)
{
	uint8_t *hint = &p->hint[(uintptr_t)name % FSI_COLUMN_HINTS];
	size_t i = 0;

	if (*hint < p->columns && !strcmp(p->names[*hint], name))
		return *hint;
	while (i < p->columns && strcmp(p->names[i], name) != 0)
		i++;
	if (i < p->columns)
		*hint = (uint8_t)i;
	return i;
}

struct fsi_span fsi_pipe_get(struct fsi_pipe *p, const char *column)
{
	const size_t i = fsi_pipe_column(p, column);

	return i < p->columns ? p->cell[i] : (struct fsi_span){ NULL, 0 };
}

int fsi_pipe_set_all(struct fsi_import *imp, struct fsi_pipe *p,
		     const struct fsi_import_map *map, size_t n, enum fsi_record_type type,
		     struct fsi_rec *rec)
{
	const struct fsi_record_table *t = fsi_record_table(type);
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		rc = fsi_import_set(imp, t, map[i].bit, rec, fsi_pipe_get(p, map[i].key));
	return rc;
}

int fsi_import_caller(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_header *h = ctx;

	if (imp->where.line > 1)
		return 0;
	FSI_PUT(h, SNAPSHOT, captured_by, fsi_import_name(imp, fsi_span_trim(line)));
	return h->captured_by == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : 0;
}
