/* The files of a capture of Flux and the commands asked for them. */
#include "capture/steps.h"

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
	{ .file = "caller", .kind = CAPTURE_CALLER },
};
const size_t capture_flux_steps_count = sizeof(capture_flux_steps) / sizeof(*capture_flux_steps);
