/* Moab's showq over Slurm, as slurm_showq 0.0.7 lays it out (Elemnir/slurm_showq: main.cpp), with the constraints (-w)
 * and the XML of Moab's own (Moab Workload Manager, Administrator Guide: showq).
 *
 * Mended unless strict: jobs that configure, complete or are suspended stand among the active ones and not among those
 * that ended; a limit that the tool does not know blocks; an endless limit is INFINITY; per cent have two decimals. */
#include "showq/moab/moab.h"

#include "render/emit.h"

#include <stdlib.h>

static int64_t order_key(const struct showq_run *r, const struct fs_job *j)
{
	switch (r->moab.order) {
	case MOAB_REMAINING:
	case MOAB_REVERSEREMAINING:
		return j->end_time;
	case MOAB_JOB:
		return (int64_t)j->id;
	case MOAB_USER:
		return j->uid;
	default:
		return j->start_time;
	}
}

static int by_order(const struct showq_run *r, const struct fs_job *a, const struct fs_job *b)
{
	const int64_t p = order_key(r, a), q = order_key(r, b);

	return r->moab.order == MOAB_REVERSEREMAINING ? (p < q) - (p > q) : (p > q) - (p < q);
}

/* Active jobs come first, in the order asked for, and all others as they were. */
static int by_key(const void *x, const void *y, const void *ctx)
{
	const struct showq_job *a = x, *b = y;

	if (a->place != PLACE_ACTIVE || b->place != PLACE_ACTIVE)
		return (a->place != PLACE_ACTIVE) - (b->place != PLACE_ACTIVE);
	const struct fs_job p = showq_job_of(ctx, a), q = showq_job_of(ctx, b);

	return by_order(ctx, &p, &q);
}

static int64_t count_busy(const struct showq_run *r, uint32_t *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->jobs[i].place == PLACE_ACTIVE)
			rows[n++] = r->jobs[i].row;
	return fs_snapshot_count_nodes(r->snapshot, rows, n);
}

static int64_t count_all(const struct showq_run *r, uint32_t *rows)
{
	const char *name;
	size_t n = 0;

	for (uint32_t i = 0; (name = fs_snapshot_partition_name(r->snapshot, i)); i++)
		if (moab_is(r->moab.partition, name, r->strict))
			rows[n++] = i;
	return fs_snapshot_count_partition_nodes(r->snapshot, rows, n);
}

static int count(struct showq_run *r, struct moab_counts *c)
{
	size_t rows = r->n + 1;
	uint32_t *room;

	*c = (struct moab_counts){ .n = { 0 } };
	for (size_t i = 0; i < r->n; i++)
		c->n[r->jobs[i].place]++;
	while (fs_snapshot_partition_name(r->snapshot, rows))
		rows++;
	room = malloc(rows * sizeof(*room));
	if (!room)
		return -1;
	c->busy_nodes = count_busy(r, room);
	c->nodes = count_all(r, room);
	free(room);
	return c->busy_nodes < 0 || c->nodes < 0 ? -1 : 0;
}

static void active_line(const struct showq_run *r, const struct moab_counts *c)
{
	const double percent = (double)c->busy_nodes / (double)c->nodes * 100;

	emit("%zu active jobs\t\t%lld of %lld nodes active      (", c->n[PLACE_ACTIVE], (long long)c->busy_nodes,
	     (long long)c->nodes);
	if (c->nodes)
		emit(r->strict ? "%.2g%%)" : "%.2f%%)", percent);
	else
		emit_text(r->strict ? "-nan%)" : "0.00%)");
}

static void total(size_t n)
{
	emit("\n\nTotal jobs: %zu\n\n", n);
}

static void show_only(const struct showq_run *r, const struct moab_counts *c, enum showq_place place)
{
	static const char *const words[] = { "active", "eligible", "blocked", "completed" };

	moab_section(r, place, true);
	if (place == PLACE_ACTIVE)
		active_line(r, c);
	else
		emit("%zu %s jobs", c->n[place], words[place]);
	total(c->n[place]);
}

static void show_all(const struct showq_run *r, const struct moab_counts *c)
{
	moab_section(r, PLACE_ACTIVE, false);
	active_line(r, c);
	putchar('\n');
	moab_section(r, PLACE_WAITING, false);
	emit("%zu eligible jobs\n", c->n[PLACE_WAITING]);
	moab_section(r, PLACE_BLOCKED, false);
	emit("%zu blocked jobs", c->n[PLACE_BLOCKED]);
	total(c->n[PLACE_ACTIVE] + c->n[PLACE_WAITING] + c->n[PLACE_BLOCKED]);
}

static void show_summary(const struct moab_counts *c)
{
	emit("\nactive jobs: %zu  eligible jobs: %zu  blocked jobs: %zu", c->n[PLACE_ACTIVE], c->n[PLACE_WAITING],
	     c->n[PLACE_BLOCKED]);
	total(c->n[PLACE_ACTIVE] + c->n[PLACE_WAITING] + c->n[PLACE_BLOCKED]);
}

/* If several sections are asked for the first of these is shown: ended, active, eligible, blocked. */
static enum showq_place only(const struct showq_run *r)
{
	return r->moab.completed ? PLACE_ERRORED
	       : r->only_running ? PLACE_ACTIVE
	       : r->only_idle	 ? PLACE_WAITING
	       : r->show_blocked ? PLACE_BLOCKED
				 : PLACE_COUNT;
}

static void drop_unwanted(struct showq_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (moab_wanted(r, &r->jobs[i]))
			r->jobs[n++] = r->jobs[i];
	r->n = n;
}

static int page(struct showq_run *r)
{
	const enum showq_place one = only(r);
	struct moab_counts c;
	int status = showq_load(r);

	if (status)
		return status;
	drop_unwanted(r);
	if (count(r, &c) || (r->moab.order && fs_sort(r->jobs, r->n, sizeof(*r->jobs), by_key, r)))
		return no_memory(r->inv);
	if (r->moab.xml)
		return moab_xml(r, &c,
				one == PLACE_COUNT ? 1u << PLACE_ACTIVE | 1u << PLACE_WAITING | 1u << PLACE_BLOCKED
						   : 1u << one);
	if (r->summary)
		show_summary(&c);
	else if (one != PLACE_COUNT)
		show_only(r, &c, one);
	else
		show_all(r, &c);
	return EXIT_DONE;
}

const struct showq_style showq_moab = {
	.style = STYLE_MOAB,
	.partitions = true,
	.page = page,
	.place = moab_place,
};
