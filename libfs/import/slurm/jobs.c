#include "base/hostlist.h"
#include "base/num.h"
#include "base/text.h"
#include "import/consistency.h"
#include "import/outputs.h"
#include "import/slurm/slurm.h"
#include "model/find.h"
#include "model/jobs.h"
#include "model/model.h"
#include "model/slurm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads jobs: scontrol -o show job, scontrol -d show job, squeue -O, and information about jobs that follows from the
 * rows of sprio.
 *
 * ---- generic resources that AccountingStorageTRES does not list
 *
 * Slurm's TRES strings omit generic resources that AccountingStorageTRES does not list, for example types of GPU. The
 * reader takes these resources from the job's request (TresPerNode and similar; src/api/job_info.c:
 * slurm_sprint_job_info) and from the job's allocation on each node. An item of a list of generic resources has the
 * form `gpu:a100:2` or `gpu:a100=2`. In a request, an item has the prefix `gres:` before Slurm 23.11, and `gres/` from
 * 23.11 on. */

/* GRES_MAX: maximum number of different generic resources of a job. GRES_NAME_SIZE: size of the buffer of a name,
 * including the NUL. */
enum { GRES_MAX = 8, GRES_NAME_SIZE = 100 };

/* Generic resources that a job requests: names, and the total number of each. */
struct gres_amounts {
	char name[GRES_MAX][GRES_NAME_SIZE]; /* "gres/gpu:a100" */
	int64_t n[GRES_MAX];
	size_t count; /* number of resources: elements of `name` and `n` that are used */
};

/* Splits an item such as "gpu:a100:2(IDX:0-1)" into its name "gpu:a100" and its number 2. If the item has no number,
 * the number is 1. Ignores text in parentheses. */
static struct fsi_span split_item_count(struct fsi_span item, int64_t *n)
{
	const char *paren = memchr(item.s ? item.s : "", '(', item.len);
	size_t end;

	if (paren)
		item.len = (size_t)(paren - item.s);
	for (end = item.len; end && item.s[end - 1] != ':' && item.s[end - 1] != '=';)
		end--;
	*n = 1;
	if (end && !fsi_parse_count(item.s + end, item.len - end, n))
		item.len = end - 1;
	return item;
}

/* Writes the TRES name of the generic resource `item` to `name`, such as gres/gpu for gpu. Returns false if the name is
 * empty or too long. */
static bool format_gres_name(struct fsi_span item, char *name)
{
	const int len = snprintf(name, GRES_NAME_SIZE, "gres/%.*s",
				 (int)(item.len < GRES_NAME_SIZE ? item.len : GRES_NAME_SIZE), item.s);

	return item.len && len < GRES_NAME_SIZE;
}

/* Returns true if the resource `name` is a TRES of the cluster, or is in the job's TRES strings. */
static bool is_tres_counted(const fs_snapshot *m, const struct fsi_job *j, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	for (size_t i = 0; id && i < m->tres.n; i++)
		if (m->tres.v[i].name == id)
			return true;
	return id && (fsi_amount_of_tres(m, j->tres_req, id) || fsi_amount_of_tres(m, j->tres_alloc, id));
}

/* Returns true if `item`, a generic resource of the job on a node such as `gpu:a100:2(IDX:0-1)`, must be stored. If the
 * job has several nodes (`several`), all its items are stored. If the job has one node, an item is stored only if
 * is_tres_counted returns false for the item. An item with the number 0 is never stored. */
static bool is_gres_stored(const fs_snapshot *m, const struct fsi_job *j, struct fsi_span item, bool several)
{
	char name[GRES_NAME_SIZE];
	int64_t n;

	return format_gres_name(split_item_count(item, &n), name) && n > 0 && (several || !is_tres_counted(m, j, name));
}

/* ---- generic resources that a job requests */

/* Removes the next item with the prefix gres: or gres/ from the list, and sets *item to the removed item without the
 * prefix. Returns false if the list has no further item. */
static bool cut_gres_item(struct fsi_span *list, struct fsi_span *item)
{
	while (fsi_span_cut_part(list, ',', item)) {
		if (item->len <= 5 || (memcmp(item->s, "gres:", 5) != 0 && memcmp(item->s, "gres/", 5) != 0))
			continue;
		item->s += 5;
		item->len -= 5;
		return true;
	}
	return false;
}

/* Returns the length of a resource's name without its type: 3 for "gpu:a100". */
static size_t measure_kind_length(struct fsi_span name)
{
	const char *colon = memchr(name.s, ':', name.len);

	return colon ? (size_t)(colon - name.s) : name.len;
}

/* Looks for the items of the list that have the name `kind`, such as "gpu", with or without a type. Returns the sum of
 * their numbers. */
static int64_t count_gres_kind(struct fsi_span list, struct fsi_span kind)
{
	struct fsi_span item;
	int64_t sum = 0, n;

	while (cut_gres_item(&list, &item)) {
		item = split_item_count(item, &n);
		if (measure_kind_length(item) == kind.len && !memcmp(item.s, kind.s, kind.len) && n > 0 &&
		    n < UINT32_MAX)
			sum += n;
	}
	return sum;
}

/* Adds n to the amount of a resource. Does nothing if the resource is new and `a` is full. */
static void add_gres_amount(struct gres_amounts *a, const char *name, int64_t n)
{
	size_t i = 0;

	while (i < a->count && strcmp(a->name[i], name) != 0)
		i++;
	if (i == GRES_MAX || n <= 0)
		return;
	a->count += i == a->count;
	memcpy(a->name[i], name, strlen(name) + 1);
	a->n[i] += n;
}

/* Adds the amount of one item of a list, such as gpu:a100:2, to `a`. The list is per job, node, task or socket. `times`
 * is the number of nodes, tasks or sockets of the job (1 for a list per job; 0: unknown). If the job's requested TRES
 * have the total of all types of the resource, for example of all GPUs, the amount is a part of this total: in
 * proportion to the item's number, rounded up. Otherwise the amount is the item's number multiplied by `times`. */
static void add_gres_item(struct gres_amounts *a, const fs_snapshot *m, const struct fsi_job *j, struct fsi_span list,
			  struct fsi_span item, int64_t times)
{
	char name[GRES_NAME_SIZE], kind_name[GRES_NAME_SIZE];
	int64_t n;
	const struct fsi_span gres = split_item_count(item, &n), kind = { gres.s, measure_kind_length(gres) };

	if (!format_gres_name(gres, name) || !format_gres_name(kind, kind_name) || n <= 0 || n >= UINT32_MAX)
		return;
	const int64_t total = fsi_amount_of_tres(m, j->tres_req, fsi_name_find(m, kind_name)),
		      sum = count_gres_kind(list, kind);

	n = total > 0 && total < UINT32_MAX ? (total * n + sum - 1) / sum : n * times;
	if (!is_tres_counted(m, j, name))
		add_gres_amount(a, name, n);
	if (kind.len < gres.len && !is_tres_counted(m, j, kind_name))
		add_gres_amount(a, kind_name, n);
}

/* Returns the number of nodes that the job requests, at least 1. */
static int64_t count_requested_nodes(const fs_snapshot *m, const struct fsi_job *j)
{
	const int64_t n = fsi_amount_of_tres(m, j->tres_req, fsi_name_find(m, "node"));

	return n > 0 && n < UINT32_MAX ? n : j->nodes ? j->nodes : 1;
}

/* Sets gres_req of the job to the resources in `a`. Sets gres_per to `per`, unless `per` is NULL. */
static int store_requested_gres(struct fsi_import *imp, struct fsi_job *j, const struct gres_amounts *a,
				const char *per)
{
	char text[GRES_MAX * (GRES_NAME_SIZE + 24)] = "";
	size_t len = 0;

	for (size_t i = 0; i < a->count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s=%" PRId64, i ? "," : "", a->name[i], a->n[i]);
	if (per && FSI_IMPORT_SET_FIELD(imp, JOB, j, gres_per, (fsi_string_to_span(per))))
		return FS_ENOMEM;
	return len ? FSI_IMPORT_SET_FIELD(imp, JOB, j, gres_req, ((struct fsi_span){ text, len })) : 0;
}

/* Sets gres_req and gres_per of a job. The number of sockets is not known. Resources per socket are therefore only set
 * if the TRES strings have their total number. */
static int set_gres_request(struct fsi_import *imp, struct fsi_job *j, const struct fsi_slurm_gres_texts *requested)
{
	const struct {
		struct fsi_span list;
		int64_t times;
		const char *by;
	} per[] = { { requested->job, 1, "job" },
		    { requested->node, count_requested_nodes(imp->m, j), NULL },
		    { requested->task, j->tasks, "task" },
		    { requested->socket, 0, "socket" } };
	struct gres_amounts a = { .count = 0 };
	const char *by = NULL;
	bool any = false;

	for (size_t i = 0; i < sizeof(per) / sizeof(*per) && !a.count; i++) {
		struct fsi_span rest = per[i].list, item;

		while (cut_gres_item(&rest, &item)) {
			by = any ? by : per[i].by;
			any = true;
			add_gres_item(&a, imp->m, j, per[i].list, item, per[i].times);
		}
	}
	return store_requested_gres(imp, j, &a, by);
}

/* ---- CPUs and memory per GPU */

/* Returns the number of GPUs in the first GPU item of the list: `gpu:4`, `gres:gpu:9`, `gres/gpu:a100:9`; 0 if there is
 * none. */
static int64_t find_gpu_amount(struct fsi_span list)
{
	struct fsi_span item;
	int64_t n;

	while (fsi_span_cut_part(&list, ',', &item)) {
		if (fsi_span_starts_with(item, "gres:") || fsi_span_starts_with(item, "gres/"))
			item = fsi_span_skip_bytes(item, 5);
		if (fsi_span_starts_with(item, "gpu:") && split_item_count(item, &n).len < item.len && n > 0 &&
		    n < UINT32_MAX)
			return n;
	}
	return 0;
}

/* Returns true if the value of CpusPerTres or MemPerTres is a default of the partition or cluster: Slurm prints a
 * default without the prefix "gres:" (gres_select_util.c: gres_select_util_job_set_defs). */
static bool is_default_gres(struct fsi_span list)
{
	return fsi_span_starts_with(list, "gpu:");
}

/* Returns true if the value of CpusPerTres is a default and the job has several partitions. The value is then the
 * default of the partition in which the scheduler last tried the job. */
static bool is_last_partition_default(const fs_snapshot *m, const struct fsi_job *j, struct fsi_span list)
{
	size_t n;

	fsi_list_items(m, j->partitions, &n);
	return n > 1 && is_default_gres(list);
}

/* Fills cpus_per_gpu and mem_per_gpu_mb from CpusPerTres and MemPerTres. */
static int set_per_gpu_fields(struct fsi_import *imp, struct fsi_job *j, struct fsi_span cpus, struct fsi_span memory)
{
	const int64_t n = is_last_partition_default(imp->m, j, cpus) ? 0 : find_gpu_amount(cpus),
		      mb = is_default_gres(memory) ? 0 : find_gpu_amount(memory);

	if ((n && FSI_SET_JOB_EXT(imp->m, j, cpus_per_gpu, (uint32_t)n)) ||
	    (n && is_default_gres(cpus) && FSI_SET_JOB_EXT(imp->m, j, cpus_per_gpu_default, true)) ||
	    (mb && FSI_SET_JOB_EXT(imp->m, j, mem_per_gpu_mb, (uint32_t)mb)))
		return fsi_fail_no_memory(imp->err);
	return 0;
}

/* ---- scontrol -d show job: several lines per record
 *
 * The reader uses the following parts of this output (src/api/job_info.c: slurm_sprint_job_info): the SLUID, which the
 * one-line format omits; the number of CPUs and the memory on each node; the CPU ids, if jobs may share CPUs; and
 * generic resources that the TRES strings do not have. Consecutive nodes with the same values share a line; nodes are
 * in the order of slurm.conf. */

static const char details_file[] = "scontrol_job_d.txt";

/* Indices of node_values.amount. AMOUNT_CPUS: number of CPUs; AMOUNT_MEMORY: memory in MiB. */
enum { AMOUNT_CPUS, AMOUNT_MEMORY, AMOUNT_COUNT };

/* Resources that a job has on a node. */
struct node_values {
	uint64_t name; /* hash of the node's name */
	uint64_t amount[AMOUNT_COUNT];
	struct text_range {
		size_t at, len; /* offset and length of a value's text in details_reader.texts */
	} cpu_ids, gres; /* cpu_ids: CPU ids as Slurm prints them; gres: generic resources */
};

/* State of the reader of scontrol_job_d.txt. */
struct details_reader {
	const struct fsi_id_index *index;
	bool *detailed; /* indexed by job row: the file has the job */
	uint32_t row; /* row of the job whose record is being read; FSI_NO_INDEX: unknown job */
	bool has_unparsed_line;
	bool stores_cpu_ids;   /* CPU ids are stored, because several jobs may share a CPU */
	struct node_values current; /* values of the current line */
	bool has_gres; /* the record has generic resources to store */
	struct fsi_buf texts; /* CPU ids and generic resources of the record's nodes */
	FSI_VEC(struct node_values) node; /* values of each node that the job's record lists */
	struct fsi_buf text; /* buffer in which the value of a job's field is built */
	/* The last run_length nodes have the same amount, run_amount. These amounts are not yet in `text`;
	 * append_amount_run appends them. */
	uint64_t run_length, run_amount;
	int amount_index;	     /* index in node_values.amount of the amount that is being written to `text` */
};

/* Returns the FNV-1a hash of a node's name. */
static uint64_t hash_node_name(const char *s, size_t len)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(1099511628211);
	return h;
}

static int compare_node_names(const void *x, const void *y)
{
	const struct node_values *a = x, *b = y;

	return (a->name > b->name) - (a->name < b->name);
}

/* ---- one line with the amounts of some nodes */

uint64_t fsi_slurm_count_ids(struct fsi_span ids)
{
	struct fsi_span part, from;
	uint64_t n = 0, a, b;

	while (fsi_span_cut_part(&ids, ',', &part)) {
		fsi_span_cut_part(&part, '-', &from);
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

static int append_node_values(void *ctx, const char *name, size_t len)
{
	struct details_reader *d = ctx;

	if (d->node.n == FSI_MAX_HOSTS)
		return -1;
	if (FSI_VEC_RESERVE(&d->node))
		return 1;
	d->current.name = hash_node_name(name, len);
	d->node.v[d->node.n++] = d->current;
	return 0;
}

/* Appends `text` to d->texts, and extends *k to include this text. *k is the part of d->texts with the CPU ids or the
 * generic resources of one node. Returns -1 if out of memory. */
static int store_details_text(struct details_reader *d, struct text_range *k, struct fsi_span text)
{
	k->at = k->len ? k->at : d->texts.n;
	k->len += text.len;
	return fsi_buf_append_bytes(&d->texts, text.s, text.len);
}

/* Stores the generic resources of the current node, from a list such as "gpu:a100:1(IDX:0,2),gpu:v100:0(IDX:)".
 * The parts in parentheses are not stored. Returns -1 if out of memory. */
static int store_node_gres(struct details_reader *d, const fs_snapshot *m, const struct fsi_job *j,
			   struct fsi_span list)
{
	const struct fsi_span comma = { ",", 1 };
	const bool several = list.len && fsi_hostlist_count_names(fsi_name_text(m, j->node_list), FSI_MAX_HOSTS) > 1;
	struct fsi_span item, name;

	while (fsi_span_cut_part(&list, ',', &item)) {
		if (!memchr(item.s, ':', item.len) || !is_gres_stored(m, j, item, several))
			continue;
		fsi_span_cut_part(&item, '(', &name);
		if ((d->current.gres.len && store_details_text(d, &d->current.gres, comma)) ||
		    store_details_text(d, &d->current.gres, name))
			return -1;
		d->has_gres = true;
	}
	return 0;
}

/* If the line begins with the key and has more text after the key, removes the key from the line and returns true. */
static bool cut_line_prefix(struct fsi_span *line, const char *key)
{
	const size_t len = strlen(key);

	if (line->len <= len || memcmp(line->s, key, len) != 0)
		return false;
	line->s += len;
	line->len -= len;
	return true;
}

/* Reads a line such as "n[07-08] CPU_IDs=0-12 Mem=19500 GRES="; the caller has removed "Nodes=". Returns -1 if out of
 * memory. */
static int read_nodes_line(struct details_reader *d, const fs_snapshot *m, struct fsi_span line)
{
	static const char key[] = "CPU_IDs=";
	char *list;
	struct fsi_span nodes, ids, mem;
	int rc;

	fsi_span_cut_part(&line, ' ', &nodes);
	fsi_span_cut_part(&line, ' ', &ids);
	if (ids.len < sizeof(key) || memcmp(ids.s, key, sizeof(key) - 1) != 0)
		return 0;
	ids.s += sizeof(key) - 1;
	ids.len -= sizeof(key) - 1;
	d->current = (struct node_values){ .amount = { [AMOUNT_CPUS] = fsi_slurm_count_ids(ids) } };
	if (d->stores_cpu_ids && store_details_text(d, &d->current.cpu_ids, ids))
		return -1;
	fsi_span_cut_part(&line, ' ', &mem);
	if (cut_line_prefix(&mem, "Mem=") && fsi_parse_u64(mem.s, mem.len, &d->current.amount[AMOUNT_MEMORY]))
		d->current.amount[AMOUNT_MEMORY] = 0;
	if (cut_line_prefix(&line, "GRES=") && store_node_gres(d, m, &m->job.v[d->row], line))
		return -1;
	list = strndup(nodes.s, nodes.len);
	if (!list)
		return -1;
	rc = d->current.amount[AMOUNT_CPUS] && !d->has_unparsed_line
		     ? fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, append_node_values, d)
		     : -1;
	free(list);
	d->has_unparsed_line = d->has_unparsed_line || rc < 0;
	return rc > 0 ? -1 : 0;
}

/* ---- the record of one job */

/* Appends the amounts of the last run_length nodes to d->text. If the amount is 8, the text is "8" for one node, and
 * "8(x3)" for three nodes. Returns -1 if out of memory. */
static int append_amount_run(struct details_reader *d)
{
	char part[64];
	const int n = d->run_length > 1
			      ? snprintf(part, sizeof(part), "%s%" PRIu64 "(x%" PRIu64 ")", d->text.n ? "," : "",
					 d->run_amount, d->run_length)
			      : snprintf(part, sizeof(part), "%s%" PRIu64, d->text.n ? "," : "", d->run_amount);

	if (d->run_length && fsi_buf_append_bytes(&d->text, part, (size_t)n))
		return -1;
	d->run_length = 0;
	return 0;
}

/* Returns the values of the node with this name; NULL if the record does not have the node. */
static const struct node_values *find_node_values(const struct details_reader *d, const char *name, size_t len)
{
	const struct node_values want = { .name = hash_node_name(name, len) };

	return bsearch(&want, d->node.v, d->node.n, sizeof(want), compare_node_names);
}

static int append_stored_text(struct details_reader *d, struct text_range k)
{
	return fsi_buf_append_bytes(&d->text, d->texts.v + k.at, k.len) || fsi_buf_append_bytes(&d->text, ";", 1) ? 2
														  : 0;
}

static int append_node_cpu_ids(void *ctx, const char *name, size_t len)
{
	struct details_reader *d = ctx;
	const struct node_values *n = find_node_values(d, name, len);

	return n ? append_stored_text(d, n->cpu_ids) : 1;
}

static int append_node_gres(void *ctx, const char *name, size_t len)
{
	struct details_reader *d = ctx;
	const struct node_values *n = find_node_values(d, name, len);

	return n ? append_stored_text(d, n->gres) : 1;
}

/* Host-list callback: adds the node's CPUs or memory to the list in d->text. Returns 1 if the record lacks the node, 2
 * if out of memory. */
static int append_node_amount(void *ctx, const char *name, size_t len)
{
	struct details_reader *d = ctx;
	const struct node_values *n = find_node_values(d, name, len);

	if (!n)
		return 1;
	if (d->run_length && n->amount[d->amount_index] != d->run_amount && append_amount_run(d))
		return 2;
	d->run_amount = n->amount[d->amount_index];
	d->run_length++;
	return 0;
}

/* Sets node_cpus or node_mem_mb of the job. `list`: the job's nodes. */
static int set_amount_field(struct fsi_import *imp, struct details_reader *d, struct fsi_job *j, const char *list,
			    int which)
{
	static const unsigned fields[AMOUNT_COUNT] = { FSI_JOB_node_cpus, FSI_JOB_node_mem_mb };
	int rc;

	d->run_length = d->text.n = 0;
	d->amount_index = which;
	rc = fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, append_node_amount, d);
	if (rc > 1 || (!rc && append_amount_run(d)))
		return fsi_fail_no_memory(imp->err);
	return rc ? 0
		  : fsi_import_set_field(imp, fsi_record_table(FSI_RECORD_JOB), fields[which], &j->rec,
					 (struct fsi_span){ d->text.v, d->text.n });
}

/* Sets the job's field number `field` to a text with one part for each node in `list`. Semicolons separate the parts.
 * `put` appends the part of one node to d->text. */
static int set_text_field(struct fsi_import *imp, struct details_reader *d, struct fsi_job *j, const char *list,
			  fsi_host_fn put, unsigned field)
{
	int rc;

	d->text.n = 0;
	rc = fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, put, d);
	if (rc > 1)
		return fsi_fail_no_memory(imp->err);
	return rc ? 0
		  : fsi_import_set_field(imp, fsi_record_table(FSI_RECORD_JOB), field, &j->rec,
					 (struct fsi_span){ d->text.v, d->text.n - 1 });
}

/* Ends a record. If the nodes of the record are exactly those of the job, sets the job's fields that list a value for
 * each node. For a job with one node, does not set node_mem_mb, and sets node_cpus only if the number of CPUs on the
 * node differs from the job's number of CPUs. */
static int finish_details_record(struct fsi_import *imp, struct details_reader *d)
{
	struct fsi_job *j = d->row == FSI_NO_INDEX ? NULL : &imp->m->job.v[d->row];
	const char *list = j ? fsi_name_text(imp->m, j->node_list) : "";
	const bool whole = d->node.n && !d->has_unparsed_line &&
			   fsi_hostlist_count_names(list, FSI_MAX_HOSTS) == (int64_t)d->node.n;
	int rc = 0;

	if (whole)
		qsort(d->node.v, d->node.n, sizeof(*d->node.v), compare_node_names);
	for (int i = 0; !rc && whole && i < AMOUNT_COUNT; i++)
		if (d->node.n > 1 || (i == AMOUNT_CPUS && d->node.v[0].amount[AMOUNT_CPUS] != j->cpus))
			rc = set_amount_field(imp, d, j, list, i);
	if (!rc && whole && d->stores_cpu_ids)
		rc = set_text_field(imp, d, j, list, append_node_cpu_ids, FSI_JOB_cpu_ids);
	if (!rc && whole && d->has_gres)
		rc = set_text_field(imp, d, j, list, append_node_gres, FSI_JOB_node_gres);
	d->node.n = d->texts.n = 0;
	d->has_unparsed_line = d->has_gres = false;
	return rc;
}

static int read_details_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct details_reader *d = ctx;
	struct fsi_span id;
	uint64_t number;

	if (cut_line_prefix(&line, "JobId=")) {
		if (finish_details_record(imp, d))
			return -1;
		fsi_span_cut_part(&line, ' ', &id);
		d->row = fsi_parse_u64(id.s, id.len, &number) ? FSI_NO_INDEX : fsi_id_index_find_row(d->index, number);
		if (d->row != FSI_NO_INDEX)
			d->detailed[d->row] = true;
	} else if (d->row != FSI_NO_INDEX && cut_line_prefix(&line, "   SLUID=")) {
		return FSI_IMPORT_SET_FIELD(imp, JOB, &imp->m->job.v[d->row], sluid, line);
	} else if (d->row != FSI_NO_INDEX && cut_line_prefix(&line, "     Nodes=") &&
		   read_nodes_line(d, imp->m, line)) {
		return fsi_fail_no_memory(imp->err);
	}
	return 0;
}

/* Warns if the file lacks jobs that were running for more than FSI_CAPTURE_TOLERANCE_S. */
static int warn_undetailed_jobs(struct fsi_import *imp, const bool *detailed)
{
	const fs_snapshot *m = imp->m;
	size_t n = 0, run = 0;
	uint64_t first = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];

		if (j->state != FSI_STATE_RUNNING || !FSI_HAS(j, JOB, start_time) ||
		    j->start_time > m->head.time - FSI_CAPTURE_TOLERANCE_S)
			continue;
		run++;
		if (!detailed[i] && !n++)
			first = j->id;
	}
	if (!n)
		return 0;
	return fsi_import_warn_incomplete(imp, NULL, "%s/%s: %zu of %zu running jobs are missing, first: %" PRIu64,
					  imp->source->name, details_file, n, run, first);
}

/* Returns true if several jobs may run on the same CPU: OverSubscribe=FORCE or YES, or gang scheduling. */
static bool may_jobs_share_cpus(const fs_snapshot *m)
{
	const char *mode = fs_snapshot_config_text(m, "PreemptMode");

	for (size_t i = 0; i < m->partition.n; i++) {
		const char *s = fsi_name_text(m, m->partition.v[i].oversubscribe);

		if (!strncmp(s, "FORCE", 5) || !strncmp(s, "YES", 3))
			return true;
	}
	return mode && strstr(mode, "GANG");
}

/* Reads scontrol_job_d.txt: sets sluid, node_cpus, node_mem_mb, cpu_ids and node_gres of jobs. `index` maps job ids to
 * rows. */
static int read_job_details(struct fsi_import *imp, const struct fsi_id_index *index)
{
	struct details_reader d = { .index = index,
				    .detailed = calloc(imp->m->job.n + 1, sizeof(bool)),
				    .row = FSI_NO_INDEX,
				    .stores_cpu_ids = may_jobs_share_cpus(imp->m) };
	int rc = d.detailed ? fsi_import_read_lines(imp, details_file, read_details_line, &d)
			    : fsi_fail_no_memory(imp->err);

	if (!rc)
		rc = finish_details_record(imp, &d);
	if (!rc)
		rc = warn_undetailed_jobs(imp, d.detailed);
	free(d.detailed);
	FSI_VEC_FREE(&d.node);
	free(d.text.v);
	free(d.texts.v);
	return rc;
}

/* ---- squeue -O: the association of each job */

/* State of the reader of squeue_O.txt. */
struct squeue_reader {
	const struct fsi_id_index *index;
	size_t assoc_id_offset; /* offset of the column ASSOC_ID; 0: heading not read yet, or no such column */
	size_t unparsed_rows; /* number of rows whose ASSOC_ID is not a number */
};

/* Reads a row of squeue -O. Its columns have fixed widths, and a full column is not separated from the next by a blank,
 * so a cell is found by its offset. */
static int read_association_cell(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct squeue_reader *q = ctx;
	struct fsi_span id, cell;
	uint64_t job, assoc;
	uint32_t row;

	if (imp->where.line == 1) {
		q->assoc_id_offset = fsi_squeue_find_column(line, "ASSOC_ID").at;
		return 0;
	}
	cell = line;
	if (!q->assoc_id_offset || !fsi_span_cut_part(&cell, ' ', &id) || fsi_parse_u64(id.s, id.len, &job))
		return 0;
	if (line.len <= q->assoc_id_offset) {
		q->unparsed_rows++;
		return 0;
	}
	line.s += q->assoc_id_offset;
	line.len -= q->assoc_id_offset;
	fsi_span_cut_part(&line, ' ', &cell);
	row = fsi_id_index_find_row(q->index, job);
	if (fsi_parse_u64(cell.s, cell.len, &assoc) || assoc > UINT32_MAX) {
		q->unparsed_rows++;
		return 0;
	}
	if (row == FSI_NO_INDEX)
		return 0;
	imp->m->job.v[row].association = (uint32_t)assoc;
	FSI_SET(&imp->m->job.v[row], JOB, association);
	return 0;
}

/* Sets the field `association` of jobs from squeue_O.txt. `index` maps job ids to rows. Returns 1 if the file does not
 * exist. */
static int read_job_associations(struct fsi_import *imp, const struct fsi_id_index *index)
{
	struct squeue_reader q = { .index = index };
	const int rc = fsi_import_read_squeue_rows(imp, read_association_cell, &q);

	if (rc || !q.unparsed_rows)
		return rc;
	return fsi_import_warn_incomplete(imp, NULL, "%s/squeue_O.txt: %zu row%s no valid ASSOC_ID",
					  imp->source->name, q.unparsed_rows,
					  q.unparsed_rows == 1 ? " has" : "s have");
}

/* ---- scontrol -o show job */

/* Sets nodes and max_nodes from NumNodes: `2`, `2-4`, and since 24.05 the request as written, `2,4` or `2-8:2` (the
 * number after the colon is a step). The minimum is the first number. The maximum is the last number before the colon;
 * max_nodes is not set if there is only one number. Other numbers are not stored. */
static int set_node_counts(struct fsi_import *imp, struct fsi_job *job, struct fsi_span sizes)
{
	const char *step = memchr(sizes.s ? sizes.s : "", ':', sizes.len);
	struct fsi_span min = { sizes.s, 0 }, max;
	size_t end = step ? (size_t)(step - sizes.s) : sizes.len, begin = end;
	int rc;

	if (!sizes.len)
		return 0;
	while (min.len < end && min.s[min.len] != '-' && min.s[min.len] != ',')
		min.len++;
	while (begin && sizes.s[begin - 1] != '-' && sizes.s[begin - 1] != ',')
		begin--;
	max = (struct fsi_span){ sizes.s + begin, end - begin };
	rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, nodes, min);
	if (!rc && begin)
		rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, max_nodes, max);
	return rc;
}

/* Sets the maximum number of switches, and how long the job waits for these switches, from a text like `2@00:05:00`. */
static int set_switch_fields(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	struct fsi_span most;
	int64_t wait;
	int rc = fsi_span_cut_part(&v, '@', &most) ? FSI_IMPORT_SET_FIELD(imp, JOB, job, switches, most) : 0;

	if (!rc && v.len && !fsi_parse_duration(v.s, v.len, &wait) && wait <= UINT32_MAX &&
	    FSI_SET_JOB_EXT(imp->m, job, switches_wait_s, (uint32_t)wait))
		rc = fsi_fail_no_memory(imp->err);
	return rc;
}

/* Sets all_memory or no_memory. MinMemoryNode=0 has two meanings. If Slurm
 * allocates memory (SelectTypeParameters), the job requests all memory of the node; if Slurm does not allocate memory,
 * the job requests no memory. `MinMemoryTRES=9000M` (memory per GPU) is read like MinMemoryNode=0. scontrol prints
 * MinMemoryTRES instead of MinMemoryCPU and MinMemoryNode (src/slurmctld/job_mgr.c: job_get_tres_mem). */
static int set_memory_fields(struct fsi_import *imp, struct fsi_job *job, struct fsi_output_reader *r)
{
	const char *select = fs_snapshot_config_text(imp->m, "SelectTypeParameters");
	const bool zero = fsi_span_is_word(fsi_output_get_value(r, "MinMemoryNode"), "0") ||
			  fsi_output_get_value(r, "MinMemoryTRES").len,
		   allocates_memory = select && strstr(select, "MEMORY");

	if (zero && (allocates_memory ? FSI_SET_JOB_EXT(imp->m, job, all_memory, true)
				      : FSI_SET_JOB_EXT(imp->m, job, no_memory, true)))
		return fsi_fail_no_memory(imp->err);
	return 0;
}

/* Returns the last occurrence of the word; NULL if there is none. */
static const char *find_last_word(struct fsi_span in, const char *word)
{
	const char *end = in.s + in.len, *last = NULL;

	for (const char *p = fsi_span_find_text(in, word, 1); p; p = fsi_span_find_text(in, word, 1)) {
		last = p;
		in = (struct fsi_span){ p + 1, (size_t)(end - p - 1) };
	}
	return last;
}

/* Returns the job's name in a line. Sets *head to the text before the name, and *tail to the text after it. The name is
 * free text and may contain ` Key=`. The name ends at the last ` UserId=` before the first ` Network=`. After Network
 * there is only other free text (Command, SubmitLine, Comment). */
static struct fsi_span cut_job_name(struct fsi_span line, struct fsi_span *head, struct fsi_span *tail)
{
	static const char key[] = "JobName=";
	const char *end = line.s + line.len, *name = fsi_span_find_text(line, key, 3), *limit, *stop = NULL;

	*head = line;
	*tail = (struct fsi_span){ end, 0 };
	if (!name)
		return (struct fsi_span){ NULL, 0 };
	head->len = (size_t)(name - line.s);
	name += sizeof(key) - 1;
	for (const char *from = name; !stop && from; from = limit ? limit + 1 : NULL) {
		/* looks for a ` UserId=` before the next ` Network=`; if there is none, this ` Network=` is part of the
		 * name */
		limit = fsi_span_find_text((struct fsi_span){ from, (size_t)(end - from) }, " Network=", 4);
		stop = find_last_word((struct fsi_span){ name, (size_t)((limit ? limit : end) - name) }, " UserId=");
	}
	if (!stop)
		return (struct fsi_span){ name, (size_t)(end - name) };
	*tail = (struct fsi_span){ stop + 1, (size_t)(end - stop - 1) };
	return (struct fsi_span){ name, (size_t)(stop - name) };
}

/* Removes HetJobIdSet= and its value from the end of the name. scontrol prints this key and its value between the name
 * and UserId= if the job is a component of a het job. The value contains no blanks. */
static struct fsi_span remove_het_job_set(struct fsi_span name, struct fsi_output_reader *r)
{
	const char *last = fsi_output_get_value(r, "HetJobId").len && name.s ? find_last_word(name, " HetJobIdSet=") : NULL;

	if (last)
		name.len = (size_t)(last - name.s);
	return name;
}

/* State of the reader of scontrol_job_o.txt. */
struct job_reader {
	struct fsi_output_reader in;
	/* the distinct texts of TRES fields; each text is stored once, because many jobs have the same text */
	struct fsi_intern tres_texts;
	FSI_VEC(uint32_t) tres_sets; /* indexed by id in tres_texts: interned TRES set */
};

/* Sets a TRES field. Parses each distinct text only once. */
static int set_tres_field(struct fsi_import *imp, struct job_reader *r, struct fsi_job *job, unsigned bit,
			  struct fsi_span v)
{
	const struct fsi_record_table *t = fsi_record_table(FSI_RECORD_JOB);
	uint32_t *const set = fsi_field_writable_member(imp->m, &t->fields[bit], &job->rec), text;
	int rc;

	if (fsi_span_is_none(v))
		return 0;
	text = fsi_intern_add(&r->tres_texts, v.s, v.len);
	if (text == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(imp->err);
	if (text <= r->tres_sets.n) {
		*set = r->tres_sets.v[text - 1];
		fsi_mark_known(&job->rec, bit);
		return 0;
	}
	rc = fsi_import_set_field(imp, t, bit, &job->rec, v);
	if (!rc && FSI_VEC_RESERVE(&r->tres_sets))
		return fsi_fail_no_memory(imp->err);
	if (!rc)
		r->tres_sets.v[r->tres_sets.n++] = *set;
	return rc;
}

/* Sets tres_req and tres_alloc. Before 24.11, scontrol prints only one key, TRES=. TRES shows the request of a pending
 * job, and the allocation of any other job. */
static int set_both_tres(struct fsi_import *imp, struct job_reader *r, struct fsi_job *job)
{
	const struct fsi_span single = fsi_output_get_value(&r->in, "TRES"),
			      requested = fsi_output_get_value(&r->in, "ReqTRES"),
			      alloc = fsi_output_get_value(&r->in, "AllocTRES");
	const int rc = set_tres_field(imp, r, job, FSI_JOB_tres_req, single.len ? single : requested);

	return rc ? rc
		  : set_tres_field(imp, r, job, FSI_JOB_tres_alloc,
				   single.len && job->state != FSI_STATE_PENDING ? single : alloc);
}

static int set_job_state(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	enum fsi_job_state state = fsi_job_state_parse(v.s, (uint32_t)v.len);

	if (state == FSI_STATE_COUNT) {
		state = FSI_STATE_UNKNOWN;
		if (fsi_model_add_warning(imp->m, "job %llu has the unknown state \"%.*s\"", (unsigned long long)job->id,
					  (int)(v.len < 40 ? v.len : 40), v.s))
			return fsi_fail_no_memory(imp->err);
	}
	FSI_PUT(job, JOB, state, (uint8_t)state);
	return 0;
}

/* Sets array_task_id if ArrayTaskId is a number, or array_tasks if ArrayTaskId is a list. */
static int set_array_fields(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	uint64_t n;

	if (!fsi_parse_u64(v.s, v.len, &n))
		return FSI_IMPORT_SET_FIELD(imp, JOB, job, array_task_id, v);
	return FSI_IMPORT_SET_FIELD(imp, JOB, job, array_tasks, v);
}

/* Sets pre_suspend_s from `SecsPreSuspend=6`. The value is 0 for a job that was never suspended; 0 is not stored. */
static int set_pre_suspend(struct fsi_import *imp, struct fsi_job *job, struct fsi_span v)
{
	uint64_t ran;

	if (!FSI_HAS(job, JOB, suspend_time) || fsi_parse_u64(v.s ? v.s : "", v.len, &ran) || ran > UINT32_MAX)
		return 0;
	return FSI_SET_JOB_EXT(imp->m, job, pre_suspend_s, (uint32_t)ran) ? fsi_fail_no_memory(imp->err) : 0;
}

/* Sets the fields whose keys follow the job's name in the record. */
static int set_remaining_fields(struct fsi_import *imp, struct job_reader *r, struct fsi_job *job)
{
	struct fsi_output_reader *in = &r->in;
	const struct fsi_slurm_gres_texts per = { fsi_output_get_value(in, "TresPerJob"),
						  fsi_output_get_value(in, "TresPerNode"),
						  fsi_output_get_value(in, "TresPerTask"),
						  fsi_output_get_value(in, "TresPerSocket") };
	const struct fsi_span limit = fsi_output_get_value(in, "TimeLimit");
	int rc = fsi_output_set_fields(in, &job->rec, FSI_JOB_KEYS_BEFORE_NAME, in->output->ncolumns);

	if (!rc)
		rc = set_job_state(imp, job, fsi_output_get_value(in, "JobState"));
	if (!rc)
		rc = set_both_tres(imp, r, job);
	if (!rc && !fsi_span_is_word(limit, "Partition_Limit"))
		rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, time_limit_s, limit);
	if (!rc)
		rc = set_node_counts(imp, job, fsi_output_get_value(in, "NumNodes"));
	if (!rc)
		rc = set_gres_request(imp, job, &per);
	if (!rc)
		rc = set_switch_fields(imp, job, fsi_output_get_value(in, "Switches"));
	if (!rc)
		rc = set_memory_fields(imp, job, in);
	if (!rc)
		rc = set_pre_suspend(imp, job, fsi_output_get_value(in, "SecsPreSuspend"));
	return rc ? rc
		  : set_per_gpu_fields(imp, job, fsi_output_get_value(in, "CpusPerTres"),
				       fsi_output_get_value(in, "MemPerTres"));
}

static int read_job_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct job_reader *r = ctx;
	struct fsi_span head, tail, name = cut_job_name(line, &head, &tail);
	struct fsi_job *job;
	int rc;

	if (!fsi_output_begins_record(&r->in, line))
		return 0;
	fsi_output_split_line(&r->in, head);
	if (!fsi_output_get_value(&r->in, "JobId").len)
		return 0;
	job = FSI_VEC_ADD(&imp->m->job);
	if (!job)
		return fsi_fail_no_memory(imp->err);
	rc = fsi_output_set_fields(&r->in, &job->rec, 0, FSI_JOB_KEYS_BEFORE_NAME);
	if (!rc)
		rc = set_array_fields(imp, job, fsi_output_get_value(&r->in, "ArrayTaskId"));
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(imp, JOB, job, name, remove_het_job_set(name, &r->in));
	fsi_kv_table_read_line(&r->in.keys, tail);
	if (!rc)
		rc = set_remaining_fields(imp, r, job);
	if (name.len && memchr(name.s, '=', name.len))
		fsi_kv_table_read_line(&r->in.keys, name); /* a key in the name does not count as missing */
	fsi_output_note_keys(&r->in);
	fsi_output_end_record(&r->in);
	return rc ? rc : fsi_import_check_required(imp, FSI_RECORD_JOB, &job->rec);
}

/* Reads scontrol_job_o.txt. Returns 1 if the file does not exist. */
static int read_job_records(struct fsi_import *imp)
{
	struct job_reader *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return fsi_fail_no_memory(imp->err);
	fsi_output_init_reader(&r->in, imp, fsi_output_find(imp->outputs, "scontrol_job_o.txt", NULL));
	rc = fsi_import_read_job_records(imp, read_job_line, r);
	if (!rc)
		fsi_output_finish_reader(&r->in);
	fsi_intern_release(&r->tres_texts);
	FSI_VEC_FREE(&r->tres_sets);
	free(r);
	return rc;
}

int fsi_slurm_read_jobs(struct fsi_import *imp)
{
	struct fsi_id_index index = { 0 };
	int rc = read_job_records(imp);

	if (rc)
		return rc > 0 ? fsi_import_hide_type(imp, "job") : rc;
	if (fsi_id_index_init_jobs(&index, imp->m))
		return fsi_fail_no_memory(imp->err);
	rc = read_job_associations(imp, &index);
	if (rc >= 0)
		rc = read_job_details(imp, &index);
	free(index.v);
	return rc > 0 ? 0 : rc;
}

/* ---- the QOS with which the scheduler last tried a job that has a list of QOS
 *
 * sprio of Slurm 24.11 prints a row for each QOS of a job. If a QOS has priority 0, its row shows the QOS term of
 * another QOS (priority_multifactor.c: _create_prio_list_qos). This other QOS is the one to which job_ptr->qos_ptr
 * pointed at the last priority calculation. The schedulers set qos_ptr to the QOS of each queue record that they try
 * (job_scheduler.c: _schedule, backfill.c: _attempt_backfill). No command prints qos_ptr, but the job's other rows show
 * which QOS has this term. */

/* Returns true if the QOS in this row of sprio has priority 0. */
static bool has_zero_priority_qos(const fs_snapshot *m, const struct fsi_recorded *r)
{
	const struct fsi_qos *q = FSI_HAS(r, RECORDED, qos) ? fsi_qos_find(m, r->qos) : NULL;

	return q && FSI_HAS(q, QOS, priority) && !q->priority;
}

/* Returns the index after the last row of the group that begins with row i. The rows of a group are adjacent and have
 * the same job and partition. */
static size_t find_row_group_end(const fs_snapshot *m, size_t i)
{
	const struct fsi_recorded *first = &m->recorded.v[i++];

	while (i < m->recorded.n && FSI_HAS(&m->recorded.v[i], RECORDED, job) &&
	       m->recorded.v[i].job == first->job && m->recorded.v[i].partition == first->partition)
		i++;
	return i;
}

/* Returns the QOS with which the scheduler last tried a job. `at` is a row of sprio for a QOS of priority 0. Rows
 * [i, end) are all rows of sprio for the same job and partition. The result is:
 *  - if row `at` has a QOS term above 0: the QOS of the first row that has the same term, and whose QOS has a priority
 *    other than 0
 *  - if row `at` has the term 0, and every row whose QOS has another priority than 0 has another term: the QOS of row
 *    `at`
 *  - otherwise 0: the QOS is unknown, for example if all terms are 0 because an administrator set the priority */
static uint32_t find_qos_by_term(const fs_snapshot *m, size_t i, size_t end, size_t at)
{
	const struct fsi_recorded *r = m->recorded.v;

	if (!FSI_HAS(&r[at], RECORDED, norm_qos))
		return 0;
	for (; i < end; i++)
		if (!has_zero_priority_qos(m, &r[i]) && FSI_HAS(&r[i], RECORDED, norm_qos) &&
		    r[i].norm_qos == r[at].norm_qos)
			return r[at].norm_qos > 0 ? r[i].qos : 0;
	return r[at].norm_qos == 0 ? r[at].qos : 0;
}

/* Appends a record of type `tried`, which says that the scheduler last tried the job with this QOS. Does nothing if the
 * last record of this type is for the same job. */
static int append_tried_record(struct fsi_import *imp, uint64_t job, uint32_t qos)
{
	struct fsi_tried *t;

	if (imp->m->tried.n && imp->m->tried.v[imp->m->tried.n - 1].job == job)
		return 0;
	t = FSI_VEC_ADD(&imp->m->tried);
	if (!t)
		return fsi_fail_no_memory(imp->err);
	FSI_PUT(t, TRIED, job, job);
	FSI_PUT(t, TRIED, qos, qos);
	return 0;
}

int fsi_slurm_infer_tried_qos(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	int rc = 0;

	if (fsi_config_get_int(m, "PriorityWeightQOS", 0) <= 0)
		return 0;
	for (size_t i = 0, end; i < m->recorded.n && !rc; i = end) {
		end = find_row_group_end(m, i);
		for (size_t k = i; k < end && end - i > 1 && !rc; k++) {
			const uint32_t qos =
				has_zero_priority_qos(m, &m->recorded.v[k]) ? find_qos_by_term(m, i, end, k) : 0;

			if (qos)
				rc = append_tried_record(imp, m->recorded.v[k].job, qos);
		}
	}
	return rc;
}

/* ---- what sprio's job-size factor shows about a pending job
 *
 * Slurm computes the factor from the number of CPUs that Slurm counts for the job. Slurm may count more CPUs than the
 * job requests. The factor therefore shows the counted CPUs, and sometimes that the job gets whole nodes.
 *
 * Before 23.11.6, scontrol may print OverSubscribe=YES for a job that gets whole nodes. scontrol does so after the
 * scheduler tried the job in a partition with OverSubscribe=FORCE (src/slurmctld/node_scheduler.c:
 * _resolve_shared_status sets share_res, select_nodes does not reset it; job_mgr.c: _pack_default_job_details).
 * However, when the scheduler tests a job that gets whole nodes, the scheduler counts all CPUs of the nodes
 * (select/cons_common/job_test.c: common_job_test, total_cpus). Therefore a job gets whole nodes if its number of
 * counted CPUs is larger than the number of CPUs that it can get on shared nodes. */

/* Returns true if one of the job's partitions has OverSubscribe=FORCE. */
static bool is_in_forced_partition(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list_items(m, job->partitions, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(m, names[i]);

		if (p && !strncmp(fsi_name_text(m, p->oversubscribe), "FORCE", strlen("FORCE")))
			return true;
	}
	return false;
}

/* Returns the number of CPUs from which the job-size factor was computed; 0 if unknown. */
static double compute_counted_cpus(const fs_snapshot *m, double nodes, double factor)
{
	struct fsi_job_size s = { .nodes = nodes };
	struct fsi_slurm_conf conf;
	struct fs_error err;

	if (fsi_slurm_conf_load(m, &conf, &err) || conf.small_relative_to_time)
		return 0;
	s.small = conf.favor_small;
	fsi_job_size_set_cluster(m, &s);
	return isnan(s.of_cpus) ? 0 : fsi_job_size_cpus(&s, factor);
}

/* Sets whole_nodes if the job-size factor shows more CPUs than the job can get on shared nodes, and the job can get
 * this number of CPUs on whole nodes. Returns -1 if out of memory. */
static int infer_whole_nodes(fs_snapshot *m, struct fsi_job *job, const struct fsi_request_settings *requests,
			     double factor)
{
	const struct fsi_counted_request shared = fsi_request_count_cpus(requests, job, FSI_NO_INDEX);
	const double cpus = compute_counted_cpus(m, shared.nodes, factor);
	struct fsi_counted_request whole;

	if (cpus <= (double)shared.max_cpus)
		return 0;
	if (FSI_SET_JOB_EXT(m, job, whole_nodes, true))
		return -1;
	whole = fsi_request_count_cpus(requests, job, FSI_NO_INDEX);
	if (cpus < (double)whole.min_cpus || cpus > (double)whole.max_cpus)
		FSI_CLEAR_JOB_EXT(m, job, whole_nodes);
	return 0;
}

/* Sets gpu_cpus of a job that requests GPUs to the number of CPUs that the job-size factor shows. Sets gpu_cpus only if
 * the number is above asked_cpus and outside the range min_cpus to max_cpus (struct fsi_counted_request). The scheduler
 * added the extra CPUs for the GPUs when it first tested the job. Does not set gpu_cpus for a job with several
 * partitions or with GPUs per task: its min_cpus and max_cpus are uncertain. Returns -1 if out of memory. */
static int infer_gpu_cpus(fs_snapshot *m, struct fsi_job *job, const struct fsi_request_settings *requests,
			  double factor)
{
	const struct fsi_counted_request q = fsi_request_count_cpus(requests, job, FSI_NO_INDEX);
	const bool by_task = !strcmp(fsi_name_text(m, fsi_job_ext(m, job)->gres_per), "task");
	const double cpus =
		fsi_job_requested_amount(m, job, requests->gpu) > 0 ? compute_counted_cpus(m, q.nodes, factor) : 0;
	size_t partitions;

	fsi_list_items(m, job->partitions, &partitions);
	if (partitions != 1 || by_task)
		return 0;
	if (cpus <= (double)q.asked_cpus || (cpus >= (double)q.min_cpus && cpus <= (double)q.max_cpus))
		return 0;
	return FSI_SET_JOB_EXT(m, job, gpu_cpus, (uint32_t)cpus);
}

int fsi_slurm_infer_job_size(fs_snapshot *m, struct fsi_job *job, const struct fsi_request_settings *requests,
			     const struct fsi_recorded *r)
{
	if (!FSI_HAS(r, RECORDED, norm_jobsize) || !(r->norm_jobsize > 0))
		return 0;
	if (job->state != FSI_STATE_PENDING) /* scontrol shows the requested number of nodes only for pending jobs */
		return job->nodes > 1 ? FSI_SET_JOB_EXT(m, job, size_factor, r->norm_jobsize) : 0;
	if (!fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_TOLD) && !requests->linear &&
	    is_in_forced_partition(m, job) && !fsi_request_uses_whole_nodes(m, job, NULL) &&
	    infer_whole_nodes(m, job, requests, r->norm_jobsize))
		return -1;
	if (infer_gpu_cpus(m, job, requests, r->norm_jobsize))
		return -1;
	return fsi_request_count_cpus(requests, job, FSI_NO_INDEX).growth_reason
		       ? FSI_SET_JOB_EXT(m, job, size_factor, r->norm_jobsize)
		       : 0;
}
