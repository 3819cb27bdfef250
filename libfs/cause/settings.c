/* Settings of a site that have no effect, or that contradict each other or the queue. */
#include "cause/cause.h"

#include "base/error.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "model/slurm.h"
#include "scenario/edit.h"
#include "scenario/grammar.h"
#include "select/select.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { SETTING_TEXT = 400 };

FSI_PRINTF(3, 4)
static int add_setting(struct fs_site *x, const char *name, const char *fmt, ...)
{
	struct fs_site_setting *s = FSI_VEC_ADD(&x->setting);
	char text[SETTING_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!s)
		return fsi_fail_no_memory(x->err);
	*s = (struct fs_site_setting){ name, fsi_arena_strndup(&x->arena, text, strlen(text)) };
	return s->text ? 0 : fsi_fail_no_memory(x->err);
}

/* ---- weights */

static bool have_qos_priorities(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->qos.n; i++)
		if (FSI_HAS(&m->qos.v[i], QOS, priority) && m->qos.v[i].priority)
			return true;
	return false;
}

/* Returns true if partitions have different values of PriorityJobFactor. */
static bool have_partition_factors(const fs_snapshot *m)
{
	for (size_t i = 1; i < m->partition.n; i++)
		if (FSI_HAS(&m->partition.v[0], PARTITION, job_factor) &&
		    FSI_HAS(&m->partition.v[i], PARTITION, job_factor) &&
		    m->partition.v[i].job_factor != m->partition.v[0].job_factor)
			return true;
	return false;
}

/* A weight that has no effect if it is 0, although data for its factor exist. */
struct weight_rule {
	const char *name, *text;
	bool (*has_data)(const fs_snapshot *m); /* NULL: the factor needs no other data */
};

static int check_weights(struct fs_site *x)
{
	static const struct weight_rule rules[] = {
		{ "PriorityWeightAge", "The weight is 0: waiting does not raise a job's priority.", NULL },
		{ "PriorityWeightFairShare", "The weight is 0: shares and usage do not change the order of jobs.",
		  NULL },
		{ "PriorityWeightQOS", "The weight is 0, although QOS have priorities: these have no effect.",
		  have_qos_priorities },
		{ "PriorityWeightPartition",
		  "The weight is 0, although partitions have different values of PriorityJobFactor: these have no effect.",
		  have_partition_factors },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules) && !rc; i++)
		if (fs_snapshot_config_number(x->m, rules[i].name) == 0 &&
		    (!rules[i].has_data || rules[i].has_data(x->m)))
			rc = add_setting(x, rules[i].name, "%s", rules[i].text);
	return rc;
}

/* Reports usage that never decays and is never reset, although it counts in the priority. */
static int check_half_life(struct fs_site *x)
{
	const char *reset = fs_snapshot_config_text(x->m, "PriorityUsageResetPeriod");

	if (fs_snapshot_config_number(x->m, "PriorityDecayHalfLife") != 0 || !reset || strcmp(reset, "NONE") != 0 ||
	    !(fs_snapshot_config_number(x->m, "PriorityWeightFairShare") > 0))
		return 0;
	return add_setting(
		x, "PriorityDecayHalfLife",
		"The half-life is 0 and PriorityUsageResetPeriod is NONE: usage never decays, but fair share "
		"has a weight.");
}

/* ---- the scheduler's search */

/* Returns the longest time limit of a partition or of a pending job that the viewer may see, seconds. Time limits that
 * are unknown or unlimited do not count. */
static int64_t find_longest_limit(const struct fs_site *x)
{
	int64_t longest = 0;
	struct fs_job j;

	for (size_t i = 0; i < x->m->partition.n; i++) {
		const struct fsi_partition *p = &x->m->partition.v[i];

		if (FSI_HAS(p, PARTITION, max_time_s) && p->max_time_s != FS_UNLIMITED && p->max_time_s > longest)
			longest = p->max_time_s;
	}
	for (size_t i = 0; i < x->m->job.n; i++) {
		if (x->m->job.v[i].state != FSI_STATE_PENDING || !fsi_viewer_may_see_job(&x->viewer, &x->m->job.v[i]))
			continue;
		fs_snapshot_job(x->m, i, &j);
		if (j.request.time_limit_s != FS_UNKNOWN && j.request.time_limit_s != FS_UNLIMITED &&
		    j.request.time_limit_s > longest)
			longest = j.request.time_limit_s;
	}
	return longest;
}

static int check_window(struct fs_site *x, const struct fsi_sched_params *p)
{
	enum { MINUTE_S = 60 };
	const int64_t longest = find_longest_limit(x);

	if (longest <= p->window_s)
		return 0;
	return add_setting(x, "bf_window",
			   "Backfill plans %" PRId64 " minutes ahead, but the longest time limit is %" PRId64
			   " minutes: a job that waits for longer jobs may get no planned start.",
			   p->window_s / MINUTE_S, longest / MINUTE_S);
}

static int check_depth(struct fs_site *x, const fs_queue *q, const struct fsi_sched_params *p)
{
	struct fs_queue_place place;
	uint32_t rows = 0;

	for (size_t i = 0; fs_queue_place(q, i, &place); i++)
		rows += place.eligible && place.visible;
	if (rows <= p->max_test)
		return 0;
	return add_setting(x, "bf_max_job_test",
			   "A backfill cycle tries %" PRIu32 " entries of the queue, but %" PRIu32 " are eligible: the "
			   "last ones may not be reached.",
			   p->max_test, rows);
}

int fsi_site_check_settings(struct fs_site *x, const fs_queue *q)
{
	const struct fsi_commands *commands = x->m->scheduler->commands;
	const char *type = fs_snapshot_config_text(x->m, "SchedulerType");
	struct fsi_sched_params p;
	int rc = 0;

	if (!commands || !commands->search_parameter || !fs_snapshot_records(x->m, "config"))
		return 0;
	fsi_sched_params_read(x->m, x->m->info.version, &p);
	if (fsi_slurm_is_multifactor(x->m)) {
		rc = check_weights(x);
		rc = rc ? rc : check_half_life(x);
	}
	if (rc || (type && strcmp(type, "sched/backfill") != 0))
		return rc;
	rc = check_window(x, &p);
	return rc ? rc : check_depth(x, q, &p);
}
