#include "model/model.h"

#include "base/error.h"
#include "base/hostlist.h"
#include "fs/job.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fs_snapshot *fsi_model_create(const char *file)
{
	fs_snapshot *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->file = fsi_arena_strndup(&m->arena, file, strlen(file));
	if (!m->file) {
		fs_snapshot_free(m);
		return NULL;
	}
	return m;
}

#define FREE_TABLE(TAG, name, json) FSI_VEC_FREE(&m->name);
#define DETACH_TABLE(table) m->table.v = NULL
#define COPY_BORROWED_TABLE(table) copy_borrowed_table((void **)&m->table.v, m->table.n, sizeof(*m->table.v))

/* Replaces *rows by a copy of the n rows. An empty table gets NULL. */
static int copy_borrowed_table(void **rows, size_t n, size_t size)
{
	void *copy = n ? malloc(n * size) : NULL;

	if (n && !copy)
		return -1;
	if (n)
		memcpy(copy, *rows, n * size);
	*rows = copy;
	return 0;
}

int fsi_active_jobs_append(fs_snapshot *m, const struct fsi_job *jobs, uint32_t first, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (jobs[i].state == FSI_STATE_PENDING)
			continue;
		if (FSI_VEC_RESERVE(&m->active_jobs.row))
			return -1;
		m->active_jobs.row.v[m->active_jobs.row.n++] = first + i;
	}
	return 0;
}

int fsi_model_own_tables(fs_snapshot *m)
{
	m->active_jobs.known = false;
	if (!m->borrowed)
		return 0;
	const struct fs_snapshot was = *m;

	if (!COPY_BORROWED_TABLE(job) && !COPY_BORROWED_TABLE(job_ext) && !COPY_BORROWED_TABLE(usage) &&
	    !COPY_BORROWED_TABLE(recorded)) {
		m->job.cap = m->job.n;
		m->job_ext.cap = m->job_ext.n;
		m->usage.cap = m->usage.n;
		m->recorded.cap = m->recorded.n;
		m->borrowed = false;
		return 0;
	}
	if (m->job.v != was.job.v)
		free(m->job.v);
	if (m->job_ext.v != was.job_ext.v)
		free(m->job_ext.v);
	if (m->usage.v != was.usage.v)
		free(m->usage.v);
	*m = was;
	return -1;
}

void fs_snapshot_free(fs_snapshot *m)
{
	if (!m)
		return;
	if (m->borrowed) {
		DETACH_TABLE(job);
		DETACH_TABLE(job_ext);
		DETACH_TABLE(usage);
		DETACH_TABLE(recorded);
	}
	if (m->release)
		m->release(m->release_ctx);
	FSI_RECORD_TYPES(FREE_TABLE)
	FSI_VEC_FREE(&m->active_jobs.row);
	FSI_VEC_FREE(&m->job_ext);
	FSI_VEC_FREE(&m->config);
	FSI_VEC_FREE(&m->warnings);
	fsi_intern_release(&m->names);
	fsi_intern_release(&m->sets);
	fsi_arena_release(&m->arena);
	free(m);
}

struct fsi_job_ext *fsi_job_ext_writable(fs_snapshot *m, struct fsi_job *job)
{
	if (!job->ext) {
		if (FSI_VEC_RESERVE(&m->job_ext) || m->job_ext.n >= UINT32_MAX) {
			m->out_of_memory = true;
			return NULL;
		}
		m->job_ext.v[m->job_ext.n++] = fsi_job_empty_ext;
		job->ext = (uint32_t)m->job_ext.n;
	}
	return &m->job_ext.v[job->ext - 1];
}

void fsi_job_ext_drop_last(fs_snapshot *m)
{
	const struct fsi_job *last = &m->job.v[m->job.n - 1];

	if (last->ext && last->ext == m->job_ext.n)
		m->job_ext.n--;
}

uint32_t fsi_name_intern(fs_snapshot *m, const char *s)
{
	return fsi_intern_add(&m->names, s, strlen(s));
}

uint32_t fsi_name_find(const fs_snapshot *m, const char *s)
{
	return fsi_intern_find_id(&m->names, s, strlen(s));
}

static const void *interned_set_members(const fs_snapshot *m, uint32_t set, size_t size, size_t *n)
{
	*n = fsi_intern_get_length(&m->sets, set) / size;
	return fsi_intern_get_string(&m->sets, set);
}

const uint32_t *fsi_list_items(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return interned_set_members(m, set, sizeof(uint32_t), n);
}

const struct fsi_amount *fsi_amount_items(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return interned_set_members(m, set, sizeof(struct fsi_amount), n);
}

const struct fsi_real_amount *fsi_real_amount_items(const fs_snapshot *m, uint32_t set, size_t *n)
{
	return interned_set_members(m, set, sizeof(struct fsi_real_amount), n);
}

bool fsi_list_has_word(const fs_snapshot *m, uint32_t set, const char *word)
{
	size_t n;
	const uint32_t *ids = fsi_list_items(m, set, &n), id = n ? fsi_name_find(m, word) : 0;

	for (size_t i = 0; id && i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

uint32_t fsi_list_first_item(const fs_snapshot *m, uint32_t set)
{
	size_t n;
	const uint32_t *ids = fsi_list_items(m, set, &n);

	return n ? ids[0] : 0;
}

int fsi_list_append_name(fs_snapshot *m, uint32_t *list, size_t max, uint32_t name)
{
	uint32_t ids[FSI_LIST_MAX_ITEMS], set;
	size_t n;
	const uint32_t *old = fsi_list_items(m, *list, &n);

	if (name == FSI_INTERN_FAILED)
		return -1;
	if (n >= max || n >= FSI_LIST_MAX_ITEMS)
		return 1;
	if (n)
		memcpy(ids, old, n * sizeof(*ids));
	ids[n] = name;
	set = fsi_intern_add(&m->sets, ids, (n + 1) * sizeof(*ids));
	if (set == FSI_INTERN_FAILED)
		return -1;
	*list = set;
	return 0;
}

int64_t fsi_amount_of_tres(const fs_snapshot *m, uint32_t set, uint32_t tres)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(m, set, &n);
	/* the names of a snapshot's TRES often have consecutive ids, and a set often has them in this order */
	const uint32_t guess = n ? tres - a[0].tres : 0;

	if (guess < n && a[guess].tres == tres)
		return a[guess].n;
	for (size_t i = 0; i < n; i++)
		if (a[i].tres == tres)
			return a[i].n;
	return 0;
}

int64_t fsi_job_requested_amount(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres)
{
	const int64_t counted = fsi_amount_of_tres(m, job->tres_req, tres);

	if (fsi_job_ext(m, job)->no_gres && !strncmp(fsi_name_text(m, tres), "gres/", strlen("gres/")))
		return 0;
	return counted ? counted : fsi_amount_of_tres(m, fsi_job_ext(m, job)->gres_req, tres);
}

bool fsi_is_type_hidden(const fs_snapshot *m, const char *type)
{
	return fsi_list_has_word(m, m->head.hidden, type);
}

int fsi_model_add_warning(fs_snapshot *m, const char *fmt, ...)
{
	char buf[512];
	const char *copy;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	copy = fsi_arena_strndup(&m->arena, buf, strlen(buf));
	if (!copy || FSI_VEC_RESERVE(&m->warnings)) {
		m->out_of_memory = true;
		return -1;
	}
	m->warnings.v[m->warnings.n++] = copy;
	return 0;
}

size_t fs_snapshot_warnings(const fs_snapshot *m)
{
	return m->warnings.n;
}

const char *fs_snapshot_warning(const fs_snapshot *m, size_t i)
{
	return i < m->warnings.n ? m->warnings.v[i] : NULL;
}

struct fsi_input_position fsi_record_position(const fs_snapshot *m, const struct fsi_rec *rec)
{
	return (struct fsi_input_position){ m->file, rec->line, 0 };
}

const struct fsi_reservation *fsi_reservation_find(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (m->reservation.v[i].name == name)
			return &m->reservation.v[i];
	return NULL;
}

const struct fsi_qos *fsi_job_highest_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->qos, &n);
	const struct fsi_qos *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fsi_qos *q = fsi_qos_find(m, names[i]);

		if (q && (!best || q->priority > best->priority))
			best = q;
	}
	return best;
}

/* ---- index of partitions, QOS and users by name. An index is needed because jobs contain these names often, and a
 * site may have thousands of such names. */

static int compare_named_rows(const void *x, const void *y)
{
	const struct fsi_named_row *a = x, *b = y;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Returns the index of the first element whose name id is `name` or greater. */
static size_t find_first_named(const struct fsi_name_index *x, uint32_t name)
{
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (x->v[mid].name < name)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Defines a function that finds a row by name. The function searches linearly while the table is being read and has
 * no index yet. */
#define DEFINE_FIND_BY_NAME(type)                                                                         \
	const struct fsi_##type *fsi_##type##_find(const fs_snapshot *m, uint32_t name)            \
	{                                                                                          \
		const struct fsi_name_index *x = &m->type##_by_name;                               \
		const size_t at = find_first_named(x, name);                                               \
\
		if (x->n && x->n == m->type.n)                                                     \
			return at < x->n && x->v[at].name == name ? &m->type.v[x->v[at].row] : NULL; \
		for (size_t i = 0; i < m->type.n; i++)                                             \
			if (m->type.v[i].name == name)                                             \
				return &m->type.v[i];                                              \
		return NULL;                                                                       \
	}
DEFINE_FIND_BY_NAME(partition)
DEFINE_FIND_BY_NAME(qos)
DEFINE_FIND_BY_NAME(user)

#define DEFINE_NAME_INDEX(type)                                                                                \
	static int index_##type##_names(fs_snapshot *m)                                             \
	{                                                                                          \
		const size_t n = m->type.n;                                                        \
		struct fsi_named_row *v = fsi_arena_array(&m->arena, n + 1, sizeof(*v));           \
\
		if (!v)                                                                            \
			return -1;                                                                 \
		for (size_t i = 0; i < n; i++)                                                     \
			v[i] = (struct fsi_named_row){ m->type.v[i].name, (uint32_t)i };           \
		qsort(v, n, sizeof(*v), compare_named_rows);                                                  \
		m->type##_by_name = (struct fsi_name_index){ v, n };                               \
		return 0;                                                                          \
	}
DEFINE_NAME_INDEX(partition)
DEFINE_NAME_INDEX(qos)
DEFINE_NAME_INDEX(user)

int fsi_name_build_indices(fs_snapshot *m, struct fs_error *err)
{
	return index_partition_names(m) || index_qos_names(m) || index_user_names(m) ? fsi_fail_no_memory(err) : 0;
}

/* ---- limit on host names
 *
 * A node list of a few bytes may name a million nodes. Without a limit on the sum over all lists, a small file could
 * need hours and all memory. */

/* Maximum number of names in all node lists. The maximum allows, for example, a hundred lists of 160000 names. */
static const uint64_t max_host_names = 1u << 24;

static void add_list_hosts(uint64_t *sum, const fs_snapshot *m, uint32_t list)
{
	const uint64_t more = list ? fsi_hostlist_bound_count(fsi_name_text(m, list)) : 0;

	*sum += more < FSI_MAX_HOSTS ? more : FSI_MAX_HOSTS;
}

int fsi_model_check_hosts(const fs_snapshot *m, struct fs_error *err)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (fsi_job_has_ended(j))
			continue;
		add_list_hosts(&sum, m, j->node_list);
		add_list_hosts(&sum, m, fsi_job_ext(m, j)->req_nodes);
		add_list_hosts(&sum, m, fsi_job_ext(m, j)->exc_nodes);
	}
	for (size_t i = 0; i < m->partition.n; i++)
		add_list_hosts(&sum, m, m->partition.v[i].nodes);
	for (size_t i = 0; i < m->reservation.n; i++)
		add_list_hosts(&sum, m, m->reservation.v[i].nodes);
	return sum <= max_host_names
		       ? 0
		       : fsi_fail_with_code(err, FS_EDATA, "%s: node lists name more than %llu nodes in total",
					    m->file, (unsigned long long)max_host_names);
}

/* ---- associations by id and by name */

/* The sort key of an association, and the association's row. qsort has no context argument, so the keys are stored. */
struct assoc_sort_key {
	uint64_t hi;
	uint32_t lo, row;
};

static int compare_assoc_keys(const void *x, const void *y)
{
	const struct assoc_sort_key *a = x, *b = y;
	int c = fsi_compare_u64(a->hi, b->hi);

	if (!c)
		c = fsi_compare_u64(a->lo, b->lo);
	return c ? c : fsi_compare_u64(a->row, b->row);
}

static struct assoc_sort_key make_id_key(const struct fsi_association *a, uint32_t row)
{
	return (struct assoc_sort_key){ a->id, 0, row };
}

static struct assoc_sort_key make_name_key(const struct fsi_association *a, uint32_t row)
{
	return (struct assoc_sort_key){ (uint64_t)a->account << 32 | a->user, a->partition, row };
}

static int sort_assoc_index(fs_snapshot *m, struct assoc_sort_key (*make_key)(const struct fsi_association *, uint32_t),
			    const char *field, uint32_t **out, struct fs_error *err)
{
	const size_t n = m->association.n;
	struct assoc_sort_key *keys = malloc((n + 1) * sizeof(*keys));
	int rc = 0;

	*out = fsi_arena_array(&m->arena, n + 1, sizeof(**out));
	if (!keys || !*out) {
		free(keys);
		return fsi_fail_no_memory(err);
	}
	for (uint32_t i = 0; i < n; i++)
		keys[i] = make_key(&m->association.v[i], i);
	qsort(keys, n, sizeof(*keys), compare_assoc_keys);
	for (size_t i = 0; i < n && !rc; i++) {
		(*out)[i] = keys[i].row;
		if (i && keys[i - 1].hi == keys[i].hi && keys[i - 1].lo == keys[i].lo) {
			const struct fsi_association *a = &m->association.v[keys[i].row];

			rc = fsi_fail_at(err, fsi_record_position(m, &a->rec), field,
					 strcmp(field, "id") ? "association %u has the account, user and partition of another"
							     : "association %u appears twice",
					 a->id);
		}
	}
	free(keys);
	return rc;
}

static uint32_t search_assoc_index(const fs_snapshot *m, const uint32_t *index,
				   struct assoc_sort_key (*make_key)(const struct fsi_association *, uint32_t),
				   struct assoc_sort_key want)
{
	size_t lo = 0, hi = index ? m->association.n : 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		struct assoc_sort_key k = make_key(&m->association.v[index[mid]], 0);
		const int c = compare_assoc_keys(&k, &want);

		if (!c)
			return index[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return FSI_NO_INDEX;
}

/* Builds a table from association id to row, which is faster than a search. Ids are usually dense. */
static int build_assoc_id_table(fs_snapshot *m, struct fs_error *err)
{
	const size_t n = m->association.n, max = n ? m->association.v[m->assoc_by_id[n - 1]].id : 0;

	if (max > 8 * n + 1024)
		return 0;
	m->assoc_row_by_id = fsi_arena_array(&m->arena, max + 1, sizeof(*m->assoc_row_by_id));
	if (!m->assoc_row_by_id)
		return fsi_fail_no_memory(err);
	m->assoc_max_id = (uint32_t)max;
	for (size_t id = 0; id <= max; id++)
		m->assoc_row_by_id[id] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < n; i++)
		m->assoc_row_by_id[m->association.v[i].id] = i;
	return 0;
}

int fsi_assoc_build_indices(fs_snapshot *m, struct fs_error *err)
{
	int rc = sort_assoc_index(m, make_id_key, "id", &m->assoc_by_id, err);

	if (!rc)
		rc = build_assoc_id_table(m, err);
	if (!rc)
		rc = sort_assoc_index(m, make_name_key, "user", &m->assoc_by_name, err);
	return rc;
}

uint32_t fsi_assoc_find_by_id(const fs_snapshot *m, uint32_t id)
{
	if (m->assoc_row_by_id)
		return id <= m->assoc_max_id ? m->assoc_row_by_id[id] : FSI_NO_INDEX;
	return search_assoc_index(m, m->assoc_by_id, make_id_key, (struct assoc_sort_key){ id, 0, 0 });
}

uint32_t fsi_assoc_find_by_names(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition)
{
	return search_assoc_index(m, m->assoc_by_name, make_name_key,
				  (struct assoc_sort_key){ (uint64_t)account << 32 | user, partition, 0 });
}

uint32_t fsi_job_find_assoc(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *partitions = fsi_list_items(m, job->partitions, &n);
	uint32_t i = FSI_NO_INDEX;

	if (FSI_HAS(job, JOB, association) && job->association)
		i = fsi_assoc_find_by_id(m, job->association);
	for (size_t p = 0; i == FSI_NO_INDEX && p < n; p++)
		i = fsi_assoc_find_by_names(m, job->account, job->user, partitions[p]);
	return i == FSI_NO_INDEX ? fsi_assoc_find_by_names(m, job->account, job->user, 0) : i;
}

/* ---- configuration */

const struct fsi_config_entry *fsi_config_find(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	for (size_t i = 0; id && i < m->config.n; i++)
		if (m->config.v[i].name == id)
			return &m->config.v[i];
	return NULL;
}

struct fsi_config_entry *fsi_config_find_or_add(fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_intern(m, name);

	if (id == FSI_INTERN_FAILED)
		return NULL;
	for (size_t i = 0; i < m->config.n; i++)
		if (m->config.v[i].name == id)
			return &m->config.v[i];
	if (FSI_VEC_RESERVE(&m->config))
		return NULL;
	m->config.v[m->config.n] = (struct fsi_config_entry){ .name = id };
	return &m->config.v[m->config.n++];
}

int64_t fsi_config_get_int(const fs_snapshot *m, const char *name, int64_t otherwise)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_INT ? e->i : otherwise;
}

bool fsi_config_is_true(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_BOOL && e->i;
}

uint32_t fsi_config_get_list(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_LIST ? (uint32_t)e->i : 0;
}

bool fsi_config_list_has(const fs_snapshot *m, const char *name, const char *word)
{
	return fsi_list_has_word(m, fsi_config_get_list(m, name), word);
}

int fsi_config_reject_value(const fs_snapshot *m, const struct fsi_config_entry *e, const char *want,
			    struct fs_error *err)
{
	const struct fsi_input_position where = { m->file, e->line, 0 };

	return fsi_fail_at(err, where, fsi_name_text(m, e->name), "expected %s", want);
}

const char *fs_snapshot_config_text(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_STR ? fsi_name_text(m, (uint32_t)e->i) : NULL;
}

double fs_snapshot_config_number(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (e && e->kind == FSI_CONFIG_DOUBLE)
		return e->d;
	return e && e->kind == FSI_CONFIG_INT ? (double)e->i : (double)NAN;
}

/* ---- queries of the public interface */

const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *m)
{
	return &m->info;
}

bool fs_snapshot_hidden(const fs_snapshot *m, const char *type)
{
	return fsi_is_type_hidden(m, type);
}

const char *fs_snapshot_source(const fs_snapshot *m, size_t i)
{
	size_t n;
	const uint32_t *all = fsi_list_items(m, m->head.sources, &n);

	return i < n ? fsi_name_text(m, all[i]) : NULL;
}

const char *fs_snapshot_user_name(const fs_snapshot *m, uint32_t uid)
{
	for (size_t i = 0; i < m->user.n; i++)
		if (FSI_HAS(&m->user.v[i], USER, uid) && m->user.v[i].uid == uid)
			return fsi_name_text(m, m->user.v[i].name);
	for (size_t i = 0; i < m->job.n; i++)
		if (FSI_HAS(&m->job.v[i], JOB, uid) && m->job.v[i].uid == uid)
			return fsi_name_text(m, m->job.v[i].user);
	return NULL;
}

uint32_t fsi_qos_priority(const fs_snapshot *m, uint32_t name)
{
	const struct fsi_qos *q = fsi_qos_find(m, name);

	return q ? q->priority : 0;
}

const struct fsi_partition *fsi_job_first_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->partitions, &n);

	return n ? fsi_partition_find(m, names[0]) : NULL;
}

const struct fsi_qos *fsi_job_first_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->qos, &n);

	return n ? fsi_qos_find(m, names[0]) : NULL;
}

bool fsi_node_is_in_partition(const fs_snapshot *m, const struct fsi_node *node, uint32_t partition)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, node->partitions, &n);

	for (size_t i = 0; i < n; i++)
		if (names[i] == m->partition.v[partition].name)
			return true;
	return false;
}

bool fsi_partitions_share_nodes(const fs_snapshot *m, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_node_is_in_partition(m, &m->node.v[i], a) && fsi_node_is_in_partition(m, &m->node.v[i], b))
			return true;
	return false;
}

const char *fs_snapshot_tres_name(const fs_snapshot *m, size_t i)
{
	return fsi_name_text(m, m->tres.v[i].name);
}

size_t fs_snapshot_tres_count(const fs_snapshot *m)
{
	return m->tres.n;
}

bool fs_snapshot_account_within(const fs_snapshot *m, const char *account, const char *ancestor)
{
	const uint32_t name = fsi_name_find(m, account), above = fsi_name_find(m, ancestor);
	uint32_t i = name ? fsi_assoc_find_by_names(m, name, 0, 0) : FSI_NO_INDEX;

	for (; above && i != FSI_NO_INDEX; i = m->tree[i].parent)
		if (m->association.v[i].account == above)
			return true;
	return false;
}

const char *fs_snapshot_partition_name(const fs_snapshot *m, size_t i)
{
	return i < m->partition.n ? fsi_name_text(m, m->partition.v[i].name) : NULL;
}

const struct fsi_node *fsi_node_find(const fs_snapshot *m, uint32_t name)
{
	for (size_t i = 0; name && i < m->node.n; i++)
		if (m->node.v[i].name == name)
			return &m->node.v[i];
	return NULL;
}

uint32_t fsi_job_find_row(const fs_snapshot *m, uint64_t id)
{
	size_t lo = 0, hi = m->job.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (m->job.v[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->job.n && m->job.v[lo].id == id ? (uint32_t)lo : FSI_NO_INDEX;
}

const struct fsi_qos *fsi_job_tried_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t lo = 0, hi = m->tried.n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (m->tried.v[mid].job < job->id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->tried.n && m->tried.v[lo].job == job->id ? fsi_qos_find(m, m->tried.v[lo].qos) : NULL;
}

bool fs_view_differs(const struct fs_view *v)
{
	return v && (v->computed || v->algorithm || v->position != FS_POSITION_POW2 || v->compat || v->usage);
}

int64_t fsi_reservation_opening_time(const fs_snapshot *m, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, start_time) && !fsi_list_has_word(m, r->flags, "FLEX") ? r->start_time
											      : INT64_MIN;
}

int64_t fsi_reservation_closing_time(const fs_snapshot *m, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, end_time) && !fsi_list_has_word(m, r->flags, "FLEX") ? r->end_time : INT64_MAX;
}

/* ---- the jobs that a Slurm reservation admits */

/* Returns true if the list `set` contains the name with the name id `name`. A '-' at the start of a listed name is
 * ignored. Sets *denies to true if the first listed name begins with '-' (the list then denies access to the listed
 * names), else to false. */
static bool is_name_admitted(const fs_snapshot *m, uint32_t set, uint32_t name, bool *denies)
{
	size_t n;
	const uint32_t *v = fsi_list_items(m, set, &n);
	bool any = false;

	*denies = n && *fsi_name_text(m, v[0]) == '-';
	for (size_t i = 0; i < n; i++) {
		const char *word = fsi_name_text(m, v[i]);

		any = any || !strcmp(word + (*word == '-'), fsi_name_text(m, name));
	}
	return any;
}

/* Returns true if the reservation's list of accounts contains the job's account. If associations are enforced and
 * `exact` is false, a listed account includes the accounts below it. Sets *denies to true if the list denies access to
 * the listed accounts, else to false. */
static bool is_account_listed(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j,
			      bool exact, bool *denies)
{
	const bool below = !exact && fsi_config_list_has(m, "AccountingStorageEnforce", "associations");
	bool any = is_name_admitted(m, r->accounts, j->account, denies);

	for (uint32_t i = below ? fsi_job_find_assoc(m, j) : FSI_NO_INDEX; !any && i != FSI_NO_INDEX;
	     i = m->tree[i].parent)
		any = is_name_admitted(m, r->accounts, m->association.v[i].account, denies);
	return any;
}

/* The members of a group are not in the snapshot. A job is assumed to belong only to the group with which it runs
 * (src/slurmctld/groups.c: get_groups_members). If the reservation has a list of accounts, and also a list of
 * admitted users or groups, a listed account does not include the accounts below it. */
bool fsi_reservation_admits_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j)
{
	bool no_user, no_account;
	const uint32_t users = r->groups ? r->groups : r->users;
	const bool user = is_name_admitted(m, users, r->groups ? j->group : j->user, &no_user),
		   account = is_account_listed(m, r, j, users && !no_user, &no_account);

	return (users || r->accounts) && (!users || user != no_user) && (!r->accounts || account != no_account);
}

bool fsi_reservation_excludes_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j)
{
	if (!(r->users || r->accounts) || r->groups || (r->users && !j->user) || (r->accounts && !j->account))
		return false;
	return strcmp(fsi_name_text(m, j->user), "root") != 0 && !fsi_reservation_admits_job(m, r, j);
}

/* ---- viewers */

void fsi_viewer_init(struct fsi_viewer *v, const fs_snapshot *m, const char *name)
{
	const uint32_t set = fsi_config_get_list(m, "PrivateData");

	*v = (struct fsi_viewer){ .m = m, .has_future_jobs = m->scheduler->has_future_jobs };
	v->private_usage = fsi_list_has_word(m, set, "usage");
	v->private_jobs = fsi_list_has_word(m, set, "jobs");
	v->private_tree =
		v->private_usage || fsi_list_has_word(m, set, "users") || fsi_list_has_word(m, set, "accounts");
	if (!name) {
		v->sees_everything = true;
		return;
	}
	v->user = fsi_name_find(m, name);
	v->record = v->user ? fsi_user_find(m, v->user) : NULL;
	const char *admin = v->record ? fsi_name_text(m, v->record->admin) : "";
	v->sees_everything = !strcmp(name, "root") || !strcmp(admin, "operator") || !strcmp(admin, "administrator");
}

static bool coordinates_account(const fs_snapshot *m, const struct fsi_user *u, uint32_t account)
{
	size_t n;
	const uint32_t *accounts = fsi_list_items(m, u ? u->coordinates : 0, &n);

	for (size_t i = 0; i < n; i++)
		if (accounts[i] == account)
			return true;
	return false;
}

static bool is_viewer_coordinator(const struct fsi_viewer *v, uint32_t account)
{
	return coordinates_account(v->m, v->record, account);
}

static bool may_see_private(const struct fsi_viewer *v, bool is_private, uint32_t user, uint32_t account)
{
	return !is_private || v->sees_everything || (user && user == v->user) || is_viewer_coordinator(v, account);
}

bool fsi_viewer_may_see_usage(const struct fsi_viewer *v, const struct fsi_association *a)
{
	return may_see_private(v, v->private_usage, a->user, a->account);
}

bool fsi_viewer_may_see_job(const struct fsi_viewer *v, const struct fsi_job *job)
{
	if (v->has_future_jobs && job->state == FSI_STATE_FUTURE)
		return false;
	/* the job record is read last, because reading job records in random order is slow */
	return !v->private_jobs || v->sees_everything || may_see_private(v, true, job->user, job->account);
}

/* Returns true if the viewer may see a user record with its list of coordinated accounts. PrivateData=users, accounts
 * or usage makes the record private. */
static bool may_see_user(const struct fsi_viewer *v, const struct fsi_user *u)
{
	return may_see_private(v, v->private_tree, u->name, 0);
}

const char *fs_snapshot_coordinator(const fs_snapshot *m, const char *viewer, const char *account, size_t i)
{
	const uint32_t id = fsi_name_find(m, account);
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	for (size_t k = 0; id && k < m->user.n; k++)
		if (coordinates_account(m, &m->user.v[k], id) && may_see_user(&v, &m->user.v[k]) && !i--)
			return fsi_name_text(m, m->user.v[k].name);
	return NULL;
}

static bool coordinates_ancestor_account(const fs_snapshot *m, uint32_t accounts, const char *account)
{
	size_t n;
	const uint32_t *v = fsi_list_items(m, accounts, &n);

	for (size_t i = 0; i < n; i++)
		if (fs_snapshot_account_within(m, account, fsi_name_text(m, v[i])))
			return true;
	return false;
}

bool fs_snapshot_has_user(const fs_snapshot *m, const char *viewer, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);
	const struct fsi_user *record = id ? fsi_user_find(m, id) : NULL;
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	if (record && may_see_user(&v, record))
		return true;
	for (size_t i = 0; id && i < m->association.n; i++)
		if (m->association.v[i].user == id && fsi_viewer_may_see_usage(&v, &m->association.v[i]))
			return true;
	for (size_t i = 0; id && i < m->job.n; i++)
		if (m->job.v[i].user == id && fsi_viewer_may_see_job(&v, &m->job.v[i]))
			return true;
	return false;
}

/* Returns true if the association in row i belongs to the account or to an account below it. */
static bool is_row_within(const fs_snapshot *m, uint32_t i, uint32_t account)
{
	while (i != FSI_NO_INDEX && m->association.v[i].account != account)
		i = m->tree[i].parent;
	return i != FSI_NO_INDEX;
}

bool fs_snapshot_has_account(const fs_snapshot *m, const char *viewer, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);
	struct fsi_viewer v;

	fsi_viewer_init(&v, m, viewer);
	for (uint32_t i = 0; id && i < m->association.n; i++)
		if (fsi_viewer_may_see_usage(&v, &m->association.v[i]) && is_row_within(m, i, id))
			return true;
	for (size_t i = 0; id && i < m->job.n; i++)
		if (m->job.v[i].account == id && fsi_viewer_may_see_job(&v, &m->job.v[i]))
			return true;
	return false;
}

bool fsi_viewer_knows_no_coordinators(const struct fsi_viewer *v, const char *account)
{
	const fs_snapshot *m = v->m;
	bool any_known = false;

	if (fsi_is_type_hidden(m, "user") || fsi_is_type_hidden(m, "association") ||
	    (v->private_tree && !v->sees_everything))
		return false;
	for (size_t i = 0; i < m->user.n; i++) {
		const struct fsi_user *u = &m->user.v[i];

		any_known = any_known || FSI_HAS(u, USER, admin) || FSI_HAS(u, USER, coordinates);
		if (coordinates_ancestor_account(m, u->coordinates, account))
			return false;
	}
	return any_known;
}

#define STATE_HAS(state, ...) \
	fsi_node_state_has(state, (const char *const[]){ __VA_ARGS__ }, \
			   sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

bool fsi_node_state_has(const char *state, const char *const *words, size_t n)
{
	while (*state) {
		const size_t item = strcspn(state, "+"), word = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

		for (size_t i = 0; i < n; i++)
			if (word == strlen(words[i]) && !strncmp(state, words[i], word))
				return true;
		state += item + (state[item] == '+');
	}
	return false;
}

bool fsi_node_is_powered_down(const char *state)
{
	return STATE_HAS(state, "POWERED_DOWN", "POWERING_DOWN");
}

bool fsi_node_is_powering_up(const char *state)
{
	return STATE_HAS(state, "POWERING_UP");
}

bool fsi_node_is_unresponsive(const char *state)
{
	return !fsi_node_is_powering_up(state) &&
	       (strchr(state, '*') || STATE_HAS(state, "NOT_RESPONDING", "NO_RESPOND"));
}

bool fsi_node_will_power_down(const char *state)
{
	return STATE_HAS(state, "POWERING_DOWN") ||
	       (STATE_HAS(state, "POWER_DOWN") && !STATE_HAS(state, "ALLOCATED", "MIXED"));
}

#define RETURN_RECORD_COUNT(TAG, name, json)                                                             \
	if (!strcmp(type, json))                                                                   \
		return m->name.n;

size_t fs_snapshot_records(const fs_snapshot *m, const char *type)
{
	/* the table may lack usage records that are in the snapshot file */
	if (!strcmp(type, "usage") && m->info.usage_records)
		return m->info.usage_records;
	if (!strcmp(type, "config"))
		return m->config.n != 0;
	FSI_RECORD_TYPES(RETURN_RECORD_COUNT)
	return 0;
}

#define KIND_WORD(tag, word) word,
static const char *const kind_words[] = { FSI_CRED_KINDS(KIND_WORD) "sched" };
static const char *const mode_words[] = { "target", "floor", "ceiling", "cap_rel", "cap_abs" };

int fsi_parse_cred_kind(const char *word)
{
	for (int i = 0; i <= FS_CRED_KINDS; i++)
		if (!strcmp(kind_words[i], word))
			return i;
	return -1;
}

const char *fs_cred_kind_name(enum fs_cred_kind kind)
{
	return kind_words[kind];
}

int fsi_parse_target_mode(const char *word)
{
	for (int i = 0; i < (int)(sizeof(mode_words) / sizeof(*mode_words)); i++)
		if (!strcmp(mode_words[i], word))
			return i;
	return *word ? -1 : FS_TARGET_EXACT;
}

const char *fs_target_mode_name(enum fs_target_mode mode)
{
	return mode_words[mode];
}

int fsi_creds_init(struct fsi_creds *x, const fs_snapshot *m)
{
	*x = (struct fsi_creds){ .names = m->names.count };
	for (int k = 0; k < FS_CRED_KINDS; k++) {
		x->row[k] = calloc((size_t)x->names + 1, sizeof(*x->row[k]));
		if (!x->row[k]) {
			fsi_creds_release(x);
			return -1;
		}
	}
	for (uint32_t i = 0; i < m->credential.n; i++) {
		const struct fsi_credential *c = &m->credential.v[i];

		x->row[fsi_parse_cred_kind(fsi_name_text(m, c->kind))][c->name] = i + 1;
	}
	return 0;
}

void fsi_creds_release(struct fsi_creds *x)
{
	for (int k = 0; k < FS_CRED_KINDS; k++)
		free(x->row[k]);
	*x = (struct fsi_creds){ 0 };
}

uint32_t fsi_creds_find(const struct fsi_creds *x, enum fs_cred_kind kind, uint32_t name)
{
	const uint32_t row = name && name <= x->names ? x->row[kind][name] : 0;

	return row ? row - 1 : FSI_NO_INDEX;
}

uint32_t fsi_job_qos_or_default(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *qos = fsi_list_items(m, job->qos, &n);

	return n ? qos[0] : fsi_name_find(m, "DEFAULT");
}

void fsi_job_find_creds(const fs_snapshot *m, const struct fsi_creds *x, const struct fsi_job *job,
			uint32_t out[FS_CRED_KINDS])
{
	size_t n;
	const uint32_t *class = fsi_list_items(m, job->partitions, &n);

	out[FS_CRED_USER] = fsi_creds_find(x, FS_CRED_USER, job->user);
	out[FS_CRED_GROUP] = fsi_creds_find(x, FS_CRED_GROUP, job->group);
	out[FS_CRED_ACCT] = fsi_creds_find(x, FS_CRED_ACCT, job->account);
	out[FS_CRED_QOS] = fsi_creds_find(x, FS_CRED_QOS, fsi_job_qos_or_default(m, job));
	out[FS_CRED_CLASS] = fsi_creds_find(x, FS_CRED_CLASS, n ? class[0] : 0);
}

/* Checks that the kind and mode of credential i are valid, and that no earlier credential has the same kind and name.
 * `seen`: 1 + row of the credential, indexed by name id and kind. Errors: FS_EDATA. */
static int check_credential_record(fs_snapshot *m, const struct fsi_credential *c, uint32_t *seen, uint32_t i,
				   struct fs_error *err)
{
	const struct fsi_input_position where = fsi_record_position(m, &c->rec);
	const int kind = fsi_parse_cred_kind(fsi_name_text(m, c->kind));
	uint32_t *earlier;

	if (kind < 0 || kind >= FS_CRED_KINDS)
		return fsi_fail_at(err, where, "kind", "unknown kind of credential \"%.64s\"", fsi_name_text(m, c->kind));
	if (fsi_parse_target_mode(fsi_name_text(m, c->target_mode)) < 0)
		return fsi_fail_at(err, where, "target_mode", "unknown target mode \"%.64s\"",
				   fsi_name_text(m, c->target_mode));
	earlier = &seen[(size_t)c->name * FS_CRED_KINDS + (size_t)kind];
	if (*earlier)
		return fsi_fail_at(err, where, "name", "%s \"%.100s\" appears twice",
				   kind_words[kind], fsi_name_text(m, c->name));
	*earlier = i + 1;
	return 0;
}

/* Checks the record of a fair-share window. The kind must be valid. The record must have a name, unless its kind is
 * "sched" (the total of all credentials). Errors: FS_EDATA. */
static int check_window_record(const fs_snapshot *m, const struct fsi_window *w, struct fs_error *err)
{
	const struct fsi_input_position where = fsi_record_position(m, &w->rec);
	const int kind = fsi_parse_cred_kind(fsi_name_text(m, w->kind));

	if (kind < 0)
		return fsi_fail_at(err, where, "kind", "unknown kind of credential \"%.64s\"", fsi_name_text(m, w->kind));
	if (kind < FS_CRED_KINDS && !w->name)
		return fsi_fail_at(err, where, "name", "missing");
	return 0;
}

int fsi_credentials_check(fs_snapshot *m, struct fs_error *err)
{
	uint32_t *seen;
	int rc = 0;

	if (fsi_name_intern(m, kind_words[FS_CRED_KINDS]) ==
	    FSI_INTERN_FAILED) /* fs_plan needs the name "sched" for the window records that it adds */
		return fsi_fail_no_memory(err);
	seen = calloc(((size_t)m->names.count + 1) * FS_CRED_KINDS, sizeof(*seen));
	if (!seen)
		return fsi_fail_no_memory(err);
	for (uint32_t i = 0; i < m->credential.n && !rc; i++)
		rc = check_credential_record(m, &m->credential.v[i], seen, i, err);
	free(seen);
	for (size_t i = 0; i < m->window.n && !rc; i++)
		rc = check_window_record(m, &m->window.v[i], err);
	return rc;
}
