#include "top/data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
}

void data_free(struct data *d)
{
	if (!d)
		return;
	fs_queue_free(d->queue);
	fs_prios_free(d->prios);
	fs_windows_free(d->windows);
	fs_shares_free(d->shares);
	if (!d->borrowed)
		fs_snapshot_free(d->snapshot);
	free(d->jobs);
	free(d->before);
	free(d->first_prio);
	free(d->partition);
	free(d->was);
	free(d->was_in_partition);
	free(d);
}

/* ---- partitions */

static struct partition_row *add_partition(struct data *d, const char *name)
{
	struct fs_partition known;
	struct partition_row *p;

	if (d->partitions == d->partitions_cap) {
		const size_t cap = d->partitions_cap ? d->partitions_cap * 2 : 16;
		struct partition_row *v = realloc(d->partition, cap * sizeof(*v));

		if (!v)
			return NULL;
		d->partition = v;
		d->partitions_cap = cap;
	}
	p = &d->partition[d->partitions++];
	*p = (struct partition_row){ name, FS_UNKNOWN, FS_UNKNOWN, FS_UNKNOWN, .last = UINT32_MAX };
	if (fs_snapshot_partition(d->snapshot, name, &known)) {
		p->cpus = known.cpus;
		p->nodes = known.nodes;
	}
	return p;
}

/* Names of one snapshot are the same pointer nearly always. */
static struct partition_row *partition_of(struct data *d, const char *name)
{
	for (size_t i = 0; i < d->partitions; i++)
		if (d->partition[i].name == name)
			return &d->partition[i];
	for (size_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, name))
			return &d->partition[i];
	return add_partition(d, name);
}

static int list_partitions(struct data *d)
{
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(d->snapshot, i)); i++)
		if (!partition_of(d, name))
			return -1;
	return 0;
}

/* ---- jobs */

static int count_row(struct data *d, const struct fs_queue_row *row, uint32_t i)
{
	struct partition_row *p = partition_of(d, row->partition);

	if (!p)
		return -1;
	p->tier = row->tier;
	p->waiting++;
	d->before[i] = row->in_line ? p->last : UINT32_MAX;
	if (!row->in_line)
		return 0;
	p->in_line++;
	p->last = i;
	if (row->visible && p->nfirst < sizeof(p->first) / sizeof(*p->first))
		p->first[p->nfirst++] = i;
	return 0;
}

static int list_queue(struct data *d, bool *queued)
{
	const size_t n = fs_queue_count(d->queue);
	struct fs_queue_row row;

	d->jobs = malloc((n + 1) * sizeof(*d->jobs));
	d->before = malloc((n + 1) * sizeof(*d->before));
	if (!d->jobs || !d->before)
		return -1;
	for (size_t i = 0; i < n; i++) {
		fs_queue_row(d->queue, i, &row);
		d->in_line += row.position != 0;
		d->waiting += !queued[row.job_row];
		queued[row.job_row] = true;
		if (count_row(d, &row, (uint32_t)i))
			return -1;
		if (row.visible)
			d->jobs[d->njobs++] = (uint32_t)i;
	}
	return 0;
}

static int count_running(struct data *d, const bool *queued)
{
	const size_t n = fs_snapshot_info(d->snapshot)->jobs;
	const struct fs_reason *reason;
	struct partition_row *p;
	struct fs_job job;

	for (size_t i = 0; i < n; i++) {
		if (queued[i] || fs_job_section(d->snapshot, i, &reason) != FS_SECTION_RUNNING)
			continue;
		d->running++;
		fs_snapshot_job(d->snapshot, i, &job);
		if (!fs_job_partition(d->snapshot, i, 0))
			continue;
		p = partition_of(d, fs_job_partition(d->snapshot, i, 0));
		if (!p)
			return -1;
		p->running++;
		p->running_cpus += job.cpus == FS_UNKNOWN ? 0 : job.cpus;
	}
	return 0;
}

static int list_jobs(struct data *d)
{
	bool *queued = calloc(fs_snapshot_info(d->snapshot)->jobs + 1, sizeof(*queued));
	int rc = -1;

	if (queued && !list_partitions(d) && (!d->queue || !list_queue(d, queued)))
		rc = count_running(d, queued);
	free(queued);
	return rc;
}

static int index_prios(struct data *d)
{
	const size_t jobs = fs_snapshot_info(d->snapshot)->jobs, n = d->prios ? fs_prios_count(d->prios) : 0;
	struct fs_prio_row row;

	d->first_prio = malloc((jobs + 1) * sizeof(*d->first_prio));
	if (!d->first_prio)
		return -1;
	memset(d->first_prio, 0xff, (jobs + 1) * sizeof(*d->first_prio));
	for (size_t i = n; i-- > 0;) {
		fs_prios_row(d->prios, i, &row);
		d->first_prio[row.job_row] = (uint32_t)i;
		if (!row.direct && row.sum > d->most_points)
			d->most_points = row.sum;
	}
	return 0;
}

bool data_prio(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out)
{
	const size_t n = d->prios ? fs_prios_count(d->prios) : 0;

	for (size_t i = d->first_prio[row->job_row]; i < n; i++) {
		fs_prios_row(d->prios, i, out);
		if (out->job_row != row->job_row)
			return false;
		if (!strcmp(out->partition, row->partition) && !strcmp(out->qos, row->qos))
			return true;
	}
	return false;
}

/* ---- what moved */

static uint64_t hash_word(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

static uint64_t hash_row(const struct fs_queue_row *row)
{
	return hash_word(hash_word((row->job + 1) * 0x9e3779b97f4a7c15u, row->partition), row->qos);
}

static bool same_row(const struct fs_queue_row *a, const struct fs_queue_row *b)
{
	return a->job == b->job && !strcmp(a->partition, b->partition) && !strcmp(a->qos, b->qos);
}

struct places {
	uint32_t *slot; /* row + 1 of the old queue */
	size_t mask;
};

static int place_old(struct places *t, const fs_queue *old)
{
	const size_t n = fs_queue_count(old);
	struct fs_queue_row row;

	for (t->mask = 15; t->mask < n * 2; t->mask = t->mask * 2 + 1)
		;
	t->slot = calloc(t->mask + 1, sizeof(*t->slot));
	for (size_t i = 0; t->slot && i < n; i++) {
		size_t at;

		fs_queue_row(old, i, &row);
		for (at = (hash_row(&row) >> 20) & t->mask; t->slot[at]; at = (at + 1) & t->mask)
			;
		t->slot[at] = (uint32_t)i + 1;
	}
	return t->slot ? 0 : -1;
}

static bool find_old(const struct places *t, const fs_queue *old, const struct fs_queue_row *row,
		     struct fs_queue_row *was)
{
	for (size_t at = (hash_row(row) >> 20) & t->mask; t->slot[at]; at = (at + 1) & t->mask) {
		fs_queue_row(old, t->slot[at] - 1, was);
		if (same_row(was, row))
			return true;
	}
	return false;
}

static int compare_places(struct data *d, const fs_queue *old)
{
	const size_t n = fs_queue_count(d->queue);
	struct places t = { 0 };
	struct fs_queue_row row, was;

	d->was = calloc(n + 1, sizeof(*d->was));
	d->was_in_partition = calloc(n + 1, sizeof(*d->was_in_partition));
	if (!d->was || !d->was_in_partition || place_old(&t, old))
		return -1;
	for (size_t i = 0; i < n; i++) {
		fs_queue_row(d->queue, i, &row);
		const bool known = find_old(&t, old, &row, &was);

		d->was[i] = known ? was.position : MOVE_NEW;
		d->was_in_partition[i] = known ? was.partition_position : MOVE_NEW;
	}
	free(t.slot);
	return 0;
}

/* ---- all together */

/* What cannot be computed is kept as the reason; only a lack of memory is an error of its own. */
static int compute(struct data *d, const struct data_options *o, struct fs_error *err)
{
	const struct fs_shares_options so = { .algorithm = o->algorithm,
					      .viewer = o->viewer,
					      .compat = o->compat,
					      .maui_dialect = o->maui_dialect,
					      .position = o->position };
	const struct fs_prios_options po = { .viewer = o->viewer,
					     .algorithm = o->algorithm,
					     .compat = o->compat,
					     .maui_dialect = o->maui_dialect,
					     .position = o->position };
	struct fs_queue_options qo = { .viewer = o->viewer,
				       .algorithm = o->algorithm,
				       .position = o->position,
				       .maui_dialect = o->maui_dialect };
	const int shares = fs_shares_compute(&d->shares, d->snapshot, &so, &d->shares_error);
	const int prios = fs_prios_compute(&d->prios, d->snapshot, &po, &d->prios_error);
	int queue;

	qo.prios = o->compat ? NULL : d->prios;
	queue = fs_queue_compute(&d->queue, d->snapshot, &qo, &d->queue_error);
	if (shares == FS_ENOMEM || prios == FS_ENOMEM || queue == FS_ENOMEM)
		return no_memory(err);
	if (shares && prios && queue) {
		*err = d->shares_error;
		return shares;
	}
	if (shares == FS_EUSAGE || shares == FS_EDATA) {
		*err = d->shares_error;
		return shares;
	}
	if (fs_snapshot_info(d->snapshot)->credentials &&
	    fs_windows_compute(&d->windows, d->snapshot, o->maui_dialect, err) == FS_ENOMEM)
		return FS_ENOMEM;
	snprintf(d->algorithm, sizeof(d->algorithm), "%s", d->shares ? fs_shares_algorithm(d->shares) : "");
	return 0;
}

int data_make(struct data **out, fs_snapshot *s, const struct data_options *o, const struct data *old,
	      struct fs_error *err)
{
	struct data *d = calloc(1, sizeof(*d));
	int rc;

	if (!d) {
		if (!o->borrow)
			fs_snapshot_free(s);
		return no_memory(err);
	}
	d->snapshot = s;
	d->borrowed = o->borrow;
	d->chosen = o->algorithm;
	d->viewer = o->viewer;
	rc = compute(d, o, err);
	if (!rc && (index_prios(d) || list_jobs(d) ||
		    (old && old->queue && d->queue && compare_places(d, old->queue))))
		rc = no_memory(err);
	if (rc) {
		data_free(d);
		return rc;
	}
	*out = d;
	return 0;
}

/* ---- finding rows again */

const char *data_job_id(const struct data *d, uint64_t job, char buf[ID_TEXT])
{
	if (fs_snapshot_info(d->snapshot)->kind == FS_FLUX)
		return fs_f58_format(buf, job, true);
	snprintf(buf, ID_TEXT, "%" PRIu64, job);
	return buf;
}

size_t data_shares(const struct data *d)
{
	return d->shares ? fs_shares_count(d->shares) : 0;
}

uint32_t data_find_job(const struct data *d, uint64_t job, const char *partition, const char *qos)
{
	const struct fs_queue_row wanted = { .job = job, .partition = partition, .qos = qos };
	struct fs_queue_row row;
	uint32_t other = UINT32_MAX;

	for (size_t i = 0; i < d->njobs; i++) {
		fs_queue_row(d->queue, d->jobs[i], &row);
		if (row.job != job)
			continue;
		if (same_row(&row, &wanted))
			return d->jobs[i];
		other = other == UINT32_MAX ? d->jobs[i] : other;
	}
	return other;
}

uint32_t data_find_share(const struct data *d, const char *account, const char *user, const char *partition)
{
	const size_t n = data_shares(d);
	uint32_t other = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(d->shares, i);

		if (strcmp(row->account, account) != 0 || strcmp(row->user, user) != 0 || !row->visible)
			continue;
		if (!strcmp(row->partition, partition))
			return (uint32_t)i;
		other = other == UINT32_MAX ? (uint32_t)i : other;
	}
	return other;
}
