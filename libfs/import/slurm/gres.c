/* Generic resources that AccountingStorageTRES does not name, such as kinds of GPU: Slurm's TRES strings leave them
 * out, so that they are read from what a job was submitted with (TresPerNode and the like; src/api/job_info.c:
 * slurm_sprint_job_info) and from what it has on each node. Items are `gpu:a100:2`; before 23.11 `gres:` stands in
 * front of what a job asks for, from then on `gres/`, and a number may follow `=` too. */
#include "base/num.h"
#include "import/slurm/gres.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8, NAME = 100 };

struct asked {
	char name[MOST][NAME]; /* "gres/gpu:a100" */
	int64_t n[MOST];
	size_t used;
};

/* "gpu:a100" and its number, 1 if there is none; what stands in parentheses is left out. */
static struct fsi_span cut_count(struct fsi_span item, int64_t *n)
{
	const char *about = memchr(item.s ? item.s : "", '(', item.len);
	size_t end;

	if (about)
		item.len = (size_t)(about - item.s);
	for (end = item.len; end && item.s[end - 1] != ':' && item.s[end - 1] != '=';)
		end--;
	*n = 1;
	if (end && !fsi_parse_count(item.s + end, item.len - end, n))
		item.len = end - 1;
	return item;
}

/* Writes the TRES into name; false if that has no room for it. */
static bool name_of(struct fsi_span item, char *name)
{
	const int len = snprintf(name, NAME, "gres/%.*s", (int)(item.len < NAME ? item.len : NAME), item.s);

	return item.len && len < NAME;
}

static bool is_tres(const fs_snapshot *m, const struct fsi_job *j, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	for (size_t i = 0; id && i < m->tres.n; i++)
		if (m->tres.v[i].name == id)
			return true;
	return id && (fsi_amount_of(m, j->tres_req, id) || fsi_amount_of(m, j->tres_alloc, id));
}

bool fsi_slurm_gres_kept(const fs_snapshot *m, const struct fsi_job *j, struct fsi_span item, bool several)
{
	char name[NAME];
	int64_t n;

	return name_of(cut_count(item, &n), name) && n > 0 && (several || !is_tres(m, j, name));
}

/* ---- what a job asks for */

/* Cuts off the next item of generic resources, without what stands before its name. */
static bool next_item(struct fsi_span *list, struct fsi_span *item)
{
	while (fsi_span_cut(list, ',', item)) {
		if (item->len <= 5 || (memcmp(item->s, "gres:", 5) != 0 && memcmp(item->s, "gres/", 5) != 0))
			continue;
		item->s += 5;
		item->len -= 5;
		return true;
	}
	return false;
}

static size_t kind_len(struct fsi_span name)
{
	const char *colon = memchr(name.s, ':', name.len);

	return colon ? (size_t)(colon - name.s) : name.len;
}

/* How many of a kind the list asks for, types together. */
static int64_t of_kind(struct fsi_span list, struct fsi_span kind)
{
	struct fsi_span item;
	int64_t sum = 0, n;

	while (next_item(&list, &item)) {
		item = cut_count(item, &n);
		if (kind_len(item) == kind.len && !memcmp(item.s, kind.s, kind.len) && n > 0 && n < UINT32_MAX)
			sum += n;
	}
	return sum;
}

static void add_amount(struct asked *a, const char *name, int64_t n)
{
	size_t i = 0;

	while (i < a->used && strcmp(a->name[i], name) != 0)
		i++;
	if (i == MOST || n <= 0)
		return;
	a->used += i == a->used;
	memcpy(a->name[i], name, strlen(name) + 1);
	a->n[i] += n;
}

/* Where the cluster counts the kind, its number tells for how many nodes or tasks the list stands: it is shared out
 * by it. */
static void add_item(struct asked *a, const fs_snapshot *m, const struct fsi_job *j, struct fsi_span list,
		     struct fsi_span item, int64_t times)
{
	char name[NAME], kind_name[NAME];
	int64_t n;
	const struct fsi_span what = cut_count(item, &n), kind = { what.s, kind_len(what) };

	if (!name_of(what, name) || !name_of(kind, kind_name) || n <= 0 || n >= UINT32_MAX)
		return;
	const int64_t all = fsi_amount_of(m, j->tres_req, fsi_name_find(m, kind_name)), sum = of_kind(list, kind);

	n = all > 0 && all < UINT32_MAX ? (all * n + sum - 1) / sum : n * times;
	if (!is_tres(m, j, name))
		add_amount(a, name, n);
	if (kind.len < what.len && !is_tres(m, j, kind_name))
		add_amount(a, kind_name, n);
}

static int64_t nodes_of(const fs_snapshot *m, const struct fsi_job *j)
{
	const int64_t n = fsi_amount_of(m, j->tres_req, fsi_name_find(m, "node"));

	return n > 0 && n < UINT32_MAX ? n : j->nodes ? j->nodes : 1;
}

static int put_asked(struct fsi_import *imp, struct fsi_job *j, const struct asked *a, const char *per)
{
	char text[MOST * (NAME + 24)] = "";
	size_t len = 0;

	for (size_t i = 0; i < a->used; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s=%" PRId64, i ? "," : "", a->name[i], a->n[i]);
	if (per && FSI_IMPORT_SET(imp, JOB, j, gres_per, (fsi_span_of(per))))
		return FS_ENOMEM;
	return len ? FSI_IMPORT_SET(imp, JOB, j, gres_req, ((struct fsi_span){ text, len })) : 0;
}

/* How many sockets a job asks for is not told: the number that the cluster counts has to tell. */
int fsi_slurm_gres_asked(struct fsi_import *imp, struct fsi_job *j, const struct fsi_slurm_tres_per *asked)
{
	const struct {
		struct fsi_span list;
		int64_t times;
		const char *by;
	} per[] = { { asked->job, 1, "job" },
		    { asked->node, nodes_of(imp->m, j), NULL },
		    { asked->task, j->tasks, "task" },
		    { asked->socket, 0, "socket" } };
	struct asked a = { .used = 0 };
	const char *by = NULL;
	bool any = false;

	for (size_t i = 0; i < sizeof(per) / sizeof(*per) && !a.used; i++) {
		struct fsi_span rest = per[i].list, item;

		while (next_item(&rest, &item)) {
			by = any ? by : per[i].by;
			any = true;
			add_item(&a, imp->m, j, per[i].list, item, per[i].times);
		}
	}
	return put_asked(imp, j, &a, by);
}

/* ---- what each GPU brings */

/* The number of `gpu:4`, `gres:gpu:9`, `gres/gpu:a100:9`; 0 if there is none. */
static int64_t of_each_gpu(struct fsi_span list)
{
	struct fsi_span item;
	int64_t n;

	while (fsi_span_cut(&list, ',', &item)) {
		if (fsi_span_begins(item, "gres:") || fsi_span_begins(item, "gres/"))
			item = fsi_span_from(item, 5);
		if (fsi_span_begins(item, "gpu:") && cut_count(item, &n).len < item.len && n > 0 && n < UINT32_MAX)
			return n;
	}
	return 0;
}

/* What its partition or the cluster gives by default is written without "gres" (gres_select_util.c:
 * gres_select_util_job_set_defs). */
static bool is_default(struct fsi_span list)
{
	return fsi_span_begins(list, "gpu:");
}

/* In several partitions it is that of the one in which the job was tried last. */
static bool of_last_partition(const fs_snapshot *m, const struct fsi_job *j, struct fsi_span list)
{
	size_t n;

	fsi_list(m, j->partitions, &n);
	return n > 1 && is_default(list);
}

int fsi_slurm_per_gpu(struct fsi_import *imp, struct fsi_job *j, struct fsi_span cpus, struct fsi_span memory)
{
	const int64_t n = of_last_partition(imp->m, j, cpus) ? 0 : of_each_gpu(cpus),
		      mb = is_default(memory) ? 0 : of_each_gpu(memory);

	if ((n && FSI_SET_RARE(imp->m, j, cpus_per_gpu, (uint32_t)n)) ||
	    (n && is_default(cpus) && FSI_SET_RARE(imp->m, j, cpus_per_gpu_default, true)) ||
	    (mb && FSI_SET_RARE(imp->m, j, mem_per_gpu_mb, (uint32_t)mb)))
		return fsi_nomem(imp->err);
	return 0;
}
