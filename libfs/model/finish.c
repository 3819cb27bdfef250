/* Ordering and cross-checks of the tables once all records are in. */
#include "model/maui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum fs_scheduler scheduler_kind(const char *s)
{
	static const char *const names[] = { "slurm", "flux", "maui" };
	const size_t len = strcspn(s, " ");

	if (!len)
		return FS_SLURM;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (len == strlen(names[i]) && !memcmp(s, names[i], len))
			return (enum fs_scheduler)i;
	return FS_OTHER_SCHEDULER;
}

/* "slurm 22.05.8" to FS_SLURM and FS_SLURM_VERSION(22, 5). */
static void read_scheduler(fs_snapshot *m)
{
	const char *s = fsi_str(m, m->head.scheduler);
	unsigned major, minor;

	m->info.scheduler = s;
	m->info.kind = scheduler_kind(s);
	if (sscanf(s, "slurm %3u.%3u", &major, &minor) == 2)
		m->info.version = FS_SLURM_VERSION(major, minor);
}

static void fill_info(fs_snapshot *m)
{
	m->info.file = m->file;
	m->info.cluster = fsi_str(m, m->head.cluster);
	m->info.captured_by = fsi_str(m, m->head.captured_by);
	m->info.usage_source = fsi_str(m, m->head.usage_source);
	m->info.time = m->head.time;
	m->info.priority_time_known = FSI_HAS(&m->head, SNAPSHOT, priority_time);
	m->info.priority_time = m->info.priority_time_known ? m->head.priority_time : m->head.time;
	m->info.utc_offset_s = m->head.utc_offset_s;
	m->info.associations = m->association.n;
	m->info.jobs = m->job.n;
	m->info.credentials = m->credential.n;
}

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int cmp_job(const void *x, const void *y)
{
	const struct fsi_job *a = x, *b = y;
	const int c = cmp_u64(a->id, b->id);

	return c ? c : cmp_u64(a->rec.line, b->rec.line);
}

static int cmp_tres(const void *x, const void *y)
{
	const struct fsi_tres *a = x, *b = y;

	return cmp_u64(a->id, b->id);
}

static int order_jobs(fs_snapshot *m, struct fs_error *err)
{
	size_t i = 1;

	while (i < m->job.n && m->job.v[i - 1].id < m->job.v[i].id)
		i++;
	if (i >= m->job.n)
		return 0;
	qsort(m->job.v, m->job.n, sizeof(*m->job.v), cmp_job);
	for (i = 1; i < m->job.n; i++)
		if (m->job.v[i - 1].id == m->job.v[i].id)
			return fsi_fail_at(err, fsi_where_of(m, &m->job.v[i].rec), "id",
					   "job %llu appears twice",
					   (unsigned long long)m->job.v[i].id);
	return 0;
}

static int order_tres(fs_snapshot *m, struct fs_error *err)
{
	if (m->tres.n)
		qsort(m->tres.v, m->tres.n, sizeof(*m->tres.v), cmp_tres);
	for (size_t i = 1; i < m->tres.n; i++)
		if (m->tres.v[i - 1].id == m->tres.v[i].id)
			return fsi_fail_at(err, fsi_where_of(m, &m->tres.v[i].rec), "id",
					   "TRES %u appears twice", m->tres.v[i].id);
	return 0;
}

/* Each name once: small tables compare all pairs through a map from name id to line. */
static int check_names(const fs_snapshot *m, const char *what, const struct fsi_rec *first,
		       size_t size, size_t name_offset, size_t n, struct fs_error *err)
{
	bool *seen = calloc((size_t)m->names.count + 1, sizeof(*seen));
	int rc = 0;

	if (!seen)
		return fsi_nomem(err);
	for (size_t i = 0; i < n && !rc; i++) {
		const char *row = (const char *)first + i * size;
		uint32_t name;

		memcpy(&name, row + name_offset, sizeof(name));
		if (seen[name])
			rc = fsi_fail_at(err,
					 fsi_where_of(m, (const struct fsi_rec *)(const void *)row),
					 "name", "%s \"%s\" appears twice", what, fsi_str(m, name));
		seen[name] = true;
	}
	free(seen);
	return rc;
}

#define CHECK_NAMES(m, table, err)                                                                 \
	((m)->table.n ? check_names(m, #table, &(m)->table.v->rec, sizeof(*(m)->table.v),          \
				    offsetof(struct fsi_##table, name), (m)->table.n, err)         \
		      : 0)

/* Sort keys with the row they belong to: qsort needs no context then. */
struct key {
	uint64_t hi;
	uint32_t lo, row;
};

static int cmp_key(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	int c = cmp_u64(a->hi, b->hi);

	if (!c)
		c = cmp_u64(a->lo, b->lo);
	return c ? c : cmp_u64(a->row, b->row);
}

static struct key id_key(const struct fsi_association *a, uint32_t row)
{
	return (struct key){ a->id, 0, row };
}

static struct key name_key(const struct fsi_association *a, uint32_t row)
{
	return (struct key){ (uint64_t)a->account << 32 | a->user, a->partition, row };
}

static int index_associations(fs_snapshot *m,
			      struct key (*key_of)(const struct fsi_association *, uint32_t),
			      const char *field, uint32_t **out, struct fs_error *err)
{
	const size_t n = m->association.n;
	struct key *keys = malloc((n + 1) * sizeof(*keys));
	int rc = 0;

	*out = fsi_arena_array(&m->arena, n + 1, sizeof(**out));
	if (!keys || !*out) {
		free(keys);
		return fsi_nomem(err);
	}
	for (uint32_t i = 0; i < n; i++)
		keys[i] = key_of(&m->association.v[i], i);
	qsort(keys, n, sizeof(*keys), cmp_key);
	for (size_t i = 0; i < n && !rc; i++) {
		(*out)[i] = keys[i].row;
		if (i && keys[i - 1].hi == keys[i].hi && keys[i - 1].lo == keys[i].lo) {
			const struct fsi_association *a = &m->association.v[keys[i].row];

			rc = fsi_fail_at(err, fsi_where_of(m, &a->rec), field,
					 "association %u: the same as another's", a->id);
		}
	}
	free(keys);
	return rc;
}

static uint32_t lookup(const fs_snapshot *m, const uint32_t *index,
		       struct key (*key_of)(const struct fsi_association *, uint32_t),
		       struct key want)
{
	size_t lo = 0, hi = index ? m->association.n : 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		struct key k = key_of(&m->association.v[index[mid]], 0);
		const int c = cmp_key(&k, &want);

		if (!c)
			return index[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return FSI_NO_INDEX;
}

/* Ids are mostly dense: then a table by id spares the search. */
static int table_associations(fs_snapshot *m, struct fs_error *err)
{
	const size_t n = m->association.n, max = n ? m->association.v[m->assoc_by_id[n - 1]].id : 0;

	if (max > 8 * n + 1024)
		return 0;
	m->assoc_row = fsi_arena_array(&m->arena, max + 1, sizeof(*m->assoc_row));
	if (!m->assoc_row)
		return fsi_nomem(err);
	m->assoc_max_id = (uint32_t)max;
	for (size_t id = 0; id <= max; id++)
		m->assoc_row[id] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < n; i++)
		m->assoc_row[m->association.v[i].id] = i;
	return 0;
}

uint32_t fsi_assoc_by_id(const fs_snapshot *m, uint32_t id)
{
	if (m->assoc_row)
		return id <= m->assoc_max_id ? m->assoc_row[id] : FSI_NO_INDEX;
	return lookup(m, m->assoc_by_id, id_key, (struct key){ id, 0, 0 });
}

uint32_t fsi_assoc_find(const fs_snapshot *m, uint32_t account, uint32_t user, uint32_t partition)
{
	return lookup(m, m->assoc_by_name, name_key,
		      (struct key){ (uint64_t)account << 32 | user, partition, 0 });
}

/* A parameter of the wrong type would silently mean its default. */
static int check_config(const fs_snapshot *m, struct fs_error *err)
{
	static const struct {
		const char *name;
		enum fsi_config_kind kind;
		const char *want;
	} types[] = {
		{ "AccountingStorageEnforce", FSI_CONFIG_LIST, "a list of strings" },
		{ "BOOT_TIME", FSI_CONFIG_INT, "an integer" },
		{ "FairShareDampeningFactor", FSI_CONFIG_INT, "an integer" },
		{ "PriorityFlags", FSI_CONFIG_LIST, "a list of strings" },
		{ "PriorityType", FSI_CONFIG_STR, "a string" },
		{ "PrivateData", FSI_CONFIG_LIST, "a list of strings" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const struct fsi_config_entry *e = fsi_config_find(m, types[i].name);
		const struct fsi_where where = { m->file, e ? e->line : 0, 0 };

		if (e && e->kind != types[i].kind)
			return fsi_fail_at(err, where, types[i].name, "expected %s", types[i].want);
	}
	return 0;
}

int fsi_usage_check(const struct fsi_usage *u, struct fsi_where where, struct fs_error *err)
{
	if (FSI_HAS(u, USAGE, end_time) && u->end_time < u->start_time)
		return fsi_fail_at(err, where, "end_time", "job %llu ends before it starts",
				   (unsigned long long)u->job);
	return 0;
}

/* What Flux charges for has its name even where no record of the tables does. */
static int name_charged(fs_snapshot *m, struct fs_error *err)
{
	static const char *const names[] = { "node", "cpu", "gres/gpu" };

	for (size_t i = 0; m->info.kind == FS_FLUX && i < sizeof(names) / sizeof(*names); i++)
		if (fsi_name(m, names[i]) == FSI_INTERN_FAILED)
			return fsi_nomem(err);
	return 0;
}

int fsi_model_finish(fs_snapshot *m, struct fs_error *err)
{
	int rc = check_config(m, err);

	read_scheduler(m);
	if (!rc)
		rc = name_charged(m, err);
	if (!rc)
		rc = order_tres(m, err);
	if (!rc)
		rc = CHECK_NAMES(m, tres, err);
	if (!rc)
		rc = CHECK_NAMES(m, user, err);
	if (!rc)
		rc = CHECK_NAMES(m, qos, err);
	if (!rc)
		rc = CHECK_NAMES(m, partition, err);
	if (!rc)
		rc = CHECK_NAMES(m, node, err);
	if (!rc)
		rc = CHECK_NAMES(m, reservation, err);
	if (!rc)
		rc = fsi_tree_build(m, err);
	if (!rc)
		rc = index_associations(m, id_key, "id", &m->assoc_by_id, err);
	if (!rc)
		rc = table_associations(m, err);
	if (!rc)
		rc = index_associations(m, name_key, "user", &m->assoc_by_name, err);
	if (!rc)
		rc = order_jobs(m, err);
	if (!rc)
		rc = fsi_maui_finish(m, err);
	if (!rc)
		fill_info(m);
	return rc;
}
