/* The files of a capture of Flux and the commands asked for them. */
#include "capture/steps.h"

/* `flux jobs` does not tell a job's GPUs, whole nodes and constraints, nor the day of its begin time; `flux job info`
 * takes one job at a time. Nothing else of a jobspec is kept, such as its command. A guest may ask for those of his own
 * jobs alone. What users nest deeper than a snapshot's reader goes is marked. */
static const char jobspecs[] =
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

/* Accounting first, close together: view-bank tells the order of banks and the inactive ones, the lists the rest. Then
 * the clock, and the jobs of all users: those that are over have nothing to tell. */
const struct capture_step capture_flux_steps[] = {
	{ .file = "flux_version.txt", .argv = { { "flux", "version" } } },
	{ .file = "list-factors_--json.json",
	  .argv = { { "flux", "account", "list-factors", "--json" } } },
	{ .file = "list-queues.txt", .with_last = true, .argv = { { "flux", "account", "list-queues" } } },
	{ .file = "list-configs.txt", .with_last = true, .argv = { { "flux", "account", "list-configs" } } },
	{ .file = "flux_queue_status.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "queue", "status" } } },
	{ .file = "flux_config_get.json", .argv = { { "flux", "config", "get" } } },
	{ .file = "flux_module_list.txt", .with_last = true, .argv = { { "flux", "module", "list" } } },
	{ .file = "flux_resource_R.json", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "R" } } },
	{ .file = "flux_resource_list.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "list" } } },
	{ .file = "flux_resource_status.txt", .of_jobs = true, .with_last = true, .argv = { { "flux", "resource", "status" } } },
	{ .file = "view-bank_root_-t_-P.txt", .with_last = true,
	  .argv = { { "flux", "account", "view-bank", "root", "-t", "-P" } } },
	{ .file = "list-banks_--json.json", .with_last = true,
	  .argv = { { "flux", "account", "list-banks", "--inactive", "--json" },
		    { "flux", "account", "list-banks", "--json" } } },
	{ .file = "list-users_--json.json", .with_last = true,
	  .argv = { { "flux", "account", "list-users", "--json" },
		    { "flux", "account", "list-users", "-j" } } },
	{ .file = "date_begin", .kind = CAPTURE_CLOCK },
	{ .file = "flux-jobs_-A_--json.json", /* it stops at 1000 by itself */
	  .argv = { { "flux", "jobs", "-A", "--json", "--count=10000000" },
		    { "flux", "jobs", "-a", "--json" } } },
	{ .file = "flux_jobspecs.json", .of_jobs = true, .argv = { { "flux", "python", "-c", jobspecs } } },
	{ .file = "caller", .kind = CAPTURE_CALLER },
};
const size_t capture_flux_steps_count = sizeof(capture_flux_steps) / sizeof(*capture_flux_steps);
