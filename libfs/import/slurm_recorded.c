/* What the daemon printed: kept as `recorded`; taken as input only where it exists nowhere else (the time
 * of the last priority calculation, site factors, priorities set by an administrator). */
#include "base/num.h"
#include "import/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NICE_OFFSET zeroed: how Slurm 22.05 shows the site factor of an admin-set job in several partitions. */
static const double zeroed_offset = -2147483648.0;

enum { SPRIO_OLD = 21, SPRIO_NEW = 23 }; /* fields without and with %o and %n */

struct sprio {
	struct fsi_id_index index;
	int64_t max_age_s;
	FSI_VEC(int64_t) times; /* of the last calculation, as each job's age tells */
	FSI_VEC(uint32_t) ageless; /* jobs with an accrue_time and no age */
	int64_t latest;         /* no later than this: a job that should have aged has not; -1 unknown */
};

static int sprio_fields(struct fsi_span line, struct fsi_span field[SPRIO_NEW])
{
	struct fsi_span cell[SPRIO_NEW];
	int n = 0, k = 0;

	while (n < SPRIO_NEW && fsi_span_cut(&line, '|', &cell[n]))
		n++;
	if (line.s || (n != SPRIO_OLD && n != SPRIO_NEW))
		return -1;
	for (int i = 0; i < SPRIO_NEW; i++) {
		const bool missing = n == SPRIO_OLD && (i == 3 || i == 11);

		field[i] = missing ? (struct fsi_span){ NULL, 0 } : fsi_span_trim(cell[k++]);
	}
	return 0;
}

/* In the order of the capture's format string. */
static const int sprio_bits[SPRIO_NEW] = {
	FSI_RECORDED_job,
	FSI_RECORDED_partition,
	-1,
	-1,
	FSI_RECORDED_priority,
	FSI_RECORDED_site,
	FSI_RECORDED_age,
	FSI_RECORDED_assoc,
	FSI_RECORDED_fairshare,
	FSI_RECORDED_jobsize,
	FSI_RECORDED_partition_points,
	FSI_RECORDED_qos,
	FSI_RECORDED_qos_points,
	FSI_RECORDED_nice,
	FSI_RECORDED_tres,
	-1,
	FSI_RECORDED_norm_age,
	-1,
	FSI_RECORDED_norm_fairshare,
	-1,
	-1,
	-1,
	-1,
};

static int note_age(struct sprio *sp, const struct fsi_job *job, uint32_t row,
		    const struct fsi_recorded *r)
{
	const double t = r->norm_age * (double)sp->max_age_s;

	if (!FSI_HAS(job, JOB, accrue_time) || sp->max_age_s <= 0)
		return 0;
	if (r->norm_age <= 0) {
		if (FSI_VEC_ROOM(&sp->ageless))
			return -1;
		sp->ageless.v[sp->ageless.n++] = row;
		if (sp->latest < 0 || job->accrue_time < sp->latest)
			sp->latest = job->accrue_time;
	} else if (r->norm_age < 1 && fabs(t - round(t)) <= 0.25) {
		if (FSI_VEC_ROOM(&sp->times))
			return -1;
		sp->times.v[sp->times.n++] = job->accrue_time + (int64_t)round(t);
	}
	return 0;
}

/* A job whose age was zero at a calculation later than its accrue_time had not begun to accrue then: the
 * accrue_time was given afterwards, backdated (job arrays, and all with ACCRUE_ALWAYS, in the first cycle
 * of a controller). Nothing else tells. */
static void mark_ageless(fs_snapshot *m, const struct sprio *sp)
{
	for (size_t i = 0; i < sp->ageless.n; i++) {
		struct fsi_job *job = &m->job.v[sp->ageless.v[i]];

		if (job->accrue_time < m->head.priority_time)
			job->rec.has |= 1ull << FSI_JOB_accruing;
	}
}

/* All factors zero, and a "normalised" priority that was not divided by 2^32 - 1 (print.c:
 * _print_job_priority_normalized), or both offset fields zeroed. */
static bool admin_set(const struct fsi_recorded *r, double shown_y)
{
	if (r->age != 0 || r->assoc != 0 || r->fairshare != 0 || r->jobsize != 0 ||
	    r->qos_points != 0)
		return false;
	return shown_y >= 1 || (r->site == zeroed_offset && r->nice == zeroed_offset);
}

static int sprio_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_RECORDED);
	struct sprio *sp = ctx;
	struct fsi_span f[SPRIO_NEW];
	struct fsi_recorded *r;
	struct fsi_job *job;
	double y = 0;
	uint32_t row;
	int rc = 0;

	if (!line.len)
		return 0;
	if (sprio_fields(line, f))
		return fsi_import_bad(imp, "sprio", line, "21 or 23 fields");
	if (FSI_VEC_ROOM(&imp->m->recorded))
		return fsi_nomem(imp->err);
	r = &imp->m->recorded.v[imp->m->recorded.n++];
	memset(r, 0, sizeof(*r));
	for (int i = 0; i < SPRIO_NEW && !rc; i++)
		if (sprio_bits[i] >= 0)
			rc = fsi_import_set(imp, t, (unsigned)sprio_bits[i], &r->rec, f[i]);
	if (rc)
		return rc;
	row = fsi_index_find(&sp->index, r->job);
	if (row == FSI_NO_INDEX)
		return 0;
	job = &imp->m->job.v[row];
	fsi_parse_double(f[15].s, f[15].len, &y);
	if (admin_set(r, y)) {
		if (!(r->priority >= 0 && r->priority <= UINT32_MAX))
			return fsi_import_bad(imp, "priority", f[4], "a number of 32 bits");
		job->priority_set =
			FSI_HAS(job, JOB, priority) ? job->priority : (uint32_t)r->priority;
		job->rec.has |= 1ull << FSI_JOB_priority_set;
		return 0;
	}
	if (!(fabs(r->site) <= INT32_MAX))
		return fsi_import_bad(imp, "site", f[5], "a number of 32 bits");
	job->site_factor = (int32_t)r->site;
	job->rec.has |= 1ull << FSI_JOB_site_factor;
	return note_age(sp, job, row, r) ? fsi_nomem(imp->err) : 0;
}

static int cmp_i64(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

/* With no weight all ages print as zero. */
static bool age_weight(const fs_snapshot *m)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityWeightAge");

	return e && e->kind == FSI_CONFIG_INT && e->i > 0;
}

/* The moment most jobs agree on. */
static int settle_time(struct fsi_import *imp, struct sprio *sp)
{
	int64_t best = -1;
	size_t votes = 0, run = 0;

	if (sp->times.n)
		qsort(sp->times.v, sp->times.n, sizeof(*sp->times.v), cmp_i64);
	for (size_t i = 0; i < sp->times.n; i++) {
		run = i && sp->times.v[i] == sp->times.v[i - 1] ? run + 1 : 1;
		if (run >= votes) {
			votes = run;
			best = sp->times.v[i];
		}
	}
	if (best < 0)
		best = sp->latest;
	if (best < 0)
		return 0;
	imp->m->head.priority_time = best;
	imp->m->head.rec.has |= 1ull << FSI_SNAPSHOT_priority_time;
	if (sp->times.n && age_weight(imp->m))
		mark_ageless(imp->m, sp);
	if (votes < sp->times.n &&
	    fsi_warn(imp->m,
		     "sprio: %zu of %zu ages do not agree on the time of the last calculation",
		     sp->times.n - votes, sp->times.n))
		return fsi_nomem(imp->err);
	return 0;
}

static int read_sprio(struct fsi_import *imp)
{
	const struct fsi_config_entry *age = fsi_config_find(imp->m, "PriorityMaxAge");
	struct sprio sp = { .max_age_s = age ? age->i : 0, .latest = -1 };
	int rc;

	if (fsi_index_jobs(&sp.index, imp->m))
		return fsi_nomem(imp->err);
	rc = fsi_import_lines(imp, "sprio.txt", sprio_line, &sp);
	if (!rc)
		rc = settle_time(imp, &sp);
	free(sp.index.v);
	FSI_VEC_FREE(&sp.times);
	FSI_VEC_FREE(&sp.ageless);
	return rc > 0 ? 0 : rc;
}

struct sshare {
	struct fsi_pipe table;
	struct fsi_intern pairs; /* (account, user) of the associations */
	uint32_t *row_of;        /* by pair: its row, FSI_NO_INDEX when several have it */
	bool make_rows;
	uint32_t open[64]; /* accounts above the line, by indentation */
	double *usage;     /* RawUsage by association row, NAN where none */
	size_t cap;
};

static const struct fsi_import_map sshare_columns[] = {
	{ "NormShares", FSI_RECORDED_norm_shares },
	{ "RawUsage", FSI_RECORDED_raw_usage },
	{ "NormUsage", FSI_RECORDED_norm_usage },
	{ "EffectvUsage", FSI_RECORDED_effective_usage },
	{ "FairShare", FSI_RECORDED_factor },
};

/* A user who appears again in the same account has an association for each partition; sshare without -m does
 * not say which: they are told apart as "?2", "?3" (each stands beside its siblings). */
static void name_partition(fs_snapshot *m, uint32_t row)
{
	struct fsi_association *a = &m->association.v[row];
	unsigned before = 0;
	char name[16];

	for (uint32_t i = row;
	     i-- > 0 && m->association.v[i].user && m->association.v[i].account == a->account;)
		before += m->association.v[i].user == a->user;
	if (!before)
		return;
	snprintf(name, sizeof(name), "?%u", before + 1);
	a->partition = fsi_name(m, name);
	a->rec.has |= 1ull << FSI_ASSOCIATION_partition;
}

/* The association of a line: made from it when nothing else tells, otherwise the only one that fits. */
static uint32_t association_of(struct fsi_import *imp, struct sshare *sh, uint32_t account,
			       uint32_t user, size_t indent)
{
	fs_snapshot *m = imp->m;
	struct fsi_association *a;
	uint32_t found = FSI_NO_INDEX;

	if (!sh->make_rows) {
		const uint32_t pair[2] = { account, user };
		const uint32_t k = fsi_intern_find(&sh->pairs, pair, sizeof(pair));

		return k ? sh->row_of[k] : FSI_NO_INDEX;
	}
	if (!sh->make_rows || !account || FSI_VEC_ROOM(&m->association))
		return found;
	found = (uint32_t)m->association.n++;
	a = &m->association.v[found];
	memset(a, 0, sizeof(*a));
	a->id = found + 1;
	a->account = account;
	a->user = user;
	a->rec.has = 1ull << FSI_ASSOCIATION_id | 1ull << FSI_ASSOCIATION_account;
	if (user) {
		a->rec.has |= 1ull << FSI_ASSOCIATION_user;
		name_partition(m, found);
		return found;
	}
	if (indent < sizeof(sh->open) / sizeof(*sh->open))
		sh->open[indent] = account;
	if (indent && indent <= sizeof(sh->open) / sizeof(*sh->open)) {
		a->parent = sh->open[indent - 1];
		a->rec.has |= 1ull << FSI_ASSOCIATION_parent;
	}
	return found;
}

/* -1 without memory. */
static int map_pairs(struct sshare *sh, const fs_snapshot *m)
{
	sh->row_of = malloc((m->association.n + 1) * sizeof(*sh->row_of));
	if (!sh->row_of)
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const uint32_t pair[2] = { m->association.v[i].account, m->association.v[i].user };
		const uint32_t before = sh->pairs.count;
		const uint32_t k = fsi_intern(&sh->pairs, pair, sizeof(pair));

		if (k == FSI_INTERN_FAILED)
			return -1;
		sh->row_of[k] = k >= before ? i : FSI_NO_INDEX;
	}
	return 0;
}

static int usage_room(struct sshare *sh, size_t row)
{
	while (row >= sh->cap) {
		const size_t cap = sh->cap ? sh->cap * 2 : 64;
		double *p = realloc(sh->usage, cap * sizeof(*p));

		if (!p)
			return -1;
		sh->usage = p;
		while (sh->cap < cap)
			sh->usage[sh->cap++] = NAN;
	}
	return 0;
}

static int sshare_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct sshare *sh = ctx;
	struct fsi_span name, user, level;
	struct fsi_recorded *r;
	size_t indent = 0;
	uint32_t row;
	int rc;

	if (!fsi_pipe_row(&sh->table, line) || !line.len)
		return 0;
	name = fsi_pipe_get(&sh->table, "Account");
	user = fsi_pipe_get(&sh->table, "User");
	while (indent < name.len && name.s[indent] == ' ')
		indent++;
	row = association_of(imp, sh, fsi_import_name(imp, fsi_span_trim(name)),
			     fsi_import_name(imp, user), indent);
	if (row == FSI_NO_INDEX)
		return 0;
	if (FSI_VEC_ROOM(&imp->m->recorded) || usage_room(sh, row))
		return fsi_nomem(imp->err);
	r = &imp->m->recorded.v[imp->m->recorded.n++];
	memset(r, 0, sizeof(*r));
	r->association = imp->m->association.v[row].id;
	r->rec.has = 1ull << FSI_RECORDED_association;
	rc = fsi_pipe_set_all(imp, &sh->table, sshare_columns,
			      sizeof(sshare_columns) / sizeof(*sshare_columns), FSI_RECORD_RECORDED,
			      &r->rec);
	level = fsi_pipe_get(&sh->table, "LevelFS");
	if (!rc && !fsi_span_is(level, "inf"))
		rc = FSI_IMPORT_SET(imp, RECORDED, r, level_fs, level);
	if (!rc && sh->make_rows)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, &imp->m->association.v[row], shares,
				    fsi_pipe_get(&sh->table, "RawShares"));
	if (FSI_HAS(r, RECORDED, raw_usage))
		sh->usage[row] = (double)r->raw_usage;
	return rc;
}

static int read_sshare(struct fsi_import *imp)
{
	struct sshare *sh = calloc(1, sizeof(*sh));
	int rc;

	if (!sh)
		return fsi_nomem(imp->err);
	sh->make_rows = !imp->m->association.n;
	rc = map_pairs(sh, imp->m) ? fsi_nomem(imp->err)
				   : fsi_import_lines(imp, "sshare.txt", sshare_line, sh);
	if (!rc && !FSI_HAS(&imp->m->head, SNAPSHOT, usage_source) && imp->m->association.n) {
		rc = usage_room(sh, imp->m->association.n) ? fsi_nomem(imp->err)
			     : fsi_slurm_leaf_usage(imp, sh->usage, 1, "sshare");
	}
	fsi_intern_release(&sh->pairs);
	free(sh->row_of);
	free(sh->usage);
	free(sh);
	return rc > 0 ? 0 : rc;
}

int fsi_slurm_recorded(struct fsi_import *imp)
{
	int rc = read_sshare(imp);

	return rc ? rc : read_sprio(imp);
}
