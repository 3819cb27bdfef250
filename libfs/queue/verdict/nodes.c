/* Nodes that a job needs and that are down, drained or reserved; and whether there is room for it now. */
#include "base/hostlist.h"
#include "model/job/request.h"
#include "model/node_state.h"
#include "queue/verdict/verdict.h"

#include <string.h>

enum state { UP, DOWN, DRAINED, RESERVED };

#define HAS_WORD(state, list) fsi_node_state_has(state, list, sizeof(list) / sizeof(*(list)))

static enum state state_of(const fs_snapshot *m, const struct fsi_node *n)
{
	static const char *const down[] = { "DOWN", "FAIL", "FAILING", "REBOOT_ISSUED", "UNKNOWN", "FUTURE" };
	static const char *const drained[] = { "DRAIN", "DRAINED", "DRAINING" };
	static const char *const reserved[] = { "RESERVED", "MAINT" };
	const char *state = fsi_str(m, n->state);

	if (HAS_WORD(state, down) || fsi_node_is_silent(state) || fsi_node_goes_to_sleep(state))
		return DOWN;
	if (HAS_WORD(state, drained))
		return DRAINED;
	return HAS_WORD(state, reserved) ? RESERVED : UP;
}

static void count(struct fs_verdict_nodes *out, enum state state)
{
	out->all++;
	out->down += state == DOWN;
	out->drained += state == DRAINED;
	out->reserved += state == RESERVED;
}

void fsi_verdict_count_nodes(const fs_snapshot *m, uint32_t partition, struct fs_verdict_nodes *out)
{
	*out = (struct fs_verdict_nodes){ 0 };
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_node_in(m, &m->node.v[i], partition))
			count(out, state_of(m, &m->node.v[i]));
}

/* Is it names joined by & and nothing else? Other expressions are not judged. */
static bool simple_features(const char *s)
{
	return !s[strcspn(s, "|[](){}*,:")];
}

static bool has_features(const fs_snapshot *m, const struct fsi_node *n, const char *s)
{
	char word[256];

	while (*s) {
		const size_t len = strcspn(s, "&");

		if (len >= sizeof(word))
			return true;
		memcpy(word, s, len);
		word[len] = '\0';
		if (!fsi_list_has(m, n->features, word))
			return false;
		s += len + (s[len] == '&');
	}
	return true;
}

struct in_list {
	const char *name;
};

static int is_name(void *ctx, const char *name, size_t len)
{
	const struct in_list *l = ctx;

	return strlen(l->name) == len && !strncmp(l->name, name, len);
}

static bool listed(const fs_snapshot *m, uint32_t list, const struct fsi_node *n)
{
	struct in_list l = { fsi_str(m, n->name) };

	return list && fsi_hostlist_each(fsi_str(m, list), FSI_MAX_HOSTS, is_name, &l) == 1;
}

/* May the job use the node, were it up and idle? */
static bool suits(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_node *n)
{
	const char *features = fsi_str(m, j->features);

	return !listed(m, fsi_job_rare(m, j)->exc_nodes, n) &&
	       (!simple_features(features) || has_features(m, n, features));
}

static uint32_t nodes_of(const fs_snapshot *m, const struct fsi_job *j)
{
	const uint32_t node = fsi_name_find(m, "node");
	const int64_t n = node ? fsi_amount_of(m, j->tres_req, node) : 0;

	return n > 0 ? (uint32_t)n : FSI_HAS(j, JOB, nodes) && j->nodes ? j->nodes : 1;
}

/* Counts the nodes that it must have, else all that suit it. */
static void count_suiting(const fs_snapshot *m, const struct fsi_job *j, uint32_t partition,
			  struct fs_verdict_nodes *out)
{
	const uint32_t req_nodes = fsi_job_rare(m, j)->req_nodes;

	*out = (struct fs_verdict_nodes){ 0 };
	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *n = &m->node.v[i];

		if (fsi_node_in(m, n, partition) &&
		    (req_nodes ? listed(m, req_nodes, n) : suits(m, j, n)))
			count(out, state_of(m, n));
	}
	out->wants = req_nodes ? out->all : nodes_of(m, j);
}

/* Counts the nodes of the record's partition that suit the job; false: they are not known. */
static bool count_for(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	const struct fsi_job_rare *rare = fsi_job_rare(q->m, j);

	if (r->partition == FSI_NO_INDEX || !q->verdicts || !q->verdicts->nodes)
		return false;
	if (rare->req_nodes || rare->exc_nodes || j->features) {
		count_suiting(q->m, j, r->partition, out);
	} else {
		*out = q->verdicts->nodes[r->partition];
		out->wants = nodes_of(q->m, j);
	}
	return true;
}

bool fsi_verdict_misfits(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	struct fs_verdict_nodes n;

	return count_for(q, r, &n) && q->verdicts->nodes[r->partition].all && n.all < n.wants;
}

bool fsi_verdict_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r,
			     struct fs_verdict_nodes *out)
{
	const struct fsi_job *j = &q->m->job.v[r->job];
	uint32_t gone;

	if (!count_for(q, r, out))
		return false;
	gone = out->down + out->drained + (j->reservation ? 0 : out->reserved);
	return out->all >= out->wants && out->all - gone < out->wants;
}

/* ---- room */

/* What the job asks of each of its nodes, and until when it may run. */
struct share {
	int64_t cpus, mem_mb, end;
	uint32_t nodes;
};

/* Is the node in a reservation that begins before the job must end, and is not over? */
static bool reserved_until(const fs_snapshot *m, const struct fsi_node *n, int64_t now, int64_t end)
{
	for (size_t i = 0; i < m->reservation.n; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (listed(m, r->nodes, n) && (!FSI_HAS(r, RESERVATION, start_time) || r->start_time < end) &&
		    (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > now))
			return true;
	}
	return false;
}

/* Has the node the generic resources? A node in use that does not tell what is allocated is not known to have. */
static bool has_gres(const fs_snapshot *m, const struct fsi_node *n, uint32_t tres, int64_t wants)
{
	return (FSI_HAS(n, NODE, alloc_tres) || !n->alloc_cpus) &&
	       fsi_amount_of(m, n->tres, tres) - fsi_amount_of(m, n->alloc_tres, tres) >= wants;
}

static bool fits(const struct fs_queue *q, const struct fsi_job *j, const struct fsi_node *n,
		 const struct share *s)
{
	const fs_snapshot *m = q->m;
	size_t count;
	const struct fsi_amount *a = fsi_amounts(m, j->tres_req, &count);
	const int64_t cpus = FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;

	if (state_of(m, n) != UP || cpus - (int64_t)n->alloc_cpus < s->cpus ||
	    (int64_t)n->mem_mb - (int64_t)n->alloc_mem_mb < s->mem_mb ||
	    reserved_until(m, n, q->now, s->end))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!strncmp(fsi_str(m, a[i].tres), "gres/", strlen("gres/")) &&
		    !has_gres(m, n, a[i].tres, (a[i].n + s->nodes - 1) / s->nodes))
			return false;
	return true;
}

static bool share_nodes(const fs_snapshot *m, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_node_in(m, &m->node.v[i], a) && fsi_node_in(m, &m->node.v[i], b))
			return true;
	return false;
}

/* Does a job that is tried before it wait for nodes that it could use too? These are kept for that one
 * (src/slurmctld/job_scheduler.c: _schedule, avail_node_bitmap of the partitions). */
static bool comes_after(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	uint32_t seen = r->partition;

	for (const struct fsi_queue_record *o = q->record.v; o < r; o++) {
		if (!o->eligible || o->job == r->job || o->partition == FSI_NO_INDEX || o->partition == seen)
			continue;
		seen = o->partition;
		if (share_nodes(q->m, o->partition, r->partition))
			return true;
	}
	return false;
}

/* Does it ask for what only a trial of all nodes would tell? */
static bool is_special(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const struct fsi_job_rare *rare = fsi_job_rare(m, j);

	return rare->req_nodes || rare->licenses || j->reservation || rare->het_job_id || rare->all_memory ||
	       !simple_features(fsi_str(m, j->features)) || !FSI_HAS(j, JOB, cpus) ||
	       fsi_request_whole(m, j, p) || fsi_request_own_user(m, j, p) ||
	       !strcmp(fsi_str(m, j->oversubscribe), "MCS");
}

static struct share share_of(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[r->job];
	const struct fsi_request as = fsi_request_of(&q->verdicts->requests, j, r->partition);
	const uint32_t mem = fsi_name_find(m, "mem");
	struct share s = { .nodes = nodes_of(m, j), .end = INT64_MAX };
	int64_t mem_mb = mem ? fsi_amount_of(m, j->tres_req, mem) : 0;

	if (as.mem_per_cpu_mb && (int64_t)(as.min * as.mem_per_cpu_mb) > mem_mb)
		mem_mb = (int64_t)(as.min * as.mem_per_cpu_mb);
	s.cpus = (int64_t)((as.min + s.nodes - 1) / s.nodes);
	s.mem_mb = (mem_mb + s.nodes - 1) / s.nodes;
	if (FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		s.end = q->now + j->time_limit_s;
	return s;
}

bool fsi_verdict_room(const struct fs_queue *q, const struct fsi_queue_record *r)
{
	const fs_snapshot *m = q->m;
	const struct fsi_job *j = &m->job.v[r->job];
	struct share s;
	uint32_t found = 0;

	if (!q->scheduler->bar || r->partition == FSI_NO_INDEX || is_special(m, j, &m->partition.v[r->partition]) ||
	    comes_after(q, r))
		return false;
	s = share_of(q, r);
	for (size_t i = 0; i < m->node.n && found < s.nodes; i++) {
		const struct fsi_node *n = &m->node.v[i];

		found += fsi_node_in(m, n, r->partition) && suits(m, j, n) && fits(q, j, n, &s);
	}
	return found >= s.nodes;
}
