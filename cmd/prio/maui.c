#include "prio/maui.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layout of src/moab/MPriority.c:MJobGetStartPriority and src/server/UserI.c:UIDiagnosePriority. Components and
 * terms whose weight is 0 are left out. The number before the parenthesis is the component's part, in percent, of all
 * that components add or subtract. The parenthesis has a number for each term: its points, for credentials its factor,
 * for targets the component's part again. */

/* What a cell has for a term: the factor, the points, or the component's part in percent. */
enum cell_kind { CELL_FACTOR, CELL_POINTS, CELL_SHARE };

/* The components in the order of the columns, with the headings of their terms. */
static const struct column_group {
	const char *group, *heading;
	enum cell_kind cell;
	struct {
		const char *term, *heading;
	} terms[9];
} column_groups[] = {
	{ "cred",
	  "  Cred",
	  CELL_FACTOR,
	  { { "cred/user", " User" },
	    { "cred/group", "Group" },
	    { "cred/acct", "Accnt" },
	    { "cred/qos", "  QOS" },
	    { "cred/class", "Class" } } },
	{ "fs",
	  "    FS",
	  CELL_POINTS,
	  { { "fs/user", " User" },
	    { "fs/group", "Group" },
	    { "fs/acct", "Accnt" },
	    { "fs/qos", "  QOS" },
	    { "fs/class", "Class" } } },
	{ "service",
	  "  Serv",
	  CELL_POINTS,
	  { { "service/queuetime", "QTime" },
	    { "service/xfactor", "XFctr" },
	    { "service/spviolation", "SPVio" },
	    { "service/bypass", "Bypas" } } },
	{ "target", "  Targ", CELL_SHARE, { { "target/queuetime", "QTime" }, { "target/xfactor", "XFctr" } } },
	{ "res",
	  "   Res",
	  CELL_POINTS,
	  { { "res/node", " Node" },
	    { "res/proc", " Proc" },
	    { "res/mem", "  Mem" },
	    { "res/swap", " Swap" },
	    { "res/disk", " Disk" },
	    { "res/ps", "   PS" },
	    { "res/pe", "   PE" },
	    { "res/walltime", "WTime" } } },
	{ "usage",
	  "   Res",
	  CELL_POINTS,
	  { { "usage/consumed", "Cons " }, { "usage/remaining", "Rem  " }, { "usage/percent", "PerC " } } },
};
enum { COLUMN_GROUP_COUNT = sizeof(column_groups) / sizeof(*column_groups) };

struct diagnose_table {
	const fs_prios *p;
	size_t group[COLUMN_GROUP_COUNT];      /* index of the component in fs_prios_group */
	double *term_sum;		       /* by term: sum of the absolute values of all rows */
	double group_sum[COLUMN_GROUP_COUNT]; /* the same by component */
	double all;			       /* sum of what the components of all rows add or subtract */
};

/* Returns the absolute value as Maui's macro ABS computes it: -0.0 stays -0.0, and is printed so. */
static double get_magnitude(double v)
{
	return v >= 0 ? v : 0 - v;
}

/* Returns weight * value; 0 if the weight is 0 and the value is unknown. */
static double multiply_weight(double weight, double value)
{
	return weight == 0 ? 0 : weight * value;
}

/* Returns the term's own weight, as the configuration sets it. */
static double get_own_weight(const struct diagnose_table *s, size_t term, double group_weight)
{
	return fs_prios_weights(s->p)[term].weight / group_weight;
}

static size_t find_term_index(const struct diagnose_table *s, const char *name)
{
	size_t t = 0;

	while (t < fs_prios_terms(s->p) && strcmp(fs_prios_weights(s->p)[t].name, name) != 0)
		t++;
	return t;
}

/* Writes v cut to five characters, as is everything between the colons; "?" if unknown. Returns the length. */
static int format_five_columns(char *buf, size_t size, double v)
{
	char text[400];

	format_text(text, sizeof(text), isnan(v) ? "?" : "%3.1f", v);
	return snprintf(buf, size, "%5.5s", text);
}

/* Writes the cell of one term to buf. Returns its length. */
typedef int (*cell_format_fn)(struct diagnose_table *s, size_t c, size_t term, char *buf, size_t size);

/* Prints ` <head>(<cell>:<cell>...)` for the terms that are shown; nothing if none is. cell NULL: the headings. */
static void print_column_group(struct diagnose_table *s, size_t c, const char *head, bool footer, cell_format_fn cell)
{
	const struct fs_prio_group *g = fs_prios_group(s->p, s->group[c]);
	char line[1024];
	size_t n = 0;

	for (size_t k = 0; k < 9 && column_groups[c].terms[k].term && g->weight != 0; k++) {
		const size_t t = find_term_index(s, column_groups[c].terms[k].term);

		if (get_own_weight(s, t, g->weight) == 0 && (footer || !fs_prios_shown_by_qos(s->p, t)))
			continue;
		if (n)
			line[n++] = ':';
		n += (size_t)(cell ? cell(s, c, t, line + n, sizeof(line) - n)
				   : snprintf(line + n, sizeof(line) - n, "%s",
					      column_groups[c].terms[k].heading));
	}
	if (n)
		emit("%s(%s)", head, line);
}

static int format_weight_cell(struct diagnose_table *s, size_t c, size_t term, char *buf, size_t size)
{
	return format_text(buf, size, "%5.0f", get_own_weight(s, term, fs_prios_group(s->p, s->group[c])->weight));
}

/* Prints the columns before the components. */
static void print_first_columns(const char *name, const char *priority, char mark)
{
	emit("%-20s %10s%c ", name, priority, mark);
}

static void print_table_header(struct diagnose_table *s)
{
	char head[40];

	emit("diagnosing job priority information (partition: ALL)\n\n");
	print_first_columns("Job", "PRIORITY", '*');
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++)
		print_column_group(s, c, column_groups[c].heading, false, NULL);
	putchar('\n');
	print_first_columns("             Weights", "--------", ' ');
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++) {
		format_text(head, sizeof(head), " %5.0f", fs_prios_group(s->p, s->group[c])->weight);
		print_column_group(s, c, head, false, format_weight_cell);
	}
	emit("\n\n");
}

/* ---- rows */

struct diagnose_row {
	struct diagnose_table s; /* first member: cell_format_fn gets its address */
	const struct fs_prio_row *row;
	double parts; /* sum of what the components add or subtract */
};

/* Returns what the component adds or subtracts, as an absolute value. */
static double get_group_part(const struct diagnose_table *s, size_t g, const struct fs_prio_row *row)
{
	return get_magnitude(multiply_weight(fs_prios_group(s->p, g)->weight, row->group_values[g]));
}

static double get_percent_of(double amount, double all)
{
	return all != 0 ? amount / all * 100.0 : 0;
}

static int format_row_cell(struct diagnose_table *s, size_t c, size_t term, char *buf, size_t size)
{
	const struct diagnose_row *r = (const struct diagnose_row *)s;
	const struct fs_prio_term *t = &r->row->terms[term];

	switch (column_groups[c].cell) {
	case CELL_FACTOR: /* a recorded cell without points has the factor 0 */
		return format_five_columns(buf, size, t->recorded && t->points == 0 ? 0 : get_magnitude(t->value));
	case CELL_SHARE:
		return format_five_columns(buf, size, get_percent_of(get_group_part(s, s->group[c], r->row), r->parts));
	default:
		return format_five_columns(buf, size,
					   t->recorded ? t->points : t->weight * t->value); /* may be -0.0 */
	}
}

/* Adds the row to the totals of the last line, and sets r->parts. */
static void add_row_totals(struct diagnose_table *s, struct diagnose_row *r)
{
	r->parts = 0;
	for (size_t g = 0; g < fs_prios_groups(s->p); g++)
		r->parts += get_group_part(s, g, r->row);
	s->all += r->parts;
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++)
		s->group_sum[c] += get_magnitude(r->row->group_values[s->group[c]]);
	for (size_t t = 0; t < fs_prios_terms(s->p); t++)
		s->term_sum[t] += get_magnitude(r->row->terms[t].value);
}

static void print_job_row(struct diagnose_table *s, const struct fs_prio_row *row)
{
	struct diagnose_row r = { .row = row };
	char name[400], head[40], sum[40];

	add_row_totals(s, &r);
	r.s = *s;
	text_visible(name, sizeof(name), row->name);
	format_text(sum, sizeof(sum), "%.0f", row->sum);
	print_first_columns(name, sum, row->direct ? '*' : ' ');
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++) {
		head[0] = ' ';
		format_five_columns(head + 1, sizeof(head) - 1,
				    get_percent_of(get_group_part(s, s->group[c], row), r.parts));
		print_column_group(&r.s, c, head, false, format_row_cell);
	}
	putchar('\n');
}

/* ---- the last line */

static int format_total_cell(struct diagnose_table *s, size_t c, size_t term, char *buf, size_t size)
{
	const double group = fs_prios_group(s->p, s->group[c])->weight;
	const double amount = s->term_sum[term] * get_own_weight(s, term, group) * group;

	return format_five_columns(buf, size, s->all != 0 ? get_magnitude(amount * 100.0 / s->all) : 0);
}

static void print_table_footer(struct diagnose_table *s)
{
	char head[40];

	putchar('\n');
	print_first_columns("Percent Contribution", "--------", ' ');
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++) {
		const double amount = s->group_sum[c] * fs_prios_group(s->p, s->group[c])->weight;

		head[0] = ' ';
		format_five_columns(head + 1, sizeof(head) - 1,
				    s->all != 0 ? get_magnitude(amount * 100.0 / s->all) : 0);
		print_column_group(s, c, head, true, format_total_cell);
	}
	emit("\n\n* indicates system prio set on job\n\n");
}

/* Prints a line for each job that a fair-share cap blocks: `job 2                    FairShare: user cap used 90000.00,
 * needs 10001.00, cap 100000.00^`. A relative cap is in percent. Returns the exit status. */
static int print_capped_jobs(const struct prio_run *r)
{
	struct fs_error err;
	struct fs_cap_row c;
	fs_windows *w;

	if (fs_windows_compute(&w, r->snapshot, &err))
		return report(r->inv, &err);
	for (uint32_t i = 0; i < fs_snapshot_info(r->snapshot)->jobs; i++) {
		char job[400], name[400];

		if (!fs_windows_capped(w, i, &c))
			continue;
		emit("job %-20s FairShare: %s %s used %.2f, needs %.2f, cap %.2f%s\n",
		       text_visible(job, sizeof(job), c.job_name), fs_cred_kind_name(c.kind),
		       text_visible(name, sizeof(name), c.name), c.usage, c.need, c.cap,
		       c.mode == FS_TARGET_CAP_ABS ? "^" : c.mode == FS_TARGET_CAP_REL ? "%" : "");
	}
	fs_windows_free(w);
	return EXIT_DONE;
}

static int print_diagnose_page(const struct prio_run *r)
{
	struct diagnose_table s = { .p = r->prios };
	struct fs_prio_row row;

	if (!r->n) {
		emit("no idle jobs in queue\n\n");
		return EXIT_DONE;
	}
	s.term_sum = calloc(fs_prios_terms(s.p) + 1, sizeof(*s.term_sum));
	if (!s.term_sum)
		return no_memory(r->inv);
	for (size_t c = 0; c < COLUMN_GROUP_COUNT; c++)
		while (strcmp(fs_prios_group(s.p, s.group[c])->name, column_groups[c].group) != 0)
			s.group[c]++;
	print_table_header(&s);
	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(s.p, r->rows[i], &row);
		print_job_row(&s, &row);
	}
	print_table_footer(&s);
	free(s.term_sum);
	return EXIT_DONE;
}

const struct prio_dialect prio_of_maui = {
	.style = STYLE_MAUI,
	.layout = &prio_slurm_layout,
	.page = print_diagnose_page,
	.blocked = print_capped_jobs,
};
