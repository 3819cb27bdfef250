#include "base/num.h"
#include "plan/bits.h"
#include "plan/node.h"

#include <string.h>

/* Which nodes a job's features leave (src/slurmctld/node_scheduler.c: valid_feature_counts), and the parts of them that
 * the backfill scheduler tries one by one (backfill.c: _num_feature_count, _try_sched).
 *
 * A text is a list of names, each with the operator behind it; of what stands in parentheses all but the last name are
 * within them. The list is gone through from left to right: an operator in brackets leaves nodes alone, a number of
 * nodes anywhere leaves all of them. A part is a name, or a group in parentheses. */

enum op { OP_END, OP_AND, OP_OR, OP_ONE, OP_EACH };

struct item {
	const char *name;
	uint32_t len, count;
	enum op op;
	bool group, bracket;
};

struct reading {
	struct item *item;
	uint32_t n;
	struct item now; /* name NULL: no item has begun */
	bool group, bracket, brackets_seen;
};

static bool has_feature(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n, const struct item *it)
{
	const uint32_t id = fsi_intern_find(&c->m->names, it->name, it->len);
	size_t count;
	const uint32_t *list = fsi_list(c->m, c->m->node.v[n->row].features, &count);

	for (size_t i = 0; id && i < count; i++)
		if (list[i] == id)
			return true;
	return false;
}

/* ---- reading the text */

static bool end_item(struct reading *r, char by)
{
	const bool any = by == '|';

	if (!r->now.name)
		return by == '\0';
	r->now.group = r->group;
	r->now.bracket = r->bracket;
	r->now.op = by == '\0'			? OP_END
		    : r->group || !r->bracket ? (any ? OP_OR : OP_AND)
						: (any ? OP_ONE : OP_EACH);
	r->item[r->n++] = r->now;
	r->now = (struct item){ 0 };
	return true;
}

static bool bracket(struct reading *r, char c)
{
	const bool opens = c == '[' || c == '(';
	bool *const in = c == '(' || c == ')' ? &r->group : &r->bracket;

	if (opens == (r->now.name != NULL) || opens == *in || (c == '[' && r->brackets_seen) ||
	    (in == &r->bracket && r->group))
		return false;
	*in = opens;
	r->brackets_seen = r->brackets_seen || c == '[';
	return true;
}

/* Reads `*4`; returns how many characters that are, 0 if it is no such number. */
static size_t number_of_nodes(struct reading *r, const char *s)
{
	const size_t len = strspn(s + 1, "0123456789");
	int64_t n;

	if (!r->now.name || r->group || fsi_parse_i64(s + 1, len, &n) || n <= 0 || n > UINT32_MAX)
		return 0;
	r->now.count = (uint32_t)n;
	return len + 1;
}

static bool read_items(struct reading *r, const char *s)
{
	for (;;) {
		const size_t len = strcspn(s, "&,|[]()*");

		if (len && r->now.name)
			return false;
		if (len)
			r->now = (struct item){ .name = s, .len = (uint32_t)len };
		s += len;
		if (*s == '*') {
			const size_t digits = number_of_nodes(r, s);

			if (!digits)
				return false;
			s += digits;
			continue;
		}
		if (*s && strchr("[]()", *s)) {
			if (!bracket(r, *s++))
				return false;
			continue;
		}
		if (!end_item(r, *s))
			return false;
		if (!*s++)
			return !r->group && !r->bracket && r->n;
	}
}

/* ---- going through the list */

struct sets {
	const struct fsi_plan_cluster *c;
	uint64_t *all, *group; /* the nodes that the whole list leaves so far, and those of the group at hand */
};

static void apply(const struct sets *s, const struct item *it, enum op op, uint64_t *to)
{
	for (uint32_t i = 0; i < s->c->nnodes; i++) {
		const bool has = has_feature(s->c, &s->c->node[i], it);

		if (op == OP_AND && !has)
			fsi_bit_clear(to, i);
		else if (op == OP_OR && has)
			fsi_bit_set(to, i);
	}
}

static void join(const struct sets *s, enum op op)
{
	for (uint32_t w = 0; w < s->c->words; w++) {
		if (op == OP_AND)
			s->all[w] &= s->group[w];
		else if (op == OP_OR)
			s->all[w] |= s->group[w];
	}
}

/* Puts the nodes that items leave into s->all. */
static void go_through(const struct sets *s, const struct item *item, uint32_t n)
{
	const size_t size = s->c->words * sizeof(uint64_t);
	enum op last = OP_AND, before_group = OP_AND;
	bool group = false;

	memset(s->all, 0xff, size);
	for (uint32_t k = 0; k < n; k++) {
		const struct item *it = &item[k];

		if (it->group && !group) {
			before_group = it->bracket && last != OP_EACH && last != OP_ONE ? OP_EACH : last;
			last = OP_AND;
			memset(s->group, 0xff, size);
		}
		if (it->op != OP_ONE && it->op != OP_EACH)
			apply(s, it, last, it->group || group ? s->group : s->all);
		if (group && !it->group)
			join(s, before_group);
		last = it->op;
		group = it->group;
	}
}

/* ---- parts */

static int add_kind(struct fsi_plan_request *q, const struct sets *s, struct item *item, uint32_t n,
		    struct fsi_arena *arena)
{
	struct fsi_plan_kind *kind = &q->features.set[q->features.n];

	for (uint32_t k = 0; k < n; k++)
		item[k].group = item[k].bracket = false;
	kind->count = item[n - 1].count;
	item[n - 1].op = OP_END;
	kind->nodes = fsi_arena_array(arena, s->c->words, sizeof(*kind->nodes));
	if (!kind->nodes)
		return -1;
	go_through(s, item, n);
	memcpy(kind->nodes, s->all, s->c->words * sizeof(*kind->nodes));
	q->features.n++;
	return 0;
}

static int make_kinds(struct fsi_plan_request *q, const struct sets *s, struct reading *r, struct fsi_arena *arena)
{
	q->features.set = fsi_arena_array(arena, r->n, sizeof(*q->features.set));
	if (!q->features.set)
		return -1;
	for (uint32_t k = 0, end; k < r->n; k = end) {
		for (end = k; end + 1 < r->n && r->item[end].group;)
			end++;
		if (add_kind(q, s, &r->item[k], ++end - k, arena))
			return -1;
	}
	return 0;
}

int fsi_plan_features(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, const char *text,
		      struct fsi_arena *arena)
{
	struct sets s = { c, fsi_arena_array(arena, c->words, sizeof(*s.all)),
			  fsi_arena_array(arena, c->words, sizeof(*s.group)) };
	struct reading r = { .item = fsi_arena_array(arena, strlen(text) + 1, sizeof(*r.item)) };
	bool counted = false, one = false, each = false;

	if (!s.all || !s.group || !r.item || !fsi_plan_all_nodes(&q->set.allowed, c, arena))
		return -1;
	if (!read_items(&r, text)) {
		q->unmodelled |= FS_UNMODELLED_FEATURES;
		return 0;
	}
	for (uint32_t k = 0; k < r.n; k++) {
		counted = counted || r.item[k].count;
		one = one || r.item[k].op == OP_ONE;
		each = each || r.item[k].op == OP_EACH;
	}
	if (!counted) {
		go_through(&s, r.item, r.n);
		fsi_bits_and(q->set.allowed, s.all, c->words);
	}
	q->features.each = counted || each;
	return q->features.each || one ? make_kinds(q, &s, &r, arena) : 0;
}
