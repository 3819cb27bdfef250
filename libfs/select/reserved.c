/* The licenses that are available to a request, and the nodes that advance reservations and jobs of other users leave
 * to the request. */
#include "select/select.h"

#include "base/num.h"
#include "base/memory.h"
#include "model/find.h"

#include <stdlib.h>
#include <string.h>

/* ---- licenses, such as "matlab:4,ansys:2" (src/slurmctld/licenses.c: license_job_test)
 *
 * Without bf_licenses, a job that wants more licenses than are available now is not tried. With bf_licenses, licenses
 * are reserved in the node space, like nodes. The licenses of a reservation are not available to jobs outside the
 * reservation (job_test_lic_resv). */

/* Reads one item of a license list: sets *len to the length of its name, and *amount to its amount, or to 1 if the item
 * has no amount. Returns a pointer to the next item. */
static const char *read_license_item(const char *s, uint32_t *len, int64_t *amount)
{
	const size_t n = strcspn(s, ",;|"), name = strcspn(s, ":=*,;|");

	*len = (uint32_t)(name < n ? name : n);
	if (name >= n || fsi_parse_i64(s + name + 1, n - name - 1, amount) || *amount < 0)
		*amount = 1;
	return s + n + (s[n] != '\0');
}

static struct fsi_license *find_license_by_name(const struct fsi_license_table *l, const char *name, uint32_t len)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].len == len && !memcmp(l->v[i].name, name, len))
			return &l->v[i];
	return NULL;
}

int fsi_license_read_config(struct fsi_license_table *l, const fs_snapshot *m, struct fsi_arena *arena)
{
	const char *text = fs_snapshot_config_text(m, "Licenses");
	uint32_t max = 1;

	*l = (struct fsi_license_table){ .totals_known = text != NULL };
	for (const char *s = text ? text : ""; *s; s++)
		max += *s == ',';
	l->v = fsi_arena_array(arena, max, sizeof(*l->v));
	l->want = fsi_arena_array(arena, max, sizeof(*l->want));
	if (!l->v || !l->want)
		return -1;
	for (const char *s = text && strcmp(text, "(null)") != 0 ? text : ""; *s;) {
		struct fsi_license *v = &l->v[l->n++];

		v->name = s;
		s = read_license_item(s, &v->len, &v->total);
	}
	return 0;
}

/* Reads the next item of a license list and moves *list past the item. Sets *amount. Returns the license; NULL if the
 * cluster has no such license. */
static struct fsi_license *read_next_license(const struct fsi_license_table *l, const char **list, int64_t *amount)
{
	const char *name = *list;
	uint32_t len;

	*list = read_license_item(name, &len, amount);
	return find_license_by_name(l, name, len);
}

/* Sets l->want to the amounts of a license list. Returns false if a license is unknown, or if the list has alternatives
 * (|). */
static bool read_license_list(struct fsi_license_table *l, const char *s)
{
	bool known = l->totals_known && !strchr(s, '|');

	memset(l->want, 0, l->n * sizeof(*l->want));
	while (*s) {
		int64_t amount;
		const struct fsi_license *v = read_next_license(l, &s, &amount);

		known = known && v;
		if (v)
			l->want[v - l->v] += amount;
	}
	return known;
}

bool fsi_license_read_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j)
{
	return read_license_list(l, fsi_name_text(m, fsi_job_ext(m, j)->licenses));
}

void fsi_license_read_reservation(struct fsi_license_table *l, const fs_snapshot *m, uint32_t reservation)
{
	read_license_list(l, fsi_name_text(m, m->reservation.v[reservation].licenses));
}

uint32_t fsi_license_count_reservations(const fs_snapshot *m)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->reservation.n; i++)
		n += m->reservation.v[i].licenses != 0;
	return n;
}

uint32_t fsi_license_find_reservation(const fs_snapshot *m, uint32_t name)
{
	uint32_t n = 0;

	for (size_t i = 0; name && i < m->reservation.n; i++) {
		n += m->reservation.v[i].licenses != 0;
		if (m->reservation.v[i].name == name)
			return m->reservation.v[i].licenses ? n : 0;
	}
	return 0;
}

void fsi_license_take_wanted(struct fsi_license_table *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].used += l->want[i];
}

bool fsi_license_is_wanted_left(const struct fsi_license_table *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->want[i] && l->v[i].used - l->v[i].freed + l->v[i].reserved + l->want[i] > l->v[i].total)
			return false;
	return true;
}

void fsi_license_free_job(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_name_text(m, fsi_job_ext(m, j)->licenses);

	while (*s) {
		int64_t amount;
		struct fsi_license *v = read_next_license(l, &s, &amount);

		if (v)
			v->freed += amount;
	}
}

bool fsi_license_has_job_wanted(const struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_name_text(m, fsi_job_ext(m, j)->licenses);

	while (*s) {
		int64_t amount;
		const struct fsi_license *v = read_next_license(l, &s, &amount);

		if (v && l->want[v - l->v])
			return true;
	}
	return false;
}

/* Sets the reserved and freed amounts of all licenses to 0. */
static void reset_reserved_licenses(struct fsi_license_table *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].reserved = l->v[i].freed = 0;
}

/* Adds the licenses of the reservation to the reserved amounts. Returns true if the reservation has a license whose
 * amount in l->want is not 0. */
static bool add_reserved_licenses(struct fsi_license_table *l, const fs_snapshot *m, const struct fsi_reservation *r)
{
	const char *s = fsi_name_text(m, r->licenses);
	bool meets = false;

	while (*s) {
		int64_t amount;
		struct fsi_license *v = read_next_license(l, &s, &amount);

		if (!v)
			continue;
		v->reserved += amount;
		meets = meets || l->want[v - l->v];
	}
	return meets;
}

/* ---- advance reservations (src/slurmctld/reservation.c: job_test_resv, find_resv_end)
 *
 * A job in a reservation may use the reservation's nodes while the reservation is active; if the reservation has FLEX
 * or ANY_NODES, the job may use all nodes. Nodes of another reservation that overlaps the job's time are excluded, with
 * these exceptions:
 *   - The other reservation reserves only cores.
 *   - The job's reservation has MAINT.
 *   - The job's reservation has OVERLAP, and the other reservation does not have MAINT.
 *
 * For a job without a reservation, nodes of reservations that overlap its time are excluded. If a reservation leaves
 * the job no nodes, the job's start moves to the end of that reservation. This happens at most ten times in a try. A
 * reservation leaves the job no nodes in these cases:
 *   - The reservation has ALL_NODES.
 *   - The reservation has PART_NODES and the job's partition.
 *   - The reservation has the flag MAINT and includes all nodes of the job's partition.
 *   - The reservation includes a node that the job requires, and either the job wants whole nodes or the reservation
 *     has no TRES.
 *
 * If reservations take nodes or cores from the job, its next try is at the end of a reservation. The time of this try
 * is the first end of any reservation at or after the tried start, rounded up to bf_resolution, plus one second.
 *
 * A reservation of cores leaves the other cores of its nodes to jobs that do not want whole nodes. A job in the
 * reservation gets only the reserved cores, except if the reservation has FLEX.
 *
 * A job without a reservation may want licenses that are in use now, or reserved during the job's time. Its start then
 * moves to the earliest end of an overlapping reservation that has a license that the job wants. */

enum { MAX_MOVES = 10 };

static bool has_reservation_flag(const fs_snapshot *m, const struct fsi_reservation *r, const char *flag)
{
	return fsi_list_has_word(m, r->flags, flag);
}

static int64_t get_reservation_start(const struct fsi_cluster *c, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, start_time) ? r->start_time : c->now;
}

static int64_t get_reservation_end(const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time : INT64_MAX;
}

static bool is_reservation_overlapping(const struct fsi_cluster *c, const struct fsi_reservation *r, int64_t start,
				       int64_t end)
{
	return get_reservation_end(r) > c->now && get_reservation_start(c, r) < end && get_reservation_end(r) > start;
}

/* Returns true if the reservation takes whole nodes from the request, not only some of their cores. */
static bool is_taking_whole_nodes(const struct fsi_cluster *c, const struct fsi_request *q, size_t reservation)
{
	return !c->reserved.cpus[reservation] || q->sharing.whole_nodes;
}

/* Returns true if the request gets no nodes before the reservation ends. `nodes`: the nodes of the reservation. */
static bool is_leaving_nothing(const struct fsi_cluster *c, const struct fsi_request *q,
			       const struct fsi_reservation *r, const uint64_t *nodes)
{
	const struct fsi_partition *part = &c->m->partition.v[q->partition];

	return has_reservation_flag(c->m, r, "ALL_NODES") ||
	       (has_reservation_flag(c->m, r, "PART_NODES") && r->partition == part->name) ||
	       (has_reservation_flag(c->m, r, "MAINT") &&
		fsi_bits_is_subset(c->partition[q->partition].node_set, nodes, c->words)) ||
	       ((q->sharing.whole_nodes || !r->tres) && q->set.required &&
		fsi_bits_has_common(q->set.required, nodes, c->words));
}

/* Finds the first time at or after `start` at which a reservation ends. Returns this time, rounded up to bf_resolution,
 * plus one second. Returns 0 if no reservation ends at or after `start`. */
static int64_t find_next_retry(const struct fsi_select *sel, int64_t start)
{
	const int64_t step = sel->params->resolution_s;
	int64_t end = INT64_MAX;

	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const int64_t e = get_reservation_end(&sel->cluster->m->reservation.v[i]);

		if (e > sel->cluster->now && start <= e && e < end)
			end = e;
	}
	return end == INT64_MAX ? 0 : (end + step - 1) / step * step + 1;
}

static void open_all_cpus(const struct fsi_cluster *c, struct fsi_unreserved *l)
{
	for (uint32_t i = 0; i < c->nnodes; i++)
		l->open_cpus[i] = c->node[i].total[FSI_RES_CPU];
	l->has_open_cpus = true;
}

static void subtract_reserved_cores(const struct fsi_cluster *c, struct fsi_unreserved *l, size_t reservation)
{
	if (!l->has_open_cpus)
		open_all_cpus(c, l);
	for (uint32_t i = 0; i < c->nnodes; i++)
		l->open_cpus[i] -= c->reserved.cpus[reservation][i];
}

static void set_own_cores(const struct fsi_cluster *c, struct fsi_unreserved *l, size_t reservation)
{
	memcpy(l->open_cpus, c->reserved.cpus[reservation], c->nnodes * sizeof(*l->open_cpus));
	l->has_open_cpus = true;
}

static bool restrict_to_own_reservation(const struct fsi_select *sel, const struct fsi_request *q,
					struct fsi_unreserved *l)
{
	const struct fsi_reservation *own = &sel->cluster->m->reservation.v[q->reservation];
	const bool maint = has_reservation_flag(sel->cluster->m, own, "MAINT"),
		   over = has_reservation_flag(sel->cluster->m, own, "OVERLAP"),
		   flex = has_reservation_flag(sel->cluster->m, own, "FLEX");

	if (l->start < fsi_reservation_opening_time(sel->cluster->m, own) ||
	    l->start > fsi_reservation_closing_time(sel->cluster->m, own))
		return false;
	if (!flex && !has_reservation_flag(sel->cluster->m, own, "ANY_NODES") &&
	    sel->cluster->reserved.nodes[q->reservation])
		fsi_bits_and(l->nodes, sel->cluster->reserved.nodes[q->reservation], sel->cluster->words);
	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (maint || i == q->reservation || !sel->cluster->reserved.nodes[i] ||
		    sel->cluster->reserved.cpus[i] || (over && !has_reservation_flag(sel->cluster->m, r, "MAINT")) ||
		    !is_reservation_overlapping(sel->cluster, r, l->start, l->start + l->run_s) ||
		    !fsi_bits_has_common(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words))
			continue;
		fsi_bits_and_not(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words);
		l->retry_at = find_next_retry(sel, l->start);
	}
	if (!flex && sel->cluster->reserved.cpus[q->reservation])
		set_own_cores(sel->cluster, l, q->reservation);
	return true;
}

bool fsi_license_is_wanted_open(struct fsi_select *sel, const struct fsi_request *q, int64_t start, int64_t end,
				int64_t *until)
{
	const struct fsi_job *j = &sel->cluster->m->job.v[q->job];

	*until = 0;
	if (!fsi_job_ext(sel->cluster->m, j)->licenses || !fsi_license_read_job(&sel->licenses, sel->cluster->m, j))
		return true;
	reset_reserved_licenses(&sel->licenses);
	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (i != q->reservation && is_reservation_overlapping(sel->cluster, r, start, end) &&
		    add_reserved_licenses(&sel->licenses, sel->cluster->m, r) &&
		    (!*until || get_reservation_end(r) < *until))
			*until = get_reservation_end(r);
	}
	return fsi_license_is_wanted_left(&sel->licenses);
}

struct fsi_license_demand fsi_license_get_demand(struct fsi_select *sel, const struct fsi_request *q)
{
	const struct fsi_job *j = &sel->cluster->m->job.v[q->job];

	if (!fsi_job_ext(sel->cluster->m, j)->licenses || !sel->params->plans_licenses || !sel->licenses.n ||
	    !fsi_license_read_job(&sel->licenses, sel->cluster->m, j))
		return (struct fsi_license_demand){ 0 };
	return (struct fsi_license_demand){ sel->licenses.want,
					    fsi_license_find_reservation(sel->cluster->m, j->reservation) };
}

/* Removes from *l the nodes and CPUs that reservations take. If a reservation leaves no nodes, moves l->start to the
 * end of that reservation instead and returns true; the caller then resets *l and calls this function again. */
static bool remove_reserved_or_move(struct fsi_select *sel, const struct fsi_request *q, struct fsi_unreserved *l)
{
	int64_t until;

	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (!sel->cluster->reserved.nodes[i] ||
		    !is_reservation_overlapping(sel->cluster, r, l->start, l->start + l->run_s))
			continue;
		if (is_leaving_nothing(sel->cluster, q, r, sel->cluster->reserved.nodes[i])) {
			l->start = get_reservation_end(r);
			return true;
		}
		if (is_taking_whole_nodes(sel->cluster, q, i))
			fsi_bits_and_not(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words);
		else
			subtract_reserved_cores(sel->cluster, l, i);
		if (fsi_bits_has_common(sel->cluster->partition[q->partition].node_set, sel->cluster->reserved.nodes[i],
					sel->cluster->words))
			l->retry_at = find_next_retry(sel, l->start);
	}
	if (!sel->cluster->m->reservation.n ||
	    fsi_license_is_wanted_open(sel, q, l->start, l->start + l->run_s, &until))
		return false;
	l->start = until > l->start ? until : l->start;
	return true;
}

bool fsi_select_filter_reserved(struct fsi_select *sel, const struct fsi_request *q, struct fsi_unreserved *l)
{
	const size_t size = sel->cluster->words * sizeof(*l->nodes);

	l->retry_at = 0;
	l->has_open_cpus = false;
	memset(l->nodes, 0xff, size);
	if (q->reservation != FSI_NO_INDEX)
		return restrict_to_own_reservation(sel, q, l);
	for (uint32_t k = 0; remove_reserved_or_move(sel, q, l); k++) {
		if (k == MAX_MOVES || l->start == INT64_MAX)
			return false;
		l->retry_at = 0;
		l->has_open_cpus = false;
		memset(l->nodes, 0xff, size);
	}
	return true;
}

/* ---- nodes that one user holds exclusively (src/slurmctld/node_scheduler.c: filter_by_node_owner)
 *
 * A job with ExclusiveUser shares nodes only with jobs of the same user. Nodes on which jobs of other users run are
 * excluded for this job, and its nodes are excluded for jobs of other users. Before 24.11, all jobs that run now
 * exclude nodes, even if they end before the request would start.
 *
 * From 24.11 on (src/plugins/sched/backfill/backfill.c: _filter_exclusive_user_mcs_nodes, _rm_node_or_delay_start;
 * 8f7b80d6eb), a node with jobs of other users is excluded until the last job on the node has ended. Excluded nodes are
 * removed from the job's candidates while enough candidates are left, beginning with the node that becomes free last.
 * When no further node can be removed, the job is tried again at the time at which the next excluded node becomes free.
 * Drained nodes and nodes that do not respond count among the candidates left; DOWN nodes do not (up_node_bitmap). */

/* Returns true if the job shares nodes only with jobs of the same user. */
static bool is_job_excluding_users(const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_partition *part = fsi_job_first_partition(m, j);

	return fsi_request_excludes_other_users(m, j, part);
}

/* Returns true if the request and a running job may not share a node: their users differ, and one of the two jobs
 * excludes other users. `running`: row of the running job. */
static bool is_job_excluding_request(const fs_snapshot *m, const struct fsi_request *q, uint32_t running)
{
	const struct fsi_job *j = &m->job.v[q->job], *o = &m->job.v[running];

	return o->user != j->user && (q->sharing.exclusive_user || is_job_excluding_users(m, o));
}

static void remove_excluded_nodes(const struct fsi_cluster *c, const struct fsi_request *q, uint64_t *nodes)
{
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_running_job *e = &c->end.v[i];

		for (uint32_t k = 0; is_job_excluding_request(c->m, q, e->job) && k < e->nnodes; k++)
			fsi_bit_clear(nodes, e->node[k]);
	}
}

/* An excluded node: the request cannot get this node before `until`. */
struct excluded_node {
	int64_t until;
	uint32_t node;
};

static int compare_excluded_by_end(const void *x, const void *y, const void *ctx)
{
	const struct excluded_node *a = x, *b = y;

	(void)ctx;
	return (a->until < b->until) - (a->until > b->until);
}

/* Sets v to the nodes that the request cannot get at `start`. Returns their number. */
static uint32_t list_excluded_nodes(const struct fsi_cluster *c, const struct fsi_request *q, int64_t start,
				    const uint64_t *nodes, struct excluded_node *v)
{
	uint32_t n = 0;

	FSI_BITS_FOR_EACH(i, nodes, c->words)
	{
		const struct fsi_cluster_node *node = &c->node[i];
		struct excluded_node one = { INT64_MIN, i };
		bool excluded = false;

		for (size_t k = 0; k < node->hold.n; k++) {
			const struct fsi_node_hold *h = &node->hold.v[k];

			excluded = excluded || (h->job != FSI_NO_INDEX && is_job_excluding_request(c->m, q, h->job));
			one.until = h->end > one.until ? h->end : one.until;
		}
		if (excluded && one.until > start)
			v[n++] = one;
	}
	return n;
}

int fsi_select_filter_exclusive_user(const struct fsi_select *sel, const struct fsi_request *q, int64_t start,
				     uint64_t *nodes, struct fsi_exclusive_user_filter *out)
{
	struct excluded_node *v;
	int64_t nleft;
	uint32_t n;

	*out = (struct fsi_exclusive_user_filter){ 0 };
	if (!q->sharing.exclusive_user && !sel->cluster->any_exclusive_user)
		return 0;
	if (!sel->params->rules_24_11) {
		remove_excluded_nodes(sel->cluster, q, nodes);
		return 0;
	}
	fsi_bits_and(nodes, sel->cluster->not_down_nodes, sel->cluster->words);
	if (q->set.named)
		fsi_bits_and(nodes, q->set.named, sel->cluster->words);
	v = malloc((sel->cluster->nnodes + (size_t)1) * sizeof(*v));
	n = v ? list_excluded_nodes(sel->cluster, q, start, nodes, v) : 0;
	if (!v || fs_sort(v, n, sizeof(*v), compare_excluded_by_end, NULL)) {
		free(v);
		return -1;
	}
	nleft = fsi_bits_count(nodes, sel->cluster->words);
	for (uint32_t i = 0; i < n && !out->delays_start; i++) {
		out->retry_at = v[i].until;
		out->delays_start =
			nleft <= q->nodes.min || (q->set.required && fsi_bit_is_set(q->set.required, v[i].node));
		if (!out->delays_start)
			fsi_bit_clear(nodes, v[i].node);
		nleft--;
	}
	free(v);
	return 0;
}

bool fsi_select_has_exclusive_user(const struct fsi_cluster *c)
{
	for (size_t i = 0; i < c->end.n; i++)
		if (is_job_excluding_users(c->m, &c->m->job.v[c->end.v[i].job]))
			return true;
	return false;
}
