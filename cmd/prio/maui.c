/* The page of Maui's `diagnose -p`. */
#include "dialect/maui.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the page of Maui's `diagnose -p`
 *
 * The layout follows src/moab/MPriority.c:MJobGetStartPriority and src/server/UserI.c:UIDiagnosePriority. Components
 * and terms whose weight is 0 are left out. Exception: a term for which a QOS has its own weight is left out only in
 * the last line. In the line of a job, the number before the parentheses is the component's share, in percent, of all
 * points that are added to or subtracted from the priority. The parentheses contain one number for each term of the
 * component:
 * - component "cred": the factor of the term
 * - component "target": the component's share once more
 * - other components: the points of the term */

enum maui_cell_kind { CELL_FACTOR, CELL_POINTS, CELL_PERCENTAGE };

/* Maui's priority components, in the order of the columns of the page. Each component and each of its terms has a
 * heading. */
static const struct maui_component {
	const char *group, *heading;
	enum maui_cell_kind cell;
	struct {
		const char *term, *heading;
	} terms[9];
} maui_components[] = {
	{ "cred", "  Cred", CELL_FACTOR,
	  { { "cred/user", " User" }, { "cred/group", "Group" }, { "cred/acct", "Accnt" }, { "cred/qos", "  QOS" },
	    { "cred/class", "Class" } } },
	{ "fs", "    FS", CELL_POINTS,
	  { { "fs/user", " User" }, { "fs/group", "Group" }, { "fs/acct", "Accnt" }, { "fs/qos", "  QOS" },
	    { "fs/class", "Class" } } },
	{ "service", "  Serv", CELL_POINTS,
	  { { "service/queuetime", "QTime" }, { "service/xfactor", "XFctr" }, { "service/spviolation", "SPVio" },
	    { "service/bypass", "Bypas" } } },
	{ "target", "  Targ", CELL_PERCENTAGE, { { "target/queuetime", "QTime" }, { "target/xfactor", "XFctr" } } },
	{ "res", "   Res", CELL_POINTS,
	  { { "res/node", " Node" }, { "res/proc", " Proc" }, { "res/mem", "  Mem" }, { "res/swap", " Swap" },
	    { "res/disk", " Disk" }, { "res/ps", "   PS" }, { "res/pe", "   PE" }, { "res/walltime", "WTime" } } },
	{ "usage", "   Res", CELL_POINTS,
	  { { "usage/consumed", "Cons " }, { "usage/remaining", "Rem  " }, { "usage/percent", "PerC " } } },
};
enum { MAUI_COMPONENTS = sizeof(maui_components) / sizeof(*maui_components) };

struct maui_page {
	const fs_prios *prios;
	size_t components; /* MAUI_COMPONENTS; 0: the weights are unknown */
	size_t group_indices[MAUI_COMPONENTS];
	/* sums of absolute values over all rows, for the last line of the page. `term_sum`: factor of each term;
	 * `group_sum`: value of each component, not multiplied by its weight; `total_sum`: points of all components */
	double *term_sum, group_sum[MAUI_COMPONENTS], total_sum;
};

/* Returns the absolute value as Maui's macro ABS does: -0.0 stays negative and is printed as -0.0. */
static double compute_maui_abs(double v)
{
	return v >= 0 ? v : 0 - v;
}

static double multiply_by_weight(double weight, double value)
{
	return weight == 0 ? 0 : weight * value;
}

/* Returns the configured weight of a term, which is not multiplied by the weight of its component. */
static double get_own_term_weight(const struct maui_page *s, size_t term, double group_weight)
{
	return fs_prios_weights(s->prios)[term].weight / group_weight;
}

static size_t find_term_named(const struct maui_page *s, const char *name)
{
	size_t t = 0;

	while (t < fs_prios_terms(s->prios) && strcmp(fs_prios_weights(s->prios)[t].name, name) != 0)
		t++;
	return t;
}

/* Formats v with one decimal, padded or cut to five characters. NAN is formatted as "?". */
static int format_five_characters(char *buf, size_t size, double v)
{
	char text[400];

	format_text(text, sizeof(text), isnan(v) ? "?" : "%3.1f", v);
	return snprintf(buf, size, "%5.5s", text);
}

/* Formats the number of a term that column c shows in parentheses. Returns the length in bytes. */
typedef int (*format_maui_cell_fn)(struct maui_page *s, size_t c, size_t term, char *buf, size_t size);

/* Prints ` <head>(<cell>:<cell>...)` with a cell for each term that is shown. Prints nothing if no term is shown. If
 * `cell` is NULL, the cells are the headings of the terms. */
static void print_maui_column(struct maui_page *s, size_t c, const char *head, bool footer, format_maui_cell_fn cell)
{
	const struct fs_prio_group *g = fs_prios_group(s->prios, s->group_indices[c]);
	char line[1024];
	size_t n = 0;

	for (size_t k = 0; k < 9 && maui_components[c].terms[k].term && g->weight != 0; k++) {
		const size_t t = find_term_named(s, maui_components[c].terms[k].term);

		if (get_own_term_weight(s, t, g->weight) == 0 && (footer || !fs_prios_shown_by_qos(s->prios, t)))
			continue;
		if (n)
			line[n++] = ':';
		n += (size_t)(cell ? cell(s, c, t, line + n, sizeof(line) - n)
				   : snprintf(line + n, sizeof(line) - n, "%s",
					      maui_components[c].terms[k].heading));
	}
	if (n)
		emit("%s(%s)", head, line);
}

static int format_maui_weight_cell(struct maui_page *s, size_t c, size_t term, char *buf, size_t size)
{
	return format_text(buf, size, "%5.0f",
			   get_own_term_weight(s, term, fs_prios_group(s->prios, s->group_indices[c])->weight));
}

/* Prints the first part of a line: job name, priority and mark. In the line of a job, the mark '*' means that an
 * administrator set the priority. */
static void print_maui_job_columns(const char *name, const char *priority, char mark)
{
	emit("%-20s %10s%c ", name, priority, mark);
}

static void print_maui_header(struct maui_page *s)
{
	char head[40];

	emit("diagnosing job priority information (partition: ALL)\n\n");
	print_maui_job_columns("Job", "PRIORITY", '*');
	for (size_t c = 0; c < s->components; c++)
		print_maui_column(s, c, maui_components[c].heading, false, NULL);
	putchar('\n');
	print_maui_job_columns("             Weights", "--------", ' ');
	for (size_t c = 0; c < s->components; c++) {
		format_text(head, sizeof(head), " %5.0f", fs_prios_group(s->prios, s->group_indices[c])->weight);
		print_maui_column(s, c, head, false, format_maui_weight_cell);
	}
	emit("\n\n");
}

/* ---- rows of `diagnose -p` */

struct maui_page_row {
	/* must be the first member: format_maui_row_cell converts a pointer to `page` to a pointer to the struct
	 * maui_page_row */
	struct maui_page page;
	const struct fs_prio_row *row;
	double total_points; /* sum of the absolute points of all components of the row */
};

static double compute_component_points(const struct maui_page *s, size_t g, const struct fs_prio_row *row)
{
	return compute_maui_abs(multiply_by_weight(fs_prios_group(s->prios, g)->weight, row->group_values[g]));
}

static double compute_percentage_of(double amount, double all)
{
	return all != 0 ? amount / all * 100.0 : 0;
}

static int format_maui_row_cell(struct maui_page *s, size_t c, size_t term, char *buf, size_t size)
{
	const struct maui_page_row *r = (const struct maui_page_row *)s;
	const struct fs_prio_term *t = &r->row->terms[term];

	switch (maui_components[c].cell) {
	case CELL_FACTOR: /* prints 0 if the term has 0 points and the scheduler printed the term's value */
		return format_five_characters(buf, size,
					      t->recorded && t->points == 0 ? 0 : compute_maui_abs(t->value));
	case CELL_PERCENTAGE:
		return format_five_characters(
			buf, size,
			compute_percentage_of(compute_component_points(s, s->group_indices[c], r->row),
					      r->total_points));
	default:
		return format_five_characters(buf, size,
					      /* computed points may be -0.0, which is printed with its sign */
					      t->recorded ? t->points : t->weight * t->value);
	}
}

static void add_row_to_sums(struct maui_page *s, struct maui_page_row *r)
{
	r->total_points = 0;
	for (size_t g = 0; g < fs_prios_groups(s->prios); g++)
		r->total_points += compute_component_points(s, g, r->row);
	s->total_sum += r->total_points;
	for (size_t c = 0; c < s->components; c++)
		s->group_sum[c] += compute_maui_abs(r->row->group_values[s->group_indices[c]]);
	for (size_t t = 0; t < fs_prios_terms(s->prios); t++)
		s->term_sum[t] += compute_maui_abs(r->row->terms[t].value);
}

static void print_maui_row(struct maui_page *s, const struct fs_prio_row *row)
{
	struct maui_page_row r = { .row = row };
	char name[400], head[40], sum[40];

	add_row_to_sums(s, &r);
	r.page = *s;
	text_make_visible(name, sizeof(name), row->name);
	format_text(sum, sizeof(sum), "%.0f", row->sum);
	print_maui_job_columns(name, sum, row->set_directly ? '*' : ' ');
	for (size_t c = 0; c < s->components; c++) {
		head[0] = ' ';
		format_five_characters(
			head + 1, sizeof(head) - 1,
			compute_percentage_of(compute_component_points(s, s->group_indices[c], row), r.total_points));
		print_maui_column(&r.page, c, head, false, format_maui_row_cell);
	}
	putchar('\n');
}

/* ---- last line of `diagnose -p` */

static int format_maui_total_cell(struct maui_page *s, size_t c, size_t term, char *buf, size_t size)
{
	const double group = fs_prios_group(s->prios, s->group_indices[c])->weight;
	const double amount = s->term_sum[term] * get_own_term_weight(s, term, group) * group;

	return format_five_characters(buf, size,
				      s->total_sum != 0 ? compute_maui_abs(amount * 100.0 / s->total_sum) : 0);
}

static void print_maui_footer(struct maui_page *s)
{
	char head[40];

	putchar('\n');
	print_maui_job_columns("Percent Contribution", "--------", ' ');
	for (size_t c = 0; c < s->components; c++) {
		const double amount = s->group_sum[c] * fs_prios_group(s->prios, s->group_indices[c])->weight;

		head[0] = ' ';
		format_five_characters(head + 1, sizeof(head) - 1,
				       s->total_sum != 0 ? compute_maui_abs(amount * 100.0 / s->total_sum) : 0);
		print_maui_column(s, c, head, true, format_maui_total_cell);
	}
	emit("\n\n* indicates system prio set on job\n\n");
}

/* Prints a line for each job that a fair-share cap holds back. The numbers are in seconds if the cap is absolute (^),
 * in percent if it is relative (%). Returns an exit status. Example:
 *	job 2                    FairShare: user cap used 90000.00, needs 10001.00, cap 100000.00^ */
static int print_jobs_over_cap(const struct prio_run *r)
{
	struct fs_error err;
	struct fs_cap_row c;
	fs_windows *w;

	if (fs_windows_compute(&w, r->snapshot, &err))
		return cmd_report_error(r->inv, &err);
	for (uint32_t i = 0; i < fs_snapshot_info(r->snapshot)->jobs; i++) {
		char job[400], name[400];

		if (!fs_windows_capped(w, i, &c))
			continue;
		emit("job %-20s FairShare: %s %s used %.2f, needs %.2f, cap %.2f%s\n",
		     text_make_visible(job, sizeof(job), c.job_name), fs_cred_kind_name(c.kind),
		     text_make_visible(name, sizeof(name), c.name), c.usage, c.need, c.cap,
		     c.mode == FS_TARGET_CAP_ABS   ? "^"
		     : c.mode == FS_TARGET_CAP_REL ? "%"
						   : "");
	}
	fs_windows_free(w);
	return EXIT_DONE;
}

static int print_maui_page(const struct prio_run *r)
{
	struct maui_page s = { .prios = r->prios };
	struct fs_prio_row row;

	if (!r->n) {
		emit("no idle jobs in queue\n\n");
		return EXIT_DONE;
	}
	s.term_sum = calloc(fs_prios_terms(s.prios) + 1, sizeof(*s.term_sum));
	if (!s.term_sum)
		return cmd_report_no_memory(r->inv);
	s.components = fs_prios_groups(s.prios) ? MAUI_COMPONENTS : 0;
	for (size_t c = 0; c < s.components; c++)
		while (strcmp(fs_prios_group(s.prios, s.group_indices[c])->name, maui_components[c].group) != 0)
			s.group_indices[c]++;
	print_maui_header(&s);
	for (size_t i = 0; i < r->n; i++) {
		fs_prios_row(s.prios, r->rows[i], &row);
		print_maui_row(&s, &row);
	}
	print_maui_footer(&s);
	free(s.term_sum);
	return EXIT_DONE;
}

const struct prio_dialect prio_dialect_maui = {
	.style = STYLE_MAUI,
	.layout = &prio_slurm_layout,
	.print_page = print_maui_page,
	.print_blocked_jobs = print_jobs_over_cap,
};
