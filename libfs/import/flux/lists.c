/* `flux resource list` and `flux resource status` (src/cmd/flux-resource.py): what is down, drained or in use; where R
 * was not captured the list tells the nodes too, with the queues it prints. */
#include "import/flux/machine.h"

#include "base/hostlist.h"
#include "base/num.h"

#include <string.h>

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

int fsi_flux_read_lists(struct fsi_flux_machine *x)
{
	int rc = fsi_import_lines(&x->f->imp, "flux_resource_list.txt", list_line, x);

	if (rc >= 0)
		rc = fsi_import_lines(&x->f->imp, "flux_resource_status.txt", status_line, x);
	if (rc >= 0)
		share_out(x);
	return rc;
}
