/* Rules by which jobs of Slurm may preempt other jobs (src/plugins/preempt/qos/preempt_qos.c and
 * partition_prio/preempt_partition_prio.c: preempt_p_job_preempt_check). The rules compare two records by their QOS
 * or by their partitions. The relation is not transitive: if a may preempt b and b may preempt c, a may be unable to
 * preempt c. Record a may preempt record b under these conditions:
 *
 *   preempt/qos             the QOS of a lists the QOS of b; or both have the same QOS, its PreemptMode has WITHIN,
 *                           and the priority of a is higher
 *   preempt/partition_prio  the partitions share nodes, and the partition of a has the higher PriorityTier
 *   PreemptMode PRIORITY    in addition, the priority of a must be higher (partition_prio: not lower)
 *   PreemptMode=OFF         never */
#include "base/hostlist.h"
#include "model/find.h"
#include "queue/queue.h"

#include <stdlib.h>
#include <string.h>

enum preemption_type { NO_PREEMPTION, PREEMPTION_BY_QOS, PREEMPTION_BY_TIER };

static enum preemption_type get_preemption_type(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PreemptType"), *mode = fs_snapshot_config_text(m, "PreemptMode");

	if (!type || (mode && !strcmp(mode, "OFF")))
		return NO_PREEMPTION;
	if (strstr(type, "preempt/qos"))
		return PREEMPTION_BY_QOS;
	return strstr(type, "preempt/partition_prio") ? PREEMPTION_BY_TIER : NO_PREEMPTION;
}

/* Returns true if the PreemptMode `mode` contains `word`, which must be in capitals. Ignores the case of `mode`,
 * because scontrol prints modes in capitals and sacctmgr in small letters. */
static bool has_preempt_mode(const char *mode, const char *word)
{
	for (; mode && *mode; mode++) {
		size_t n = 0;

		while (word[n] && (mode[n] & ~0x20) == word[n])
			n++;
		if (!word[n])
			return true;
	}
	return false;
}

/* Returns true if the word is in the PreemptMode of the cluster, or in the PreemptMode of the QOS or partition of row
 * `row` of q->preemption_rules. */
static bool has_row_preempt_mode(const struct fs_queue *q, uint32_t row, const char *word)
{
	const fs_snapshot *m = q->m;
	const uint32_t own = q->preempt_by_tier ? m->partition.v[row].preempt_mode : m->qos.v[row].preempt_mode;

	return has_preempt_mode(fs_snapshot_config_text(m, "PreemptMode"), word) ||
	       has_preempt_mode(fsi_name_text(m, own), word);
}

/* Returns the element of q->preemption_rules for preemptor row a and preemptee row b. */
static uint8_t *get_rule_cell(struct fs_queue *q, uint32_t a, uint32_t b)
{
	return &q->preemption_rules[(size_t)a * q->preemption_rows + b];
}

static void fill_qos_rules(struct fs_queue *q)
{
	const fs_snapshot *m = q->m;

	for (uint32_t a = 0; a < q->preemption_rows; a++) {
		const uint8_t rule = has_row_preempt_mode(q, a, "PRIORITY") ? FSI_PREEMPTS_LOWER : FSI_PREEMPTS_ALL;
		size_t n;
		const uint32_t *names = fsi_list_items(m, m->qos.v[a].preempt, &n);

		for (size_t i = 0; i < n; i++) {
			const struct fsi_qos *b = fsi_qos_find(m, names[i]);

			if (b)
				*get_rule_cell(q, a, (uint32_t)(b - m->qos.v)) = rule;
		}
		*get_rule_cell(q, a, a) = has_row_preempt_mode(q, a, "WITHIN") ? FSI_PREEMPTS_LOWER : FSI_PREEMPTS_NONE;
	}
}

/* State of the search for partitions that share nodes. Each node name is marked with the last partition that has the
 * node. */
struct node_marks {
	const fs_snapshot *m;
	/* indexed by name id of a node name: 1 + row of the last partition that marked the node; 0: none */
	uint32_t *last;
	uint32_t partition; /* row of the partition whose nodes are being marked */
};

static int mark_partition_node(void *ctx, const char *name, size_t len)
{
	struct node_marks *k = ctx;

	k->last[fsi_intern_find_id(&k->m->names, name, len)] = k->partition + 1;
	return 0;
}

/* Returns 1 if the node is marked as a node of k->partition. The value 1 ends the expansion of the host list. */
static int is_node_marked(void *ctx, const char *name, size_t len)
{
	struct node_marks *k = ctx;
	const uint32_t id = fsi_intern_find_id(&k->m->names, name, len);

	return id && k->last[id] == k->partition + 1;
}

/* Sets the rules between partitions in q->preemption_rules. Returns -1 if out of memory. */
static int fill_partition_rules(struct fs_queue *q)
{
	const fs_snapshot *m = q->m;
	struct node_marks k = { .m = m, .last = calloc((size_t)m->names.count + 1, sizeof(uint32_t)) };

	if (!k.last)
		return -1;
	for (k.partition = 0; k.partition < q->preemption_rows; k.partition++) {
		const struct fsi_partition *a = &m->partition.v[k.partition];
		const uint8_t rule =
			has_row_preempt_mode(q, k.partition, "PRIORITY") ? FSI_PREEMPTS_NOT_HIGHER : FSI_PREEMPTS_ALL;

		fsi_hostlist_expand_each(fsi_name_text(m, a->nodes), FSI_MAX_HOSTS, mark_partition_node, &k);
		for (uint32_t b = 0; b < q->preemption_rows; b++) {
			const struct fsi_partition *p = &m->partition.v[b];

			if (p->tier < a->tier && fsi_hostlist_expand_each(fsi_name_text(m, p->nodes), FSI_MAX_HOSTS,
									  is_node_marked, &k) == 1)
				*get_rule_cell(q, k.partition, b) = rule;
		}
	}
	free(k.last);
	return 0;
}

/* Returns the QOS by which the queue is sorted: job_ptr->qos_ptr, not the QOS of the record. While the queue is built,
 * qos_ptr is set to each QOS of the job, and the last one, which has the lowest priority, remains
 * (src/slurmctld/job_scheduler.c: _build_job_queue_for_qos; job_mgr.c: _get_qos_ptr_list). NULL: none. */
static const struct fsi_qos *find_sorting_qos(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, m->job.v[r->job].qos, &n);
	const struct fsi_qos *last = fsi_qos_find(m, r->qos);

	for (size_t i = 0; n > 1 && i < n; i++) {
		const struct fsi_qos *qos = fsi_qos_find(m, names[i]);

		if (qos && (!last || qos->priority <= last->priority))
			last = qos;
	}
	return last;
}

static void set_preemptor_rows(struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const struct fsi_qos *qos = find_sorting_qos(q->m, r);

		if (q->preempt_by_tier)
			r->preemption_row = r->partition;
		else
			r->preemption_row = qos ? (uint32_t)(qos - q->m->qos.v) : FSI_NO_INDEX;
	}
}

/* Frees q->preemption_rules if no rule allows preemption; the faster sort can then be used. */
static void drop_empty_rules(struct fs_queue *q)
{
	for (size_t i = 0; i < (size_t)q->preemption_rows * q->preemption_rows; i++)
		if (q->preemption_rules[i] != FSI_PREEMPTS_NONE)
			return;
	free(q->preemption_rules);
	q->preemption_rules = NULL;
}

int fsi_queue_fill_preemption(struct fs_queue *q)
{
	const enum preemption_type by = get_preemption_type(q->m);

	if (by == NO_PREEMPTION)
		return 0;
	q->preempt_by_tier = by == PREEMPTION_BY_TIER;
	q->preemption_rows = (uint32_t)(by == PREEMPTION_BY_QOS ? q->m->qos.n : q->m->partition.n);
	q->preemption_rules = calloc((size_t)q->preemption_rows * q->preemption_rows + 1, sizeof(*q->preemption_rules));
	if (!q->preemption_rules || (by == PREEMPTION_BY_TIER && fill_partition_rules(q)))
		return -1;
	if (by == PREEMPTION_BY_QOS)
		fill_qos_rules(q);
	set_preemptor_rows(q);
	drop_empty_rules(q);
	return 0;
}

bool fsi_queue_may_preempt(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	if (!q->preemption_rules || a->preemption_row == FSI_NO_INDEX || b->preemption_row == FSI_NO_INDEX)
		return false;
	switch ((enum fsi_preemption_rule)
			q->preemption_rules[(size_t)a->preemption_row * q->preemption_rows + b->preemption_row]) {
	case FSI_PREEMPTS_ALL:
		return true;
	case FSI_PREEMPTS_LOWER:
		return a->priority > b->priority;
	case FSI_PREEMPTS_NOT_HIGHER:
		return !(a->priority < b->priority);
	case FSI_PREEMPTS_NONE:
		break;
	}
	return false;
}
