/* Rows of flux-accounting's lists, merged by key whichever command printed them, and written as list-... prints
 * them. */
#include "import/text/flux/flux.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 16 };

static const struct {
	const char *what, *file, *keys[2];
	const char *columns[COLUMNS_MAX];
} lists[FLUX_LISTS] = {
	[FLUX_USERS] = { "user", "list-users.txt", { "username", "bank" },
			 { "username", "bank", "default_bank", "userid", "active", "shares", "job_usage", "fairshare", "max_running_jobs",
			   "max_active_jobs", "max_nodes", "max_cores", "queues", "projects", "max_sched_jobs" } },
	[FLUX_BANKS] = { "bank", "list-banks.txt", { "bank" },
			 { "bank", "parent_bank", "active", "shares", "job_usage", "priority" } },
	[FLUX_QUEUES] = { "queue", "list-queues.txt", { "queue" },
			  { "queue", "priority", "min_nodes_per_job", "max_nodes_per_job", "max_time_per_job", "max_running_jobs",
			    "max_nodes_per_assoc", "max_sched_jobs", "max_sched_nodes_per_assoc", "max_sched_cores_per_assoc" } },
	[FLUX_FACTORS] = { "factor", "list-factors.txt", { "factor" }, { "factor", "weight" } },
	[FLUX_CONFIGS] = { "setting", "list-configs.txt", { "key" }, { "key", "value" } },
};

static size_t columns_of(enum fsi_text_list list)
{
	size_t n = 0;

	while (n < COLUMNS_MAX && lists[list].columns[n])
		n++;
	return n;
}

/* ---- rows */

/* Is one of them the other with fewer digits? view-bank rounds the usage of the root. */
static bool rounded(struct fsi_span a, struct fsi_span b)
{
	double x, y;

	return !fsi_parse_double(a.s, a.len, &x) && !fsi_parse_double(b.s, b.len, &y) && fabs(x - y) <= 0.005000001;
}

static bool same_truth(struct fsi_span a, struct fsi_span b)
{
	return (fsi_span_is(a, "1") && fsi_span_is(b, "true")) || (fsi_span_is(a, "true") && fsi_span_is(b, "1")) ||
	       (fsi_span_is(a, "0") && fsi_span_is(b, "false")) || (fsi_span_is(a, "false") && fsi_span_is(b, "0"));
}

static void set(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v, uint32_t no)
{
	struct fsi_span *old = &m->v[row * m->fields + field];

	if (old->len && v.len && (rounded(*old, v) || same_truth(*old, v))) {
		*old = v.len > old->len ? v : *old;
		return;
	}
	fsi_text_merge_set(m, row, field, name, v, no);
}

static int key_of(struct fsi_text *t, enum fsi_text_list list, const struct fsi_kv *row, struct fsi_span *key)
{
	struct fsi_text_row l = { .n = 0 };

	for (size_t k = 0; k < 2 && lists[list].keys[k]; k++) {
		const struct fsi_span v = fsi_kv_get(row, lists[list].keys[k]);

		if (!v.len || memchr(v.s, '|', v.len))
			return 1;
		fsi_text_row_add(&l, v, "|");
	}
	key->s = fsi_arena_strndup(&t->arena, l.text, l.n);
	key->len = l.n;
	return key->s ? 0 : fsi_nomem(t->err);
}

int fsi_text_flux_row(struct fsi_text_flux *x, const struct fsi_kv *row, uint32_t no)
{
	for (enum fsi_text_list list = FLUX_USERS; list < FLUX_LISTS; list++) {
		struct fsi_text_merge *m = &x->list[list];
		struct fsi_span key;
		const int rc = key_of(x->t, list, row, &key);
		uint32_t at;

		if (rc > 0)
			continue;
		at = rc ? UINT32_MAX : fsi_text_merge_row(m, key, no);
		if (at == UINT32_MAX)
			return fsi_nomem(x->t->err);
		for (size_t c = 0; c < m->fields; c++) {
			const struct fsi_span v = fsi_kv_get(row, lists[list].columns[c]);

			if (v.len && !memchr(v.s, '|', v.len))
				set(m, at, c, lists[list].columns[c], v, no);
		}
		return 0;
	}
	return 1;
}

/* A bank that users are of and that no list shows is added, with nothing but its name. */
int fsi_text_flux_name_banks(struct fsi_text_flux *x)
{
	const struct fsi_text_merge *users = &x->list[FLUX_USERS];
	int rc = 0;

	for (size_t i = 0; i < users->n && !rc; i++) {
		struct fsi_kv row = { .n = 1, .key = { { "bank", 4 } }, .value = { users->v[i * users->fields + 1] } };

		rc = fsi_text_flux_row(x, &row, users->no[i]);
	}
	return rc;
}

int fsi_text_flux_put_list(struct fsi_text_flux *x, enum fsi_text_list list)
{
	const struct fsi_text_merge *m = &x->list[list];
	struct fsi_text_row l = { .n = 0 };
	int rc;

	if (!m->n)
		return 0;
	for (size_t c = 0; c < m->fields; c++)
		fsi_text_row_add(&l, fsi_span_of(lists[list].columns[c]), c + 1 < m->fields ? "|" : "");
	rc = fsi_text_put(x->t, lists[list].file, fsi_text_row_span(&l), 0);
	for (size_t i = 0; i < m->n && !rc; i++) {
		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < m->fields; c++)
			fsi_text_row_add(&l, m->v[i * m->fields + c], c + 1 < m->fields ? "|" : "");
		if (!l.full)
			rc = fsi_text_put(x->t, lists[list].file, fsi_text_row_span(&l), m->no[i]);
	}
	return rc;
}

struct fsi_span fsi_text_flux_queue(const struct fsi_text_flux *x, struct fsi_span v)
{
	enum { WIDTH = 8 };
	const struct fsi_text_merge *m = &x->list[FLUX_QUEUES];
	struct fsi_span found = { NULL, 0 };

	v.len -= v.len && v.s[v.len - 1] == '+';
	if (v.len != WIDTH)
		return v;
	for (size_t i = 0; i < m->n; i++) {
		const struct fsi_span name = m->v[i * m->fields];

		if (name.len < v.len || memcmp(name.s, v.s, v.len) != 0)
			continue;
		if (found.len)
			return (struct fsi_span){ NULL, 0 };
		found = name;
	}
	return found;
}

void fsi_text_flux_begin(struct fsi_text_flux *x, struct fsi_text *t)
{
	*x = (struct fsi_text_flux){ .t = t, .jobs = { .t = t, .what = "job", .fields = J_FIELDS } };
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		x->list[i] = (struct fsi_text_merge){ .t = t, .what = lists[i].what, .fields = columns_of(i) };
}
