#include "base/memory.h"
#include "model/jobs.h"
#include "model/find.h"
#include "model/model.h"
#include "model/scheduler.h"
#include "model/slurm.h"

#include <stdlib.h>
#include <string.h>

/* Sorts and checks the tables of a snapshot once all records are read, and copies snapshots. */

void fsi_model_find_scheduler(fs_snapshot *m)
{
	const char *s = fsi_name_text(m, m->head.scheduler);

	m->scheduler = fsi_scheduler_find_by_name(s);
	m->info.scheduler = s;
	m->info.kind = m->scheduler->kind;
	m->info.version = m->scheduler->version ? m->scheduler->version(s) : 0;
}

static int warn_unknown_version(fs_snapshot *m, struct fs_error *err)
{
	const int unknown = m->info.version ? fs_slurm_unknown(m->info.version) : 0;

	return unknown && fsi_model_add_warning(m, "%s: %s is %s than all known versions; treated as Slurm %s",
						m->file, m->info.scheduler, unknown < 0 ? "older" : "newer",
						unknown < 0 ? FS_SLURM_OLDEST_NAME : FS_SLURM_NEWEST_NAME)
		       ? fsi_fail_no_memory(err)
		       : 0;
}

/* Sets the text members of m->info. */
static void set_info_names(fs_snapshot *m)
{
	m->info.file = m->file;
	m->info.cluster = fsi_name_text(m, m->head.cluster);
	m->info.captured_by = fsi_name_text(m, m->head.captured_by);
	m->info.usage_source = fsi_name_text(m, m->head.usage_source);
}

static void fill_snapshot_info(fs_snapshot *m)
{
	set_info_names(m);
	m->info.time = m->head.time;
	fsi_set_calc_times(m);
	m->info.utc_offset_s = m->head.utc_offset_s;
	m->info.associations = m->association.n;
	m->info.jobs = m->job.n;
	m->info.credentials = m->credential.n;
}

static int compare_job_ids(const void *x, const void *y)
{
	const struct fsi_job *a = x, *b = y;
	const int c = fsi_compare_u64(a->id, b->id);

	return c ? c : fsi_compare_u64(a->rec.line, b->rec.line);
}

static int compare_tres_ids(const void *x, const void *y, const void *ctx)
{
	const struct fsi_tres *a = x, *b = y;

	(void)ctx;
	return fsi_compare_u64(a->id, b->id);
}

/* A TRES that a site added has an id above this number (slurm/slurmdb.h: TRES_OFFSET). */
enum { TRES_ADDED = 1000 };

/* Sorts built-in TRES by id. TRES that the site added follow, sorted by type and name, because their ids depend on the
 * order in which the database first saw these TRES (src/common/slurmdb_defs.c: slurmdb_sort_tres_by_id_asc). */
static int compare_tres_order(const void *x, const void *y, const void *ctx)
{
	const struct fsi_tres *a = x, *b = y;
	const char *s = fsi_name_text(ctx, a->name), *t = fsi_name_text(ctx, b->name);
	const size_t ns = strcspn(s, "/"), nt = strcspn(t, "/");
	int c;

	if (a->id <= TRES_ADDED || b->id <= TRES_ADDED)
		return fsi_compare_u64(a->id, b->id);
	c = memcmp(s, t, ns < nt ? ns : nt);
	if (!c)
		c = fsi_compare_u64(ns, nt);
	return c ? c : strcmp(s + ns, t + nt);
}

static int sort_job_table(fs_snapshot *m, struct fs_error *err)
{
	size_t i = 1;

	if (m->jobs_are_sorted)
		return 0;
	while (i < m->job.n && m->job.v[i - 1].id < m->job.v[i].id)
		i++;
	if (i >= m->job.n)
		return 0;
	qsort(m->job.v, m->job.n, sizeof(*m->job.v), compare_job_ids);
	for (i = 1; i < m->job.n; i++)
		if (m->job.v[i - 1].id == m->job.v[i].id)
			return fsi_fail_at(err, fsi_record_position(m, &m->job.v[i].rec), "id",
					   "job %llu appears twice", (unsigned long long)m->job.v[i].id);
	return 0;
}

static int list_active_jobs(fs_snapshot *m, struct fs_error *err)
{
	if (m->active_jobs.known)
		return 0;
	m->active_jobs.row.n = 0;
	m->active_jobs.known = true;
	return fsi_active_jobs_append(m, m->job.v, 0, m->job.n) ? fsi_fail_no_memory(err) : 0;
}

static int sort_tres_table(fs_snapshot *m, struct fs_error *err)
{
	if (m->tres.n && fs_sort(m->tres.v, m->tres.n, sizeof(*m->tres.v), compare_tres_ids, NULL))
		return fsi_fail_no_memory(err);
	for (size_t i = 1; i < m->tres.n; i++)
		if (m->tres.v[i - 1].id == m->tres.v[i].id)
			return fsi_fail_at(err, fsi_record_position(m, &m->tres.v[i].rec), "id",
					   "TRES %u appears twice", m->tres.v[i].id);
	return m->tres.n && fs_sort(m->tres.v, m->tres.n, sizeof(*m->tres.v), compare_tres_order, m)
		       ? fsi_fail_no_memory(err)
		       : 0;
}

static int compare_tried_jobs(const void *x, const void *y, const void *ctx)
{
	const struct fsi_tried *a = x, *b = y;

	(void)ctx;
	return fsi_compare_u64(a->job, b->job);
}

static int sort_tried_table(fs_snapshot *m, struct fs_error *err)
{
	if (m->tried.n && fs_sort(m->tried.v, m->tried.n, sizeof(*m->tried.v), compare_tried_jobs, NULL))
		return fsi_fail_no_memory(err);
	for (size_t i = 1; i < m->tried.n; i++)
		if (m->tried.v[i - 1].job == m->tried.v[i].job)
			return fsi_fail_at(err, fsi_record_position(m, &m->tried.v[i].rec), "job",
					   "job %llu appears twice", (unsigned long long)m->tried.v[i].job);
	return 0;
}

/* A table in which all names must differ. Each row begins with its struct fsi_rec. */
struct named_table {
	const char *what;
	const void *rows;
	size_t size, name_offset, n;
};

#define NAMED_TABLE(m, table)                                                                            \
	{ #table, (m)->table.v, sizeof(*(m)->table.v), offsetof(struct fsi_##table, name), (m)->table.n }

/* Rejects a table in which two rows have the same name. */
static int check_table_names(const fs_snapshot *m, const struct named_table *t, struct fs_error *err)
{
	bool *seen = t->n ? calloc((size_t)m->names.count + 1, sizeof(*seen)) : NULL;
	int rc = 0;

	if (t->n && !seen)
		return fsi_fail_no_memory(err);
	for (size_t i = 0; i < t->n && !rc; i++) {
		const char *row = (const char *)t->rows + i * t->size;
		uint32_t name;

		memcpy(&name, row + t->name_offset, sizeof(name));
		if (seen[name])
			rc = fsi_fail_at(err, fsi_record_position(m, (const struct fsi_rec *)(const void *)row), "name",
					 "%s \"%s\" appears twice", t->what, fsi_name_text(m, name));
		seen[name] = true;
	}
	free(seen);
	return rc;
}

static int check_all_names(fs_snapshot *m, struct fs_error *err)
{
	const struct named_table tables[] = { NAMED_TABLE(m, tres), NAMED_TABLE(m, user),
					      NAMED_TABLE(m, qos),  NAMED_TABLE(m, partition),
					      NAMED_TABLE(m, node), NAMED_TABLE(m, reservation) };
	int rc = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !rc; i++)
		rc = check_table_names(m, &tables[i], err);
	return rc;
}

static int check_job_defaults(const fs_snapshot *m, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "JobDefaults");
	const char *text = fs_snapshot_config_text(m, "JobDefaults");
	struct fsi_job_defaults d;

	if (!text || !fsi_slurm_parse_job_defaults(text, strlen(text), &d))
		return 0;
	return fsi_fail_at(err, (struct fsi_input_position){ m->file, e->line, 0 }, "JobDefaults",
			   "expected " FSI_JOB_DEFAULTS ", got \"%.60s\"", text);
}

/* Rejects configuration parameters whose value has a wrong type. Without this check, such a parameter would be treated
 * as missing. */
static int check_parameter_types(fs_snapshot *m, struct fs_error *err)
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
		{ "PriorityUsageResetPeriod", FSI_CONFIG_STR, "a string" },
		{ "PrivateData", FSI_CONFIG_LIST, "a list of strings" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const struct fsi_config_entry *e = fsi_config_find(m, types[i].name);
		const struct fsi_input_position where = { m->file, e ? e->line : 0, 0 };

		if (e && e->kind != types[i].kind)
			return fsi_fail_at(err, where, types[i].name, "expected %s", types[i].want);
	}
	return check_job_defaults(m, err);
}

int fsi_usage_check_times(const struct fsi_usage *u, struct fsi_input_position where, struct fs_error *err)
{
	if (FSI_HAS(u, USAGE, end_time) && u->end_time < u->start_time)
		return fsi_fail_at(err, where, "end_time", "job %llu ends before it starts",
				   (unsigned long long)u->job);
	return 0;
}

static int intern_charged_tres(fs_snapshot *m, struct fs_error *err)
{
	const char *const *name = m->scheduler->charged_tres;

	for (; name && *name; name++)
		if (fsi_name_intern(m, *name) == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(err);
	return 0;
}

static int check_zone_offsets(fs_snapshot *m, struct fs_error *err)
{
	return fsi_zone_check_offsets(m, err);
}

static int check_host_count(fs_snapshot *m, struct fs_error *err)
{
	return fsi_model_check_hosts(m, err);
}

static int check_credentials(fs_snapshot *m, struct fs_error *err)
{
	return m->credential.n || m->window.n ? fsi_credentials_check(m, err) : 0;
}

/* The steps of fsi_model_finish. The order of the steps matters: names are checked before they are looked up, and the
 * tree is built before its index. */
static int (*const finish_steps[])(fs_snapshot *m, struct fs_error *err) = {
	check_parameter_types,  warn_unknown_version, intern_charged_tres, sort_tres_table,         check_all_names,
	fsi_name_build_indices, check_zone_offsets,   fsi_tree_build,      fsi_assoc_build_indices, sort_job_table,
	list_active_jobs,       sort_tried_table,     check_host_count,    check_credentials,
};

int fsi_model_finish(fs_snapshot *m, struct fs_error *err)
{
	int rc = 0;

	fsi_model_find_scheduler(m);
	for (size_t i = 0; i < sizeof(finish_steps) / sizeof(*finish_steps) && !rc; i++)
		rc = finish_steps[i](m, err);
	if (!rc)
		fill_snapshot_info(m);
	return rc;
}

bool fsi_uses_recorded_values(const fs_snapshot *m)
{
	return fsi_is_type_hidden(m, "association") || fsi_is_type_hidden(m, "qos") ||
	       fsi_is_type_hidden(m, "partition") || fsi_is_type_hidden(m, "node") || fsi_slurm_freezes_ended_jobs(m);
}

/* ---- copy of a snapshot: gives the same result as writing the snapshot with fs_snapshot_write and reading the
 * output */

/* Copies the rows of a table. A table without rows gets NULL. */
static int copy_table_rows(void *out, const void *from, size_t n, size_t size)
{
	void *v = n ? malloc(n * size) : NULL;

	if (v)
		memcpy(v, from, n * size);
	memcpy(out, &v, sizeof(v));
	return n && !v ? -1 : 0;
}

#define COPY_RECORD_TABLE(TAG, name, json) failed |= COPY_VEC(name);
#define COPY_VEC(name) \
	(to->name.n = to->name.cap = from->name.n, \
	 copy_table_rows(&to->name.v, from->name.v, from->name.n, sizeof(*to->name.v)))

static int copy_all_tables(fs_snapshot *to, const fs_snapshot *from)
{
	int failed = 0;

	FSI_RECORD_TYPES(COPY_RECORD_TABLE)
	failed |= COPY_VEC(job_ext);
	failed |= COPY_VEC(config);
	failed |= COPY_VEC(warnings);
	if (failed)
		return -1;
	for (size_t i = 0; i < to->warnings.n; i++) {
		const char *s = from->warnings.v[i];

		to->warnings.v[i] = fsi_arena_strndup(&to->arena, s, strlen(s));
		if (!to->warnings.v[i])
			return -1;
	}
	return 0;
}

#define COPY_ROWS(name, n) \
	(to->name = from->name ? fsi_arena_copy(&to->arena, from->name, (n) * sizeof(*to->name)) : NULL, \
	 !to->name != !from->name)

static int copy_table_indices(fs_snapshot *to, const fs_snapshot *from)
{
	const size_t n = from->association.n + 1;
	struct fs_error err;

	to->assoc_max_id = from->assoc_max_id;
	if (fsi_name_build_indices(to, &err))
		return -1;
	return COPY_ROWS(tree, n) || COPY_ROWS(assoc_by_id, n) || COPY_ROWS(assoc_by_name, n) ||
			       COPY_ROWS(assoc_row_by_id, (size_t)from->assoc_max_id + 1)
		       ? -1
		       : 0;
}

static void copy_snapshot_info(fs_snapshot *to, const fs_snapshot *from)
{
	to->head = from->head;
	to->info = from->info;
	to->read_warnings = from->read_warnings;
	to->jobs_are_sorted = from->jobs_are_sorted;
	to->priorities_updated = from->priorities_updated;
	to->edits = from->edits;
	fsi_model_find_scheduler(to);
	set_info_names(to);
}

int fs_snapshot_copy(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err)
{
	fs_snapshot *m = fsi_model_create(s->file);

	if (!m)
		return fsi_fail_no_memory(err);
	if (fsi_intern_copy(&m->names, &s->names) || fsi_intern_copy(&m->sets, &s->sets) || copy_all_tables(m, s) ||
	    copy_table_indices(m, s)) {
		fs_snapshot_free(m);
		return fsi_fail_no_memory(err);
	}
	copy_snapshot_info(m, s);
	*out = m;
	return 0;
}
