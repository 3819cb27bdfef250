/* Less of what the job asks for: time, nodes, CPUs, memory, disk, generic resources, licences; down to a tenth. */
#include "advise/advise.h"
#include "base/num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MINUTE = 60, YEAR_MINUTES = 525600 };

static int64_t tenth(int64_t n)
{
	return n / 10 + (n % 10 != 0);
}

static int64_t asked(const struct fs_advices *a, const char *tres)
{
	const uint32_t name = fsi_name_find(a->m, tres);

	return name ? fsi_amount_of(a->m, fsi_advise_job(a)->tres_req, name) : 0;
}

static int64_t nodes_of(const struct fs_advices *a)
{
	const int64_t told = asked(a, "node"), n = told > 0 ? told : fsi_advise_job(a)->nodes;

	return n > 0 ? n : 1;
}

/* ---- time */

static void write_limit(const struct fs_advices *a, struct fsi_command *c, int64_t minutes)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_minutes(c, a->m, FSI_CHANGE_TIME_LIMIT, minutes);
}

/* From 20.02.5 to 25.05.2 backfill gives a job that it starts exactly TimeMin, whatever is free (src/plugins/sched/
 * backfill/backfill.c: 2655ec414a until f84487acf9). */
static bool time_min_hurts(const fs_snapshot *m)
{
	return !m->info.version || (m->info.version >= FS_SLURM_RELEASE(20, 2, 5) &&
				    m->info.version <= FS_SLURM_RELEASE(25, 5, 2));
}

/* A plan keeps nodes for TimeMin alone, as it would for a limit of that. */
static int try_time_min(struct fs_advices *a, size_t from)
{
	const size_t limits = a->row.n;
	int rc = 0;

	for (size_t i = from; i < limits && !rc; i++) {
		const char *limit = strrchr(a->row.v[i].command, '=');

		if (limit)
			rc = fsi_advise_change(a, FS_WHO_OWNER, FSI_CHANGE_TIME_MIN, limit + 1);
	}
	return rc;
}

static int try_time(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const bool unlimited = FSI_SPECIAL(j, JOB, time_limit_s);
	const int64_t now = unlimited ? YEAR_MINUTES : j->time_limit_s / MINUTE;
	const int64_t min = FSI_HAS(j, JOB, time_min_s) ? (fsi_advise_rare(a)->time_min_s + MINUTE - 1) / MINUTE : 0;
	const int64_t from = unlimited ? 1 : tenth(now);
	const size_t before = a->row.n;
	int rc;

	if (!FSI_HAS(j, JOB, time_limit_s))
		return 0;
	rc = fsi_advise_most(a, FS_WHO_OWNER, write_limit, min > from ? min : from, now, 1);
	if (rc || unlimited || FSI_HAS(j, JOB, time_min_s) || time_min_hurts(a->m))
		return rc;
	return try_time_min(a, before);
}

/* ---- nodes and CPUs */

static void write_nodes(const struct fs_advices *a, struct fsi_command *c, int64_t n)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const int64_t nodes = nodes_of(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_NODES, "%" PRId64, n);
	if (j->cpus % nodes == 0 && j->cpus / nodes)
		fsi_command_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, j->cpus / nodes * n);
	if (FSI_HAS(j, JOB, tasks) && j->tasks >= nodes && j->tasks % nodes == 0)
		fsi_command_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, j->tasks / nodes * n);
}

int fsi_advise_spread(struct fs_advices *a, const struct fs_explain_limit *l)
{
	const double nodes = ceil(l->wants * (double)nodes_of(a) / l->value);
	struct fsi_command c;

	if (!l->per_job || strcmp(l->name, "MaxTRESPerNode") != 0 || !(l->value >= 1) || !(nodes <= fsi_advise_job(a)->cpus))
		return 0;
	fsi_command_update(&c, a->m, a->job);
	fsi_command_change(&c, a->m, FSI_CHANGE_NODES, "%" PRId64, (int64_t)nodes);
	return fsi_advise_propose(a, FS_WHO_OWNER, &c, NULL);
}

static int64_t cpus_per_task(const struct fsi_job *j)
{
	return j->cpus_per_task && j->cpus % j->cpus_per_task == 0 ? j->cpus_per_task : 1;
}

static void write_cpus(const struct fs_advices *a, struct fsi_command *c, int64_t tasks)
{
	const struct fsi_job *j = fsi_advise_job(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_CPUS, "%" PRId64, tasks * cpus_per_task(j));
	if (FSI_HAS(j, JOB, tasks) && j->tasks > 1)
		fsi_command_change(c, a->m, FSI_CHANGE_TASKS, "%" PRId64, tasks);
}

static int try_cpus(struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);
	const int64_t nodes = nodes_of(a), tasks = j->cpus / cpus_per_task(j);

	if (nodes > 1)
		return fsi_advise_most(a, FS_WHO_OWNER, write_nodes, tenth(nodes), nodes, 0);
	return tasks > 1 ? fsi_advise_most(a, FS_WHO_OWNER, write_cpus, tenth(tasks), tasks, 0) : 0;
}

/* ---- memory and disk */

/* MiB for each CPU, or on each node. */
static int64_t memory_of(const struct fs_advices *a)
{
	const struct fsi_job *j = fsi_advise_job(a);

	return FSI_HAS(j, JOB, mem_per_cpu_mb) ? j->mem_per_cpu_mb : asked(a, "mem") / nodes_of(a);
}

/* The steps in which MiB are proposed: less fine the more there are. */
static int64_t step_of(int64_t mb)
{
	return mb >= 10240 ? 1024 : mb >= 640 ? 64 : 1;
}

static void write_memory(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	const bool by_cpu = FSI_HAS(fsi_advise_job(a), JOB, mem_per_cpu_mb);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, by_cpu ? FSI_CHANGE_CPU_MEMORY : FSI_CHANGE_NODE_MEMORY, "%" PRId64,
			   steps * step_of(memory_of(a)));
}

static int try_memory(struct fs_advices *a)
{
	const int64_t mb = memory_of(a), step = step_of(mb);

	if (mb <= 0)
		return 0;
	return fsi_advise_most(a, FS_WHO_OWNER, write_memory, tenth(mb) / step + 1, (mb + step - 1) / step, 0);
}

static void write_disk(const struct fs_advices *a, struct fsi_command *c, int64_t steps)
{
	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_DISK, "%" PRId64, steps * step_of(fsi_advise_rare(a)->tmp_disk_mb));
}

static int try_disk(struct fs_advices *a)
{
	const int64_t mb = fsi_advise_rare(a)->tmp_disk_mb, step = step_of(mb);

	return mb ? fsi_advise_most(a, FS_WHO_OWNER, write_disk, tenth(mb) / step + 1, (mb + step - 1) / step, 0) : 0;
}

/* ---- generic resources */

/* The one kind that it asks for, by type if it names one. */
struct gres {
	const char *kind; /* "gpu", "gpu:a100"; NULL: none */
	int64_t n; /* on all nodes together */
	bool several;
};

static void note_gres(const fs_snapshot *m, uint32_t set, struct gres *g)
{
	static const char prefix[] = "gres/";
	size_t n;
	const struct fsi_amount *t = fsi_amounts(m, set, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = fsi_str(m, t[i].tres) + strlen(prefix);

		if (strncmp(name - strlen(prefix), prefix, strlen(prefix)) != 0 || t[i].n <= 0)
			continue;
		g->several = g->several || (g->kind && (strcspn(g->kind, ":") != strcspn(name, ":") ||
							strncmp(g->kind, name, strcspn(name, ":")) != 0 ||
							(strchr(g->kind, ':') && strchr(name, ':'))));
		if (!g->kind || strchr(name, ':')) {
			g->kind = name;
			g->n = t[i].n;
		}
	}
}

static struct gres gres_of(const struct fs_advices *a)
{
	struct gres g = { .kind = NULL };

	note_gres(a->m, fsi_advise_job(a)->tres_req, &g);
	note_gres(a->m, fsi_advise_rare(a)->gres_req, &g);
	return g;
}

static bool by_job(const struct fs_advices *a)
{
	return !strcmp(fsi_str(a->m, fsi_advise_rare(a)->gres_per), "job");
}

/* src/common/slurm_protocol_defs.c: slurm_get_next_tres. */
static const char *tres_type(const fs_snapshot *m)
{
	return fs_slurm_has(m->info.version, FS_SLURM_TRES_SLASH) ? "gres/" : "gres:";
}

/* By job or by node as it asked, and with a type if it named one: before 23.02 what an update names joins what the job
 * has, and with and without type together are refused. */
static void write_gres(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const bool all = by_job(a);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, all ? FSI_CHANGE_GRES_IN_ALL : FSI_CHANGE_GRES, "%s%s:%" PRId64,
			   all ? tres_type(a->m) : "", gres_of(a).kind, amount);
}

static int try_gres(struct fs_advices *a)
{
	const int64_t nodes = by_job(a) ? 1 : nodes_of(a);
	const struct gres g = gres_of(a);

	if (!g.kind || g.several || g.n % nodes || (!by_job(a) && *fsi_str(a->m, fsi_advise_rare(a)->gres_per)))
		return 0;
	return fsi_advise_most(a, FS_WHO_OWNER, write_gres, 1, g.n / nodes, 0);
}

/* ---- licences */

/* "matlab:4,ansys:2" with another number of one of them. */
static void write_license(const struct fs_advices *a, struct fsi_command *c, int64_t amount)
{
	const char *all = fsi_str(a->m, fsi_advise_rare(a)->licenses);

	fsi_command_update(c, a->m, a->job);
	fsi_command_change(c, a->m, FSI_CHANGE_LICENSES, "%.*s:%" PRId64 "%s",
			   (int)(a->license - all + (ptrdiff_t)strcspn(a->license, ":=*,")), all, amount,
			   a->license + strcspn(a->license, ","));
}

/* Of a list of alternatives ("|", and ";" for all of them) it is not told which ones it takes. */
static int try_licenses(struct fs_advices *a)
{
	const char *p = fsi_str(a->m, fsi_advise_rare(a)->licenses);
	int rc = 0;

	if (strpbrk(p, "|;"))
		return 0;
	for (; *p && !rc; p += *p == ',') {
		const size_t len = strcspn(p, ","), name = strcspn(p, ":=*,");
		int64_t n;

		a->license = p;
		if (name < len && !fsi_parse_i64(p + name + 1, len - name - 1, &n))
			rc = fsi_advise_most(a, FS_WHO_OWNER, write_license, tenth(n), n, 0);
		p += len;
	}
	a->license = NULL;
	return rc;
}

int fsi_advise_sizes(struct fs_advices *a)
{
	int rc = try_time(a);

	if (!rc)
		rc = try_cpus(a);
	if (!rc)
		rc = try_memory(a);
	if (!rc)
		rc = try_disk(a);
	if (!rc)
		rc = try_gres(a);
	return rc ? rc : try_licenses(a);
}
