/* What a request would cost. */
#include "usage/billing.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static const char *own_name(const fs_snapshot *m, const char *s, size_t len)
{
	for (size_t k = 0; k < m->tres.n; k++) {
		const char *name = fsi_str(m, m->tres.v[k].name);

		if (strlen(name) == len && !memcmp(name, s, len))
			return name;
	}
	return NULL;
}

static int parse_amount(const char *name, const char *s, size_t len, int64_t *out)
{
	const bool in_mb = !strcmp(name, "mem") || !strncmp(name, "bb/", 3);

	return (in_mb ? fsi_parse_mem_mb(s, len, out) : fsi_parse_count(s, len, out)) || *out < 0
		       ? -1
		       : 0;
}

int fs_tres_parse(const fs_snapshot *m, const char *text, struct fs_tres *out, size_t max,
		  struct fs_error *err)
{
	size_t n = 0;

	if (!*text)
		return fsi_fail(err, FS_EUSAGE, "expected TRES, as in cpu=16,mem=64G");
	while (*text) {
		const size_t len = strcspn(text, ","), name = strcspn(text, "=,");

		if (n == max)
			return fsi_fail(err, FS_EUSAGE, "more than %zu TRES", max);
		out[n].name = own_name(m, text, name);
		if (!out[n].name)
			return fsi_fail(err, FS_EUSAGE, "the cluster has no TRES \"%.*s\"",
					(int)(name < 100 ? name : 100), text);
		for (size_t k = 0; k < n; k++)
			if (out[k].name == out[n].name)
				return fsi_fail(err, FS_EUSAGE, "%s: given twice", out[n].name);
		if (name + 1 >= len ||
		    parse_amount(out[n].name, text + name + 1, len - name - 1, &out[n].amount))
			return fsi_fail(err, FS_EUSAGE,
					"%s: expected an amount, as in cpu=16 or mem=64G",
					out[n].name);
		n++;
		text += len + (text[len] == ',');
	}
	return (int)n;
}

int fs_bill_tres(const fs_snapshot *m, const char *partition, const struct fs_tres *tres, size_t n,
		 struct fs_bill *out, struct fs_error *err)
{
	const struct fsi_partition *p = fsi_partition_find(m, fsi_name_find(m, partition));
	struct fsi_amount amounts[FS_BILL_MAX];
	struct fsi_arena arena = { 0 };
	struct fsi_billing b;
	int rc = 0;

	if (!p)
		return fsi_fail(err, FS_EUSAGE, "there is no partition \"%.100s\"", partition);
	if (n > FS_BILL_MAX)
		return fsi_fail(err, FS_EUSAGE, "more than %d TRES", FS_BILL_MAX);
	for (size_t i = 0; i < n && !rc; i++) {
		size_t k = 0;

		while (k < m->tres.n && strcmp(fsi_str(m, m->tres.v[k].name), tres[i].name) != 0)
			k++;
		if (k == m->tres.n)
			rc = fsi_fail(err, FS_EUSAGE, "the cluster has no TRES \"%.100s\"",
				      tres[i].name);
		else
			amounts[i] = (struct fsi_amount){ m->tres.v[k].name, 0, tres[i].amount };
	}
	if (!rc && fsi_billing_init(&b, m, &arena))
		rc = fsi_nomem(err);
	if (!rc)
		fsi_billing_compute(&b, b.mode, (uint32_t)(p - m->partition.v), amounts, n, out);
	fsi_arena_release(&arena);
	return rc;
}

/* Sums up what the nodes have of each TRES; -1 where one of them does not tell. */
static int sum_nodes(const fs_snapshot *m, const char *partition, struct fs_tres *out)
{
	size_t found = 0;

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		if (!fsi_list_has(m, node->partitions, partition))
			continue;
		if (!FSI_HAS(node, NODE, tres))
			return -1;
		found++;
		for (size_t k = 0; k < m->tres.n; k++)
			out[k].amount += fsi_amount_of(m, node->tres, m->tres.v[k].name);
	}
	return found ? 0 : -1;
}

int fs_bill_nodes(const fs_snapshot *m, const char *partition, struct fs_bill *out, struct fs_error *err)
{
	struct fs_tres tres[FS_BILL_MAX] = { { NULL, 0 } };

	if (m->tres.n > FS_BILL_MAX)
		return fsi_fail(err, FS_EUSAGE, "more than %d TRES", FS_BILL_MAX);
	for (size_t k = 0; k < m->tres.n; k++)
		tres[k].name = fsi_str(m, m->tres.v[k].name);
	if (fsi_partition_find(m, fsi_name_find(m, partition)) && sum_nodes(m, partition, tres))
		return fsi_fail(err, FS_ENODATA, "%s: what the nodes of partition %s have is not in the snapshot", m->file, partition);
	return fs_bill_tres(m, partition, tres, m->tres.n, out, err);
}

double fsi_usage_factor(const struct fsi_qos *q)
{
	return q && FSI_HAS(q, QOS, usage_factor) ? q->usage_factor : 1;
}

int fsi_bill_to_limit(double *tres_s, const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const double factor = fsi_usage_factor(fsi_job_highest_qos(m, j));
	struct fsi_arena arena = { 0 };
	struct fsi_billing b;
	struct fs_bill bill;
	size_t n;
	const struct fsi_amount *tres = fsi_amounts(m, j->tres_req, &n);
	int rc;

	*tres_s = (double)NAN;
	if (!p || !FSI_HAS(j, JOB, tres_req) || !FSI_HAS(j, JOB, time_limit_s))
		return 0;
	rc = fsi_billing_init(&b, m, &arena);
	if (!rc) {
		fsi_billing_compute(&b, b.mode, (uint32_t)(p - m->partition.v), tres, n, &bill);
		*tres_s = FSI_SPECIAL(j, JOB, time_limit_s) && bill.rate * factor > 0
				  ? (double)INFINITY
				  : fsi_charged_tres_s(bill.rate, factor, (double)j->time_limit_s);
	}
	fsi_arena_release(&arena);
	return rc;
}
