/* The view of the partitions. */
#include "dialect/dialect.h"
#include "top/list/columns.h"
#include "top/list/parts.h"
#include "top/update/update.h"
#include "top/words/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

COLUMN_GET(get_name, void, struct partition_row, *row->name ? row->name : "(none)")

#define MEMBER(m) COLUMN_MEMBER(struct partition_row, m)

static const struct column
	name = { "PARTITION", .get = get_name, .help = "its name" },
	tier = { "TIER", MEMBER(tier), .help = "PriorityTier: jobs of a higher one are tried first" },
	nodes = { "NODES", MEMBER(nodes), .help = "nodes it has" },
	cpus = { "CPUS", MEMBER(cpus), .help = "CPUs it has" },
	busy = { "BUSY", MEMBER(running_cpus), .help = "CPUs of the jobs that run in it" },
	running = { "RUNNING", MEMBER(running), .help = "jobs running" },
	waiting = { "WAITING", MEMBER(waiting), .help = "jobs pending, whatever for" },
	eligible = { "ELIGIBLE", MEMBER(eligible), .help = "pending jobs that wait for nothing but their turn" };

static void get_load(const struct data *d, uint32_t i, struct value *out)
{
	const struct partition_row *p = &d->partition[i];

	*out = value_of_number(p->cpus > 0 ? (double)p->running_cpus / (double)p->cpus : (double)NAN);
}

/* Finds the first job that is eligible in the partition; false: there is none. */
static bool first_job(const struct data *d, uint32_t i, struct fs_queue_row *row)
{
	const struct partition_row *p = &d->partition[i];

	if (p->nfirst)
		fs_queue_row(d->eval.queue, p->first[0], row);
	return p->nfirst;
}

static void get_first(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	*out = first_job(d, i, &row) ? value_of_whole(row.job) : value_of_text("");
}

static void get_first_user(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	*out = value_of_text(first_job(d, i, &row) ? row.user : "");
}

static const struct view_column columns[] = {
	{ NULL, NOUN(partition_heading), CELL_TEXT, 14, 0, .of = &name },
	{ NULL, 0, CELL_WHOLE, 5, 70, .of = &tier },
	{ NULL, 0, CELL_WHOLE, 6, 75, .of = &nodes },
	{ NULL, 0, CELL_WHOLE, 8, 0, .of = &cpus },
	{ NULL, 0, CELL_WHOLE, 8, 60, .of = &busy },
	{ "LOAD", 0, CELL_BAR, 10, 90, .get = get_load, .help = "busy CPUs of all it has" },
	{ NULL, 0, CELL_WHOLE, 8, 0, .of = &running },
	{ NULL, 0, CELL_WHOLE, 8, 0, .of = &waiting },
	{ NULL, 0, CELL_WHOLE, 8, 0, .of = &eligible },
	{ "FIRST", 0, CELL_TEXT, 10, 76, .get = get_first, .help = "the job that is tried first" },
	{ "OF USER", 0, CELL_TEXT, 12, 95, .get = get_first_user, .help = "whose it is" },
};

static void value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	if (c->get)
		c->get(d, i, out);
	else
		column_value(c->of, NULL, &d->partition[i], out);
}

static void bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t row)
{
	struct value load;
	struct grid_part part = { 0, ATTR_UP, '=' };

	get_load(m->data, row, &load);
	if (!isnan(load.number))
		part.end = fmin(load.number, 1);
	grid_text(g, b->x, b->y, 1, "[", ATTR_PLAIN);
	grid_bar(g, b->x + 1, b->y, b->width - 2, &part, 1);
	grid_text(g, b->x + b->width - 1, b->y, 1, "]", ATTR_PLAIN);
}

static bool contains(const struct data *d, uint32_t i, const char *text)
{
	return text_contains(d->partition[i].name, text);
}

static uint32_t count(const struct data *d)
{
	return (uint32_t)d->partitions;
}

static uint32_t find(const struct data *d, const struct data *old, uint32_t row)
{
	for (uint32_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, old->partition[row].name))
			return i;
	return FS_NO_ROW;
}

static void pane(struct lines *l, const struct data *d, uint32_t row, unsigned width)
{
	(void)width;
	explain_partition(l, d, row);
}

static void subject(const struct data *d, uint32_t row, char *buf, size_t size)
{
	snprintf(buf, size, "%s", d->partition[row].name);
}

/* Enter shows the partition's jobs. */
static bool act(struct model *m, enum action a)
{
	const uint32_t row = list_selected(update_list(m));

	if (a != ACT_EXPLAIN || row == FS_NO_ROW)
		return false;
	m->view = VIEW_QUEUE;
	update_partition(m, m->data->partition[row].name);
	return true;
}

const struct view_ops view_partitions = {
	.name = "partitions",
	.tab = "Partitions",
	.column = columns,
	.columns = sizeof(columns) / sizeof(*columns),
	.fixed = 1,
	.none = "there is nothing here",
	.trouble = data_unordered,
	.value = value,
	.bar = bar,
	.contains = contains,
	.count = count,
	.find = find,
	.pane = pane,
	.subject = subject,
	.act = act,
};
