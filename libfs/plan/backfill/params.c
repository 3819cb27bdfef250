/* Parameters of the backfill scheduler (src/plugins/sched/backfill/backfill.c:_load_config): found anywhere in
 * SchedulerParameters, capitals do not matter, a value out of range means the default. */
#include "base/num.h"
#include "base/text.h"
#include "plan/plan.h"

#include <string.h>

static bool same(const char *s, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (fsi_lower(s[i]) != word[i])
			return false;
	return true;
}

/* The text behind `name` up to the next comma; NULL if it is not there. name ends with = if it has a value. */
static const char *find(const char *text, const char *name, size_t *len)
{
	const size_t n = strlen(name);

	for (const char *s = text; *s; s += strcspn(s, ","), s += *s == ',') {
		const size_t item = strcspn(s, ",");

		if (item < n || !same(s, name, n) || (name[n - 1] != '=' && item != n))
			continue;
		*len = item - n;
		return s + n;
	}
	return NULL;
}

static int64_t number(const char *text, const char *name, int64_t otherwise, int64_t min,
		      int64_t max)
{
	size_t len;
	const char *s = find(text, name, &len);
	int64_t n;

	if (!s || fsi_parse_i64(s, len, &n) || n < min || n > max)
		return otherwise;
	return n;
}

/* Is it given, and with a value if its name ends with =? */
static bool flag(const char *text, const char *name)
{
	size_t len;

	return find(text, name, &len) != NULL;
}

const char *fsi_plan_left_out(const fs_snapshot *m, size_t i)
{
	static const char *const names[] = { "bf_hetjob_immediate", "bf_topopt_enable",
					     "time_min_as_soft_limit" };
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters");

	for (size_t k = 0; given && k < sizeof(names) / sizeof(*names); k++)
		if (flag(given, names[k]) && !i--)
			return names[k];
	return NULL;
}

void fsi_plan_params(const fs_snapshot *m, unsigned version, struct fsi_plan_params *p)
{
	const bool ahead = fs_slurm_has(version, FS_SLURM_BACKFILL_LOOKS_AHEAD);
	const char *given = fs_snapshot_config_text(m, "SchedulerParameters"),
		   *s = given ? given : "";

	*p = (struct fsi_plan_params){
		.window_s = number(s, "bf_window=", 1440, 1, 43200) * 60,
		.resolution_s = number(s, "bf_resolution=", 60, 1, 3600),
		.interval_s = number(s, "bf_interval=", 30, 1, 10800),
		.main_interval_s = number(s, "sched_interval=", 60, 1, 10800),
		.max_test = (uint32_t)number(s, flag(s, "bf_max_job_test=") ? "bf_max_job_test=" : "max_job_bf=",
					     500, 1, 1000000),
		.max_start = (uint32_t)number(s, "bf_max_job_start=", 0, 0, 10000),
		.max_slots = (uint32_t)number(s, "bf_node_space_size=", 0, 2, 2000000),
		.max_user = (uint32_t)number(s, "bf_max_job_user=", 0, 0, 1000000),
		.max_part = (uint32_t)number(s, "bf_max_job_part=", 0, 0, 1000000),
		.max_assoc = (uint32_t)number(s, "bf_max_job_assoc=", 0, 0, 1000000),
		.max_user_part = (uint32_t)number(s, "bf_max_job_user_part=", 0, 0, 1000000),
		.max_array_resv = (uint32_t)number(s, "bf_max_job_array_resv=", 20, 0, 1000),
		.part_reserve = (uint32_t)number(s, "bf_job_part_count_reserve=", 0, 0, 100000),
		.min_age_reserve_s = number(s, "bf_min_age_reserve=", 0, 0, 30 * 86400),
		.min_prio_reserve = (double)number(s, "bf_min_prio_reserve=", 0, 0, UINT32_MAX),
		.one_resv = flag(s, "bf_one_resv_per_job"),
		.assoc_limit_stop = flag(s, "assoc_limit_stop"),
		.window_grows_s = number(s, "bf_window_linear=", 0, 0, 3600),
		.busy_nodes = flag(s, "bf_busy_nodes"),
		.licenses = flag(s, "bf_licenses"),
		.running_reserve = flag(s, "bf_running_job_reserve") || flag(s, "bf_licenses"),
		.serial_at_end = flag(s, "pack_serial_at_end"),
		.forgets = fs_slurm_has(version, FS_SLURM_SHARING_FORGOTTEN),
		.last_on_nodes = fs_slurm_has(version, FS_SLURM_LAST_ON_NODES),
		.ended_by_start = fs_slurm_has(version, FS_SLURM_ENDED_BY_START),
		.magnetic_slot = flag(s, "bf_allow_magnetic_slot") && fs_slurm_has(version, FS_SLURM_MAGNETIC_SLOT),
		.looks_on = ahead,
		.stops_behind_window = ahead,
	};
	if (!p->max_slots)
		p->max_slots = p->max_test;
}
