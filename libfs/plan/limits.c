#include "plan/limits.h"

#include "base/num.h"
#include "model/find.h"
#include "plan/bits.h"
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

static int make_room(struct fsi_plan_counts *n)
{
	n->of_user = calloc(2 * (size_t)n->names + 1, sizeof(*n->of_user));
	n->of_part = calloc((size_t)n->names + 1, sizeof(*n->of_part));
	n->reserved_part = calloc((size_t)n->names + 1, sizeof(*n->reserved_part));
	n->of_assoc = calloc((size_t)n->assocs + 1, sizeof(*n->of_assoc));
	return n->of_user && n->of_part && n->reserved_part && n->of_assoc ? 0 : -1;
}

int fsi_plan_counts_init(struct fsi_plan_counts *n, const fs_snapshot *m)
{
	*n = (struct fsi_plan_counts){ .names = m->names.count, .assocs = (uint32_t)m->association.n };
	return make_room(n);
}

int fsi_plan_counts_copy(struct fsi_plan_counts *to, const struct fsi_plan_counts *n)
{
	*to = (struct fsi_plan_counts){ .names = n->names, .assocs = n->assocs, .size = n->size, .npairs = n->npairs };
	to->pair = malloc(n->size * sizeof(*to->pair) + 1);
	if (make_room(to) || !to->pair) {
		fsi_plan_counts_release(to);
		return -1;
	}
	memcpy(to->of_user, n->of_user, 2 * (size_t)n->names * sizeof(*to->of_user));
	memcpy(to->of_part, n->of_part, n->names * sizeof(*to->of_part));
	memcpy(to->reserved_part, n->reserved_part, n->names * sizeof(*to->reserved_part));
	memcpy(to->of_assoc, n->of_assoc, n->assocs * sizeof(*to->of_assoc));
	if (n->size)
		memcpy(to->pair, n->pair, n->size * sizeof(*to->pair));
	return 0;
}

void fsi_plan_counts_release(struct fsi_plan_counts *n)
{
	free(n->of_user);
	free(n->of_part);
	free(n->reserved_part);
	free(n->of_assoc);
	free(n->pair);
	*n = (struct fsi_plan_counts){ 0 };
}

static uint32_t *at(const struct fsi_plan_counts *n, uint32_t *base, uint32_t name)
{
	return &base[name < n->names ? name : 0];
}

uint32_t *fsi_plan_reserved_in(const struct fsi_plan_counts *n, uint32_t partition)
{
	return at(n, n->reserved_part, partition);
}

static struct fsi_plan_pair *find_pair(const struct fsi_plan_counts *n, uint32_t user, uint32_t partition)
{
	const uint64_t key = (uint64_t)user << 32 | partition;

	for (uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;; i++) {
		struct fsi_plan_pair *p = &n->pair[i & (n->size - 1)];

		if (!p->n || (p->user == user && p->partition == partition))
			return p;
	}
}

static int grow(struct fsi_plan_counts *n)
{
	struct fsi_plan_counts bigger = *n;

	bigger.size = n->size ? 2 * n->size : FIRST_SIZE;
	bigger.pair = calloc(bigger.size, sizeof(*bigger.pair));
	if (!bigger.pair)
		return -1;
	for (uint32_t i = 0; i < n->size; i++)
		if (n->pair[i].n)
			*find_pair(&bigger, n->pair[i].user, n->pair[i].partition) = n->pair[i];
	free(n->pair);
	*n = bigger;
	return 0;
}

static bool reached(const uint32_t *n, uint32_t max)
{
	return max && n && *n >= max;
}

/* Only associations of default accounts know their user (src/common/assoc_mgr.c: _set_user_default_acct); jobs of all
 * others are counted by uid, apart from those. */
static uint32_t *by_user(const struct fsi_plan_counts *n, const fs_snapshot *m, const struct fsi_job *j)
{
	const struct fsi_user *u = fsi_user_find(m, j->user);
	const bool elsewhere = u && u->default_account && j->account != u->default_account;

	return at(n, elsewhere ? n->of_user + n->names : n->of_user, j->user);
}

enum { FULL_PART = 1, FULL_USER, FULL_ASSOC, FULL_USER_PART };

struct fsi_plan_cycle_limit fsi_plan_count_limit(const struct fsi_plan_params *p, int full)
{
	const struct fsi_plan_cycle_limit limits[] = {
		[FULL_PART] = { "bf_max_job_part", p->max_part },
		[FULL_USER] = { "bf_max_job_user", p->max_user },
		[FULL_ASSOC] = { "bf_max_job_assoc", p->max_assoc },
		[FULL_USER_PART] = { "bf_max_job_user_part", p->max_user_part },
	};

	return limits[full];
}

int fsi_plan_count(struct fsi_plan_counts *n, const fs_snapshot *m, const struct fsi_plan_params *p,
		   const struct fsi_job *j, uint32_t partition, bool counts)
{
	const uint32_t assoc = p->max_assoc ? fsi_job_assoc(m, j) : FSI_NO_INDEX;
	uint32_t *const part = at(n, n->of_part, partition), *const user = by_user(n, m, j),
			*const of_assoc = assoc != FSI_NO_INDEX ? &n->of_assoc[assoc] : NULL;
	struct fsi_plan_pair *both = NULL;

	if (p->max_user_part) {
		if (2 * (n->npairs + 1) > n->size && grow(n))
			return -1;
		both = find_pair(n, j->user, partition);
	}
	if (reached(part, p->max_part))
		return FULL_PART;
	if (reached(user, p->max_user))
		return FULL_USER;
	if (reached(of_assoc, p->max_assoc))
		return FULL_ASSOC;
	if (both && reached(&both->n, p->max_user_part))
		return FULL_USER_PART;
	if (!counts)
		return 0;
	++*part;
	++*user;
	if (of_assoc)
		++*of_assoc;
	if (both) {
		n->npairs += !both->n;
		*both = (struct fsi_plan_pair){ j->user, partition, both->n + 1 };
	}
	return 0;
}

/* Licences of the cluster: `matlab:4,ansys:2` (src/slurmctld/licenses.c: license_job_test). Without bf_licenses a job
 * that wants more than are left now is not tried; with it they are kept on the backfill map like nodes. Those that a
 * reservation has are none for jobs outside it (job_test_lic_resv). */

/* The item at s: the length of its name, and its amount; returns what follows. An item without an amount is one
 * licence. */
static const char *item(const char *s, uint32_t *len, int64_t *amount)
{
	const size_t n = strcspn(s, ",;|"), name = strcspn(s, ":=*,;|");

	*len = (uint32_t)(name < n ? name : n);
	if (name >= n || fsi_parse_i64(s + name + 1, n - name - 1, amount) || *amount < 0)
		*amount = 1;
	return s + n + (s[n] != '\0');
}

static struct fsi_plan_license *find(const struct fsi_plan_licenses *l, const char *name, uint32_t len)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].len == len && !memcmp(l->v[i].name, name, len))
			return &l->v[i];
	return NULL;
}

int fsi_licenses_init(struct fsi_plan_licenses *l, const fs_snapshot *m, struct fsi_arena *arena)
{
	const char *text = fs_snapshot_config_text(m, "Licenses");
	uint32_t max = 1;

	*l = (struct fsi_plan_licenses){ .known = text != NULL };
	for (const char *s = text ? text : ""; *s; s++)
		max += *s == ',';
	l->v = fsi_arena_array(arena, max, sizeof(*l->v));
	l->want = fsi_arena_array(arena, max, sizeof(*l->want));
	if (!l->v || !l->want)
		return -1;
	for (const char *s = text && strcmp(text, "(null)") != 0 ? text : ""; *s;) {
		struct fsi_plan_license *v = &l->v[l->n++];

		v->name = s;
		s = item(s, &v->len, &v->total);
	}
	return 0;
}

/* Takes the next of a list: its amount; NULL: the cluster has no such licence. */
static struct fsi_plan_license *next(const struct fsi_plan_licenses *l, const char **list, int64_t *amount)
{
	const char *name = *list;
	uint32_t len;

	*list = item(name, &len, amount);
	return find(l, name, len);
}

/* Fills l->want with the amounts of a list; is all of it known? */
static bool read_list(struct fsi_plan_licenses *l, const char *s)
{
	bool known = l->known && !strchr(s, '|');

	memset(l->want, 0, l->n * sizeof(*l->want));
	while (*s) {
		int64_t amount;
		const struct fsi_plan_license *v = next(l, &s, &amount);

		known = known && v;
		if (v)
			l->want[v - l->v] += amount;
	}
	return known;
}

bool fsi_licenses_of(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	return read_list(l, fsi_str(m, fsi_job_rare(m, j)->licenses));
}

void fsi_licenses_kept(struct fsi_plan_licenses *l, const fs_snapshot *m, uint32_t reservation)
{
	read_list(l, fsi_str(m, m->reservation.v[reservation].licenses));
}

uint32_t fsi_licenses_owners(const fs_snapshot *m)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->reservation.n; i++)
		n += m->reservation.v[i].licenses != 0;
	return n;
}

uint32_t fsi_licenses_owner(const fs_snapshot *m, uint32_t name)
{
	uint32_t n = 0;

	for (size_t i = 0; name && i < m->reservation.n; i++) {
		n += m->reservation.v[i].licenses != 0;
		if (m->reservation.v[i].name == name)
			return m->reservation.v[i].licenses ? n : 0;
	}
	return 0;
}

void fsi_licenses_take(struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].used += l->want[i];
}

bool fsi_licenses_left(const struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->want[i] && l->v[i].used - l->v[i].freed + l->v[i].reserved + l->want[i] > l->v[i].total)
			return false;
	return true;
}

void fsi_licenses_free(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_str(m, fsi_job_rare(m, j)->licenses);

	while (*s) {
		int64_t amount;
		struct fsi_plan_license *v = next(l, &s, &amount);

		if (v)
			v->freed += amount;
	}
}

bool fsi_licenses_meet(const struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_str(m, fsi_job_rare(m, j)->licenses);

	while (*s) {
		int64_t amount;
		const struct fsi_plan_license *v = next(l, &s, &amount);

		if (v && l->want[v - l->v])
			return true;
	}
	return false;
}

/* Sets the reserved and freed amounts of all licenses to 0. */
static void licenses_unreserve(struct fsi_plan_licenses *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->v[i].reserved = l->v[i].freed = 0;
}

/* Adds the licenses of the reservation. Returns true if l->want needs one of them. */
static bool licenses_reserve(struct fsi_plan_licenses *l, const fs_snapshot *m, const struct fsi_reservation *r)
{
	const char *s = fsi_str(m, r->licenses);
	bool meets = false;

	while (*s) {
		int64_t amount;
		struct fsi_plan_license *v = next(l, &s, &amount);

		if (!v)
			continue;
		v->reserved += amount;
		meets = meets || l->want[v - l->v];
	}
	return meets;
}

/* What advance reservations leave to a job (src/slurmctld/reservation.c: job_test_resv, find_resv_end).
 *
 * A job in a reservation has its nodes (all with FLEX or ANY_NODES) once it has begun, less those of others in the time
 * of the job, unless its own has MAINT, or OVERLAP and the other no MAINT. A job in none loses the nodes of those in
 * its time; where one takes all nodes (ALL_NODES, PART_NODES of its partition, MAINT on all nodes of its
 * partition) or, from a job that takes nodes whole, one that it must have, it is tried at the end of that, up to ten
 * times. It is tried again at the first end of any reservation, rounded up, and one second. A reservation of cores
 * leaves the rest of its nodes to jobs that do not take them whole, and one in it has these cores alone. A job that
 * wants licences of which none are left now, or in its time none beside those that are reserved, is tried at the first
 * end of a reservation of them. */

enum { MAX_MOVES = 10 };

static bool has_flag(const fs_snapshot *m, const struct fsi_reservation *r, const char *flag)
{
	return fsi_list_has(m, r->flags, flag);
}

static int64_t start_of(const struct fsi_plan_cluster *c, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, start_time) ? r->start_time : c->now;
}

static int64_t end_of(const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time : INT64_MAX;
}

static bool in_time(const struct fsi_plan_cluster *c, const struct fsi_reservation *r, int64_t start, int64_t end)
{
	return end_of(r) > c->now && start_of(c, r) < end && end_of(r) > start;
}

/* Does it take the whole node from the request? */
static bool takes_nodes(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, size_t reservation)
{
	return !c->reserved.cpus[reservation] || q->sharing.whole_nodes;
}

/* Does the reservation leave nothing that the job could use before it ends? */
static bool closes(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		   const struct fsi_reservation *r, const uint64_t *nodes)
{
	const struct fsi_partition *part = &c->m->partition.v[q->partition];

	return has_flag(c->m, r, "ALL_NODES") ||
	       (has_flag(c->m, r, "PART_NODES") && r->partition == part->name) ||
	       (has_flag(c->m, r, "MAINT") && fsi_bits_within(c->part[q->partition].has, nodes, c->words)) ||
	       ((q->sharing.whole_nodes || !r->tres) && q->set.required && fsi_bits_meet(q->set.required, nodes, c->words));
}

static int64_t first_end(const struct fsi_select *sel, int64_t start)
{
	const int64_t step = sel->params->resolution_s;
	int64_t end = INT64_MAX;

	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const int64_t e = end_of(&sel->cluster->m->reservation.v[i]);

		if (e > sel->cluster->now && start <= e && e < end)
			end = e;
	}
	return end == INT64_MAX ? 0 : (end + step - 1) / step * step + 1;
}

static void open_all(const struct fsi_plan_cluster *c, struct fsi_plan_left *l)
{
	for (uint32_t i = 0; i < c->nnodes; i++)
		l->open[i] = c->node[i].total[FSI_RES_CPU];
	l->opened = true;
}

static void keep_cores(const struct fsi_plan_cluster *c, struct fsi_plan_left *l, size_t reservation)
{
	if (!l->opened)
		open_all(c, l);
	for (uint32_t i = 0; i < c->nnodes; i++)
		l->open[i] -= c->reserved.cpus[reservation][i];
}

static void own_cores_alone(const struct fsi_plan_cluster *c, struct fsi_plan_left *l, size_t reservation)
{
	memcpy(l->open, c->reserved.cpus[reservation], c->nnodes * sizeof(*l->open));
	l->opened = true;
}

static bool in_own(const struct fsi_select *sel, const struct fsi_plan_request *q, struct fsi_plan_left *l)
{
	const struct fsi_reservation *own = &sel->cluster->m->reservation.v[q->reservation];
	const bool maint = has_flag(sel->cluster->m, own, "MAINT"), over = has_flag(sel->cluster->m, own, "OVERLAP"),
		   flex = has_flag(sel->cluster->m, own, "FLEX");

	if (l->start < fsi_reservation_opens(sel->cluster->m, own) || l->start > fsi_reservation_closes(sel->cluster->m, own))
		return false;
	if (!flex && !has_flag(sel->cluster->m, own, "ANY_NODES") && sel->cluster->reserved.nodes[q->reservation])
		fsi_bits_and(l->nodes, sel->cluster->reserved.nodes[q->reservation], sel->cluster->words);
	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (maint || i == q->reservation || !sel->cluster->reserved.nodes[i] || sel->cluster->reserved.cpus[i] ||
		    (over && !has_flag(sel->cluster->m, r, "MAINT")) ||
		    !in_time(sel->cluster, r, l->start, l->start + l->for_s) ||
		    !fsi_bits_meet(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words))
			continue;
		fsi_bits_and_not(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words);
		l->again = first_end(sel, l->start);
	}
	if (!flex && sel->cluster->reserved.cpus[q->reservation])
		own_cores_alone(sel->cluster, l, q->reservation);
	return true;
}

bool fsi_plan_licenses_open(struct fsi_select *sel, const struct fsi_plan_request *q, int64_t start, int64_t end,
			    int64_t *until)
{
	const struct fsi_job *j = &sel->cluster->m->job.v[q->job];

	*until = 0;
	if (!fsi_job_rare(sel->cluster->m, j)->licenses || !fsi_licenses_of(&sel->licenses, sel->cluster->m, j))
		return true;
	licenses_unreserve(&sel->licenses);
	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (i != q->reservation && in_time(sel->cluster, r, start, end) &&
		    licenses_reserve(&sel->licenses, sel->cluster->m, r) && (!*until || end_of(r) < *until))
			*until = end_of(r);
	}
	return fsi_licenses_left(&sel->licenses);
}

struct fsi_map_want fsi_plan_wants(struct fsi_select *sel, const struct fsi_plan_request *q)
{
	const struct fsi_job *j = &sel->cluster->m->job.v[q->job];

	if (!fsi_job_rare(sel->cluster->m, j)->licenses || !sel->params->licenses || !sel->licenses.n || !fsi_licenses_of(&sel->licenses, sel->cluster->m, j))
		return (struct fsi_map_want){ 0 };
	return (struct fsi_map_want){ sel->licenses.want, fsi_licenses_owner(sel->cluster->m, j->reservation) };
}

/* 1 when the start has to be moved on, 0 when not. */
static bool moved(struct fsi_select *sel, const struct fsi_plan_request *q, struct fsi_plan_left *l)
{
	int64_t until;

	for (size_t i = 0; i < sel->cluster->m->reservation.n; i++) {
		const struct fsi_reservation *r = &sel->cluster->m->reservation.v[i];

		if (!sel->cluster->reserved.nodes[i] || !in_time(sel->cluster, r, l->start, l->start + l->for_s))
			continue;
		if (closes(sel->cluster, q, r, sel->cluster->reserved.nodes[i])) {
			l->start = end_of(r);
			return true;
		}
		if (takes_nodes(sel->cluster, q, i))
			fsi_bits_and_not(l->nodes, sel->cluster->reserved.nodes[i], sel->cluster->words);
		else
			keep_cores(sel->cluster, l, i);
		if (fsi_bits_meet(sel->cluster->part[q->partition].has, sel->cluster->reserved.nodes[i], sel->cluster->words))
			l->again = first_end(sel, l->start);
	}
	if (!sel->cluster->m->reservation.n || fsi_plan_licenses_open(sel, q, l->start, l->start + l->for_s, &until))
		return false;
	l->start = until > l->start ? until : l->start;
	return true;
}

bool fsi_plan_unreserved(struct fsi_select *sel, const struct fsi_plan_request *q, struct fsi_plan_left *l)
{
	const size_t size = sel->cluster->words * sizeof(*l->nodes);

	l->again = 0;
	l->opened = false;
	memset(l->nodes, 0xff, size);
	if (q->reservation != FSI_NO_INDEX)
		return in_own(sel, q, l);
	for (uint32_t k = 0; moved(sel, q, l); k++) {
		if (k == MAX_MOVES || l->start == INT64_MAX)
			return false;
		l->again = 0;
		l->opened = false;
		memset(l->nodes, 0xff, size);
	}
	return true;
}
