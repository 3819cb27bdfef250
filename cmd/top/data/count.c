/* Counting over all jobs: partitions, who is eligible in which, the priorities of each job. */
#include "top/data/parts.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

static struct partition_row *add_partition(struct data *d, const char *name)
{
	struct fs_partition known;
	struct partition_row *p = room_for_one(d->partition, d->partitions, &d->partitions_cap, sizeof(*p));

	if (!p)
		return NULL;
	d->partition = p;
	p += d->partitions++;
	*p = (struct partition_row){
		.name = name, .cpus = FS_UNKNOWN, .nodes = FS_UNKNOWN, .tier = FS_UNKNOWN
	};
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

static int count_place(struct data *d, const struct fs_queue_place *at, uint32_t i)
{
	struct partition_row *p = partition_of(d, at->partition);

	if (!p)
		return -1;
	p->tier = at->tier;
	p->waiting++;
	if (!at->eligible)
		return 0;
	p->eligible++;
	if (at->visible && p->nfirst < sizeof(p->first) / sizeof(*p->first))
		p->first[p->nfirst++] = i;
	return 0;
}

int data_count_queue(struct data *d)
{
	const size_t n = fs_queue_count(d->eval.queue);
	bool *seen = calloc(fs_snapshot_info(d->snapshot)->jobs + 1, sizeof(*seen));
	struct fs_queue_place at;
	int rc = 0;

	d->jobs = malloc((n + 1) * sizeof(*d->jobs));
	if (!d->jobs || !seen)
		rc = -1;
	for (size_t i = 0; !rc && i < n; i++) {
		fs_queue_place(d->eval.queue, i, &at);
		d->eligible += at.position != 0;
		if (!at.direct && at.priority + 1 > d->max_points) /* it has lost its fraction */
			d->max_points = at.priority + 1;
		d->waiting += !seen[at.job_row];
		seen[at.job_row] = true;
		if (at.visible)
			d->jobs[d->njobs++] = (uint32_t)i;
		rc = count_place(d, &at, (uint32_t)i);
	}
	free(seen);
	return rc;
}

int data_count_running(struct data *d)
{
	struct partition_row *p;
	struct fs_job job;
	size_t at = 0;
	uint32_t i;

	if (list_partitions(d))
		return -1;
	while ((i = fs_job_next_begun(d->snapshot, &at)) != FS_NO_ROW) {
		if (!fs_job_runs(d->snapshot, i))
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

/* ---- priorities */

int data_index_prios(struct data *d)
{
	const size_t jobs = fs_snapshot_info(d->snapshot)->jobs,
		     n = d->eval.prios ? fs_prios_count(d->eval.prios) : 0;

	d->first_prio = malloc((jobs + 1) * sizeof(*d->first_prio));
	if (!d->first_prio)
		return -1;
	memset(d->first_prio, 0xff, (jobs + 1) * sizeof(*d->first_prio));
	for (size_t i = n; i-- > 0;)
		d->first_prio[fs_prios_job_row(d->eval.prios, i)] = (uint32_t)i;
	return 0;
}
