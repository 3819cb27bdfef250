/* Runs scontrol update NodeName= (src/slurmctld/node_mgr.c: update_node; permission: proc_req.c:
 * _slurm_rpc_update_node) and scontrol update PartitionName=. Jobs on a drained node continue to run. State=DOWN is
 * refused for a node with jobs: Slurm would kill the jobs, which is not simulated. */
#include "base/hostlist.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/slurm.h"
#include "scenario/slurm/slurm.h"
#include "usage/billing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- nodes */

enum { NODE_STATE_SIZE = 128 };

struct node_update {
	struct fsi_scenario *s;
	size_t at; /* index of the first word of the command after the node list */
	int rc;
};

/* Removes the `n` names in `flags` from a node state such as "IDLE+DRAIN", and the suffix characters that old versions
 * of Slurm append. If nothing is left, the state becomes IDLE. */
static void strip_state_flags(char *state, const char *const *flags, size_t n)
{
	char remaining[NODE_STATE_SIZE] = "";
	char *rest = state, *word;
	size_t len;

	state[strcspn(state, "*~#!%$@^-")] = '\0';
	while ((len = strcspn(rest, "+")) || *rest) {
		bool drop = false;

		word = rest;
		rest += len + (rest[len] == '+');
		for (size_t i = 0; i < n; i++)
			drop = drop || (strlen(flags[i]) == len && !strncmp(word, flags[i], len));
		if (!drop && strlen(remaining) + len + 2 < sizeof(remaining)) {
			if (*remaining)
				strcat(remaining, "+");
			strncat(remaining, word, len);
		}
	}
	strcpy(state, *remaining ? remaining : "IDLE");
}

static bool is_node_busy(const struct fsi_node *n)
{
	return FSI_HAS(n, NODE, alloc_cpus) && n->alloc_cpus > 0;
}

static int store_node_state(struct fsi_scenario *s, struct fsi_node *n, const char *state)
{
	const uint32_t name = fsi_name_intern(s->m, state);

	if (name == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	n->state = name;
	FSI_SET(n, NODE, state);
	return 0;
}

static int set_node_state(FSI_SETTER_ARGS)
{
	static const char *const down[] = { "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL" },
			       *const drain[] = { "DRAIN", "DRAINED", "DRAINING" };
	struct fsi_node *n = (struct fsi_node *)rec;
	const char *word = v.text ? v.text : "";
	char state[NODE_STATE_SIZE + sizeof("+DRAIN")];

	snprintf(state, NODE_STATE_SIZE, "%s", fsi_name_text(s->m, n->state));
	if (fsi_is_same_ignoring_case(word, strlen(word), "RESUME") ||
	    fsi_is_same_ignoring_case(word, strlen(word), "IDLE")) {
		strip_state_flags(state, down, sizeof(down) / sizeof(*down));
		return store_node_state(s, n, state);
	}
	if (fsi_is_same_ignoring_case(word, strlen(word), "UNDRAIN") ||
	    fsi_is_same_ignoring_case(word, strlen(word), "DRAIN")) {
		strip_state_flags(state, drain, sizeof(drain) / sizeof(*drain));
		if (fsi_is_same_ignoring_case(word, strlen(word), "DRAIN"))
			strcat(state, "+DRAIN");
		return store_node_state(s, n, state);
	}
	if (!fsi_is_same_ignoring_case(word, strlen(word), "DOWN"))
		return fsi_scenario_refuse(s, "%s: expected DRAIN, UNDRAIN, RESUME, IDLE or DOWN, got \"%.60s\"", w->keyword, word);
	if (is_node_busy(n))
		return fsi_scenario_refuse(
			s, "State=DOWN would kill the jobs on node %.60s: cancel them first with scancel",
			fsi_name_text(s->m, n->name));
	return store_node_state(s, n, "DOWN");
}

/* Sets the reason of a node; an empty reason changes nothing (node_mgr.c: update_node). */
static int set_node_reason(FSI_SETTER_ARGS)
{
	struct fsi_node *n = (struct fsi_node *)rec;
	const char *text = v.text ? v.text : "";
	const size_t quote = *text == '"', len = strlen(text + quote);
	const uint32_t name = fsi_intern_add(&s->m->names, text + quote, len - (len && text[quote + len - 1] == '"'));

	(void)w;
	if (name == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	if (!*fsi_name_text(s->m, name))
		return 0;
	n->reason = name;
	FSI_SET(n, NODE, reason);
	return 0;
}

#define N(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

/* The keywords of scontrol update NodeName, in the order in which scontrol compares them. */
static const struct fsi_edit_keyword node_keywords[] = {
	N("NodeAddr", NULL, fsi_scenario_note_no_effect, 5),
	N("NodeHostName", NULL, fsi_scenario_note_no_effect, 5),
	N("ActiveFeatures", "features", NULL, 3),
	N("CertToken", NULL, fsi_scenario_note_no_effect, 1),
	N("CpuBind", NULL, fsi_scenario_note_no_effect, 7),
	N("Extra", NULL, fsi_scenario_note_no_effect, 1),
	N("Features", "features", NULL, 1),
	N("AvailableFeatures", NULL, fsi_scenario_note_no_effect, 3),
	N("Gres", NULL, fsi_scenario_note_not_modelled, 1),
	N("InstanceId", NULL, fsi_scenario_note_no_effect, 9),
	N("InstanceType", NULL, fsi_scenario_note_no_effect, 9),
	N("Weight", "weight", NULL, 1),
	N("Comment", NULL, fsi_scenario_note_no_effect, 2),
	N("Reason", NULL, set_node_reason, 1),
	N("ResumeAfter", NULL, fsi_scenario_note_not_modelled, 1),
	N("State", NULL, set_node_state, 1),
	N("Topology", NULL, fsi_scenario_note_not_modelled, 4),
};

static int update_one_node(void *ctx, const char *name, size_t len)
{
	struct node_update *x = ctx;
	struct fsi_scenario *s = x->s;
	const uint32_t id = fsi_intern_find_id(&s->m->names, name, len);
	struct fsi_node *n = NULL;

	for (size_t i = 0; id && i < s->m->node.n; i++)
		n = s->m->node.v[i].name == id ? &s->m->node.v[i] : n;
	if (!n)
		x->rc = fsi_scenario_refuse(s, "there is no node \"%.*s\"", (int)(len < 60 ? len : 60), name);
	for (size_t at = x->at; at < s->n && !x->rc; at++) {
		const struct fsi_edit_keyword *w;
		struct fsi_operand v;

		x->rc = fsi_scenario_parse_keyword(s, node_keywords, sizeof(node_keywords) / sizeof(*node_keywords),
						   "scontrol update NodeName", s->words[at], &w, &v);
		if (!x->rc)
			x->rc = fsi_scenario_apply_keyword(s, FSI_RECORD_NODE, &n->rec, w, v);
	}
	return x->rc;
}

int fsi_slurm_update_nodes(struct fsi_scenario *s, const char *list, size_t at)
{
	struct node_update x = { .s = s, .at = at };
	const int64_t n = fsi_hostlist_count_names(list, s->m->node.n + 1);

	if (at == s->n)
		return fsi_scenario_refuse(s, "scontrol update NodeName: expected a setting to change, such as State=DRAIN");
	if (n <= 0 || (uint64_t)n > s->m->node.n)
		return fsi_scenario_refuse(s, "there are no nodes \"%.60s\"", list);
	fsi_scenario_note_privilege(s, FSI_ADMINISTRATOR, 0, 0, "changing nodes: ");
	fsi_hostlist_expand_each(list, (uint64_t)n, update_one_node, &x);
	return x.rc;
}

/* ---- node lists of partitions and reservations, and the totals of a partition (src/slurmctld/partition_mgr.c:
 * update_part, build_part_bitmap; src/common/assoc_mgr.c) */

struct chosen_nodes {
	struct fsi_scenario *s;
	const char *what;
	bool *has; /* indexed by node row: true if the node is in the new list */
	bool in;
	bool refused;
};

static int choose_named_node(void *ctx, const char *name, size_t len)
{
	struct chosen_nodes *c = ctx;
	const fs_snapshot *m = c->s->m;
	const struct fsi_node *n = fsi_node_find(m, fsi_intern_find_id(&m->names, name, len));

	if (n)
		c->has[n - m->node.v] = c->in;
	if (n || !c->what)
		return 0;
	c->refused = true;
	return fsi_scenario_refuse(c->s, "%s: there is no node \"%.*s\"", c->what, (int)(len < 60 ? len : 60), name);
}

/* Returns the length of the first part of a node list, which ends at the next comma that is not in brackets. */
static size_t get_part_length(const char *p)
{
	size_t n = 0;

	for (bool in = false; p[n] && (in || p[n] != ','); n++)
		in = p[n] == '[' || (in && p[n] != ']');
	return n;
}

/* Adds the nodes of each part of a list such as "n[1-3],-n2" to c->has, or removes them if the part begins with a minus
 * sign. If the operator is -=, removes the nodes of all parts. */
static int choose_list_parts(struct chosen_nodes *c, const struct fsi_operand *v)
{
	char text[FSI_COMMAND_MAX];
	int rc = 0;

	for (const char *p = v->text; *p && !rc; p += *p == ',') {
		const size_t len = get_part_length(p);
		const bool minus = *p == '-', sign = minus || *p == '+';

		memcpy(text, p + sign, len - sign);
		text[len - sign] = '\0';
		c->in = !minus && v->op != '-';
		if (*text)
			rc = fsi_hostlist_expand_each(text, c->s->m->node.n, choose_named_node, c);
		if (rc && !c->refused)
			rc = fsi_scenario_refuse(c->s, "%s: there are no nodes \"%.60s\"", c->what, text);
		p += len;
	}
	return rc;
}

static int join_node_names(struct fsi_scenario *s, const bool *has, uint32_t *out)
{
	const fs_snapshot *m = s->m;
	size_t len = 1;
	char *text, *to;

	for (size_t i = 0; i < m->node.n; i++)
		len += has[i] ? strlen(fsi_name_text(m, m->node.v[i].name)) + 1 : 0;
	to = text = malloc(len);
	if (!text)
		return fsi_fail_no_memory(s->err);
	for (size_t i = 0; i < m->node.n; i++)
		if (has[i]) {
			const char *name = fsi_name_text(m, m->node.v[i].name);

			if (to > text)
				*to++ = ',';
			memcpy(to, name, strlen(name));
			to += strlen(name);
		}
	*to = '\0';
	*out = fsi_name_intern(s->m, text);
	free(text);
	return *out == FSI_INTERN_FAILED ? fsi_fail_no_memory(s->err) : 0;
}

int fsi_slurm_parse_nodes(struct fsi_scenario *s, const char *what, struct fsi_operand v, uint32_t old, uint32_t *out)
{
	struct chosen_nodes c = { .s = s, .has = calloc(s->m->node.n + 1, sizeof(bool)), .in = true };
	const bool all = v.text && fsi_is_same_ignoring_case(v.text, strlen(v.text), "ALL");
	const bool adds = v.text && (v.op != '=' || *v.text == '+' || *v.text == '-');
	int rc = c.has ? 0 : fsi_fail_no_memory(s->err);

	if (!rc && !v.text)
		rc = fsi_scenario_refuse(s, "%s needs a value", what);
	if (!rc && adds)
		fsi_hostlist_expand_each(fsi_name_text(s->m, old), s->m->node.n, choose_named_node, &c);
	c.what = what;
	for (size_t i = 0; !rc && all && i < s->m->node.n; i++)
		c.has[i] = true;
	if (!rc && !all)
		rc = choose_list_parts(&c, &v);
	if (!rc)
		rc = join_node_names(s, c.has, out);
	free(c.has);
	return rc;
}

/* ---- totals of a partition */

struct partition_totals {
	struct fsi_scenario *s;
	struct fsi_partition *p;
	uint32_t nodes, cpus, set; /* totals of the nodes; `set`: id of the TRES set with the sum of each TRES */
	bool known;
};

static int add_node_totals(void *ctx, const char *name, size_t len)
{
	struct partition_totals *x = ctx;
	fs_snapshot *m = x->s->m;
	const uint32_t id = fsi_intern_find_id(&m->names, name, len);

	for (size_t i = 0; i < m->node.n; i++) {
		struct fsi_node *node = &m->node.v[i];
		size_t n;
		const struct fsi_amount *a = fsi_amount_items(m, node->tres, &n);

		if (node->name != id)
			continue;
		x->nodes++;
		x->cpus += node->cpus;
		x->known = x->known && FSI_HAS(node, NODE, tres);
		for (size_t k = 0; k < n && x->set != FSI_INTERN_FAILED; k++) {
			const struct fsi_amount own = a[k];

			x->set = fsi_scenario_set_amount(m, x->set, own.tres,
							 fsi_amount_of_tres(m, x->set, own.tres) + own.n);
			a = fsi_amount_items(m, node->tres, &n);
		}
		node->partitions = fsi_scenario_change_list(m, node->partitions, x->p->name, true);
		if (node->partitions == FSI_INTERN_FAILED || x->set == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(x->s->err);
		FSI_SET(node, NODE, partitions);
		return 0;
	}
	return 0;
}

static int remove_partition_nodes(struct fsi_scenario *s, const struct fsi_partition *p)
{
	for (size_t i = 0; i < s->m->node.n; i++) {
		struct fsi_node *n = &s->m->node.v[i];

		n->partitions = fsi_scenario_change_list(s->m, n->partitions, p->name, false);
		if (n->partitions == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->err);
	}
	return 0;
}

/* Stores the total TRES of the partition's nodes in the partition, including the number of nodes and the billing. The
 * billing is computed from the other TRES and the partition's weights. */
static int store_partition_tres(struct partition_totals *x)
{
	fs_snapshot *m = x->s->m;
	const uint32_t node = fsi_name_intern(m, "node");
	struct fsi_billing b;
	struct fs_bill bill;
	const struct fsi_amount *a;
	size_t n;

	x->set = fsi_scenario_set_amount(m, x->set, node, x->nodes);
	if (x->set == FSI_INTERN_FAILED || fsi_billing_init(&b, m, &x->s->arena))
		return fsi_fail_no_memory(x->s->err);
	a = fsi_amount_items(m, x->set, &n);
	fsi_billing_compute(&b, b.mode, (uint32_t)(x->p - m->partition.v), a, n, &bill);
	if (b.billing)
		x->set = fsi_scenario_set_amount(m, x->set, b.billing, fsi_scenario_rate_to_amount(bill.rate));
	if (x->set == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(x->s->err);
	x->p->tres = x->set;
	FSI_SET(x->p, PARTITION, tres);
	return 0;
}

/* Sets Nodes= of a partition. The operators += and -=, and parts of the list that begin with + or -, change the present
 * list instead of replacing it. */
static int set_partition_nodes(FSI_SETTER_ARGS)
{
	struct fsi_partition *p = (struct fsi_partition *)(void *)rec;
	struct partition_totals x = { .s = s, .p = p, .known = true };
	uint32_t list;

	if (!s->m->node.n)
		return fsi_scenario_refuse(s, "%s: cannot be changed, because the snapshot has no nodes", w->keyword);
	if (fsi_slurm_parse_nodes(s, w->keyword, v, p->nodes, &list) || remove_partition_nodes(s, p))
		return FS_EUSAGE;
	p->nodes = list;
	FSI_SET(p, PARTITION, nodes);
	if (fsi_hostlist_expand_each(fsi_name_text(s->m, list), s->m->node.n, add_node_totals, &x))
		return FS_ENOMEM;
	p->total_nodes = x.nodes;
	p->total_cpus = x.cpus;
	FSI_SET(p, PARTITION, total_nodes);
	FSI_SET(p, PARTITION, total_cpus);
	FSI_CLEAR_FIELD(p, PARTITION, tres);
	return x.known ? store_partition_tres(&x) : 0;
}

/* ---- scontrol update PartitionName= (src/scontrol/update_part.c; permission: src/slurmctld/proc_req.c:
 * _slurm_rpc_update_partition) */

static int set_partition_state(FSI_SETTER_ARGS)
{
	static const char *const states[] = { "UP", "DOWN", "DRAIN", "INACTIVE" };

	for (size_t i = 0; v.text && i < sizeof(states) / sizeof(*states); i++)
		if (fsi_is_same_ignoring_case(v.text, strlen(v.text), states[i]))
			return fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "state",
						      (struct fsi_operand){ '=', states[i] });
	return fsi_scenario_refuse(s, "State: expected UP, DOWN, DRAIN or INACTIVE, got \"%.60s\"", v.text ? v.text : "");
}

/* Sets both PriorityJobFactor and PriorityTier of the partition (update_part.c). */
static int set_partition_priority(FSI_SETTER_ARGS)
{
	const int rc = fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "job_factor", v);

	return rc ? rc : fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "tier", v);
}

/* Sets TRESBillingWeights of the partition. A job is billed with the new weights only after its TRES change. */
static int set_billing_weights(FSI_SETTER_ARGS)
{
	struct fsi_tres_weight weights[FSI_TRES_WEIGHTS_MAX];

	if (v.text && fsi_parse_tres_weights(s->m, v.text, weights) < 0)
		return fsi_scenario_refuse(s, "%s: expected weights of the cluster's TRES, such as CPU=1.0,Mem=0.25G, got \"%.60s\"", w->keyword,
					   v.text);
	return fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "billing_weights", v);
}

static int set_default_partition(FSI_SETTER_ARGS)
{
	const int rc = fsi_scenario_set_field(s, FSI_RECORD_PARTITION, rec, w->keyword, "is_default", v);
	struct fsi_partition *own = (struct fsi_partition *)(void *)rec;

	for (size_t i = 0; !rc && own->is_default && i < s->m->partition.n; i++)
		if (&s->m->partition.v[i] != own)
			s->m->partition.v[i].is_default = false;
	return rc;
}

/* Sets JobDefaults from a list such as "DefCpuPerGPU=4,DefMemPerGPU=12000". */
static int set_job_defaults(FSI_SETTER_ARGS)
{
	struct fsi_partition *p = (struct fsi_partition *)(void *)rec;
	struct fsi_job_defaults d;

	if (!v.text || fsi_slurm_parse_job_defaults(v.text, strlen(v.text), &d))
		return fsi_scenario_refuse(s, "%s: expected " FSI_JOB_DEFAULTS ", got \"%.60s\"", w->keyword,
					   v.text ? v.text : "");
	p->cpus_per_gpu = d.cpus_per_gpu;
	p->mem_per_gpu_mb = d.mem_per_gpu_mb;
	FSI_SET(p, PARTITION, cpus_per_gpu);
	FSI_SET(p, PARTITION, mem_per_gpu_mb);
	return 0;
}

#define P(word, field, set, least) { word, field, FSI_ADMINISTRATOR, set, least }

/* The keywords of scontrol update PartitionName, in the order in which scontrol compares them. */
static const struct fsi_edit_keyword partition_keywords[] = {
	P("MaxTime", "max_time_s", NULL, 4),
	P("CpuBind", NULL, fsi_scenario_note_no_effect, 7),
	P("DefaultTime", "default_time_s", NULL, 8),
	P("MaxCPUsPerNode", "max_cpus_per_node", NULL, 4),
	P("MaxCPUsPerSocket", NULL, fsi_scenario_note_not_modelled, 4),
	P("MaxNodes", "max_nodes", NULL, 4),
	P("MinNodes", "min_nodes", NULL, 2),
	P("Default", NULL, set_default_partition, 7),
	P("DisableRootJobs", NULL, fsi_scenario_note_no_effect, 1),
	P("Exclusive", "oversubscribe", NULL, 9),
	P("ExclusiveUser", "exclusive_user", NULL, 1),
	P("ExclusiveTopo", NULL, fsi_scenario_note_not_modelled, 1),
	P("Hidden", "is_hidden", NULL, 1),
	P("LLN", "least_loaded", NULL, 1),
	P("RootOnly", "root_only", NULL, 3),
	P("ReqResv", NULL, fsi_scenario_note_not_modelled, 3),
	P("OverSubscribe", "oversubscribe", NULL, 5),
	P("Shared", "oversubscribe", NULL, 2),
	P("OverTimeLimit", NULL, fsi_scenario_note_no_effect, 5),
	P("PowerDownOnIdle", NULL, fsi_scenario_note_no_effect, 1),
	P("PreemptMode", "preempt_mode", NULL, 3),
	P("Priority", NULL, set_partition_priority, 3),
	P("PriorityJobFactor", "job_factor", NULL, 9),
	P("PriorityTier", "tier", NULL, 9),
	P("State", NULL, set_partition_state, 2),
	P("Nodes", NULL, set_partition_nodes, 1),
	P("AllowGroups", "allow_groups", NULL, 6),
	P("AllowAccounts", "allow_accounts", NULL, 6),
	P("AllowQos", "allow_qos", NULL, 6),
	P("DenyAccounts", "deny_accounts", NULL, 5),
	P("DenyQos", "deny_qos", NULL, 5),
	P("AllocNodes", NULL, fsi_scenario_note_no_effect, 6),
	P("Alternate", NULL, fsi_scenario_note_no_effect, 3),
	P("GraceTime", NULL, fsi_scenario_note_no_effect, 5),
	P("DefMemPerCPU", NULL, fsi_scenario_note_no_effect, 10),
	P("DefMemPerNode", NULL, fsi_scenario_note_no_effect, 10),
	P("MaxMemPerCPU", "max_mem_per_cpu_mb", NULL, 10),
	P("MaxMemPerNode", NULL, fsi_scenario_note_not_modelled, 10),
	P("QOS", "qos", NULL, 3),
	P("JobDefaults", NULL, set_job_defaults, 4),
	P("Topology", NULL, fsi_scenario_note_not_modelled, 4),
	P("TRESBillingWeights", NULL, set_billing_weights, 1),
};

static struct fsi_partition *find_named_partition(fs_snapshot *m, const char *name)
{
	for (size_t i = 0; i < m->partition.n; i++)
		if (!strcmp(fsi_name_text(m, m->partition.v[i].name), name))
			return &m->partition.v[i];
	return NULL;
}

int fsi_slurm_update_partition(struct fsi_scenario *s, const char *name, size_t at)
{
	struct fsi_partition *p = find_named_partition(s->m, name);
	int rc = 0;

	if (!p)
		return fsi_scenario_refuse(s, "there is no partition \"%.60s\"", name);
	if (at == s->n)
		return fsi_scenario_refuse(s, "scontrol update PartitionName: expected a setting to change, such as State=UP");
	fsi_scenario_note_privilege(s, FSI_ADMINISTRATOR, 0, 0, "changing a partition: ");
	for (; at < s->n && !rc; at++) {
		const struct fsi_edit_keyword *w;
		struct fsi_operand v;

		rc = fsi_scenario_parse_keyword(s, partition_keywords,
						sizeof(partition_keywords) / sizeof(*partition_keywords),
						"scontrol update PartitionName", s->words[at], &w, &v);
		if (!rc)
			rc = fsi_scenario_apply_keyword(s, FSI_RECORD_PARTITION, &p->rec, w, v);
		if (!rc && fsi_slurm_changes_priorities(w->keyword))
			fsi_slurm_drop_all_recorded(s);
	}
	return rc;
}
