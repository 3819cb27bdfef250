#include "import/outputs.h"

#include "import/flux/flux.h"

/* The files of a capture of Flux: first the files that fs-snap capture makes, then the files that an import reads. */

/* This script prints those values of jobspecs that `flux jobs` does not show: a job's GPUs, exclusive nodes and
 * constraints, and the day of its begin time. It prints no other values, such as the job's command. A guest may only
 * read the jobspecs of his own jobs. Values that are nested deeper than the snapshot reader accepts are replaced by
 * 'too deep'. */
static const char jobspecs_script[] =
	"import json\nimport os\nimport flux\nfrom flux.job import JobKVSLookup, JobList\n"
	"def depth(c):\n"
	"    parts = c.values() if isinstance(c, dict) else c if isinstance(c, list) else ()\n"
	"    return 1 + max((depth(p) for p in parts), default=0)\n"
	"h = flux.Flux()\n"
	"user = 'all' if os.getuid() == int(h.attr_get('security.owner')) else str(os.getuid())\n"
	"jobs = JobList(h, filters=['active'], user=user, max_entries=10000000).jobs()\n"
	"out = []\n"
	"for j in JobKVSLookup(h, [j.id for j in jobs], ['jobspec']).data():\n"
	"    system = j['jobspec'].get('attributes', {}).get('system', {})\n"
	"    begins = [d for d in system.get('dependencies', []) if d.get('scheme') == 'begin-time']\n"
	"    asked = {'id': int(j['id']), 'resources': j['jobspec']['resources'], 'constraints': system.get('constraints'), 'dependencies': begins}\n"
	"    out.append({k: v if depth(v) < 13 else 'too deep' for k, v in asked.items()})\n"
	"print(json.dumps({'jobspecs': out}))\n";

/* This script prints, for each association, the ended job that was submitted last. It reads only the 20,000 jobs that
 * ended last. It also prints the time `from`. Jobs that ended before this time may be missing from the output, or the
 * priority plugin may not know them. The plugin does not know jobs that were submitted before the broker of rank 0
 * started. Guests may run the script too. */
static const char ended_jobs_script[] =
	"import json\nimport pwd\nimport flux\nimport flux.constants as c\nfrom flux.job.list import job_list\n"
	"most = 20000\n"
	"h = flux.Flux()\n"
	"def name(uid):\n"
	"    try:\n"
	"        return pwd.getpwuid(uid).pw_name\n"
	"    except KeyError:\n"
	"        return str(uid)\n"
	"attrs = ['userid', 'bank', 'queue', 't_submit', 't_inactive']\n"
	"jobs = job_list(h, most, attrs, c.FLUX_USERID_UNKNOWN, c.FLUX_JOB_STATE_INACTIVE).get_jobs()\n"
	"begun = min(j['t_inactive'] for j in jobs) if len(jobs) >= most else 0\n"
	"try:\n"
	"    begun = max(begun, float(h.rpc('attr.get', {'name': 'broker.starttime'}, nodeid=0).get()['value']))\n"
	"except OSError:\n"
	"    pass\n"
	"last = {}\n"
	"for j in sorted(jobs, key=lambda j: j['id']):\n"
	"    last[j['userid'], j.get('bank')] = j\n"
	"keep = ('id', 'userid', 'bank', 'queue', 't_submit')\n"
	"out = [dict({k: j[k] for k in keep if k in j}, username=name(j['userid'])) for j in last.values()]\n"
	"print(json.dumps({'from': begun, 'jobs': out}))\n";

/* This script prints, for each association, the queue factor that the priority plugin uses for all jobs of the
 * association. Only the owner of the Flux instance may run the script. */
static const char priority_plugin_script[] =
	"import json\nimport flux\n"
	"try:\n"
	"    users = flux.Flux().rpc('job-manager.jobtap-query', {'name': 'mf_priority.so'}).get().get('mf_priority_map', [])\n"
	"except OSError:\n"
	"    users = []\n"
	"keep = ('bank_name', 'queue_factor')\n"
	"out = [{'userid': u['userid'], 'banks': [{k: b[k] for k in keep if k in b} for b in u['banks']]} for u in users]\n"
	"print(json.dumps({'mf_priority_map': out}))\n";

/* A file, or several files whose names begin alike, from which records of a type are read. */
#define SOURCE(name, record, unknown) \
	{ .capture = {.file = name, .type = record, .without = unknown, .kind = FS_OUTPUT_NOT_CAPTURED } }

/* The accounting commands come first and directly follow each other, so that their outputs show the same state of the
 * accounts. The command view-bank shows the order of the banks and which banks are inactive. The commands whose names
 * begin with list- show all other accounting data. The commands that print the clock and the jobs of all users
 * follow. */
static const struct fsi_output rows[] = {
	{ .capture = { .file = "flux_version.txt", .argv = { { "flux", "version" } } } },
	{ .capture = { .file = "list-factors_--json.json",
		       .argv = { { "flux", "account", "list-factors", "--json" } } } },
	{ .capture = { .file = "list-queues.txt",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "account", "list-queues" } } } },
	{ .capture = { .file = "list-configs.txt",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "account", "list-configs" } } } },
	{ .capture = { .file = "flux_queue_status.txt",
		       .of_jobs = true,
		       .parallel_with_previous = true,
		       .argv = { { "flux", "queue", "status" } } } },
	{ .capture = { .file = "flux_config_get.json", .argv = { { "flux", "config", "get" } } } },
	{ .capture = { .file = "flux_module_list.txt",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "module", "list" } } } },
	{ .capture = { .file = "flux_resource_R.json",
		       .of_jobs = true,
		       .parallel_with_previous = true,
		       .argv = { { "flux", "resource", "R" } } } },
	{ .capture = { .file = "flux_resource_list.txt",
		       .of_jobs = true,
		       .parallel_with_previous = true,
		       .argv = { { "flux", "resource", "list" } } } },
	{ .capture = { .file = "flux_resource_status.txt",
		       .of_jobs = true,
		       .parallel_with_previous = true,
		       .argv = { { "flux", "resource", "status" } } } },
	{ .capture = { .file = "view-bank_root_-t_-P.txt",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "account", "view-bank", "root", "-t", "-P" } } } },
	{ .capture = { .file = "list-banks_--json.json",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "account", "list-banks", "--inactive", "--json" },
				 { "flux", "account", "list-banks", "--json" } } } },
	{ .capture = { .file = "list-users_--json.json",
		       .parallel_with_previous = true,
		       .argv = { { "flux", "account", "list-users", "--json" },
				 { "flux", "account", "list-users", "-j" } } } },
	{ .capture = { .file = "date_begin", .kind = FS_OUTPUT_CLOCK } },
	{ .capture = { .file = "flux-jobs_-A_--json.json", /* without --count, flux jobs prints at most 1000 jobs */
		       .argv = { { "flux", "jobs", "-A", "--json", "--count=10000000" },
				 { "flux", "jobs", "-a", "--json" } } } },
	{ .capture = { .file = "flux_jobs_ended.json",
		       .of_jobs = true,
		       .argv = { { "flux", "python", "-c", ended_jobs_script } } } },
	{ .capture = { .file = "flux_jobtap_query.json",
		       .of_jobs = true,
		       .argv = { { "flux", "python", "-c", priority_plugin_script } } } },
	{ .capture = { .file = "flux_jobspecs.json",
		       .of_jobs = true,
		       .argv = { { "flux", "python", "-c", jobspecs_script } } } },
	{ .capture = { .file = "caller", .kind = FS_OUTPUT_CALLER } },
	SOURCE("date_begin", "config", "the exact time of the capture (the time of the latest job is used instead)"),
	SOURCE("flux_version.txt", "config", "the version of flux-core"),
	SOURCE("list-factors*", "config", "weights (fs-prio prints recorded priorities without terms)"),
	SOURCE("list-configs*", "config", "periods and decay of usage (for --at, --forecast and computed usage)"),
	SOURCE("view-bank_root_-t_-P.txt", "association", "recorded shares and usage (for fs-snap verify)"),
	SOURCE("list-banks*", "association", "inactive banks, priorities of banks"),
	SOURCE("list-users*", "association", "limits and queues of users"),
	SOURCE("export-db_-F.json", "association", NULL),
	SOURCE("list-queues*", "partition", "priorities and limits of queues"),
	SOURCE("flux_queue_status.txt", "partition",
	       "which queues are stopped (fs-showq --plan assumes that unlisted queues are started)"),
	SOURCE("flux_resource_R.json", "node",
	       "cores, GPUs and properties of each node (fs-showq --plan divides the totals of a group of nodes evenly)"),
	SOURCE("flux_resource_list.txt", "node",
	       "which nodes are down (fs-showq --plan assumes that unlisted nodes are up)"),
	SOURCE("flux_resource_status.txt", "node",
	       "which nodes are drained (fs-showq --plan assumes that unlisted nodes are not drained)"),
	SOURCE("flux-jobs*", "job", NULL),
	SOURCE("flux_jobspecs.json", "job",
	       "GPUs, whole nodes, constraints and begin times of jobs (for fs-showq --plan, jobs that can never run)"),
	SOURCE("flux_jobs_ended.json", "job",
	       "users' last submitted jobs if they have ended: their queues count in priorities (for fs-prio, "
	       "fs-snap verify)"),
	SOURCE("flux_jobtap_query.json", "job",
	       "queue priorities in the plugin after flux update or edit-queue (for fs-prio, fs-snap verify)"),
	SOURCE("view-job-records*", "usage", NULL),
};

const struct fsi_outputs fsi_flux_outputs = { rows, sizeof(rows) / sizeof(*rows) };
