#include "import/flux/flux.h"

#include "base/hostlist.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the nodes of a Flux instance from `flux resource R` (RFC 20: ranks, cores, GPUs, hosts, properties). */

/* ---- sets of ranks and hosts */

static int add_parsed_rank(void *ctx, const char *text, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint64_t n;

	if (fsi_parse_u64(text, len, &n) || n > UINT32_MAX)
		return -2;
	if (FSI_VEC_RESERVE(&x->rank))
		x->f->imp.m->out_of_memory = true;
	else
		x->rank.v[x->rank.n++] = (uint32_t)n;
	return 0;
}

/* Parses a set of numbers such as "0-3,7" into x->rank. `set` NULL: not a text. */
static int parse_rank_set(struct fsi_flux_machine *x, const char *set)
{
	char *text = set ? malloc(strlen(set) + 3) : NULL;
	int rc = 1;

	x->rank.n = 0;
	if (set && !text)
		return fsi_fail_no_memory(x->f->imp.err);
	if (text) {
		snprintf(text, strlen(set) + 3, "[%s]", set);
		rc = fsi_hostlist_expand_each(text, FSI_MAX_HOSTS, add_parsed_rank, x);
	}
	free(text);
	return rc ? fsi_fail_at(x->f->imp.err, x->f->imp.where, "rank", "expected a set of ranks, as in 0-3,7") : 0;
}

static int compare_node_ranks(const void *a, const void *b)
{
	const struct fsi_flux_node *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static struct fsi_flux_node *find_node_by_rank(struct fsi_flux_machine *x, uint32_t rank)
{
	const struct fsi_flux_node key = { .rank = rank };

	return x->node.n ? bsearch(&key, x->node.v, x->node.n, sizeof(key), compare_node_ranks) : NULL;
}

/* ---- flux resource R */

static int count_child_ids(struct fsi_flux_machine *x, const struct fsi_json *children, const char *key, uint32_t *out)
{
	const struct fsi_json *v = fsi_json_find_member(children, key);
	const int rc = v ? parse_rank_set(x, fsi_json_get_string(v)) : 0;

	*out = v ? (uint32_t)x->rank.n : 0;
	return rc;
}

static int add_r_lite_entry(struct fsi_flux_machine *x, const struct fsi_json *v)
{
	const struct fsi_json *children = fsi_json_find_member(v, "children");
	struct fsi_flux_node n = { .known_amounts = true };
	int rc = count_child_ids(x, children, "core", &n.cores);

	if (!rc)
		rc = count_child_ids(x, children, "gpu", &n.gpus);
	if (!rc)
		rc = parse_rank_set(x, fsi_flux_string_value(fsi_json_find_member(v, "rank")));
	for (size_t i = 0; i < x->rank.n && !rc; i++) {
		n.rank = x->rank.v[i];
		if (FSI_VEC_RESERVE(&x->node))
			return fsi_fail_no_memory(x->f->imp.err);
		x->node.v[x->node.n++] = n;
	}
	return rc;
}

/* Sets the name of the node with index x->next_node, and increments x->next_node. Flux's resource set R lists the hosts
 * in the order of ranks. */
static int name_next_node(void *ctx, const char *name, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	uint32_t id = fsi_import_intern_name(&x->f->imp, (struct fsi_span){ name, len });
	char text[FSI_HOST_NAME_MAX + 16];

	if (x->next_node >= x->node.n)
		return -2;
	if (!fsi_flux_add_name(x->f, &x->by_name, id, x->next_node)) {
		/* a test instance may have several brokers on a host */
		snprintf(text, sizeof(text), "%s/%u", name, x->node.v[x->next_node].rank);
		id = fsi_name_intern(x->f->imp.m, text);
		fsi_flux_add_name(x->f, &x->by_name, id, x->next_node);
	}
	x->node.v[x->next_node++].name = id;
	return 0;
}

static int name_all_nodes(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	x->next_node = 0;
	for (const struct fsi_json *v = fsi_flux_first_child(list); v && !rc; v = fsi_json_next_sibling(v))
		rc = fsi_json_get_string(v)
			     ? fsi_hostlist_expand_each(fsi_json_get_string(v), FSI_MAX_HOSTS, name_next_node, x)
			     : -2;
	if (rc || x->next_node != x->node.n)
		return fsi_fail_at(imp->err, imp->where, "nodelist", "expected a host for each of %zu ranks", x->node.n);
	return 0;
}

static int add_node_properties(struct fsi_flux_machine *x, const struct fsi_json *list)
{
	struct fsi_import *imp = &x->f->imp;
	int rc = 0;

	for (const struct fsi_json *v = fsi_flux_first_child(list); v && !rc; v = fsi_json_next_sibling(v)) {
		const uint32_t name = fsi_name_intern(imp->m, fsi_json_get_key(v));

		rc = parse_rank_set(x, fsi_json_get_string(v));
		for (size_t i = 0; i < x->rank.n && !rc; i++) {
			struct fsi_flux_node *n = find_node_by_rank(x, x->rank.v[i]);

			if (n && FSI_VEC_RESERVE(&n->property))
				return fsi_fail_no_memory(imp->err);
			if (n)
				n->property.v[n->property.n++] = name;
		}
	}
	return rc;
}

static int read_r_execution(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *lite = fsi_json_find_member(v, "R_lite");
	int rc = 0;

	(void)depth;
	if (!lite || x->has_r)
		return 0;
	x->f->imp.where = where;
	x->has_r = true;
	for (const struct fsi_json *e = fsi_flux_first_child(lite); e && !rc; e = fsi_json_next_sibling(e))
		rc = add_r_lite_entry(x, e);
	if (rc)
		return rc;
	if (x->node.n)
		qsort(x->node.v, x->node.n, sizeof(*x->node.v), compare_node_ranks);
	rc = name_all_nodes(x, fsi_json_find_member(v, "nodelist"));
	return rc ? rc : add_node_properties(x, fsi_json_find_member(v, "properties"));
}

/* Reads the output of `flux resource R`. Returns 1 if there is no such file. */
static int read_resource_r(struct fsi_flux_machine *x)
{
	static const char *const keys[] = { "execution", "scheduling", "graph", "nodes", "edges", NULL };
	const struct fsi_json_split r = { keys, NULL, read_r_execution, x };

	return fsi_import_read_json(&x->f->imp, "flux_resource_R.json", &r);
}

/* Reads `flux resource list` and `flux resource status` (src/cmd/flux-resource.py): which nodes are down, drained or in
 * use. If `flux resource R` was not captured, the nodes and their queues are read from `flux resource list`. */

static int update_listed_host(void *ctx, const char *name, size_t len)
{
	struct fsi_flux_machine *x = ctx;
	const uint32_t id = fsi_import_intern_name(&x->f->imp, (struct fsi_span){ name, len });
	uint32_t at = fsi_flux_name_to_row(&x->by_name, id);

	if (at == FSI_NO_INDEX && !x->has_r) {
		at = (uint32_t)x->node.n;
		if (FSI_VEC_RESERVE(&x->node)) {
			x->f->imp.m->out_of_memory = true;
			return 0;
		}
		fsi_flux_add_name(x->f, &x->by_name, id, at);
		x->node.v[x->node.n++] = (struct fsi_flux_node){ .name = id, .rank = at };
	}
	if (at == FSI_NO_INDEX)
		return 0;
	x->node.v[at].state |= x->state;
	if (x->group)
		x->node.v[at].group = x->group;
	return 0;
}

static int update_host_list(struct fsi_flux_machine *x, struct fsi_span list)
{
	struct fsi_import *imp = &x->f->imp;
	const char *text = fsi_name_text(imp->m, fsi_import_intern_name(imp, list));

	return fsi_hostlist_expand_each(text, FSI_MAX_HOSTS, update_listed_host, x)
		       ? fsi_import_reject_value(imp, "NODELIST", list, "a list of nodes")
		       : 0;
}

enum { LIST_WORDS_MAX = 12 };

/* Splits the line into words, at most LIST_WORDS_MAX. */
static size_t get_list_words(struct fsi_span line, struct fsi_span *word)
{
	const size_t n = fsi_span_split_words(line, word, LIST_WORDS_MAX);

	return n < LIST_WORDS_MAX ? n : LIST_WORDS_MAX;
}

static bool has_column_heading(const struct fsi_span *word, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (fsi_span_is_word(word[i], name))
			return true;
	return false;
}

static void add_group_total(struct fsi_flux_machine *x, const struct fsi_span *word, size_t host_column)
{
	struct fsi_flux_group_total s = { .group = x->group, .known_amounts = x->has_cores };
	int64_t n;

	if (x->has_gpus && !fsi_parse_i64(word[host_column - 1].s, word[host_column - 1].len, &n) && n > 0)
		s.gpus = (uint64_t)n;
	if (x->has_cores) {
		const struct fsi_span *w = &word[host_column - 1 - x->has_gpus];

		s.known_amounts = !fsi_parse_i64(w->s, w->len, &n) && n >= 0;
		s.cores = s.known_amounts ? (uint64_t)n : 0;
	}
	if (FSI_VEC_RESERVE(&x->group_total))
		x->f->imp.m->out_of_memory = true;
	else
		x->group_total.v[x->group_total.n++] = s;
}

/* Returns true if the word is a list of queues. Call it for lines in which only one of the two columns QUEUE and
 * PROPERTIES has a word. */
static bool is_queue_list(const struct fsi_flux_machine *x, struct fsi_span word)
{
	const fs_snapshot *m = x->f->imp.m;
	struct fsi_span first;

	fsi_span_cut_part(&word, ',', &first);
	for (size_t i = 0; i < m->partition.n; i++)
		if (fsi_span_is_word(first, fsi_name_text(m, m->partition.v[i].name)))
			return true;
	return !m->partition.n;
}

/* Reads a line like "allocated batch,standby 3 24 0 fake[1-3]". `flux resource list` omits a column that is empty in
 * all lines. In any other column, an empty cell consists of blanks, and its line has fewer words than the heading. */
static int read_resource_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word[LIST_WORDS_MAX];
	const size_t n = get_list_words(line, word);
	const size_t number_columns = 1 + (size_t)x->has_cores + x->has_gpus;

	if (n && fsi_span_is_word(word[0], "STATE")) {
		x->has_list = has_column_heading(word, n, "NODELIST");
		x->has_queue = has_column_heading(word, n, "QUEUE");
		x->has_properties = has_column_heading(word, n, "PROPERTIES");
		x->has_cores = has_column_heading(word, n, "NCORES");
		x->has_gpus = has_column_heading(word, n, "NGPUS");
		return 0;
	}
	if (!x->has_list || n < 2 + number_columns || fsi_span_is_word(word[n - 1], "0"))
		return 0;
	x->state = fsi_span_is_word(word[0], "free")	? FSI_FLUX_FREE
		   : fsi_span_is_word(word[0], "allocated") ? FSI_FLUX_BUSY
		   : fsi_span_is_word(word[0], "down")      ? FSI_FLUX_DOWN
							: 0;
	x->group = 0;
	if (x->has_queue && n > 2 + number_columns &&
	    (!x->has_properties || n > 3 + number_columns || is_queue_list(x, word[1])))
		x->group = fsi_import_intern_name(imp, word[1]);
	if (!x->state)
		return 0;
	add_group_total(x, word, n - 1);
	return update_host_list(x, word[n - 1]);
}

/* Reads a line like "drained ✔ 1 fake3". The state may also be "draining", or "drained*" for nodes that are offline
 * too. */
static int read_status_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char drain[] = "drain";
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word[LIST_WORDS_MAX];
	const size_t n = get_list_words(line, word);

	(void)imp;
	if (n && fsi_span_is_word(word[0], "STATE")) {
		x->has_status = has_column_heading(word, n, "NODELIST");
		return 0;
	}
	if (!x->has_status || n < 3 || fsi_span_is_word(word[n - 1], "0") || word[0].len < strlen(drain) ||
	    memcmp(word[0].s, drain, strlen(drain)) != 0)
		return 0;
	x->state = FSI_FLUX_DRAINED;
	x->group = 0;
	return update_host_list(x, word[n - 1]);
}

/* Divides the totals of each group evenly among the nodes of the group (nodes with the same list of queues). The result
 * is only right if these nodes are alike. */
static void divide_group_totals(struct fsi_flux_machine *x)
{
	for (size_t i = 0; i < x->node.n && !x->has_r; i++) {
		struct fsi_flux_node *n = &x->node.v[i];
		uint64_t cores = 0, gpus = 0, nodes = 0;

		n->known_amounts = true;
		for (size_t k = 0; k < x->group_total.n; k++)
			if (x->group_total.v[k].group == n->group) {
				cores += x->group_total.v[k].cores;
				gpus += x->group_total.v[k].gpus;
				n->known_amounts = n->known_amounts && x->group_total.v[k].known_amounts;
			}
		for (size_t k = 0; k < x->node.n; k++)
			nodes += x->node.v[k].group == n->group;
		n->known_amounts =
			n->known_amounts && !(cores % nodes) && !(gpus % nodes) && cores / nodes <= UINT32_MAX;
		n->cores = n->known_amounts ? (uint32_t)(cores / nodes) : 0;
		n->gpus = n->known_amounts ? (uint32_t)(gpus / nodes) : 0;
	}
}

/* Reads the output of `flux resource list` and `status`. Returns 1 if `flux resource status` is missing. */
static int read_resource_lists(struct fsi_flux_machine *x)
{
	int rc = fsi_import_read_lines(&x->f->imp, "flux_resource_list.txt", read_resource_line, x);

	if (rc >= 0)
		rc = fsi_import_read_lines(&x->f->imp, "flux_resource_status.txt", read_status_line, x);
	if (rc >= 0)
		divide_group_totals(x);
	return rc;
}

/* Reads `flux config get` and `flux module list`. The configuration has the properties that queues require of their
 * nodes (RFC 33), and the queue policy of Fluxion. */

static void add_queue_requirement(struct fsi_flux_machine *x, uint32_t queue, uint32_t property)
{
	if (FSI_VEC_RESERVE(&x->requirement))
		x->f->imp.m->out_of_memory = true;
	else
		x->requirement.v[x->requirement.n++] = (struct fsi_flux_queue_requirement){ queue, property };
}

static void read_configured_queue(struct fsi_flux_machine *x, const struct fsi_json *queue)
{
	fs_snapshot *m = x->f->imp.m;
	const uint32_t name = fsi_name_intern(m, fsi_json_get_key(queue));
	const struct fsi_json *v = fsi_flux_first_child(fsi_json_find_member(queue, "requires"));

	if (!v)
		add_queue_requirement(x, name, 0);
	for (; v; v = fsi_json_next_sibling(v))
		if (fsi_json_get_string(v))
			add_queue_requirement(x, name, fsi_name_intern(m, fsi_json_get_string(v)));
}

static void store_number_setting(struct fsi_flux_machine *x, const char *name, const struct fsi_json *v)
{
	struct fsi_config_entry e = { .kind = FSI_CONFIG_INT };

	if (v && fsi_json_get_type(v) == FSI_JNUMBER && !fsi_json_get_i64(v, &e.i))
		fsi_import_store_setting(&x->f->imp, name, e);
}

/* Reads the configuration of Fluxion's modules (flux-config-sched-fluxion-qmanager(5), ...-resource(5)). */
static int read_flux_config(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct fsi_flux_machine *x = ctx;
	const struct fsi_json *q = fsi_json_find_member(v, "sched-fluxion-qmanager");
	const struct fsi_json *params = fsi_json_find_member(q, "queue-params"),
			      *policy = fsi_json_find_member(q, "policy-params");
	const char *name = fsi_flux_string_value(fsi_json_find_member(q, "queue-policy"));
	const char *match = fsi_flux_string_value(
		fsi_json_find_member(fsi_json_find_member(v, "sched-fluxion-resource"), "match-policy"));

	if (depth)
		return 0;
	x->f->imp.where = where;
	for (const struct fsi_json *e = fsi_flux_first_child(fsi_json_find_member(v, "queues")); e;
	     e = fsi_json_next_sibling(e))
		read_configured_queue(x, e);
	if (name)
		fsi_import_store_text(&x->f->imp, "fluxion_queue_policy", name);
	if (match)
		fsi_import_store_text(&x->f->imp, "fluxion_match_policy", match);
	store_number_setting(x, "fluxion_queue_depth", fsi_json_find_member(params, "queue-depth"));
	store_number_setting(x, "fluxion_reservation_depth", fsi_json_find_member(policy, "reservation-depth"));
	return 0;
}

/* Reads a line of `flux module list`, such as "sched-fluxion-qmanager 1234 ...". The name of the module that assigns
 * nodes to jobs becomes the setting flux_scheduler. */
static int read_module_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct fsi_flux_machine *x = ctx;
	struct fsi_span word;
	static const char *const known[] = { "sched-simple", "sched-fifo", "sched-backfill", "sched-fluxion-qmanager" };

	line = fsi_span_trim_blanks(line);
	fsi_span_cut_part(&line, ' ', &word);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (fsi_span_is_word(word, known[i]) && !fsi_config_find(imp->m, "flux_scheduler"))
			fsi_import_store_text(&x->f->imp, "flux_scheduler", known[i]);
	return 0;
}

/* Reads the output of `flux config get` and `flux module list`. Returns 1 if `flux module list` is missing. */
static int read_flux_config_files(struct fsi_flux_machine *x)
{
	static const char *const none[] = { NULL };
	const struct fsi_json_split config = { none, NULL, read_flux_config, x };
	const int rc = fsi_import_read_json(&x->f->imp, "flux_config_get.json", &config);

	return rc < 0 ? rc : fsi_import_read_lines(&x->f->imp, "flux_module_list.txt", read_module_line, x);
}

/* Makes the records of queues and nodes from the collected data. */

static void add_queue_record(struct fsi_flux_machine *x, uint32_t name)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_partition *q;

	for (size_t i = 0; i < m->partition.n; i++)
		if (m->partition.v[i].name == name)
			return;
	q = FSI_VEC_ADD(&m->partition);
	m->out_of_memory |= !q;
	if (!q)
		return;
	FSI_PUT(q, PARTITION, name, name);
	if (x->f->has_queues) /* flux-accounting uses priority 0 for a queue that it does not know */
		FSI_SET(q, PARTITION, priority);
}

static bool has_node_property(const struct fsi_flux_node *n, uint32_t property)
{
	for (size_t i = 0; i < n->property.n; i++)
		if (n->property.v[i] == property)
			return true;
	return !property;
}

/* Returns true if the node belongs to the queue. If R was captured and the configuration has the queue, the node must
 * have all properties that the queue requires. In any other case, `flux resource list` must print the queue for the
 * node. */
static bool is_node_in_queue(struct fsi_flux_machine *x, const struct fsi_flux_node *n, uint32_t queue)
{
	const fs_snapshot *m = x->f->imp.m;
	struct fsi_span rest, name;
	bool is_configured = false;

	for (size_t i = 0; i < x->requirement.n && x->has_r; i++)
		if (x->requirement.v[i].queue == queue) {
			is_configured = true;
			if (!has_node_property(n, x->requirement.v[i].property))
				return false;
		}
	if (is_configured)
		return true;
	rest = (struct fsi_span){ fsi_name_text(m, n->group), strlen(fsi_name_text(m, n->group)) };
	while (fsi_span_cut_part(&rest, ',', &name))
		if (fsi_span_is_word(name, fsi_name_text(m, queue)))
			return true;
	return false;
}

static void set_node_queues(struct fsi_flux_machine *x, const struct fsi_flux_node *n, struct fsi_node *out)
{
	fs_snapshot *m = x->f->imp.m;
	uint32_t *names = malloc((m->partition.n + 1) * sizeof(*names));
	size_t k = 0;

	m->out_of_memory |= !names;
	for (size_t i = 0; names && i < m->partition.n; i++) {
		struct fsi_partition *q = &m->partition.v[i];

		if (!is_node_in_queue(x, n, q->name))
			continue;
		names[k++] = q->name;
		FSI_PUT(q, PARTITION, total_nodes, q->total_nodes + 1);
		if (n->known_amounts)
			FSI_PUT(q, PARTITION, total_cpus, q->total_cpus + n->cores);
	}
	FSI_PUT(out, NODE, partitions, fsi_intern_add(&m->sets, names, k * sizeof(*names)));
	free(names);
}

/* Sets the node list of a queue, in the order of m->node. */
static void set_queue_node_list(fs_snapshot *m, struct fsi_partition *q)
{
	struct fsi_hostlist_fold f;
	size_t size = 16;
	char *text;

	for (size_t i = 0; i < m->node.n; i++)
		size += 2 * strlen(fsi_name_text(m, m->node.v[i].name)) + 4;
	text = malloc(size);
	m->out_of_memory |= !text;
	if (!text)
		return;
	fsi_hostlist_fold_begin(&f, text, size);
	for (size_t i = 0; i < m->node.n; i++)
		if (fsi_list_has_word(m, m->node.v[i].partitions, fsi_name_text(m, q->name)))
			fsi_hostlist_fold_add(&f, fsi_name_text(m, m->node.v[i].name));
	fsi_hostlist_fold_end(&f);
	FSI_PUT(q, PARTITION, nodes, fsi_name_intern(m, text));
	free(text);
}

/* Returns the state of the node as Slurm names it. `flux resource list` prints all drained nodes as down, although some
 * of them may be up. Therefore a drained node never gets the state DOWN. */
static const char *get_node_state_name(unsigned state)
{
	const bool busy = state & FSI_FLUX_BUSY;

	if (state & FSI_FLUX_DRAINED)
		return busy ? "ALLOCATED+DRAIN" : "IDLE+DRAIN";
	if (state & FSI_FLUX_DOWN)
		return "DOWN";
	return !busy ? "IDLE" : state & FSI_FLUX_FREE ? "MIXED" : "ALLOCATED";
}

static void set_node_amounts(fs_snapshot *m, const struct fsi_flux_node *n, struct fsi_node *out)
{
	struct fsi_amount a[2] = { { fsi_name_intern(m, "cpu"), 0, n->cores },
				   { fsi_name_intern(m, "gres/gpu"), 0, n->gpus } };

	if (!n->known_amounts)
		return;
	FSI_PUT(out, NODE, cpus, n->cores);
	FSI_PUT(out, NODE, tres, fsi_intern_add(&m->sets, a, (n->gpus ? 2 : 1) * sizeof(*a)));
}

static void add_node_record(struct fsi_flux_machine *x, const struct fsi_flux_node *n)
{
	fs_snapshot *m = x->f->imp.m;
	struct fsi_node *out = FSI_VEC_ADD(&m->node);

	m->out_of_memory |= !out;
	if (!out)
		return;
	FSI_PUT(out, NODE, name, n->name);
	if (x->has_list || x->has_status)
		FSI_PUT(out, NODE, state, fsi_name_intern(m, get_node_state_name(n->state)));
	if (n->property.n)
		FSI_PUT(out, NODE, features,
			fsi_intern_add(&m->sets, n->property.v, n->property.n * sizeof(*n->property.v)));
	set_node_amounts(m, n, out);
	set_node_queues(x, n, out);
}

/* Adds a record for each queue of the configuration and for each node, and sets the node lists of all queues. */
static void add_records(struct fsi_flux_machine *x)
{
	fs_snapshot *m = x->f->imp.m;

	for (size_t i = 0; i < x->requirement.n; i++)
		add_queue_record(x, x->requirement.v[i].queue);
	for (size_t i = 0; i < x->node.n; i++)
		add_node_record(x, &x->node.v[i]);
	for (size_t i = 0; i < m->partition.n && m->node.n; i++)
		set_queue_node_list(m, &m->partition.v[i]);
}

static void release_flux_machine_data(struct fsi_flux_machine *x)
{
	for (size_t i = 0; i < x->node.n; i++)
		FSI_VEC_FREE(&x->node.v[i].property);
	FSI_VEC_FREE(&x->node);
	FSI_VEC_FREE(&x->group_total);
	FSI_VEC_FREE(&x->requirement);
	FSI_VEC_FREE(&x->rank);
	free(x->by_name.row);
}

int fsi_flux_read_machine(struct fsi_flux_import *f)
{
	struct fsi_flux_machine x = { .f = f };
	int rc = read_resource_r(&x);

	if (rc >= 0)
		rc = read_resource_lists(&x);
	if (rc >= 0)
		rc = read_flux_config_files(&x);
	if (rc >= 0)
		add_records(&x);
	release_flux_machine_data(&x);
	return fsi_import_check_memory(&f->imp, rc < 0 ? rc : 0);
}
