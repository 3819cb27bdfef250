/* What each scheduler calls things. */
#include "explain/parts.h"

const struct nouns *nouns(const struct explain_view *v)
{
	static const struct nouns slurm = { "account",       "accounts",  "partition",
					    "partitions",    "CPU",       "CPUs",
					    "CPUs",          "CPU-hours", "set by an administrator",
					    " (PrivateData)" };
	static const struct nouns flux = { "bank",   "banks",      "queue",
					   "queues", "core",       "cores",
					   "cores",  "core-hours", "set by urgency 31 (expedited)",
					   "" };
	static const struct nouns maui = { "account", "accounts",   "class",
					   "classes", "processor",  "processors",
					   "procs",   "proc-hours", "set by an administrator",
					   "" };

	switch (fs_snapshot_info(v->from->snapshot)->kind) {
	case FS_FLUX:
		return &flux;
	case FS_MAUI:
		return &maui;
	default:
		return &slurm;
	}
}

const char *kind_noun(enum fs_cred_kind kind)
{
	static const char *const words[FS_CRED_KINDS] = { "user", "group", "account", "QOS",
							  "class" };

	return words[kind];
}
