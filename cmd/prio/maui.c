#include "prio/maui.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layout is that of src/moab/MPriority.c:MJobGetStartPriority and src/server/UserI.c:UIDiagnosePriority: components
 * whose weight is 0 are left out, so are terms; before the parenthesis stands the component's part of all that is added
 * or taken, in it what each term gives (of credentials: the factor; of targets: the component's part again). */

enum cell_kind { FACTOR, POINTS, SHARE };

/* Components in the order of the columns, with the headings of their terms. */
static const struct component {
	const char *group, *heading;
	enum cell_kind cell;
	struct {
		const char *term, *heading;
	} terms[9];
} components[] = {
	{ "cred", "  Cred", FACTOR,
	  { { "cred/user", " User" }, { "cred/group", "Group" }, { "cred/acct", "Accnt" }, { "cred/qos", "  QOS" },
	    { "cred/class", "Class" } } },
	{ "fs", "    FS", POINTS,
	  { { "fs/user", " User" }, { "fs/group", "Group" }, { "fs/acct", "Accnt" }, { "fs/qos", "  QOS" },
	    { "fs/class", "Class" } } },
	{ "service", "  Serv", POINTS,
	  { { "service/queuetime", "QTime" }, { "service/xfactor", "XFctr" }, { "service/spviolation", "SPVio" },
	    { "service/bypass", "Bypas" } } },
	{ "target", "  Targ", SHARE, { { "target/queuetime", "QTime" }, { "target/xfactor", "XFctr" } } },
	{ "res", "   Res", POINTS,
	  { { "res/node", " Node" }, { "res/proc", " Proc" }, { "res/mem", "  Mem" }, { "res/swap", " Swap" },
	    { "res/disk", " Disk" }, { "res/ps", "   PS" }, { "res/pe", "   PE" }, { "res/walltime", "WTime" } } },
	{ "usage", "   Res", POINTS,
	  { { "usage/consumed", "Cons " }, { "usage/remaining", "Rem  " }, { "usage/percent", "PerC " } } },
};
enum { COMPONENTS = sizeof(components) / sizeof(*components) };

struct sheet_totals {
	const fs_prios *p;
	size_t group[COMPONENTS];
	double *term_sum, group_sum[COMPONENTS], all; /* of absolute values, for the last line */
};

/* Maui's macro ABS: a zero below zero stays one, and is printed as -0.0. */
static double magnitude(double v)
{
	return v >= 0 ? v : 0 - v;
}

static double product(double weight, double value)
{
	return weight == 0 ? 0 : weight * value;
}

/* The term's own weight: what the configuration has. */
static double own_weight(const struct sheet_totals *s, size_t term, double group_weight)
{
	return fs_prios_weights(s->p)[term].weight / group_weight;
}

static size_t find_term(const struct sheet_totals *s, const char *name)
{
	size_t t = 0;

	while (t < fs_prios_terms(s->p) && strcmp(fs_prios_weights(s->p)[t].name, name) != 0)
		t++;
	return t;
}

/* Cut to five characters, as everything between the colons. */
static int five(char *buf, size_t size, double v)
{
	char text[400];

	format_text(text, sizeof(text), isnan(v) ? "?" : "%3.1f", v);
	return snprintf(buf, size, "%5.5s", text);
}

/* What stands in the parenthesis for one term of a column. */
typedef int (*cell_fn)(struct sheet_totals *s, size_t c, size_t term, char *buf, size_t size);

/* ` <head>(<cell>:<cell>...)` for the terms that are shown; nothing when there is none. */
static void print_column(struct sheet_totals *s, size_t c, const char *head, bool footer, cell_fn cell)
{
	const struct fs_prio_group *g = fs_prios_group(s->p, s->group[c]);
	char line[1024];
	size_t n = 0;

	for (size_t k = 0; k < 9 && components[c].terms[k].term && g->weight != 0; k++) {
		const size_t t = find_term(s, components[c].terms[k].term);

		if (own_weight(s, t, g->weight) == 0 && (footer || !fs_prios_shown_by_qos(s->p, t)))
			continue;
		if (n)
			line[n++] = ':';
		n += (size_t)(cell ? cell(s, c, t, line + n, sizeof(line) - n)
				   : snprintf(line + n, sizeof(line) - n, "%s",
					      components[c].terms[k].heading));
	}
	if (n)
		emit("%s(%s)", head, line);
}

static int weight_cell(struct sheet_totals *s, size_t c, size_t term, char *buf, size_t size)
{
	return format_text(buf, size, "%5.0f", own_weight(s, term, fs_prios_group(s->p, s->group[c])->weight));
}

/* What stands before the components. */
static void put_first(const char *name, const char *priority, char mark)
{
	emit("%-20s %10s%c ", name, priority, mark);
}

static void print_header(struct sheet_totals *s)
{
	char head[40];

	emit("diagnosing job priority information (partition: ALL)\n\n");
	put_first("Job", "PRIORITY", '*');
	for (size_t c = 0; c < COMPONENTS; c++)
		print_column(s, c, components[c].heading, false, NULL);
	putchar('\n');
	put_first("             Weights", "--------", ' ');
	for (size_t c = 0; c < COMPONENTS; c++) {
		format_text(head, sizeof(head), " %5.0f", fs_prios_group(s->p, s->group[c])->weight);
		print_column(s, c, head, false, weight_cell);
	}
	emit("\n\n");
}

/* ---- rows */

struct row_sheet {
	struct sheet_totals s; /* first: cells get this */
	const struct fs_prio_row *row;
	double parts; /* sum of what components add or take */
};

static double part(const struct sheet_totals *s, size_t g, const struct fs_prio_row *row)
{
	return magnitude(product(fs_prios_group(s->p, g)->weight, row->group_values[g]));
}

static double percent_of(double amount, double all)
{
	return all != 0 ? amount / all * 100.0 : 0;
}

static int row_cell(struct sheet_totals *s, size_t c, size_t term, char *buf, size_t size)
{
	const struct row_sheet *r = (const struct row_sheet *)s;
	const struct fs_prio_term *t = &r->row->terms[term];

	switch (components[c].cell) {
	case FACTOR: /* of a printed cell without points it is 0 */
		return five(buf, size, t->recorded && t->points == 0 ? 0 : magnitude(t->value));
	case SHARE:
		return five(buf, size, percent_of(part(s, s->group[c], r->row), r->parts));
	default:
		return five(buf, size, t->recorded ? t->points : t->weight * t->value); /* which keeps -0.0 */
	}
}

static void add_up(struct sheet_totals *s, struct row_sheet *r)
{
	r->parts = 0;
	for (size_t g = 0; g < fs_prios_groups(s->p); g++)
		r->parts += part(s, g, r->row);
	s->all += r->parts;
	for (size_t c = 0; c < COMPONENTS; c++)
		s->group_sum[c] += magnitude(r->row->group_values[s->group[c]]);
	for (size_t t = 0; t < fs_prios_terms(s->p); t++)
		s->term_sum[t] += magnitude(r->row->terms[t].value);
}

static void print_row(struct sheet_totals *s, const struct fs_prio_row *row)
{
	struct row_sheet r = { .row = row };
	char name[400], head[40], sum[40];

	add_up(s, &r);
	r.s = *s;
	text_visible(name, sizeof(name), row->name);
	format_text(sum, sizeof(sum), "%.0f", row->sum);
	put_first(name, sum, row->direct ? '*' : ' ');
	for (size_t c = 0; c < COMPONENTS; c++) {
		head[0] = ' ';
		five(head + 1, sizeof(head) - 1, percent_of(part(s, s->group[c], row), r.parts));
		print_column(&r.s, c, head, false, row_cell);
	}
	putchar('\n');
}

/* ---- the last line */

static int total_cell(struct sheet_totals *s, size_t c, size_t term, char *buf, size_t size)
{
	const double group = fs_prios_group(s->p, s->group[c])->weight;
	const double amount = s->term_sum[term] * own_weight(s, term, group) * group;

	return five(buf, size, s->all != 0 ? magnitude(amount * 100.0 / s->all) : 0);
}

static void print_footer(struct sheet_totals *s)
{
	char head[40];

	putchar('\n');
	put_first("Percent Contribution", "--------", ' ');
	for (size_t c = 0; c < COMPONENTS; c++) {
		const double amount = s->group_sum[c] * fs_prios_group(s->p, s->group[c])->weight;

		head[0] = ' ';
		five(head + 1, sizeof(head) - 1, s->all != 0 ? magnitude(amount * 100.0 / s->all) : 0);
		print_column(s, c, head, true, total_cell);
	}
	emit("\n\n* indicates system prio set on job\n\n");
}

/* `job 2                    FairShare: user cap used 90000.00, needs 10001.00, cap 100000.00^`; a relative cap is in
 * percent. */
static int print_blocked(const struct prio_run *r)
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

static int print(const struct prio_run *r)
{
	struct sheet_totals s = { .p = r->prios };
	struct fs_prio_row row;

	if (!r->n) {
		emit("no idle jobs in queue\n\n");
		return EXIT_DONE;
	}
	s.term_sum = calloc(fs_prios_terms(s.p) + 1, sizeof(*s.term_sum));
	if (!s.term_sum)
		return no_memory(r->inv);
	for (size_t c = 0; c < COMPONENTS; c++)
		while (strcmp(fs_prios_group(s.p, s.group[c])->name, components[c].group) != 0)
			s.group[c]++;
	print_header(&s);
	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(s.p, r->rows[i], &row);
		print_row(&s, &row);
	}
	print_footer(&s);
	free(s.term_sum);
	return EXIT_DONE;
}

const struct prio_dialect prio_of_maui = {
	.style = STYLE_MAUI,
	.layout = &prio_slurm_layout,
	.page = print,
	.blocked = print_blocked,
};
