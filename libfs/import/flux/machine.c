#include "import/flux/machine.h"

#include "base/hostlist.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The machine of a Flux: `flux resource R` (RFC 20: ranks, cores, GPUs, hosts, properties). */

/* ---- sets of ranks and hosts */

static int add_rank(void *ctx, const char *text, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint64_t n;

	if (fsi_parse_u64(text, len, &n) || n > UINT32_MAX)
		return -2;
	if (FSI_VEC_ROOM(&x->rank))
		return -3;
	x->rank.v[x->rank.n++] = (uint32_t)n;
	return 0;
}

/* Reads "0-3,7" into x->rank. */
static int ranks_of(struct fsi_flux_machine *x, const char *set)
{
	char *text = set ? malloc(strlen(set) + 3) : NULL;
	int rc;

	x->rank.n = 0;
	if (!set)
		return fsi_fail_at(x->f->imp.err, x->f->imp.where, "rank", "expected a set of ranks");
	if (!text)
		return fsi_nomem(x->f->imp.err);
	snprintf(text, strlen(set) + 3, "[%s]", set);
	rc = fsi_hostlist_each(text, FSI_MAX_HOSTS, add_rank, x);
	free(text);
	if (rc == -3)
		return fsi_nomem(x->f->imp.err);
	return rc ? fsi_fail_at(x->f->imp.err, x->f->imp.where, "rank", "expected a set of ranks") : 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct fsi_flux_node *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct fsi_flux_node *of_rank(struct fsi_flux_machine *x, uint32_t rank)
{
	const struct fsi_flux_node key = { .rank = rank };

	return x->node.n ? bsearch(&key, x->node.v, x->node.n, sizeof(key), by_rank) : NULL;
}

/* ---- flux resource R */

static int count_of(struct fsi_flux_machine *x, const struct fsi_json *children, const char *key, uint32_t *out)
{
	const struct fsi_json *v = fsi_json_member(children, key);
	const int rc = v ? ranks_of(x, fsi_json_string(v)) : 0;

	*out = v ? (uint32_t)x->rank.n : 0;
	return rc;
}

static int add_lite(struct fsi_flux_machine *x, const struct fsi_json *v)
{
	const struct fsi_json *children = fsi_json_member(v, "children");
	struct fsi_flux_node n = { .known = true };
	int rc = count_of(x, children, "core", &n.cores);

	if (!rc)
		rc = count_of(x, children, "gpu", &n.gpus);
	if (!rc)
		rc = ranks_of(x, fsi_flux_text(fsi_json_member(v, "rank")));
	for (size_t i = 0; i < x->rank.n && !rc; i++) {
		n.rank = x->rank.v[i];
		if (FSI_VEC_ROOM(&x->node))
			return fsi_nomem(x->f->imp.err);
		x->node.v[x->node.n++] = n;
	}
	return rc;
}

/* Hosts stand in the order of ranks. */
static int name_host(void *ctx, const char *name, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint32_t id = fsi_import_name(&x->f->imp, (struct fsi_span){ name, len });
	char text[FSI_HOST_NAME_MAX + 16];
	int rc;

	if (x->next >= x->node.n)
		return -2;
	rc = id == FSI_INTERN_FAILED ? -1 : fsi_flux_number(&x->by_name, id, x->next);
	if (rc == 1) { /* an instance for trials may have several brokers on a host */
		snprintf(text, sizeof(text), "%s/%u", name, x->node.v[x->next].rank);
		id = fsi_name(x->f->imp.m, text);
		rc = id == FSI_INTERN_FAILED ? -1 : fsi_flux_number(&x->by_name, id, x->next);
	}
	if (rc)
		return -3;
	x->node.v[x->next++].name = id;
	return 0;
}

static int name_nodes(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	x->next = 0;
	for (const struct fsi_json *v = fsi_flux_first(list); v && !rc; v = fsi_json_next(v))
		rc = fsi_json_string(v) ? fsi_hostlist_each(fsi_json_string(v), FSI_MAX_HOSTS, name_host, x) : -2;
	if (rc == -3)
		return fsi_nomem(imp->err);
	if (rc || x->next != x->node.n)
		return fsi_fail_at(imp->err, imp->where, "nodelist", "expected a host for each of %zu ranks", x->node.n);
	return 0;
}

static int add_properties(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	for (const struct fsi_json *v = fsi_flux_first(list); v && !rc; v = fsi_json_next(v)) {
		const uint32_t name = fsi_name(imp->m, fsi_json_key(v));

		rc = name == FSI_INTERN_FAILED ? fsi_nomem(imp->err) : ranks_of(x, fsi_json_string(v));
		for (size_t i = 0; i < x->rank.n && !rc; i++) {
			struct fsi_flux_node *n = of_rank(x, x->rank.v[i]);

			if (n && FSI_VEC_ROOM(&n->property))
				return fsi_nomem(imp->err);
			if (n)
				n->property.v[n->property.n++] = name;
		}
	}
	return rc;
}

static int read_execution(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *lite = fsi_json_member(v, "R_lite");
	int rc = 0;

	(void)depth;
	if (!lite || x->from_r)
		return 0;
	x->f->imp.where = where;
	x->from_r = true;
	for (const struct fsi_json *e = fsi_flux_first(lite); e && !rc; e = fsi_json_next(e))
		rc = add_lite(x, e);
	if (rc)
		return rc;
	if (x->node.n)
		qsort(x->node.v, x->node.n, sizeof(*x->node.v), by_rank);
	rc = name_nodes(x, fsi_json_member(v, "nodelist"));
	return rc ? rc : add_properties(x, fsi_json_member(v, "properties"));
}

/* Reads R. Returns 0, 1 if there is no such file, or a negative error code. */
static int flux_read_r(struct fsi_flux_machine *x)
{
	static const char *const keys[] = { "execution", "scheduling", "graph", "nodes", "edges", NULL };
	const struct fsi_json_split r = { keys, NULL, read_execution, x };

	return fsi_import_json(&x->f->imp, "flux_resource_R.json", &r);
}

/* `flux resource list` and `flux resource status` (src/cmd/flux-resource.py): what is down, drained or in use; where R
 * was not captured the list tells the nodes too, with the queues it prints. */

static int take_host(void *ctx, const char *name, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	const uint32_t id = fsi_import_name(&x->f->imp, (struct fsi_span){ name, len });
	uint32_t at = id == FSI_INTERN_FAILED ? 0 : fsi_flux_numbered(&x->by_name, id);

	if (id == FSI_INTERN_FAILED)
		return -3;
	if (at == FSI_NO_INDEX && x->from_r)
		return 0;
	if (at == FSI_NO_INDEX) {
		at = (uint32_t)x->node.n;
		if (FSI_VEC_ROOM(&x->node) || fsi_flux_number(&x->by_name, id, at))
			return -3;
		x->node.v[x->node.n++] = (struct fsi_flux_node){ .name = id, .rank = at };
	}
	x->node.v[at].state |= x->state;
	if (x->group)
		x->node.v[at].group = x->group;
	return 0;
}

static int take_hosts(struct fsi_flux_machine *x, struct fsi_span list)
{
	struct fsi_import *imp = &x->f->imp;
	const uint32_t text = fsi_import_name(imp, list);
	const int rc =
		text == FSI_INTERN_FAILED ? -3 : fsi_hostlist_each(fsi_str(imp->m, text), FSI_MAX_HOSTS, take_host, x);

	if (rc == -3)
		return fsi_nomem(imp->err);
	return rc ? fsi_import_bad(imp, "NODELIST", list, "a list of nodes") : 0;
}

enum { WORDS_MAX = 12 };

static size_t words_of(struct fsi_span line, struct fsi_span *word)
{
	size_t n = 0, at = 0;

	while (n < WORDS_MAX) {
		while (at < line.len && (line.s[at] == ' ' || line.s[at] == '\t'))
			at++;
		if (at == line.len)
			break;
		word[n].s = line.s + at;
		while (at < line.len && line.s[at] != ' ' && line.s[at] != '\t')
			at++;
		word[n].len = (size_t)(line.s + at - word[n].s);
		n++;
	}
	return n;
}

static bool has_word(const struct fsi_span *word, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (fsi_span_is(word[i], name))
			return true;
	return false;
}

static int add_sum(struct fsi_flux_machine *x, const struct fsi_span *word, size_t last)
{
	struct fsi_flux_sum s = { .group = x->group, .known = x->has_cores };
	int64_t n;

	if (x->has_gpus && !fsi_parse_i64(word[last - 1].s, word[last - 1].len, &n) && n > 0)
		s.gpus = (uint64_t)n;
	if (x->has_cores) {
		const struct fsi_span *w = &word[last - 1 - x->has_gpus];

		s.known = !fsi_parse_i64(w->s, w->len, &n) && n >= 0;
		s.cores = s.known ? (uint64_t)n : 0;
	}
	if (FSI_VEC_ROOM(&x->sum))
		return -1;
	x->sum.v[x->sum.n++] = s;
	return 0;
}

/* Is the word of a line that has one for QUEUE or PROPERTIES a queue? */
static bool names_queue(const struct fsi_flux_machine *x, struct fsi_span word)
{
	const fs_snapshot *m = x->f->imp.m;
	struct fsi_span first;

	fsi_span_cut(&word, ',', &first);
	for (size_t i = 0; i < m->partition.n; i++)
		if (fsi_span_is(first, fsi_str(m, m->partition.v[i].name)))
			return true;
	return !m->partition.n;
}

/* "allocated batch,standby      3     24     0 fake[1-3]": columns that are empty everywhere are left out, and so is
 * what a line has not. */
static int list_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word[WORDS_MAX];
	const size_t n = words_of(line, word);
	const size_t numbers = 1 + (size_t)x->has_cores + x->has_gpus;

	if (n && fsi_span_is(word[0], "STATE")) {
		x->states = has_word(word, n, "NODELIST");
		x->has_queue = has_word(word, n, "QUEUE");
		x->has_properties = has_word(word, n, "PROPERTIES");
		x->has_cores = has_word(word, n, "NCORES");
		x->has_gpus = has_word(word, n, "NGPUS");
		return 0;
	}
	if (!x->states || n < 2 + numbers || fsi_span_is(word[n - 1], "0"))
		return 0;
	x->state = fsi_span_is(word[0], "free")	? FSI_FLUX_FREE
		   : fsi_span_is(word[0], "allocated") ? FSI_FLUX_BUSY
		   : fsi_span_is(word[0], "down")      ? FSI_FLUX_DOWN
							: 0;
	x->group = 0;
	if (x->has_queue && n > 2 + numbers && (!x->has_properties || n > 3 + numbers || names_queue(x, word[1]))) {
		x->group = fsi_import_name(imp, word[1]);
		if (x->group == FSI_INTERN_FAILED)
			return fsi_nomem(imp->err);
	}
	if (!x->state)
		return 0;
	if (add_sum(x, word, n - 1))
		return fsi_nomem(imp->err);
	return take_hosts(x, word[n - 1]);
}

/* "drained  ✔      1 fake3": also "draining", and "drained*" of nodes that are offline too. */
static int status_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char drain[] = "drain";
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word[WORDS_MAX];
	const size_t n = words_of(line, word);

	(void)imp;
	if (n && fsi_span_is(word[0], "STATE")) {
		x->drained = has_word(word, n, "NODELIST");
		return 0;
	}
	if (!x->drained || n < 3 || fsi_span_is(word[n - 1], "0") || word[0].len < strlen(drain) ||
	    memcmp(word[0].s, drain, strlen(drain)) != 0)
		return 0;
	x->state = FSI_FLUX_DRAINED;
	x->group = 0;
	return take_hosts(x, word[n - 1]);
}

/* The nodes of a group that are all alike each get their part of what is told of them together. */
static void share_out(struct fsi_flux_machine *x)
{
	for (size_t i = 0; i < x->node.n && !x->from_r; i++) {
		struct fsi_flux_node *n = &x->node.v[i];
		uint64_t cores = 0, gpus = 0, nodes = 0;

		n->known = true;
		for (size_t k = 0; k < x->sum.n; k++)
			if (x->sum.v[k].group == n->group) {
				cores += x->sum.v[k].cores;
				gpus += x->sum.v[k].gpus;
				n->known = n->known && x->sum.v[k].known;
			}
		for (size_t k = 0; k < x->node.n; k++)
			nodes += x->node.v[k].group == n->group;
		n->known = n->known && !(cores % nodes) && !(gpus % nodes) && cores / nodes <= UINT32_MAX;
		n->cores = n->known ? (uint32_t)(cores / nodes) : 0;
		n->gpus = n->known ? (uint32_t)(gpus / nodes) : 0;
	}
}

/* Reads the output of `flux resource list` and `status`. Returns as flux_read_r. */
static int flux_read_lists(struct fsi_flux_machine *x)
{
	int rc = fsi_import_lines(&x->f->imp, "flux_resource_list.txt", list_line, x);

	if (rc >= 0)
		rc = fsi_import_lines(&x->f->imp, "flux_resource_status.txt", status_line, x);
	if (rc >= 0)
		share_out(x);
	return rc;
}

/* `flux config get`: what a queue requires of its nodes (RFC 33), and how Fluxion queues jobs; `flux module list`. */

static int add_need(struct fsi_flux_machine *x, uint32_t queue, uint32_t property)
{
	if (queue == FSI_INTERN_FAILED || property == FSI_INTERN_FAILED || FSI_VEC_ROOM(&x->need))
		return fsi_nomem(x->f->imp.err);
	x->need.v[x->need.n++] = (struct fsi_flux_need){ queue, property };
	return 0;
}

static int read_queue(struct fsi_flux_machine *x, const struct fsi_json *queue)
{
	fs_snapshot *m = x->f->imp.m;
	const uint32_t name = fsi_name(m, fsi_json_key(queue));
	const struct fsi_json *v = fsi_flux_first(fsi_json_member(queue, "requires"));
	int rc = 0;

	if (!v)
		return add_need(x, name, 0);
	for (; v && !rc; v = fsi_json_next(v))
		if (fsi_json_string(v))
			rc = add_need(x, name, fsi_name(m, fsi_json_string(v)));
	return rc;
}

static int put_text(struct fsi_flux_machine *x, const char *name, const char *text)
{
	fs_snapshot *m = x->f->imp.m;
	const struct fsi_config_entry e = { .name = fsi_name(m, name),
					    .kind = FSI_CONFIG_STR,
					    .i = fsi_name(m, text) };

	if (e.name == FSI_INTERN_FAILED || e.i == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return fsi_nomem(x->f->imp.err);
	m->config.v[m->config.n++] = e;
	return 0;
}

static int put_number(struct fsi_flux_machine *x, const char *name, const struct fsi_json *v)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_config_entry e = { .name = fsi_name(m, name), .kind = FSI_CONFIG_INT };

	if (!v || fsi_json_type(v) != FSI_JNUMBER || fsi_json_i64(v, &e.i))
		return 0;
	if (e.name == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return fsi_nomem(x->f->imp.err);
	m->config.v[m->config.n++] = e;
	return 0;
}

/* Reads the tables of Fluxion's modules (flux-config-sched-fluxion-qmanager(5), ...-resource(5)). */
static int read_config(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *q = fsi_json_member(v, "sched-fluxion-qmanager");
	const struct fsi_json *params = fsi_json_member(q, "queue-params"), *policy = fsi_json_member(q, "policy-params");
	const char *name = fsi_flux_text(fsi_json_member(q, "queue-policy"));
	const char *match = fsi_flux_text(fsi_json_member(fsi_json_member(v, "sched-fluxion-resource"), "match-policy"));
	int rc = 0;

	if (depth)
		return 0;
	x->f->imp.where = where;
	for (const struct fsi_json *e = fsi_flux_first(fsi_json_member(v, "queues")); e && !rc; e = fsi_json_next(e))
		rc = read_queue(x, e);
	if (!rc && name)
		rc = put_text(x, "fluxion_queue_policy", name);
	if (!rc && match)
		rc = put_text(x, "fluxion_match_policy", match);
	if (!rc)
		rc = put_number(x, "fluxion_queue_depth", fsi_json_member(params, "queue-depth"));
	if (!rc)
		rc = put_number(x, "fluxion_reservation_depth", fsi_json_member(policy, "reservation-depth"));
	return rc;
}

/* Finds the module that gives jobs their nodes in a line of `flux module list`: "sched-fluxion-qmanager  1234 ...". */
static int module_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word;
	static const char *const known[] = { "sched-simple", "sched-fifo", "sched-backfill", "sched-fluxion-qmanager" };

	line = fsi_span_trim(line);
	fsi_span_cut(&line, ' ', &word);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (fsi_span_is(word, known[i]) && !fsi_config_find(imp->m, "flux_scheduler"))
			return put_text(x, "flux_scheduler", known[i]);
	return 0;
}

/* Reads the output of `flux config get` and `flux module list`. Returns as flux_read_r. */
static int flux_read_config(struct fsi_flux_machine *x)
{
	static const char *const none[] = { NULL };
	const struct fsi_json_split config = { none, NULL, read_config, x };
	const int rc = fsi_import_json(&x->f->imp, "flux_config_get.json", &config);

	return rc < 0 ? rc : fsi_import_lines(&x->f->imp, "flux_module_list.txt", module_line, x);
}

/* The records of queues and nodes are made of what was gathered of the machine. */

static int make_partition(struct fsi_flux_machine *x, uint32_t name)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_partition *q;

	for (size_t i = 0; i < m->partition.n; i++)
		if (m->partition.v[i].name == name)
			return 0;
	q = FSI_VEC_ADD(&m->partition);
	if (!q)
		return fsi_nomem(x->f->imp.err);
	FSI_PUT(q, PARTITION, name, name);
	if (x->f->queues) /* a queue that flux-accounting does not know has no priority there */
		FSI_SET(q, PARTITION, priority);
	return 0;
}

/* A record for each queue of the configuration. */
static int make_partitions(struct fsi_flux_machine *x)
{
	int rc = 0;

	for (size_t i = 0; i < x->need.n && !rc; i++)
		rc = make_partition(x, x->need.v[i].queue);
	return rc;
}

static bool has_property(const struct fsi_flux_node *n, uint32_t property)
{
	for (size_t i = 0; i < n->property.n; i++)
		if (n->property.v[i] == property)
			return true;
	return !property;
}

/* Is the node in the queue? The configuration tells, without it what the list prints. */
static bool is_in(struct fsi_flux_machine *x, const struct fsi_flux_node *n, uint32_t queue)
{
	const fs_snapshot *m = x->f->imp.m;
	struct fsi_span rest, name;
	bool told = false;

	for (size_t i = 0; i < x->need.n && x->from_r; i++)
		if (x->need.v[i].queue == queue) {
			told = true;
			if (!has_property(n, x->need.v[i].property))
				return false;
		}
	if (told)
		return true;
	rest = (struct fsi_span){ fsi_str(m, n->group), strlen(fsi_str(m, n->group)) };
	while (fsi_span_cut(&rest, ',', &name))
		if (fsi_span_is(name, fsi_str(m, queue)))
			return true;
	return false;
}

static int set_queues(struct fsi_flux_machine *x, const struct fsi_flux_node *n, struct fsi_node *out)
{
	fs_snapshot *m = x->f->imp.m;
	uint32_t *names = malloc((m->partition.n + 1) * sizeof(*names));
	size_t k = 0;

	if (!names)
		return -1;
	for (size_t i = 0; i < m->partition.n; i++) {
		struct fsi_partition *q = &m->partition.v[i];

		if (!is_in(x, n, q->name))
			continue;
		names[k++] = q->name;
		q->total_nodes++;
		FSI_SET(q, PARTITION, total_nodes);
		if (n->known) {
			q->total_cpus += n->cores;
			FSI_SET(q, PARTITION, total_cpus);
		}
	}
	FSI_PUT(out, NODE, partitions, fsi_intern(&m->sets, names, k * sizeof(*names)));
	free(names);
	return out->partitions == FSI_INTERN_FAILED ? -1 : 0;
}

/* The nodes of a queue as one list, in their order; -1 without memory. */
static int list_nodes(fs_snapshot *m, struct fsi_partition *q)
{
	struct fsi_hostlist_fold f;
	size_t room = 16;
	char *text;

	for (size_t i = 0; i < m->node.n; i++)
		room += 2 * strlen(fsi_str(m, m->node.v[i].name)) + 4;
	text = malloc(room);
	if (!text)
		return -1;
	fsi_hostlist_fold_begin(&f, text, room);
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_list_has(m, m->node.v[i].partitions, fsi_str(m, q->name)))
			fsi_hostlist_fold_add(&f, fsi_str(m, m->node.v[i].name));
	fsi_hostlist_fold_end(&f);
	q->nodes = fsi_name(m, text);
	free(text);
	FSI_SET(q, PARTITION, nodes);
	return q->nodes == FSI_INTERN_FAILED ? -1 : 0;
}

static const char *state_word(unsigned state)
{
	const bool busy = state & FSI_FLUX_BUSY;

	if (state & FSI_FLUX_DRAINED)
		return busy ? "ALLOCATED+DRAIN" : state & FSI_FLUX_DOWN ? "DOWN+DRAIN" : "IDLE+DRAIN";
	if (state & FSI_FLUX_DOWN)
		return "DOWN";
	return !busy ? "IDLE" : state & FSI_FLUX_FREE ? "MIXED" : "ALLOCATED";
}

static int set_amounts(fs_snapshot *m, const struct fsi_flux_node *n, struct fsi_node *out)
{
	struct fsi_amount a[2] = { { fsi_name(m, "cpu"), 0, n->cores }, { fsi_name(m, "gres/gpu"), 0, n->gpus } };

	if (!n->known)
		return 0;
	FSI_PUT(out, NODE, cpus, n->cores);
	if (a[0].tres == FSI_INTERN_FAILED || a[1].tres == FSI_INTERN_FAILED)
		return -1;
	FSI_PUT(out, NODE, tres, fsi_intern(&m->sets, a, (n->gpus ? 2 : 1) * sizeof(*a)));
	return out->tres == FSI_INTERN_FAILED ? -1 : 0;
}

static int make_node(struct fsi_flux_machine *x, const struct fsi_flux_node *n)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_node *out = FSI_VEC_ADD(&m->node);

	if (!out)
		return -1;
	FSI_PUT(out, NODE, name, n->name);
	if (x->states || x->drained) {
		/* `flux resource list` calls a drained node down, which it need not be */
		const bool drained = n->state & FSI_FLUX_DRAINED;

		out->state = fsi_name(m, state_word(drained ? n->state & ~(unsigned)FSI_FLUX_DOWN : n->state));
		if (out->state == FSI_INTERN_FAILED)
			return -1;
		FSI_SET(out, NODE, state);
	}
	if (n->property.n) {
		out->features = fsi_intern(&m->sets, n->property.v, n->property.n * sizeof(*n->property.v));
		if (out->features == FSI_INTERN_FAILED)
			return -1;
		FSI_SET(out, NODE, features);
	}
	return set_amounts(m, n, out) || set_queues(x, n, out) ? -1 : 0;
}

/* A record for each node. */
static int make_nodes(struct fsi_flux_machine *x)
{
	fs_snapshot *m = x->f->imp.m;

	for (size_t i = 0; i < x->node.n; i++)
		if (make_node(x, &x->node.v[i]))
			return fsi_nomem(x->f->imp.err);
	for (size_t i = 0; i < m->partition.n && m->node.n; i++)
		if (list_nodes(m, &m->partition.v[i]))
			return fsi_nomem(x->f->imp.err);
	return 0;
}

static void release(struct fsi_flux_machine *x)
{
	for (size_t i = 0; i < x->node.n; i++)
		FSI_VEC_FREE(&x->node.v[i].property);
	FSI_VEC_FREE(&x->node);
	FSI_VEC_FREE(&x->sum);
	FSI_VEC_FREE(&x->need);
	FSI_VEC_FREE(&x->rank);
	free(x->by_name.row);
}

int fsi_flux_resources(struct fsi_flux_import *f)
{
	struct fsi_flux_machine x = { .f = f };
	int rc = flux_read_r(&x);

	if (rc >= 0)
		rc = flux_read_lists(&x);
	if (rc >= 0)
		rc = flux_read_config(&x);
	if (rc >= 0)
		rc = make_partitions(&x);
	if (!rc)
		rc = make_nodes(&x);
	release(&x);
	return rc;
}
