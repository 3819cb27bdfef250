#include "columns/queue.h"

#include "render/json.h"

#include <string.h>

static bool is_job_pending(const struct queue_table_row *l)
{
	return !strcmp(l->job.state, "PENDING");
}

/* Writes the job id in Flux's own notation; null for schedulers whose job ids are decimal numbers. */
COLUMN_WRITE_JSON(write_queue_f58, struct queue_source, struct queue_table_row,
		  json_write_f58_id(j, of->snapshot, row->job.id))

static void get_pending_reason(const void *of, const void *row, struct value *out)
{
	const struct queue_source *s = of;
	const struct queue_table_row *l = row;
	const struct fs_reason *reason = l->row.reason;

	*out = value_from_text(!is_job_pending(l) ? "" : s->waiting_reasons || !reason ? l->job.reason : reason->name);
}

COLUMN_GET_VALUE(get_reason_meaning, void, struct queue_table_row,
		 is_job_pending(row) && row->row.reason ? row->row.reason->meaning : "")
COLUMN_GET_VALUE(get_reason_end, void, struct queue_table_row,
		 is_job_pending(row) && row->row.reason ? row->row.reason->clears : "")
COLUMN_GET_VALUE(get_reason_limit, void, struct queue_table_row,
		 is_job_pending(row) && row->row.reason ? row->row.reason->limit : "")
COLUMN_GET_VALUE(get_running_end_time, void, struct queue_table_row,
		 is_job_pending(row) ? FS_UNKNOWN : row->job.times.end)
COLUMN_HAS_VALUE(has_partition_position, void, struct queue_table_row, row->row.partition_position)

#define QUEUE_ROW(m) COLUMN_MEMBER(struct queue_table_row, row.m)
#define QUEUE_JOB(m) COLUMN_MEMBER(struct queue_table_row, job.m), .row_part = QUEUE_NEEDS_JOB
#define QUEUE_EXTRA(m) COLUMN_MEMBER(struct queue_table_row, m), .row_part = QUEUE_NEEDS_EXTRAS

const struct column queue_columns[QUEUE_COLUMNS] = {
	[QUEUE_JOBID] = { "JOBID", "jobid", 10, QUEUE_ROW(job),
			  .help = "job id; [..]: array tasks without a job record of their own" },
	[QUEUE_F58] = { NULL, "f58", 0, .write_json = write_queue_f58, .row_part = QUEUE_NEEDS_JOB,
			.help = "job id in Flux's notation (f58)" },
	[QUEUE_NAME] = { "NAME", "jobname", -16, QUEUE_JOB(name), .help = "job name" },
	[QUEUE_USER] = { "USER", "user", -8, QUEUE_ROW(user), .help = "user who submitted the job" },
	[QUEUE_ACCOUNT] = { "ACCOUNT", "account", -9, QUEUE_ROW(account),
			    .help = "account that is charged and whose fair share counts" },
	[QUEUE_STATE] = { "STATE", "state", -9, QUEUE_JOB(state), .help = "job state as the scheduler prints it" },
	[QUEUE_SECTION] = { "KIND", "section", -11, QUEUE_ROW(section), .enum_name = fs_section_name,
			    .help = "running, eligible, or the kind of the pending reason" },
	[QUEUE_REASON] = { "REASON", "reason", -12, .get_value = get_pending_reason, .row_part = QUEUE_NEEDS_JOB,
			   .help = "reason why the job waits, as the scheduler prints it" },
	[QUEUE_MEANING] = { NULL, "meaning", 0, .get_value = get_reason_meaning, .row_part = QUEUE_NEEDS_JOB,
			    .help = "meaning of the reason" },
	[QUEUE_CLEARS] = { NULL, "clears", 0, .get_value = get_reason_end, .row_part = QUEUE_NEEDS_JOB,
			   .help = "event or action that ends the wait" },
	[QUEUE_LIMIT] = { NULL, "limit", 0, .get_value = get_reason_limit, .row_part = QUEUE_NEEDS_JOB,
			  .help = "limit that the reason names" },
	[QUEUE_TASKS] = { "TASKS", "tasks", 5, QUEUE_ROW(tasks),
			  .help = "number of jobs in the row; each array task counts as one" },
	[QUEUE_TASKS_EXACT] = { NULL, "tasks_exact", 0, QUEUE_ROW(tasks_exact),
				.help = "true: the number of jobs is exact; false: it is a minimum" },
	[QUEUE_NODES] = { "NODES", "nodes", 5, QUEUE_JOB(request.nodes), .help = "number of requested nodes" },
	[QUEUE_CPUS] = { "CPUS", "cpus", 6, QUEUE_JOB(request.cpus), .help = "number of requested CPUs" },
	[QUEUE_GPUS] = { "GPUS", "gpus", 6, QUEUE_EXTRA(gpus), .help = "number of requested GPUs" },
	[QUEUE_TIME_LIMIT] = { "LIMIT", "time_limit_s", 6, QUEUE_JOB(request.time_limit_s), .unit = UNIT_SECONDS,
			       .help = "time limit" },
	[QUEUE_SUBMIT_TIME] = { NULL, "submit_time", 0, QUEUE_JOB(times.submit), .unit = UNIT_TIME,
				.help = "time of submission" },
	[QUEUE_START_TIME] = { NULL, "start_time", 0, QUEUE_JOB(times.start), .unit = UNIT_TIME,
			       .help = "start time; pending jobs: the start that the scheduler expects" },
	[QUEUE_END_TIME] = { NULL, "end_time", 0, .get_value = get_running_end_time, .row_part = QUEUE_NEEDS_JOB,
			     .unit = UNIT_TIME, .help = "time at which the time limit ends; null for pending jobs" },
	[QUEUE_NODELIST] = { NULL, "nodelist", 0, QUEUE_JOB(node_list), .help = "nodes that the job runs on" },
	[QUEUE_PARTITION] = { "PARTITION", "partition", -9, QUEUE_ROW(partition),
			      .help = "partition; a job has one row for each partition that it requests" },
	[QUEUE_QOS] = { "QOS", "qos", -9, QUEUE_ROW(qos), .help = "quality of service" },
	[QUEUE_PRIORITY] = { "PRIORITY", "priority", 10, QUEUE_ROW(priority),
			     .help = "priority by which the scheduler sorts the job in this partition" },
	[QUEUE_POSITION] = { "#", "position", 4, QUEUE_ROW(position), .zero_is_none = true,
			     .help = "position in the scheduling order of the listed partition, or of all jobs if no "
				     "partition is selected; empty: the scheduler does not try this row now" },
	[QUEUE_PARTITION_POSITION] = { NULL, "partition_position", 0, QUEUE_ROW(partition_position),
				       .zero_is_none = true, .help = "position in the scheduling order of the partition" },
	[QUEUE_ELIGIBLE] = { NULL, "eligible", 0, QUEUE_ROW(eligible),
			     .help = "true: the job waits only for jobs ahead of it or for free resources" },
	[QUEUE_IN_LINE] = { NULL, "in_line", 0, QUEUE_ROW(eligible), .help = "the same as eligible" },
	[QUEUE_TASKS_AHEAD] = { NULL, "tasks_ahead", 0, QUEUE_ROW(partition_tasks_ahead),
				.has_value = has_partition_position,
				.help = "number of jobs ahead in the partition; each array task counts as one" },
	[QUEUE_WHY] = { NULL, "why", 0, QUEUE_ROW(key), .enum_name = fs_queue_key_name,
			.help = "sort key by which the row comes after the previous row" },
	[QUEUE_PARTITION_WHY] = { NULL, "partition_why", 0, QUEUE_ROW(partition_key), .enum_name = fs_queue_key_name,
				  .help = "sort key by which the row comes after the previous row of the partition" },
	[QUEUE_VERDICT] = { NULL, "verdict", 0, QUEUE_EXTRA(verdict), .help = "why the job waits, in one word" },
	[QUEUE_VERDICT_CAUSE] = { NULL, "verdict_cause", 0, QUEUE_EXTRA(verdict_cause),
				  .help = "cause of the verdict, in one word" },
	[QUEUE_VERDICT_TEXT] = { NULL, "verdict_text", 0, QUEUE_EXTRA(verdict_text),
				 .help = "why the job waits, in a clause" },
	[QUEUE_TIER] = { "TIER", NULL, 5, QUEUE_ROW(tier),
			 .help = "PriorityTier of the partition, compared before the priority" },
};
