/* Names that a column was too narrow for are found again where another command printed them whole. */
#include "import/text/text.h"

#include <string.h>

static const struct {
	const char *column;
	enum fsi_text_name kind;
} columns[] = { { "USER", TEXT_USERS },	      { "User", TEXT_USERS },	  { "ACCOUNT", TEXT_ACCOUNTS }, { "Account", TEXT_ACCOUNTS },
		{ "PARTITION", TEXT_PARTITIONS }, { "QOS", TEXT_QOSES }, { "QOSNAME", TEXT_QOSES } };

static const struct {
	const char *key;
	enum fsi_text_name kind;
} keys[] = { { "UserId=", TEXT_USERS },	      { "UserName=", TEXT_USERS },    { "Account=", TEXT_ACCOUNTS },
	     { "PartitionName=", TEXT_PARTITIONS }, { "Partition=", TEXT_PARTITIONS }, { "QOS=", TEXT_QOSES } };

static int add_name(struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v)
{
	v = fsi_span_trim(v);
	if (!v.len)
		return 0;
	if (FSI_VEC_ROOM(&t->known[kind]))
		return fsi_nomem(t->err);
	t->known[kind].v[t->known[kind].n++] = v;
	return 0;
}

static int of_records(struct fsi_text *t, const struct fsi_text_file *f)
{
	int rc = 0;

	for (size_t i = 0; i < f->lines.n && !rc; i++) {
		struct fsi_span rest = { f->lines.v[i].s, f->lines.v[i].len }, word;

		while (!rc && fsi_span_cut(&rest, ' ', &word))
			for (size_t k = 0; k < sizeof(keys) / sizeof(*keys) && !rc; k++) {
				const size_t n = strlen(keys[k].key);
				struct fsi_span v = { word.s + n, word.len - n }, name;

				if (word.len <= n || memcmp(word.s, keys[k].key, n) != 0)
					continue;
				while (!rc && fsi_span_cut(&v, ',', &name)) {
					struct fsi_span whole = name;

					fsi_span_cut(&name, '(', &whole);
					rc = add_name(t, keys[k].kind, whole);
				}
			}
	}
	return rc;
}

static int of_table(struct fsi_text *t, const struct fsi_text_table *table)
{
	int rc = 0;

	for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); k++) {
		const size_t c = fsi_text_column(table, columns[k].column);

		for (size_t r = 0; c < table->columns && r < table->rows && !rc; r++) {
			struct fsi_span v = table->cell[r * table->columns + c], name;

			while (!rc && !table->cut[r * table->columns + c] && fsi_span_cut(&v, ',', &name)) {
				/* a * marks sinfo's default partition */
				name.len -= name.len && name.s[name.len - 1] == '*';
				rc = add_name(t, columns[k].kind, name);
			}
		}
	}
	return rc;
}

static int by_bytes(const void *a, const void *b, const void *ctx)
{
	const struct fsi_span *x = a, *y = b;
	const int c = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	(void)ctx;
	return c ? c : (x->len > y->len) - (x->len < y->len);
}

/* Sorts and drops those that come twice, so that names that begin alike stand together. */
static int sort_names(struct fsi_text *t, enum fsi_text_name kind)
{
	struct fsi_span *v = t->known[kind].v;
	size_t n = 0;

	if (fs_sort(v, t->known[kind].n, sizeof(*v), by_bytes, NULL))
		return fsi_nomem(t->err);
	for (size_t i = 0; i < t->known[kind].n; i++)
		if (!n || by_bytes(&v[n - 1], &v[i], NULL))
			v[n++] = v[i];
	t->known[kind].n = n;
	return 0;
}

int fsi_text_names(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->files.n && !rc; i++)
		rc = of_records(t, &t->files.v[i]);
	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].table)
			rc = of_table(t, t->pieces.v[i].table);
	for (int kind = 0; kind < TEXT_NAME_KINDS && !rc; kind++)
		rc = sort_names(t, (enum fsi_text_name)kind);
	return rc;
}

static bool begins(const struct fsi_text *t, enum fsi_text_name kind, size_t i, struct fsi_span v)
{
	return i < t->known[kind].n && t->known[kind].v[i].len >= v.len && !memcmp(t->known[kind].v[i].s, v.s, v.len);
}

struct fsi_span fsi_text_whole(const struct fsi_text *t, enum fsi_text_name kind, struct fsi_span v, bool cut)
{
	size_t first = 0, end = t->known[kind].n;

	if (!cut)
		return v;
	v.len -= v.len && v.s[v.len - 1] == '+';
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (by_bytes(&t->known[kind].v[middle], &v, NULL) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return begins(t, kind, first, v) && !begins(t, kind, first + 1, v) ? t->known[kind].v[first]
									   : (struct fsi_span){ "", 0 };
}
