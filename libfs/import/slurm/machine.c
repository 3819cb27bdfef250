#include "base/hostlist.h"
#include "base/num.h"
#include "base/text.h"
#include "import/consistency.h"
#include "import/import.h"
#include "import/slurm/slurm.h"
#include "model/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads switches, partitions, nodes and reservations (scontrol show). */

/* ---- switches (scontrol show topology, one per line)
 *
 * Each node record gets the names of the switches above the node, from the leaf switch upwards. */

/* A switch above a node. */
struct node_switch {
	uint32_t node;  /* node row */
	uint32_t level; /* level of the switch; 0: leaf */
	uint32_t name;  /* name id of the switch */
};

/* State of the reader of scontrol_topology.txt. */
struct topology_reader {
	struct fsi_import *imp;
	uint32_t *node_row;  /* indexed by name id: 1 + node row; 0: no node has this name */
	uint32_t name_count; /* largest index of node_row */
	FSI_VEC(struct node_switch) node_switches;
	struct node_switch current; /* the switch of the current line */
	bool out_of_memory;
};

static int append_node_switch(void *ctx, const char *name, size_t len)
{
	struct topology_reader *r = ctx;
	const uint32_t id = fsi_intern_find_id(&r->imp->m->names, name, len),
		       row = id && id <= r->name_count ? r->node_row[id] : 0;

	if (!row)
		return 0;
	if (FSI_VEC_RESERVE(&r->node_switches)) {
		r->out_of_memory = true;
		return 1;
	}
	r->current.node = row - 1;
	r->node_switches.v[r->node_switches.n++] = r->current;
	return 0;
}

/* Parses the level of a switch. A level is assumed to have one digit, because no cluster has a switch of level 10 or
 * higher. Returns 10 for any other text. */
static uint32_t parse_switch_level(struct fsi_span v)
{
	return v.len == 1 && v.s[0] >= '0' && v.s[0] <= '9' ? (uint32_t)(v.s[0] - '0') : 10;
}

static int read_switch_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct topology_reader *r = ctx;
	struct fsi_kv kv;
	struct fsi_span name, nodes;
	char *list;
	int rc;

	fsi_kv_split_line(&kv, line);
	name = fsi_kv_get_value(&kv, "SwitchName");
	nodes = fsi_kv_get_value(&kv, "Nodes");
	if (!name.len || !nodes.len)
		return 0;
	r->current.level = parse_switch_level(fsi_kv_get_value(&kv, "Level"));
	r->current.name = fsi_import_intern_name(imp, name);
	list = strndup(nodes.s, nodes.len);
	if (!list || r->current.name == FSI_INTERN_FAILED) {
		free(list);
		return fsi_fail_no_memory(imp->err);
	}
	rc = fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, append_node_switch, r);
	free(list);
	return r->out_of_memory ? fsi_fail_no_memory(imp->err)
	       : rc             ? fsi_import_reject_value(imp, "Nodes", nodes, "a node list")
				: 0;
}

/* Orders switches by node, then from the leaf switch upwards. */
static int compare_node_switches(const void *x, const void *y)
{
	const struct node_switch *a = x, *b = y;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static int set_node_switches(struct topology_reader *r)
{
	struct fsi_import *imp = r->imp;
	uint32_t path[16], n = 0;

	if (r->node_switches.n)
		qsort(r->node_switches.v, r->node_switches.n, sizeof(*r->node_switches.v), compare_node_switches);
	for (size_t k = 0; k < r->node_switches.n; k++) {
		const struct node_switch *a = &r->node_switches.v[k];
		struct fsi_node *node = &imp->m->node.v[a->node];

		if (n < sizeof(path) / sizeof(*path))
			path[n++] = a->name;
		if (k + 1 < r->node_switches.n && a[1].node == a->node)
			continue;
		node->switches = fsi_intern_add(&imp->m->sets, path, n * sizeof(*path));
		if (node->switches == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(imp->err);
		FSI_SET(node, NODE, switches);
		n = 0;
	}
	return 0;
}

/* Sets the field `switches` of the nodes that have been read. */
static int read_switch_topology(struct fsi_import *imp)
{
	struct topology_reader r = { .imp = imp,
				     .node_row = calloc((size_t)imp->m->names.count + 1, sizeof(*r.node_row)) };
	int rc = r.node_row ? 0 : fsi_fail_no_memory(imp->err);

	for (uint32_t i = 0; !rc && i < imp->m->node.n; i++)
		r.node_row[imp->m->node.v[i].name] = i + 1;
	r.name_count = imp->m->names.count;
	if (!rc)
		rc = fsi_import_read_lines(imp, "scontrol_topology.txt", read_switch_line, &r);
	rc = rc > 0 ? 0 : rc;
	if (!rc)
		rc = set_node_switches(&r);
	FSI_VEC_FREE(&r.node_switches);
	free(r.node_row);
	return rc;
}

/* ---- partitions, nodes and reservations */

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const struct fsi_field_map partition_keys[] = {
	{ "PartitionName", FSI_PARTITION_name },
	{ "State", FSI_PARTITION_state },
	{ "PriorityJobFactor", FSI_PARTITION_job_factor },
	{ "PriorityTier", FSI_PARTITION_tier },
	{ "QoS", FSI_PARTITION_qos },
	{ "Nodes", FSI_PARTITION_nodes },
	{ "TotalCPUs", FSI_PARTITION_total_cpus },
	{ "TotalNodes", FSI_PARTITION_total_nodes },
	{ "TRES", FSI_PARTITION_tres },
	{ "TRESBillingWeights", FSI_PARTITION_billing_weights },
	{ "DefaultTime", FSI_PARTITION_default_time_s },
	{ "MaxTime", FSI_PARTITION_max_time_s },
	{ "MinNodes", FSI_PARTITION_min_nodes },
	{ "Default", FSI_PARTITION_is_default },
	{ "Hidden", FSI_PARTITION_is_hidden },
	{ "RootOnly", FSI_PARTITION_root_only },
	{ "OverSubscribe", FSI_PARTITION_oversubscribe },
	{ "ExclusiveUser", FSI_PARTITION_exclusive_user },
	{ "LLN", FSI_PARTITION_least_loaded },
	{ "PreemptMode", FSI_PARTITION_preempt_mode },
	{ "DenyAccounts", FSI_PARTITION_deny_accounts },
	{ "DenyQos", FSI_PARTITION_deny_qos },
};

/* Keys of limits. If there is no limit, scontrol prints UNLIMITED or ALL, and the field is not set. */
static const struct fsi_field_map partition_limits[] = {
	{ "MaxNodes", FSI_PARTITION_max_nodes },
	{ "MaxCPUsPerNode", FSI_PARTITION_max_cpus_per_node },
	{ "AllowAccounts", FSI_PARTITION_allow_accounts },
	{ "AllowGroups", FSI_PARTITION_allow_groups },
	{ "AllowQos", FSI_PARTITION_allow_qos },
};

/* Reads JobDefaults: `DefCpuPerGPU=4,DefMemPerGPU=12000`. */
static int set_job_defaults(struct fsi_import *imp, struct fsi_partition *p, struct fsi_span list)
{
	struct fsi_job_defaults d;

	if (!list.len || fsi_span_is_word(list, "(null)"))
		return 0;
	if (fsi_slurm_parse_job_defaults(list.s, list.len, &d))
		return fsi_import_reject_value(imp, "JobDefaults", list, FSI_JOB_DEFAULTS);
	if ((p->cpus_per_gpu = d.cpus_per_gpu))
		FSI_SET(p, PARTITION, cpus_per_gpu);
	if ((p->mem_per_gpu_mb = d.mem_per_gpu_mb))
		FSI_SET(p, PARTITION, mem_per_gpu_mb);
	return 0;
}

static int read_partition_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_PARTITION);
	struct fsi_partition *p;
	struct fsi_kv kv;
	int rc;

	(void)ctx;
	fsi_kv_split_line(&kv, line);
	if (!fsi_kv_get_value(&kv, "PartitionName").len)
		return 0;
	p = FSI_VEC_ADD(&imp->m->partition);
	if (!p)
		return fsi_fail_no_memory(imp->err);
	rc = fsi_kv_set_fields(imp, &kv, partition_keys, COUNT(partition_keys), FSI_RECORD_PARTITION, &p->rec);
	for (size_t i = 0; i < COUNT(partition_limits) && !rc; i++) {
		const struct fsi_span v = fsi_kv_get_value(&kv, partition_limits[i].key);

		if (!fsi_span_is_word(v, "UNLIMITED") && !fsi_span_is_word(v, "ALL"))
			rc = fsi_import_set_field(imp, t, partition_limits[i].bit, &p->rec, v);
	}
	const struct fsi_span mem = fsi_kv_get_value(&kv, "MaxMemPerCPU");
	if (!rc && !fsi_span_is_word(mem, "UNLIMITED"))
		rc = FSI_IMPORT_SET_FIELD(imp, PARTITION, p, max_mem_per_cpu_mb, mem);
	if (!rc)
		rc = set_job_defaults(imp, p, fsi_kv_get_value(&kv, "JobDefaults"));
	if (!rc)
		rc = fsi_slurm_set_exclusive(imp, fsi_kv_get_value(&kv, "Exclusive"), FSI_RECORD_PARTITION,
					     FSI_PARTITION_oversubscribe, &p->rec);
	return rc ? rc : fsi_import_check_required(imp, FSI_RECORD_PARTITION, &p->rec);
}

static const struct fsi_field_map node_keys[] = {
	{ "NodeName", FSI_NODE_name },
	{ "State", FSI_NODE_state },
	{ "CPUTot", FSI_NODE_cpus },
	{ "CPUEfctv", FSI_NODE_effective_cpus },
	{ "CPUAlloc", FSI_NODE_alloc_cpus },
	{ "Sockets", FSI_NODE_sockets },
	{ "ThreadsPerCore", FSI_NODE_threads_per_core },
	{ "CoresPerSocket", FSI_NODE_cores_per_socket },
	{ "TmpDisk", FSI_NODE_tmp_disk_mb },
	{ "RealMemory", FSI_NODE_mem_mb },
	{ "AllocMem", FSI_NODE_alloc_mem_mb },
	{ "Weight", FSI_NODE_weight },
	{ "ActiveFeatures", FSI_NODE_features },
	{ "Gres", FSI_NODE_gres },
	{ "Partitions", FSI_NODE_partitions },
	{ "CfgTRES", FSI_NODE_tres },
	{ "AllocTRES", FSI_NODE_alloc_tres },
	{ "Reason", FSI_NODE_reason },
};

/* Sets threads_per_core to 1 if the node has as many CPUs as cores. ThreadsPerCore of such a node has no effect
 * (src/common/node_conf.c: adapt_layouts, tpc). */
static void correct_threads_per_core(struct fsi_node *n)
{
	if (FSI_HAS(n, NODE, sockets) && FSI_HAS(n, NODE, cores_per_socket) &&
	    (uint64_t)n->sockets * n->cores_per_socket == n->cpus)
		n->threads_per_core = 1;
}

static int read_node_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_node *n;
	struct fsi_kv kv;

	(void)ctx;
	fsi_kv_split_line(&kv, line);
	if (!fsi_kv_get_value(&kv, "NodeName").len)
		return 0;
	n = FSI_VEC_ADD(&imp->m->node);
	if (!n)
		return fsi_fail_no_memory(imp->err);
	const int rc = fsi_kv_set_fields(imp, &kv, node_keys, COUNT(node_keys), FSI_RECORD_NODE, &n->rec);
	if (!rc && FSI_HAS(n, NODE, threads_per_core))
		correct_threads_per_core(n);
	return rc ? rc : fsi_import_check_required(imp, FSI_RECORD_NODE, &n->rec);
}

static const struct fsi_field_map reservation_keys[] = {
	{ "ReservationName", FSI_RESERVATION_name },
	{ "StartTime", FSI_RESERVATION_start_time },
	{ "EndTime", FSI_RESERVATION_end_time },
	{ "State", FSI_RESERVATION_state },
	{ "Nodes", FSI_RESERVATION_nodes },
	{ "NodeCnt", FSI_RESERVATION_node_count },
	{ "CoreCnt", FSI_RESERVATION_core_count },
	{ "PartitionName", FSI_RESERVATION_partition },
	{ "Flags", FSI_RESERVATION_flags },
	{ "Features", FSI_RESERVATION_features },
	{ "Users", FSI_RESERVATION_users },
	{ "Groups", FSI_RESERVATION_groups },
	{ "Accounts", FSI_RESERVATION_accounts },
	{ "Licenses", FSI_RESERVATION_licenses },
	{ "TRES", FSI_RESERVATION_tres },
};

/* State of the reader of scontrol_reservation.txt. A record begins with the line of ReservationName and ends at an
 * empty line. If the reservation has only some cores of its nodes, the record has a line for each node, in the order of
 * the nodes (src/api/reservation_info.c: slurm_print_reservation_info_msg). */
struct reservation_reader {
	bool in_record; /* a record has begun and not ended */
	/* list of numbers, separated by commas: the number of reserved cores of each node that was read so far */
	struct fsi_buf cores;
	uint64_t first_outside_line; /* line number of the first line with a key outside of any record; 0: none */
	struct fsi_missing_keys missing_keys;
};

/* Keys that every reservation record has in Slurm 22.05 to 26.11. */
static const struct fsi_required_key required_reservation_keys[] = {
	FSI_ALWAYS_REQUIRED("StartTime"),     FSI_ALWAYS_REQUIRED("EndTime"), FSI_ALWAYS_REQUIRED("Nodes"),
	FSI_ALWAYS_REQUIRED("PartitionName"), FSI_ALWAYS_REQUIRED("Flags"),   FSI_ALWAYS_REQUIRED("Users"),
	FSI_ALWAYS_REQUIRED("Accounts"),      FSI_ALWAYS_REQUIRED("State"),
};

static int finish_reservation_record(struct fsi_import *imp, struct reservation_reader *x)
{
	const struct fsi_span cores = { x->cores.v, x->cores.n };

	if (x->in_record)
		fsi_missing_keys_end_record(&x->missing_keys, required_reservation_keys,
					    COUNT(required_reservation_keys));
	x->in_record = false;
	x->cores.n = 0;
	return cores.len ? FSI_IMPORT_SET_FIELD(imp, RESERVATION, &imp->m->reservation.v[imp->m->reservation.n - 1],
						cores, cores)
			 : 0;
}

/* Appends to x->cores the number of core ids in `ids`, such as 5 for the ids of "NodeName=n1 CoreIDs=0-3,8". */
static int append_core_count(struct fsi_import *imp, struct reservation_reader *x, struct fsi_span ids)
{
	char text[24];
	const int n = snprintf(text, sizeof(text), "%s%" PRIu64, x->cores.n ? "," : "", fsi_slurm_count_ids(ids));

	return fsi_buf_append_bytes(&x->cores, text, (size_t)n) ? fsi_fail_no_memory(imp->err) : 0;
}

static int read_reservation_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reservation_reader *x = ctx;
	struct fsi_span ids;
	struct fsi_kv kv;

	fsi_kv_split_line(&kv, line);
	if (fsi_kv_get_value(&kv, "ReservationName").len) {
		if (finish_reservation_record(imp, x))
			return -1;
		if (!FSI_VEC_ADD(&imp->m->reservation))
			return fsi_fail_no_memory(imp->err);
		x->in_record = true;
	}
	if (!fsi_span_trim_blanks(line).len && finish_reservation_record(imp, x))
		return -1;
	ids = fsi_kv_get_value(&kv, "CoreIDs");
	if (x->in_record && ids.len)
		return append_core_count(imp, x, ids);
	if (x->in_record) {
		fsi_missing_keys_add_line(&x->missing_keys, required_reservation_keys, COUNT(required_reservation_keys),
					  line);
		return fsi_kv_set_fields(imp, &kv, reservation_keys, COUNT(reservation_keys), FSI_RECORD_RESERVATION,
					 &imp->m->reservation.v[imp->m->reservation.n - 1].rec);
	}
	if (!x->first_outside_line && memchr(line.s, '=', line.len))
		x->first_outside_line = imp->where.line;
	return 0;
}

static int read_or_hide(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx, const char *type)
{
	const int rc = fsi_import_read_lines(imp, file, fn, ctx);

	return rc > 0 ? fsi_import_hide_type(imp, type) : rc;
}

int fsi_slurm_read_machine(struct fsi_import *imp)
{
	static const char reservations[] = "scontrol_reservation.txt";
	struct reservation_reader x = { .first_outside_line = 0 };
	int rc = read_or_hide(imp, "scontrol_partition_o.txt", read_partition_line, NULL, "partition");

	if (!rc)
		rc = read_or_hide(imp, "scontrol_node_o.txt", read_node_line, NULL, "node");
	if (!rc)
		rc = read_switch_topology(imp);
	if (!rc)
		rc = read_or_hide(imp, reservations, read_reservation_line, &x, "reservation");
	if (finish_reservation_record(imp, &x) && !rc)
		rc = -1;
	free(x.cores.v);
	if (!rc)
		rc = fsi_missing_keys_warn(imp, &x.missing_keys, required_reservation_keys,
					   COUNT(required_reservation_keys), reservations);
	if (!rc && x.first_outside_line)
		rc = fsi_import_warn_incomplete(imp, "reservation", "%s/%s:%llu: no ReservationName precedes this line",
						imp->source->name, reservations,
						(unsigned long long)x.first_outside_line);
	return rc;
}
