/* Format strings of fs-prio, and the texts in the cells of its columns. */
#include "prio/prio.h"
#include "render/text.h"
#include "render/emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- format strings, and the letters that select columns */

/* column letters in the order in which src/sprio/opts.c lists them */
const struct prio_layout prio_slurm_layout = { PRIO_SPRIO, "aAbBcfFijJnNopPrSqQsuyYtT", NULL };

const struct prio_dialect prio_dialect_slurm = { .style = STYLE_SLURM, .layout = &prio_slurm_layout };

bool prio_layout_has_column(const struct prio_layout *l, const struct prio_column *c, unsigned version)
{
	return c->layouts & l->layout_bit && fs_slurm_has(version, c->since);
}

const struct prio_column *prio_find_letter_column(const struct prio_layout *l, char letter, unsigned version)
{
	for (const struct prio_column *c = prio_columns; c->column.help; c++)
		if (c->letter == letter && prio_layout_has_column(l, c, version))
			return c;
	return NULL;
}

/* Parses one field of a format, [.][digits]letter[text]. Returns 0, or -1 if out of memory. If the letter names no
 * column, returns the letter. If the field has no letter, sets f->column to NULL. */
static int parse_format_field(struct prio_field *f, const struct prio_layout *l, const char *s, size_t len,
			      unsigned version)
{
	size_t i = 0;

	*f = (struct prio_field){ 0 };
	if (i < len && s[i] == '.') {
		f->right = true;
		i++;
	}
	for (; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		if (f->width < 100000)
			f->width = f->width * 10 + (s[i] - '0');
	f->column = i < len ? prio_find_letter_column(l, s[i], version) : NULL;
	if (!f->column)
		return i < len ? s[i] : 0;
	f->suffix_len = len - i - 1;
	f->suffix = strndup(s + i + 1, f->suffix_len);
	return f->suffix ? 0 : -1;
}

int prio_parse_format(struct prio_run *r, const char *text, unsigned version)
{
	struct prio_format *f = &r->format;
	size_t cap = 1;
	const size_t before = strcspn(text, "%");

	for (const char *p = text; *p; p++)
		cap += *p == '%';
	f->prefix = strndup(text, before);
	f->field = calloc(cap, sizeof(*f->field));
	if (!f->prefix || !f->field)
		return -1;
	for (text += before; *text;) {
		text += strspn(text, "%");
		const size_t len = strcspn(text, "%");
		int rc;

		if (!len)
			break;
		rc = parse_format_field(&f->field[f->n], r->layout, text, len, version);
		if (rc < 0)
			return -1;
		if (rc > 0)
			cmd_print_message(r->inv, "Invalid job format specification: %c", (char)rc);
		else if (f->field[f->n].column)
			f->n++;
		text += len;
	}
	return 0;
}

void prio_free_format(struct prio_format *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->field[i].suffix);
	free(f->field);
	free(f->prefix);
	*f = (struct prio_format){ 0 };
}

void prio_write_default_format(const struct prio_run *r, char *buf, size_t size)
{
	static const struct {
		enum fs_factor factor;
		const char *points, *norm;
	} usual[] = {
		{ FS_FACTOR_AGE, " %.10A", " %10a" },	     { FS_FACTOR_ASSOC, " %.10B", " %10b" },
		{ FS_FACTOR_FAIRSHARE, " %.10F", " %10f" }, { FS_FACTOR_JOBSIZE, " %.10J", " %10j" },
		{ FS_FACTOR_PARTITION, " %.10P", " %10p" }, { FS_FACTOR_QOS, " %.10Q", " %10q" },
	};

	snprintf(buf, size, "%%.15i %%9r%s%s%s", r->sibling && !r->local ? " %.8c" : "",
		 r->users.given ? " %.8u" : "", r->norm ? " %10y" : " %.10Y %.10S");
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (fs_prios_weights(r->prios)[fs_prios_find_term(r->prios, usual[i].factor)].weight != 0)
			strncat(buf, r->norm ? usual[i].norm : usual[i].points, size - strlen(buf) - 1);
	if (fs_prios_find_term(r->prios, FS_FACTOR_TRES) != FS_NO_ROW)
		strncat(buf, r->norm ? " %20t" : " %.20T", size - strlen(buf) - 1);
}

const char *prio_get_long_format(bool norm, unsigned version)
{
	const bool names = fs_slurm_has(version, FS_SLURM_SPRIO_NAMES);

	if (norm)
		return names ? "%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t"
			     : "%.15i %9r %.8u %10y %10a %10b %10f %10j %10p %10q %20t";
	return names ? "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q %.11N %.20T"
		     : "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T";
}

/* ---- cells of columns, as src/sprio/print.c prints them: padded with blanks, and cut to the width without a mark */

/* Adds cell number i to a row: the first len bytes of `text`, which must be safe to print. */
static void add_format_cell(struct emit_row *line, const struct prio_run *r, size_t i, const char *text, size_t len)
{
	const struct prio_field *f = &r->format.field[i];
	/* the first character of a base-58 id has two bytes */
	const size_t width = (size_t)f->width + (f->column->form == FORM_F58 && f->width && (*text & 0x80));

	if (r->parsable) {
		emit_row_add_raw(line, i ? "|" : "");
		emit_row_add_safe(line, text, len);
		return;
	}
	emit_row_add_field(line, text, width && len > width ? width : len, width, f->right);
	emit_row_add_safe(line, f->suffix, f->suffix_len);
}

void prio_print_table_header(const struct prio_run *r)
{
	struct emit_row line;

	emit_row_begin(&line, stdout);
	emit_row_add_raw(&line, r->parsable ? "" : r->format.prefix);
	for (size_t i = 0; i < r->format.n; i++) {
		const char *name = r->format.field[i].column->column.name;

		add_format_cell(&line, r, i, name, strlen(name));
	}
	emit_row_end(&line);
}

/* ---- contents of cells: each function writes to a buffer and returns the length in bytes */

static size_t append_to_cell(char *buf, size_t size, const char *text)
{
	const size_t len = strlen(text), n = !size ? 0 : len < size ? len : size - 1;

	if (size) {
		memcpy(buf, text, n);
		buf[n] = '\0';
	}
	return n;
}

static size_t format_cell_number(char *buf, size_t size, const char *form, double v)
{
	if (isnan(v))
		return append_to_cell(buf, size, "?");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	const int n = format_text(buf, size, form, v);
#pragma GCC diagnostic pop
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

static void format_weight_cell(const struct prio_run *r, const struct prio_column *c, char *buf, size_t size)
{
	const fs_prios *p = r->prios;
	const char *tres = fs_snapshot_config_text(r->snapshot, "PriorityWeightTRES");

	buf[0] = '\0';
	if (c->form == FORM_JOBID || c->form == FORM_F58)
		snprintf(buf, size, "Weights");
	else if (c->form == FORM_TRES)
		snprintf(buf, size, "%s", tres ? tres : "(null)");
	else if (c->of_term && c->factor == FS_FACTOR_SITE)
		snprintf(buf, size, "1");
	else if (c->of_term && c->factor != FS_FACTOR_NICE)
		format_cell_number(buf, size, "%.0f", fs_prios_weights(p)[fs_prios_find_term(p, c->factor)].weight);
}

void prio_print_weights_row(const struct prio_run *r)
{
	struct emit_row line;
	char shown[1024], text[1024];

	emit_row_begin(&line, stdout);
	emit_row_add_raw(&line, r->parsable ? "" : r->format.prefix);
	for (size_t i = 0; i < r->format.n; i++) {
		format_weight_cell(r, r->format.field[i].column, shown, sizeof(shown));
		add_format_cell(&line, r, i, text, text_copy_escaped(text, sizeof(text), shown));
	}
	emit_row_end(&line);
}

/* Formats v like %.0f. Whole numbers of moderate size, which are the most common, are formatted without printf's slow
 * exact arithmetic. */
static size_t format_without_decimals(char *buf, size_t size, double v)
{
	const double near = nearbyint(v);

	if (!(fabs(near) < 1e15) || size < 26)
		return format_cell_number(buf, size, "%.0f", v);
	*buf = '-';
	return (size_t)!!signbit(near) + format_whole_digits(buf + !!signbit(near), (uint64_t)fabs(near));
}

/* Formats the TRES terms whose points are not 0: `cpu=10,mem=5`. `norm`: factors instead of points. */
static size_t format_tres_terms(const struct prio_run *r, const struct fs_prio_row *row, bool norm, char *buf,
				size_t size)
{
	const fs_prios *p = r->prios;
	size_t n = 0;

	for (size_t t = fs_prios_find_term(p, FS_FACTOR_TRES); t < fs_prios_terms(p); t++) {
		const struct fs_prio_term *term = &row->terms[t];

		if (term->points == 0)
			continue;
		if (n)
			n += append_to_cell(buf + n, size - n, ",");
		n += append_to_cell(buf + n, size - n, term->name + strlen("tres/"));
		n += append_to_cell(buf + n, size - n, "=");
		if (norm)
			n += format_cell_number(buf + n, size - n, "%.2f", prio_compute_term_factor(term));
		else
			n += format_without_decimals(buf + n, size - n, term->points);
	}
	return n;
}

/* Returns true if an administrator set the job's priority and the emulated Slurm version clears the factors of such a
 * job. The factors are then printed as 0. */
static bool are_factors_cleared(const struct prio_run *r, const struct fs_prio_row *row)
{
	return row->set_directly && fs_slurm_has(r->compat, FS_SLURM_ADMIN_SET_CLEARED);
}

/* Formats the dependencies and limits that keep a Flux job from starting, separated by commas. The text for a limit
 * shows how much of it is used: `max-run-jobs-queue (2 of 2 in pdebug)`. */
static size_t format_flux_holds(const struct prio_run *r, const struct fs_prio_row *row, char *buf, size_t size)
{
	const fs_holds *holds = r->holds;
	const size_t count = holds ? fs_holds_count(holds, row->job_row) : 0;
	size_t n = 0;

	for (size_t i = 0; i < count && n + 1 < size; i++) {
		const struct fs_hold_row *h = fs_holds_row(holds, row->job_row, i);
		char name[2048];

		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "," : "",
				      text_make_visible(name, sizeof(name), h->reason));
		if (n < size && isfinite(h->value) && isfinite(h->used))
			n += (size_t)format_text(buf + n, size - n, " (%.0f of %.0f in %s)", h->used,
					      h->value, text_make_visible(name, sizeof(name), h->scope));
	}
	return n < size ? n : size - 1;
}

/* Returns the text that printf prints for NULL: "(null)", or nothing if the precision is less than six characters. */
static const char *get_printf_null_text(const struct prio_field *f)
{
	return f->right || !f->width || f->width > 5 ? "(null)" : "";
}

static size_t format_plain_value(const struct value *v, char *buf, size_t size)
{
	if (v->type == VALUE_TEXT)
		return text_copy_escaped(buf, size, v->text);
	return v->type == VALUE_UNSIGNED ? format_whole_digits(buf, v->whole)
				      : format_without_decimals(buf, size, value_to_number(v));
}

static size_t format_column_value(const struct prio_run *r, const struct prio_field *f, const struct fs_prio_row *row,
				  char *buf, size_t size)
{
	char digits[160];
	struct value v;

	prio_get_value(f->column, &r->source, row, &v);
	switch (f->column->form) {
	case FORM_NULLABLE:
		return text_copy_escaped(buf, size, *v.text ? v.text : get_printf_null_text(f));
	case FORM_FACTOR:
		return format_cell_number(buf, size, are_factors_cleared(r, row) ? "%.0f" : "%.7f", v.number);
	case FORM_DECIMAL:
		return append_to_cell(buf, size,
				      isnan(v.number) ? "?" : text_format_number(digits, sizeof(digits), v.number, 10));
	case FORM_OF_MAX:
		return format_cell_number(buf, size, "%16.14f",
					  !isnan(row->norm_priority) ? row->norm_priority
					  : row->set_directly        ? row->priority
								     : fmax(v.number, 1) / 4294967295.0);
	default:
		return format_plain_value(&v, buf, size);
	}
}

static size_t format_column_cell(const struct prio_run *r, const struct prio_field *f, const struct fs_prio_row *row,
				 char *buf, size_t size)
{
	switch (f->column->form) {
	case FORM_TRES:
	case FORM_TRES_SHARE:
		return format_tres_terms(r, row, f->column->form == FORM_TRES_SHARE, buf, size);
	case FORM_REASONS:
		return format_flux_holds(r, row, buf, size);
	case FORM_F58:
		fs_f58_format(row->job, !text_has_utf8(), buf);
		return strlen(buf);
	case FORM_NULL:
		return append_to_cell(buf, size, get_printf_null_text(f));
	default:
		return format_column_value(r, f, row, buf, size);
	}
}

void prio_print_table_row(FILE *out, const struct prio_run *r, const struct fs_prio_row *row)
{
	struct emit_row line;
	char text[4096];

	emit_row_begin(&line, out);
	emit_row_add_raw(&line, r->parsable ? "" : r->format.prefix);
	for (size_t i = 0; i < r->format.n; i++) {
		add_format_cell(&line, r, i, text, format_column_cell(r, &r->format.field[i], row, text, sizeof(text)));
	}
	emit_row_end(&line);
}

/* The layout of fs-prio for Flux, whose priority has other terms than Slurm's. */

static const char *get_flux_format(bool wide, bool norm)
{
	if (wide)
		return "%.12i %.16I %8u %10a %9r %.10Y %.9f %.10F %.6q %.10Q %.6b %.8B %.7g %.8U  %x";
	return norm ? "%.12i %8u %10a %9r %.10Y %.9f %.6q %.6b %.7g  %x"
		    : "%.12i %8u %10a %9r %.10Y %.10F %.10Q %.8B %.8U  %x";
}

const struct prio_layout prio_flux_layout = { PRIO_FLUX, "abBfFgiIqQruUxY", get_flux_format };

const struct prio_dialect prio_dialect_flux = { .style = STYLE_FLUX, .layout = &prio_flux_layout, .shows_holds = true };
