/* Small clusters for tests of plans, and checks of the planned starts. now = 6000. */
#ifndef FSPLAN_H
#define FSPLAN_H

#include "fstest.h"

#define TRES REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") REC("tres", "'id':1001,'name':'gres/gpu'")
/* First lines of a snapshot of Slurm `version`: the header and the TRES. */
#define HEAD_OF(version) "{'type':'snapshot','format':1,'time':6000,'cluster':'c','scheduler':'slurm " version "'}\n" TRES
#define PHEAD HEAD_OF("24.11.5")
#define OLD HEAD_OF("22.05.8")
#define NODE2 REC("node", "'name':'n1','state':'IDLE','cpus':8,'mem_mb':1000,'features':['fast']") \
	REC("node", "'name':'n2','state':'IDLE','cpus':8,'mem_mb':2000,'tres':{'cpu':8,'gres/gpu':2}")
#define PART REC("partition", "'name':'p','state':'UP','tier':1,'nodes':'n[1-2]','max_time_s':7200")
#define CONFIG(text) REC("config", "'SchedulerParameters':'" text "'")
#define RUN(id, nodes, cpus, end) \
	REC("job", "'id':" #id ",'state':'RUNNING','partitions':['p'],'node_list':'" nodes "','cpus':" #cpus \
		   ",'tres_alloc':{'cpu':" #cpus "},'end_time':" #end)
#define WAIT(id, prio, cpus, limit, more) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':100,'partitions':['p'],'priority':" #prio \
		   ",'nodes':1,'cpus':" #cpus ",'time_limit_s':" #limit more)

static inline fs_plan *plan_of(const fs_snapshot *m, enum fs_plan_mode mode)
{
	const struct fs_plan_options o = { .mode = mode };
	struct fs_error err;
	fs_plan *p = NULL;

	fst_no_error(fs_plan_compute(&p, m, &o, &err), &err);
	return p;
}

static inline struct fs_plan_row row_of(const fs_plan *p, uint64_t job)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (row.job == job)
			return row;
	}
	fail_msg("job %llu has no row", (unsigned long long)job);
	return row;
}

/* Checks that a plan made with the option starts_alone has the same starts as `whole`, the plan made without it. */
static inline void check_starts(const fs_snapshot *m, enum fs_plan_mode mode, const fs_plan *whole)
{
	const struct fs_plan_options o = { .mode = mode, .starts_alone = true };
	struct fs_plan_row r, alone;
	struct fs_error err;
	fs_plan *p = NULL;

	fst_no_error(fs_plan_compute(&p, m, &o, &err), &err);
	for (size_t i = 0; i < fs_plan_count(whole); i++) {
		fs_plan_row(whole, i, &r);
		alone.start_time = FS_UNKNOWN;
		fs_plan_row(p, fs_plan_find(p, r.job_row), &alone);
		assert_int_equal(r.start_time, alone.start_time);
	}
	fs_plan_free(p);
}

/* Compares the plan with `want`: "job:start/nodes" or "job:state" in scheduling order. */
static inline void check_mode(const char *text, enum fs_plan_mode mode, const char *want)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_plan *p = plan_of(m, mode);
	char got[2000] = "";
	size_t len = 0;

	check_starts(m, mode, p);
	for (size_t i = 0; i < fs_plan_count(p); i++) {
		struct fs_plan_row r;
		const char *name;

		fs_plan_row(p, i, &r);
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%llu:", i ? " " : "",
					(unsigned long long)r.job);
		if (r.start_time == FS_UNKNOWN || r.state == FS_PLAN_BEYOND || r.state == FS_PLAN_BEGINS)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%s", fs_plan_state_name(r.state));
		else
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%lld", (long long)r.start_time);
		for (uint32_t k = 0; r.state != FS_PLAN_BEYOND && (name = fs_plan_node(p, i, k)); k++)
			len += (size_t)snprintf(got + len, sizeof(got) - len, "%c%s", k ? ',' : '/', name);
	}
	assert_string_equal(got, want);
	fs_plan_free(p);
	fs_snapshot_free(m);
}

static inline void check(const char *text, const char *want)
{
	check_mode(text, FS_PLAN_BACKFILL, want);
}

#endif
