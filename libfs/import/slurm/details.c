/* scontrol -d show job: several lines a record. Of them the SLUID, which the one-line form leaves out, how many CPUs
 * the job has on each node, which where jobs share them, and generic resources that are no TRES of the cluster
 * (src/api/job_info.c: slurm_sprint_job_info; neighbours that are alike share a line, and nodes stand in the order of
 * slurm.conf). */
#include "base/hostlist.h"
#include "base/memory/buf.h"
#include "base/num.h"
#include "import/required.h"
#include "import/slurm/details.h"
#include "import/slurm/gres.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "scontrol_job_d.txt";

enum { CPUS, MEMORY, AMOUNTS };

struct on_node {
	uint64_t name; /* a digest of the node's name */
	uint64_t amount[AMOUNTS];
	struct kept {
		size_t at, len; /* where it stands in details.kept */
	} ids, gres; /* the numbers of the CPUs as told; generic resources */
};

struct details {
	const struct fsi_id_index *index;
	bool *told; /* by row: did the answer have the job? */
	uint32_t row; /* of the job whose record the line belongs to */
	bool odd;     /* a line of the record was not understood */
	bool shared;   /* may several jobs have a CPU? Then the numbers of their CPUs are kept too */
	struct on_node line; /* what the line at hand tells */
	bool gres;     /* has any of its nodes generic resources? */
	struct fsi_buf kept;
	FSI_VEC(struct on_node) node;
	struct fsi_buf text;
	uint64_t same, last; /* `same` nodes of `last` each are not yet in the text */
	int which;	     /* amount that is put down */
};

static uint64_t digest(const char *s, size_t len)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(1099511628211);
	return h;
}

static int by_name(const void *x, const void *y)
{
	const struct on_node *a = x, *b = y;

	return (a->name > b->name) - (a->name < b->name);
}

/* ---- a line */

uint64_t fsi_slurm_count_ids(struct fsi_span ids)
{
	struct fsi_span part, from;
	uint64_t n = 0, a, b;

	while (fsi_span_cut(&ids, ',', &part)) {
		fsi_span_cut(&part, '-', &from);
		if (fsi_parse_u64(from.s, from.len, &a))
			return 0;
		b = a;
		if (part.len && fsi_parse_u64(part.s, part.len, &b))
			return 0;
		if (b < a || b - a >= UINT32_MAX)
			return 0;
		n += b - a + 1;
	}
	return n;
}

static int add_node(void *ctx, const char *name, size_t len)
{
	struct details *d = ctx;

	if (d->node.n == FSI_MAX_HOSTS)
		return -1;
	if (FSI_VEC_ROOM(&d->node))
		return 1;
	d->line.name = digest(name, len);
	d->node.v[d->node.n++] = d->line;
	return 0;
}

static int keep(struct details *d, struct kept *k, struct fsi_span text)
{
	k->at = k->len ? k->at : d->kept.n;
	k->len += text.len;
	return fsi_buf_add(&d->kept, text.s, text.len);
}

/* "gpu:a100:1(IDX:0,2),gpu:v100:0(IDX:)": what is kept of it stands without parentheses. */
static int keep_gres(struct details *d, const fs_snapshot *m, const struct fsi_job *j, struct fsi_span list)
{
	const struct fsi_span comma = { ",", 1 };
	const bool several = list.len && fsi_hostlist_count(fsi_str(m, j->node_list), FSI_MAX_HOSTS) > 1;
	struct fsi_span item, name;

	while (fsi_span_cut(&list, ',', &item)) {
		if (!memchr(item.s, ':', item.len) || !fsi_slurm_gres_kept(m, j, item, several))
			continue;
		fsi_span_cut(&item, '(', &name);
		if ((d->line.gres.len && keep(d, &d->line.gres, comma)) || keep(d, &d->line.gres, name))
			return -1;
		d->gres = true;
	}
	return 0;
}

static bool begins(struct fsi_span *line, const char *key)
{
	const size_t len = strlen(key);

	if (line->len <= len || memcmp(line->s, key, len) != 0)
		return false;
	line->s += len;
	line->len -= len;
	return true;
}

/* "Nodes=n[07-08] CPU_IDs=0-12 Mem=19500 GRES=" */
static int nodes_line(struct details *d, const fs_snapshot *m, struct fsi_span line)
{
	static const char key[] = "CPU_IDs=";
	char *list;
	struct fsi_span nodes, ids, mem;
	int rc;

	fsi_span_cut(&line, ' ', &nodes);
	fsi_span_cut(&line, ' ', &ids);
	if (ids.len < sizeof(key) || memcmp(ids.s, key, sizeof(key) - 1) != 0)
		return 0;
	ids.s += sizeof(key) - 1;
	ids.len -= sizeof(key) - 1;
	d->line = (struct on_node){ .amount = { [CPUS] = fsi_slurm_count_ids(ids) } };
	if (d->shared && keep(d, &d->line.ids, ids))
		return -1;
	fsi_span_cut(&line, ' ', &mem);
	if (begins(&mem, "Mem=") && fsi_parse_u64(mem.s, mem.len, &d->line.amount[MEMORY]))
		d->line.amount[MEMORY] = 0;
	if (begins(&line, "GRES=") && keep_gres(d, m, &m->job.v[d->row], line))
		return -1;
	list = strndup(nodes.s, nodes.len);
	if (!list)
		return -1;
	rc = d->line.amount[CPUS] && !d->odd ? fsi_hostlist_each(list, FSI_MAX_HOSTS, add_node, d) : -1;
	free(list);
	d->odd = d->odd || rc < 0;
	return rc > 0 ? -1 : 0;
}

/* ---- a record */

static int put_same(struct details *d)
{
	char part[64];
	const int n = d->same > 1 ? snprintf(part, sizeof(part), "%s%" PRIu64 "(x%" PRIu64 ")", d->text.n ? "," : "", d->last, d->same)
				  : snprintf(part, sizeof(part), "%s%" PRIu64, d->text.n ? "," : "", d->last);

	if (d->same && fsi_buf_add(&d->text, part, (size_t)n))
		return -1;
	d->same = 0;
	return 0;
}

/* What was told of the node; NULL: nothing. */
static const struct on_node *node_of(const struct details *d, const char *name, size_t len)
{
	const struct on_node want = { .name = digest(name, len) };

	return bsearch(&want, d->node.v, d->node.n, sizeof(want), by_name);
}

static int put_kept(struct details *d, struct kept k)
{
	return fsi_buf_add(&d->text, d->kept.v + k.at, k.len) || fsi_buf_add(&d->text, ";", 1) ? 2 : 0;
}

static int put_ids(void *ctx, const char *name, size_t len)
{
	struct details *d = ctx;
	const struct on_node *n = node_of(d, name, len);

	return n ? put_kept(d, n->ids) : 1;
}

static int put_gres(void *ctx, const char *name, size_t len)
{
	struct details *d = ctx;
	const struct on_node *n = node_of(d, name, len);

	return n ? put_kept(d, n->gres) : 1;
}

/* Puts down the next node of the job's list; other than 0 where nothing is told of it. */
static int put_node(void *ctx, const char *name, size_t len)
{
	struct details *d = ctx;
	const struct on_node *n = node_of(d, name, len);

	if (!n)
		return 1;
	if (d->same && n->amount[d->which] != d->last && put_same(d))
		return 2;
	d->last = n->amount[d->which];
	d->same++;
	return 0;
}

static int end_amounts(struct fsi_import *imp, struct details *d, struct fsi_job *j, const char *list, int which)
{
	static const unsigned fields[AMOUNTS] = { FSI_JOB_node_cpus, FSI_JOB_node_mem_mb };
	int rc;

	d->same = d->text.n = 0;
	d->which = which;
	rc = fsi_hostlist_each(list, FSI_MAX_HOSTS, put_node, d);
	if (rc > 1 || (!rc && put_same(d)))
		return fsi_nomem(imp->err);
	return rc ? 0
		  : fsi_import_set(imp, fsi_record_table(FSI_RECORD_JOB), fields[which], &j->rec,
				   (struct fsi_span){ d->text.v, d->text.n });
}

/* Puts what was kept of each node into a field, with semicolons between. */
static int end_kept(struct fsi_import *imp, struct details *d, struct fsi_job *j, const char *list, fsi_host_fn put,
		    unsigned field)
{
	int rc;

	d->text.n = 0;
	rc = fsi_hostlist_each(list, FSI_MAX_HOSTS, put, d);
	if (rc > 1)
		return fsi_nomem(imp->err);
	return rc ? 0
		  : fsi_import_set(imp, fsi_record_table(FSI_RECORD_JOB), field, &j->rec,
				   (struct fsi_span){ d->text.v, d->text.n - 1 });
}

/* Sets the CPUs on each node, if all of the job's nodes were told of, and no others. */
static int end_record(struct fsi_import *imp, struct details *d)
{
	struct fsi_job *j = d->row == FSI_NO_INDEX ? NULL : &imp->m->job.v[d->row];
	const char *list = j ? fsi_str(imp->m, j->node_list) : "";
	const bool whole = d->node.n && !d->odd && fsi_hostlist_count(list, FSI_MAX_HOSTS) == (int64_t)d->node.n;
	int rc = 0;

	if (whole)
		qsort(d->node.v, d->node.n, sizeof(*d->node.v), by_name);
	for (int i = 0; !rc && whole && i < AMOUNTS; i++)
		if (d->node.n > 1 || (i == CPUS && d->node.v[0].amount[CPUS] != j->cpus))
			rc = end_amounts(imp, d, j, list, i);
	if (!rc && whole && d->shared)
		rc = end_kept(imp, d, j, list, put_ids, FSI_JOB_cpu_ids);
	if (!rc && whole && d->gres)
		rc = end_kept(imp, d, j, list, put_gres, FSI_JOB_node_gres);
	d->node.n = d->kept.n = 0;
	d->odd = d->gres = false;
	return rc;
}

static int details_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct details *d = ctx;
	struct fsi_span id;
	uint64_t number;

	if (begins(&line, "JobId=")) {
		if (end_record(imp, d))
			return -1;
		fsi_span_cut(&line, ' ', &id);
		d->row = fsi_parse_u64(id.s, id.len, &number) ? FSI_NO_INDEX : fsi_index_find(d->index, number);
		if (d->row != FSI_NO_INDEX)
			d->told[d->row] = true;
	} else if (d->row != FSI_NO_INDEX && begins(&line, "   SLUID=")) {
		return FSI_IMPORT_SET(imp, JOB, &imp->m->job.v[d->row], sluid, line);
	} else if (d->row != FSI_NO_INDEX && begins(&line, "     Nodes=") && nodes_line(d, imp->m, line)) {
		return fsi_nomem(imp->err);
	}
	return 0;
}

/* Jobs that run for longer than the time between the two answers must be in both. */
static int check_told(struct fsi_import *imp, const bool *told)
{
	const fs_snapshot *m = imp->m;
	size_t n = 0, run = 0;
	uint64_t first = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->state != FSI_STATE_RUNNING || !FSI_HAS(j, JOB, start_time) ||
		    j->start_time > m->head.time - FSI_BETWEEN_S)
			continue;
		run++;
		if (!told[i] && !n++)
			first = j->id;
	}
	if (!n)
		return 0;
	return fsi_import_incomplete(imp, NULL, "%s/%s: of %zu jobs that run it lacks %zu, the first %" PRIu64,
				     imp->source->name, file_name, run, n, first);
}

static bool jobs_share(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "PreemptMode");

	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_str(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return mode && strstr(mode, "GANG");
}

int fsi_slurm_details(struct fsi_import *imp, const struct fsi_id_index *index)
{
	struct details d = { .index = index, .told = calloc(imp->m->job.n + 1, sizeof(bool)), .row = FSI_NO_INDEX,
			     .shared = jobs_share(imp->m) };
	int rc = d.told ? fsi_import_lines(imp, file_name, details_line, &d) : fsi_nomem(imp->err);

	if (!rc)
		rc = end_record(imp, &d);
	if (!rc)
		rc = check_told(imp, d.told);
	free(d.told);
	FSI_VEC_FREE(&d.node);
	free(d.text.v);
	free(d.kept.v);
	return rc;
}
