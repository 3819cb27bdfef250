/* Generic resources of nodes and jobs. Where they are TRES of the cluster jobs and nodes tell the amounts. Of
 * others, such as types of GPU that AccountingStorageTRES does not name, jobs tell what they ask for (gres_req) and
 * what they have on each node (node_gres), and nodes what they have in all (gres). */
#include "base/num.h"
#include "plan/plan.h"

#include <string.h>

/* `gpu:a100:4`, `gpu`: without a number there is one. */
static int64_t count_of(const char *item, size_t len)
{
	size_t colon = len;
	int64_t n;

	while (colon && item[colon - 1] != ':')
		colon--;
	return colon && !fsi_parse_count(item + colon, len - colon, &n) ? fsi_plan_amount(n > 0 ? n : 0) : 1;
}

int64_t fsi_plan_gres_in(const char *text, size_t len, const char *tres)
{
	const char *end = text + len, *slash = strchr(tres, '/'), *name = slash ? slash + 1 : tres;
	const size_t want = strlen(name);
	int64_t sum = 0;

	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;
		const char *about = memchr(text, '(', (size_t)(stop - text));
		const size_t item = (size_t)((about ? about : stop) - text);

		if (item >= want && !strncmp(text, name, want) && (item == want || text[want] == ':'))
			sum = fsi_plan_amount(sum + count_of(text, item));
		text = stop + (comma != NULL);
	}
	return sum;
}

int64_t fsi_plan_asked(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres)
{
	return fsi_plan_amount(fsi_job_asks(m, j, tres));
}

/* The i-th part of a list of n parts with semicolons between; NULL if it has not n. */
static const char *part_of(const char *list, uint32_t n, uint32_t i, size_t *len)
{
	const char *part = NULL;

	for (uint32_t k = 0; k < n; k++, list += k < n) {
		const size_t has = strcspn(list, ";");

		if (k == i) {
			part = list;
			*len = has;
		}
		list += has;
		if ((*list == ';') != (k + 1 < n))
			return NULL;
	}
	return part;
}

bool fsi_plan_gres_told(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t nodes)
{
	const uint32_t list = fsi_job_rare(c->m, j)->node_gres;
	size_t len;

	return list && part_of(fsi_str(c->m, list), nodes, 0, &len);
}

int64_t fsi_plan_gres_held(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
			   uint32_t i)
{
	const struct fsi_job_rare *rare = fsi_job_rare(c->m, j);
	size_t len = 0;
	const char *own = rare->node_gres ? part_of(fsi_str(c->m, rare->node_gres), nodes, i, &len) : NULL;

	return own ? fsi_plan_gres_in(own, len, fsi_str(c->m, c->res_name[r]))
		   : fsi_even_part(fsi_plan_asked(c->m, j, c->res_name[r]), nodes, i);
}
