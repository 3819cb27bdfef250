#include "import/outputs.h"

#include "import/maui/maui.h"

/* The files that an import of Maui reads. */

/* A file, or several files whose names begin alike, from which records of a type are read. */
#define SOURCE(name, record, unknown) \
	{ .capture = {.file = name, .type = record, .without = unknown, .kind = FS_OUTPUT_NOT_CAPTURED } }
static const struct fsi_output rows[] = {
	SOURCE("maui.cfg", "config", NULL),
	SOURCE("date_begin", "config", "the exact time of the capture (it is derived from the other outputs instead)"),
	SOURCE("maui.cfg", "credential", NULL),
	SOURCE("diagnose_-u.txt", "credential", "users who have no jobs and no settings in maui.cfg"),
	SOURCE("FS.*", "window", NULL),
	SOURCE("resource", "node", NULL),
	SOURCE("showq.*", "job",
	       "which jobs of the workload trace are in the queue, and their states (for fs-showq, fs-prio)"),
	SOURCE("showq_-r.*", "job", "start times and nodes of running jobs (for fs-showq --plan)"),
	SOURCE("showq_-r_-v*", "job", "priorities of running jobs (for fs-snap verify)"),
	SOURCE("showq_-i*", "job",
	       "queue times and reservations of jobs (fs-prio and fs-showq --plan derive them by Maui's rules)"),
	SOURCE("checkjob*", "job",
	       "system priorities (setspri), holds and reservations of jobs (for fs-prio, fs-explain)"),
	SOURCE("diagnose_-j.txt", "job",
	       "queue times of jobs, if showq -i and checkjob do not show them (for fs-prio)"),
	SOURCE("showres.txt", "job", "which jobs have a reservation (fs-showq --plan derives this by Maui's rules)"),
	SOURCE("showres_-n.txt", "job", "nodes of each job and reservations of administrators (for fs-showq --plan)"),
	SOURCE("workload", "job", "requests of jobs that no other output shows (for fs-prio, fs-showq --plan)"),
	SOURCE("simstat.out", "job",
	       "usage of ended jobs (for the memory of nodes in fs-showq --plan of a simulation)"),
};

const struct fsi_outputs fsi_maui_outputs = { rows, sizeof(rows) / sizeof(*rows) };
