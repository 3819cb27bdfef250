#include "model/slurm.h"

#include "base/num.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- differences between versions
 *
 * Sources are files and functions of Slurm's repository. Each difference was read in the sources; most were also
 * confirmed on running controllers. */

enum { LAST_MICRO = 99 };

#define V(major, minor) FS_SLURM_VERSION(major, minor)

static const struct fs_slurm_difference version_differences[] = {
	[FS_SLURM_ALWAYS] = { "always", 0, 0, true, "", "" },
	[FS_SLURM_TASKS_LEAVE_CPUS] = { "tasks-leave-cpus", FS_SLURM_RELEASE(22, 5, 7), FS_SLURM_RELEASE(23, 2, 5), true,
					"--ntasks-per-node does not limit the CPUs that a job gets on a node; "
					"in other versions the job gets the CPUs of that many tasks at most",
					"src/plugins/select/cons_common/cons_common.c:_allocate_sc" },
	[FS_SLURM_ADMIN_SET_CLEARED] = { "admin-set-cleared", V(23, 2), 0, true,
					 "sprio prints 0 for all terms of a job whose priority an administrator set. "
					 "In earlier versions, NICE and SITE of such a job are \\-2147483648, and "
					 "sprio still prints the partition's term if the job is in several "
					 "partitions",
					 "priority_multifactor.c:_create_prio_factors_obj" },
	[FS_SLURM_SPRIO_NAMES] = { "sprio-names", V(23, 2), 0, true,
				   "sprio can print the account (%o) and the name of the QOS (%n), and -l includes "
				   "both",
				   "src/sprio/opts.c, src/sprio/sprio.c" },
	[FS_SLURM_SPRIO_FILTERS] = { "sprio-filters", V(23, 2), 0, true,
				     "sprio itself applies -j, -p and -u, and prints the heading even if no job "
				     "matches. In earlier versions the controller applies these options, and sprio "
				     "reports that it found no jobs",
				     "src/sprio/sprio.c:main" },
	[FS_SLURM_NODES_SET_MOST] = { "nodes-set-most", V(23, 2), 0, true,
				      "scontrol update NumNodes=2 sets the minimum and the maximum number of nodes of "
				      "a job; earlier versions keep the maximum and refuse a number above it",
				      "src/scontrol/update_job.c:scontrol_update_job" },
	[FS_SLURM_TASKS_SET_CPUS] = { "tasks-set-cpus", V(23, 2), 0, true,
				      "scontrol update NumTasks=4 also changes the job's CPUs and its requests per "
				      "task; earlier versions leave both unchanged",
				      "src/slurmctld/job_mgr.c:_update_job, _figure_out_num_tasks" },
	[FS_SLURM_TREE_COUNTS_CPUS] = { "tree-counts-cpus", V(23, 2), 0, true,
					"with topology/tree, a switch can hold a job only if its nodes also have "
					"enough CPUs, and nodes are selected up to the number that the job wants. In "
					"earlier versions only the number of nodes counts, and the job's minimum "
					"number is enough",
					"src/plugins/select/cons_tres/job_test.c:_eval_nodes_topo" },
	[FS_SLURM_SLEEPERS_WEIGH] = { "sleepers-weigh", V(23, 2), 0, true,
				      "powered-down nodes are selected after all others, in order of weight; "
				      "in earlier versions all powered-down nodes have the same weight",
				      "src/slurmctld/node_scheduler.c:_build_node_list" },
	[FS_SLURM_PROMISES_AGAIN] = { "promises-again", V(23, 2), FS_SLURM_RELEASE(23, 11, 6), true,
				      "a restarted controller adds the time limits of running jobs to the run "
				      "minutes again. It does not subtract the run time up to its last calculation "
				      "before the restart",
				      "src/slurmctld/controller.c:main, priority_multifactor.c:_init_grp_used_tres_run_secs" },
	[FS_SLURM_THROTTLES_PLANNED] = { "throttles-planned", FS_SLURM_RELEASE(23, 2, 4), 0, true,
					 "backfill reserves nodes for no more tasks of an array than may run at the "
					 "same time; in earlier versions the array's limit applies only when tasks "
					 "start",
					 "src/plugins/sched/backfill/backfill.c:_attempt_backfill" },
	[FS_SLURM_GRES_REPLACED] = { "gres-replaced", FS_SLURM_RELEASE(23, 2, 6), 0, true,
				     "an update of generic resources replaces the job's request; earlier versions "
				     "merge the update with the request, and refuse a resource that has a type only "
				     "in the update or only in the request",
				     "src/slurmctld/job_mgr.c:_update_job, src/common/gres.c:_merge_generic_data" },
	[FS_SLURM_MULTIFACTOR_DEFAULT] = { "multifactor-default", V(23, 11), 0, true,
					   "the default of PriorityType is priority/multifactor; in earlier versions "
					   "it is priority/basic",
					   "src/common/read_config.c" },
	[FS_SLURM_LINEAGE] = { "lineage", V(23, 11), 0, true,
			       "the controller sorts associations by lineage; earlier versions load them in the order "
			       "of the database (lft) and sort them by name only when associations change",
			       "src/common/slurmdb_defs.c, src/common/assoc_mgr.c" },
	[FS_SLURM_SSHARE_JSON] = { "sshare-json", V(23, 11), 0, true, "sshare has the options --json and --yaml",
				   "src/sshare/sshare.c" },
	[FS_SLURM_TRES_SLASH] = { "tres-slash", V(23, 11), 0, true,
				  "TresPerJob is written as gres/gpu:2; earlier versions write gres:gpu:2",
				  "src/common/slurm_protocol_defs.c:slurm_get_next_tres" },
	[FS_SLURM_COUNTS_LICENSES] = { "counts-licenses", V(23, 11), 0, true,
				       "with bf_licenses, the search for a start also checks that running jobs leave "
				       "enough licenses free; in earlier versions only backfill's node_space checks "
				       "licenses",
				       "src/plugins/select/cons_tres/job_test.c:_job_test" },
	[FS_SLURM_WEIGHS_ANEW] = { "weighs-anew", V(23, 11), 0, true,
				   "backfill computes node weights again for each job; in earlier versions a job "
				   "without GPUs uses the weights of the last job with GPUs",
				   "src/plugins/select/cons_tres/job_test.c:_set_sched_weight" },
	[FS_SLURM_EXCLUSIVE_TOLD] = { "exclusive-told", FS_SLURM_RELEASE(23, 11, 6), 0, true,
				      "a pending job that asks for whole nodes shows OverSubscribe=NO even in a "
				      "partition with OverSubscribe=FORCE. In earlier versions the job shows YES "
				      "after the scheduler first tried the job in that partition, and only JOBSIZE "
				      "in sprio shows the request",
				      "src/slurmctld/node_scheduler.c:_resolve_shared_status" },
	[FS_SLURM_SHARING_FORGOTTEN] = { "sharing-forgotten", FS_SLURM_RELEASE(23, 11, 7), 0, true,
					 "for a later start, backfill lets every job use nodes whose running jobs "
					 "share CPUs. Earlier versions do not plan jobs on these nodes if the jobs "
					 "do not share CPUs or are in exclusive partitions",
					 "src/plugins/select/cons_tres/node_data.c:node_data_dup_use, job_test.c:_is_node_busy" },
	[FS_SLURM_PARSER_41] = { "parser-41", V(24, 5), 0, true,
				 "JSON is written by data_parser/v0.0.41 (23.11: v0.0.40)", "src/plugins/data_parser" },
	[FS_SLURM_SPRIO_TASK_IDS] = { "sprio-task-ids", V(24, 5), 0, true,
				      "sprio -j accepts an array task such as 13_1 and prints its array; earlier "
				      "versions report an invalid job id",
				      "src/sprio/opts.c:_build_job_list" },
	[FS_SLURM_SPRIO_ID_LISTS_FAIL] = { "sprio-id-lists-fail", V(24, 5), FS_SLURM_RELEASE(25, 11, 3), false,
					   "sprio -j 13,18 fails with an invalid job id; fs-tools accepts the list in "
					   "every version",
					   "src/sprio/opts.c:_build_job_list" },
	[FS_SLURM_SPRIO_HELPFORMAT] = { "sprio-helpformat", V(24, 5), 0, true, "sprio has the option --helpformat",
					"src/sprio/opts.c" },
	[FS_SLURM_CLUSTERS_LATER] = { "clusters-later", V(24, 5), 0, true,
				      "if no cluster of -M is known, sshare and sprio end with a second message, "
				      "\"Could not get cluster information\"; for SLURM_CLUSTERS, the first "
				      "message names the option",
				      "src/sshare/sshare.c:main, src/sprio/opts.c:parse_command_line" },
	[FS_SLURM_NODE_SIZES] = { "node-sizes", V(24, 5), 0, true,
				  "NumNodes of a pending job is its request as written: 2 means exactly two nodes; 1 "
				  "means one node or as many as the job needs. Earlier versions show a range from "
				  "minimum to maximum, and a plain number means no maximum",
				  "src/scontrol/info_job.c" },
	[FS_SLURM_RUN_MINUTES_OF_USERS] = { "run-minutes-of-users", V(24, 5), 0, true,
					    "the QOS limits MaxTRESRunMinsPU and MaxTRESRunMinsPA are enforced; in "
					    "earlier versions they can be set but have no effect",
					    "src/slurmctld/acct_policy.c:_qos_job_runnable_post_select" },
	[FS_SLURM_USERS_NODES_CUT] = { "users-nodes-cut", V(24, 5), 0, true,
				       "with MaxCPUsPerNode, a job with --exclusive=user gets at most MaxCPUsPerNode "
				       "CPUs of a larger node; in earlier versions the job cannot use a larger node "
				       "at all",
				       "src/plugins/select/cons_tres/job_test.c:_allocate_sc" },
	[FS_SLURM_COORDINATORS_LOWER] = { "coordinators-lower", V(24, 5), 0, true,
					  "a coordinator cannot raise a limit of an association above its present value",
					  "src/common/assoc_mgr.c:assoc_mgr_check_assoc_lim_incr" },
	[FS_SLURM_TREE_COUNTS_LEFT] = { "tree-counts-left", FS_SLURM_RELEASE(24, 5, 3), 0, true,
					"with topology/tree, nodes taken from a leaf switch are subtracted from the "
					"counts of the switches above the leaf. A leaf nearer to the selected leaves "
					"is preferred only if it alone has enough nodes. Earlier versions apply "
					"neither rule",
					"src/plugins/topology/tree/eval_nodes_tree.c:_decrement_node_cnt" },
	[FS_SLURM_ACCRUE_SMALLEST] = { "accrue-smallest", FS_SLURM_RELEASE(24, 5, 4), 0, true,
				       "if a QOS or an association has several limits on jobs that accrue age, the "
				       "smallest one applies. In earlier versions the first one that is set applies: "
				       "in a QOS GrpJobsAccrue, MaxJobsAccruePA, MaxJobsAccruePU; in an association "
				       "GrpJobsAccrue, MaxJobsAccrue",
				       "src/slurmctld/acct_policy.c:_get_accrue_create_cnt" },
	[FS_SLURM_PARSER_42] = { "parser-42", V(24, 11), 0, true, "JSON is written by data_parser/v0.0.42",
				 "src/plugins/data_parser" },
	[FS_SLURM_JSON_OBJECTS] = { "json-objects", V(24, 11), 0, true,
				    "effective_usage, factor and level in sshare's JSON are objects with the keys "
				    "set, infinite and number; in earlier versions they are plain numbers",
				    "src/plugins/data_parser/v0.0.42/parsers.c" },
	[FS_SLURM_BACKFILL_LOOKS_AHEAD] = { "backfill-looks-ahead", V(24, 11), 0, true,
					    "backfill rounds the end of a planned job up, and continues to the slot "
					    "after that end; earlier versions round the end down and do not continue",
					    "src/plugins/sched/backfill/backfill.c:_set_slot_time, _attempt_backfill" },
	[FS_SLURM_MAGNETIC_SLOT] = { "magnetic-slot", V(24, 11), 0, true,
				     "with bf_allow_magnetic_slot, backfill reserves nodes for planned starts in "
				     "magnetic reservations; earlier versions do not have this parameter",
				     "src/plugins/sched/backfill/backfill.c:_load_config" },
	[FS_SLURM_SEVERAL_QOS] = { "several-qos", V(24, 11), 0, true,
				   "a job may request several QOS",
				   "src/slurmctld/job_mgr.c:_job_create" },
	[FS_SLURM_LICENSES_ANYWHERE] = { "licenses-anywhere", FS_SLURM_RELEASE(24, 11, 2), 0, true,
					 "running jobs on any nodes release licenses for a planned start; in "
					 "earlier versions only jobs on the candidate nodes release licenses",
					 "src/plugins/select/cons_tres/job_test.c:_future_run_test" },
	[FS_SLURM_NEW_NODES_LATER] = { "new-nodes-later", FS_SLURM_RELEASE(24, 11, 4), 0, true,
				       "for a later start of a job without required nodes, a limit on nodes counts "
				       "only nodes that no other job under the limit uses; earlier versions count "
				       "all nodes of the job",
				       "src/slurmctld/acct_policy.c:_get_unique_job_node_cnt" },
	[FS_SLURM_PARSER_43] = { "parser-43", V(25, 5), 0, true, "JSON is written by data_parser/v0.0.43",
				 "src/plugins/data_parser" },
	[FS_SLURM_JSON_VARIABLE] = { "json-variable", V(25, 5), 0, true,
				     "with SLURM_JSON=compact, sshare --json prints one line without blanks",
				     "src/interfaces/serializer.c:serializer_g_init" },
	[FS_SLURM_RESERVES_LICENSES_ALONE] = { "reserves-licenses-alone", V(25, 5), 0, true,
					       "with bf_running_job_reserve, backfill reserves only the licenses of "
					       "running jobs; earlier versions also reserve the nodes of jobs that "
					       "have whole nodes",
					       "src/plugins/sched/backfill/backfill.c:_bf_reserve_running" },
	[FS_SLURM_KEPT_LICENSES_COMPARED] = { "kept-licenses-compared", V(25, 5), 0, true,
					      "with bf_licenses, adjacent slots of backfill's node_space are merged "
					      "if the licenses of reservations are equal; earlier versions do not "
					      "merge slots with reserved licenses",
					      "src/slurmctld/licenses.c:slurm_bf_licenses_equal" },
	[FS_SLURM_ENDED_BY_START] = { "ended-by-start", V(25, 5), 0, true,
				      "when backfill tries a later start, it ignores running jobs that end at or "
				      "before this start; earlier versions ignore only jobs that end before it",
				      "src/plugins/select/cons_tres/job_test.c:_build_cr_job_list" },
	[FS_SLURM_WAKING_LAST] = { "waking-last", V(25, 5), 0, true,
				   "nodes that are being powered up are also selected after all others; in "
				   "earlier versions only powered-down nodes are selected last",
				   "src/plugins/select/cons_tres/job_test.c:_set_sched_weight" },
	[FS_SLURM_LAST_ON_NODES] = { "last-on-nodes", FS_SLURM_RELEASE(25, 5, 1), 0, true,
				     "a planned job starts when the last running job that it waits for on its "
				     "selected nodes ends; in earlier versions, running jobs on all candidate nodes "
				     "count",
				     "src/plugins/select/cons_tres/job_test.c:_get_last_relevant_job" },
	[FS_SLURM_PARSER_44] = { "parser-44", V(25, 11), 0, true, "JSON is written by data_parser/v0.0.44",
				 "src/plugins/data_parser" },
	[FS_SLURM_DAEMON_FACTOR] = { "daemon-factor", V(25, 11), 0, true,
				     "with NO_FAIR_TREE, sshare prints the controller's factor, for users "
				     "only; in earlier versions sshare computes the factor of every row from "
				     "the numbers of the row",
				     "src/sshare/process.c" },
	[FS_SLURM_REQUEUE_DELAY] = { "requeue-delay", V(25, 11), 0, true,
				     "requeue_delay in SchedulerParameters sets how long a requeued job waits",
				     "src/slurmctld/job_mgr.c:_requeue_delay" },
	[FS_SLURM_LEAVES_OUT_SINGLY] = { "leaves-out-singly", V(25, 11), 0, true,
					 "if the selection from all candidate nodes fails, the smallest nodes (by "
					 "CPUs times GPUs) are left out one by one. In earlier versions all nodes of "
					 "the smallest size (by CPUs plus GPUs) are left out at once",
					 "src/plugins/topology/common/common_topo.c:common_topo_choose_nodes" },
	[FS_SLURM_TASKS_BOUND_GRES] = { "tasks-bound-gres", V(25, 11), 0, true,
					"a node gives a job with generic resources at most the CPUs that the "
					"job's tasks need; earlier versions do so only if the number of "
					"tasks on each node is known",
					"src/plugins/topology/common/eval_nodes.c:eval_nodes_select_cores" },
	[FS_SLURM_PARSER_45] = { "parser-45", V(26, 5), 0, true, "JSON is written by data_parser/v0.0.45",
				 "src/plugins/data_parser" },
	[FS_SLURM_FIRST_OF_ONE] = { "first-of-one", V(26, 5), 0, true,
				    "a job of at most one node gets the first node by weight that can hold the job; "
				    "in earlier versions it gets the best fit in the smallest run of consecutive nodes",
				    "src/plugins/select/cons_tres/job_test.c:_get_one_res" },
	[FS_SLURM_TASKS_SET_MOST] = { "tasks-set-most", V(26, 5), 0, true,
				      "a job that asks for tasks but not for nodes can have as many nodes as "
				      "tasks, and NumNodes shows the range, such as 1-8; in earlier versions "
				      "such a job has no maximum",
				      "src/slurmctld/job_mgr.c:_copy_job_desc_to_job_record" },
	[FS_SLURM_SLUID] = { "sluid", V(26, 5), 0, true, "jobs have a unique id, which sprio -o %s prints",
			     "src/sprio/opts.c" },
	[FS_SLURM_EXCLUSIVE_FIELD] = { "exclusive-field", V(26, 5), 0, true,
				       "scontrol shows Exclusive=NODE for jobs and partitions that take whole nodes; "
				       "earlier versions show OverSubscribe=NO for such a job and "
				       "OverSubscribe=EXCLUSIVE for such a partition",
				       "src/scontrol/info_job.c, src/scontrol/info_part.c" },
	[FS_SLURM_JSON_LAST_WORD] = { "json-last-word", FS_SLURM_RELEASE(26, 5, 2), 0, true,
				      "the command line in the metadata of JSON is complete; in earlier versions its "
				      "last word is missing",
				      "src/interfaces/data_parser.c:data_parser_cli_meta" },
	[FS_SLURM_PARSER_46] = { "parser-46", V(26, 11), 0, true, "JSON is written by data_parser/v0.0.46",
				 "src/plugins/data_parser" },
};
_Static_assert(sizeof(version_differences) / sizeof(*version_differences) == FS_SLURM_FEATURES,
	       "each feature has its row");

const struct fs_slurm_difference *fs_slurm_difference(enum fs_slurm_feature feature)
{
	return &version_differences[feature];
}

bool fs_slurm_has(unsigned version, enum fs_slurm_feature feature)
{
	const struct fs_slurm_difference *d = &version_differences[feature];

	return version ? version >= d->since && (!d->until || version < d->until) : !d->until;
}

int fs_slurm_unknown(unsigned version)
{
	if (!version)
		return 0;
	return version < FS_SLURM_OLDEST ? -1 : version / 100 > FS_SLURM_NEWEST / 100;
}

unsigned fs_slurm_release(const char *s)
{
	unsigned major, minor, micro = LAST_MICRO;

	if (sscanf(s, " %3u.%2u.%2u", &major, &minor, &micro) < 2)
		return 0;
	return FS_SLURM_RELEASE(major, minor, micro);
}

#define SLURM_SETTING_ROW(name, kind) { #name, FSI_SETTING_##kind },
const struct fsi_slurm_setting fsi_slurm_settings[] = {
	FSI_COMPUTED_SETTINGS(SLURM_SETTING_ROW) FSI_SHOWN_SETTINGS(SLURM_SETTING_ROW)
};

enum { SECONDS_PER_DAY = 86400, DEFAULT_MAX_AGE = 7 * SECONDS_PER_DAY };

static int read_u32_parameter(const fs_snapshot *m, const char *name, uint32_t *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	*out = 0;
	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT || e->i < 0 || e->i > UINT32_MAX)
		return fsi_config_reject_value(m, e, "an integer from 0 to 4294967295", err);
	*out = (uint32_t)e->i;
	return 0;
}

/* Returns the index of a TRES name in the cluster's list; m->tres.n: not in the list. */
static size_t find_tres_position(const fs_snapshot *m, const char *s, size_t len)
{
	size_t i = 0;

	while (i < m->tres.n && !fsi_is_same_ignoring_case(s, len, fsi_name_text(m, m->tres.v[i].name)))
		i++;
	return i;
}

/* Returns the number by which a weight with this suffix letter is divided; 0: the letter is not a suffix. */
static double weight_suffix_divisor(char letter, bool in_mb)
{
	static const char letters[] = "kmgtp";
	const char *p = letter ? strchr(letters, fsi_char_to_lower(letter)) : NULL;
	int power;

	if (!p)
		return 0;
	power = (int)(p - letters) + 1 - (in_mb ? 2 : 0);
	return power > 0 ? pow(1024, power) : 1;
}

/* Parses a number with an optional suffix letter. Text after the letter is ignored (`1GB`). */
static int parse_tres_weight(const char *s, size_t len, bool in_mb, double *out)
{
	size_t digits = 0;
	double divisor = 1;

	while (digits < len && strchr("0123456789.eE+-", s[digits]))
		digits++;
	if (digits < len)
		divisor = weight_suffix_divisor(s[digits], in_mb);
	if (divisor == 0 || fsi_parse_double(s, digits, out) || *out < 0)
		return -1;
	*out /= divisor;
	return 0;
}

/* Returns the index of the weight of the TRES among the n weights; n: the TRES has no weight. */
static size_t find_tres_weight(const struct fsi_tres_weight *w, size_t n, uint32_t tres)
{
	size_t i = 0;

	while (i < n && w[i].tres != tres)
		i++;
	return i;
}

static void sort_last_weight(const fs_snapshot *m, struct fsi_tres_weight *w, size_t n)
{
	for (; n; n--) {
		const char *a = fsi_name_text(m, w[n - 1].tres), *b = fsi_name_text(m, w[n].tres);

		if (find_tres_position(m, a, strlen(a)) <= find_tres_position(m, b, strlen(b)))
			break;
		const struct fsi_tres_weight swap = w[n];
		w[n] = w[n - 1];
		w[n - 1] = swap;
	}
}

bool fsi_slurm_qos_sets_time_limit(uint32_t version)
{
	return (version >= FS_SLURM_RELEASE(25, 5, 6) && version <= FS_SLURM_RELEASE(25, 5, 8)) ||
	       (version >= FS_SLURM_RELEASE(25, 11, 1) && version <= FS_SLURM_RELEASE(25, 11, 4));
}

int fsi_parse_tres_weights(const fs_snapshot *m, const char *text, struct fsi_tres_weight *out)
{
	size_t n = 0;

	for (text += strspn(text, ","); *text; text += strspn(text, ",")) {
		const size_t len = strcspn(text, ","), name = strcspn(text, "=");
		struct fsi_tres_weight w;
		size_t at, k;
		bool in_mb;

		if (name + 1 >= len || n == FSI_TRES_WEIGHTS_MAX)
			return -1;
		at = find_tres_position(m, text, name);
		if (at == m->tres.n)
			return -1;
		in_mb = fsi_is_same_ignoring_case(text, name, "mem") ||
			(name > 3 && fsi_is_same_ignoring_case(text, 3, "bb/"));
		w.tres = m->tres.v[at].name;
		if (parse_tres_weight(text + name + 1, len - name - 1, in_mb, &w.weight))
			return -1;
		k = find_tres_weight(out, n, w.tres);
		out[k] = w;
		if (k == n)
			sort_last_weight(m, out, n++);
		text += len;
	}
	return (int)n;
}

static void read_priority_flags(const fs_snapshot *m, struct fsi_slurm_conf *c)
{
	const uint32_t set = fsi_config_get_list(m, "PriorityFlags");
	const bool all = fsi_list_has_word(m, set, "NO_NORMAL_ALL");

	c->no_normal_assoc = all || fsi_list_has_word(m, set, "NO_NORMAL_ASSOC");
	c->no_normal_part = all || fsi_list_has_word(m, set, "NO_NORMAL_PART");
	c->no_normal_qos = all || fsi_list_has_word(m, set, "NO_NORMAL_QOS");
	c->no_normal_tres = all || fsi_list_has_word(m, set, "NO_NORMAL_TRES");
	c->small_relative_to_time = fsi_list_has_word(m, set, "SMALL_RELATIVE_TO_TIME");
	c->accrue_always = fsi_list_has_word(m, set, "ACCRUE_ALWAYS");
	c->calculate_running = fsi_list_has_word(m, set, "CALCULATE_RUNNING");
}

static int read_weight_tres(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityWeightTRES");
	int n;

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_STR)
		return fsi_config_reject_value(m, e, "a string", err);
	n = fsi_parse_tres_weights(m, fsi_name_text(m, (uint32_t)e->i), c->weight_tres);
	if (n < 0 && fsi_is_type_hidden(m, "tres"))
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: the snapshot does not list all TRES that PriorityWeightTRES names", m->file);
	if (n < 0)
		return fsi_config_reject_value(m, e, "a list of tres=weight, with TRES of the cluster and weights from 0", err);
	c->ntres = (size_t)n;
	return 0;
}

bool fsi_slurm_is_multifactor(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PriorityType");

	if (type)
		return !strcmp(type, "priority/multifactor");
	return fs_slurm_has(m->info.version, FS_SLURM_MULTIFACTOR_DEFAULT);
}

/* Returns true if a site_factor plugin is configured. The controller loads site_factor/none by default
 * (src/common/read_config.c). */
static bool has_site_plugin(const fs_snapshot *m)
{
	const char *plugin = fs_snapshot_config_text(m, "PrioritySiteFactorPlugin");

	return plugin && *plugin && strcmp(plugin, "site_factor/none") != 0;
}

/* Returns a parameter that priorities depend on, if the configuration is from pasted text and lacks it; otherwise NULL.
 * Such a parameter is unknown: its default may be wrong. PriorityWeightAssoc and PriorityWeightTRES are not among them,
 * because older versions do not print them. */
static const char *find_missing_parameter(const fs_snapshot *m)
{
	static const char *const names[] = { "PriorityWeightAge",	"PriorityWeightFairShare", "PriorityWeightJobSize",
					     "PriorityWeightPartition", "PriorityWeightQOS",	   "PriorityMaxAge" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && fsi_is_type_hidden(m, FSI_HIDDEN_JOB_FIELDS); i++)
		if (!fsi_config_find(m, names[i]))
			return names[i];
	return NULL;
}

int fsi_slurm_conf_load(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *age = fsi_config_find(m, "PriorityMaxAge");
	const struct fsi_config_entry *small = fsi_config_find(m, "PriorityFavorSmall");
	int rc = 0;

	memset(c, 0, sizeof(*c));
	if (!m->config.n)
		return fsi_fail_with_code(err, FS_ENODATA,
					  "%s: the snapshot does not hold the scheduler's configuration", m->file);
	if (find_missing_parameter(m))
		return fsi_fail_with_code(err, FS_ENODATA, "%s: the pasted configuration lacks %s", m->file,
					  find_missing_parameter(m));
	c->multifactor = fsi_slurm_is_multifactor(m);
	c->site_plugin = has_site_plugin(m);
	c->max_age_s = DEFAULT_MAX_AGE;
	if (age && (age->kind != FSI_CONFIG_INT || age->i < 0))
		return fsi_config_reject_value(m, age, "seconds, not negative", err);
	if (age)
		c->max_age_s = age->i;
	if (small && small->kind != FSI_CONFIG_BOOL)
		return fsi_config_reject_value(m, small, "true or false", err);
	c->favor_small = small && small->i;
	read_priority_flags(m, c);
	const struct {
		const char *name;
		uint32_t *to;
	} weights[] = {
		{ "PriorityWeightAge", &c->weight_age },
		{ "PriorityWeightAssoc", &c->weight_assoc },
		{ "PriorityWeightFairShare", &c->weight_fairshare },
		{ "PriorityWeightJobSize", &c->weight_jobsize },
		{ "PriorityWeightPartition", &c->weight_partition },
		{ "PriorityWeightQOS", &c->weight_qos },
	};
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights) && !rc; i++)
		rc = read_u32_parameter(m, weights[i].name, weights[i].to, err);
	return rc ? rc : read_weight_tres(m, c, err);
}

bool fsi_slurm_is_classic(const fs_snapshot *m)
{
	return fsi_config_list_has(m, "PriorityFlags", "NO_FAIR_TREE") ||
	       fsi_config_list_has(m, "PriorityFlags", "DEPTH_OBLIVIOUS");
}

bool fsi_slurm_freezes_ended_jobs(const fs_snapshot *m)
{
	return fsi_config_list_has(m, "PriorityFlags", "CALCULATE_RUNNING") && fsi_slurm_is_classic(m);
}

const char *fsi_slurm_find_sched_parameter(const fs_snapshot *m, const char *word)
{
	const char *s = fs_snapshot_config_text(m, "SchedulerParameters");

	for (; s && *s; s++) {
		size_t n = 0;

		while (word[n] && (s[n] == word[n] || (s[n] | 0x20) == word[n]))
			n++;
		if (!word[n])
			return s;
	}
	return NULL;
}
