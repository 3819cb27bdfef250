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

/* Of each association the job submitted last, of those that ended: the latest 20000 that ended are looked at, however
 * many a site keeps. What ended before is not told, nor what was submitted before the first broker began, which the
 * priority plugin does not know any more. Guests may ask as well. */
static const char ended[] =
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

/* Of each association the queue's priority that the priority plugin holds for all its jobs. The owner of the instance
 * alone may ask. */
static const char plugin[] =
	"import json\nimport flux\n"
	"try:\n"
	"    users = flux.Flux().rpc('job-manager.jobtap-query', {'name': 'mf_priority.so'}).get().get('mf_priority_map', [])\n"
	"except OSError:\n"
	"    users = []\n"
	"keep = ('bank_name', 'queue_factor')\n"
	"out = [{'userid': u['userid'], 'banks': [{k: b[k] for k in keep if k in b} for b in u['banks']]} for u in users]\n"
	"print(json.dumps({'mf_priority_map': out}))\n";

/* Accounting first, close together: view-bank tells the order of banks and the inactive ones, the lists the rest. Then
 * the clock, and the jobs of all users. */
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
	{ .file = "flux_jobs_ended.json", .of_jobs = true, .argv = { { "flux", "python", "-c", ended } } },
	{ .file = "flux_jobtap_query.json", .of_jobs = true, .argv = { { "flux", "python", "-c", plugin } } },
	{ .file = "flux_jobspecs.json", .of_jobs = true, .argv = { { "flux", "python", "-c", jobspecs } } },
	{ .file = "caller", .kind = CAPTURE_CALLER },
};
const size_t capture_flux_steps_count = sizeof(capture_flux_steps) / sizeof(*capture_flux_steps);
