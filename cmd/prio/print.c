/* Cells of fs-prio as text (forms of src/sprio/print.c: silently cut to the width, padded with blanks). */
#include "prio/columns.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_cell(struct emit_row *line, const struct prio_sheet *s, size_t i, const char *text)
{
	const struct prio_field *f = &s->format->field[i];
	const size_t len = strlen(text);
	/* the first letter of a base-58 id has two bytes */
	const size_t width =
		(size_t)f->width + (f->column->kind == PRIO_F58 && f->width && (*text & 0x80));
	const size_t shown = width && len > width ? width : len;

	if (s->parsable) {
		emit_row_own(line, i ? "|" : "");
		emit_row_cut(line, text, SIZE_MAX);
		return;
	}
	if (f->right && width)
		emit_row_blanks(line, width - shown);
	emit_row_cut(line, text, shown);
	if (!f->right && width)
		emit_row_blanks(line, width - shown);
	emit_row_own(line, f->suffix);
}

void prio_print_header(const struct prio_sheet *s)
{
	struct emit_row line;

	emit_row_begin(&line, stdout);
	emit_row_own(&line, s->parsable ? "" : s->format->prefix);
	for (size_t i = 0; i < s->format->n; i++)
		print_cell(&line, s, i, s->format->field[i].column->heading);
	emit_row_end(&line);
}

static void weight_text(const struct prio_sheet *s, const struct prio_column *c, char *buf,
			size_t size)
{
	const char *tres = fs_snapshot_config_text(s->snapshot, "PriorityWeightTRES");

	buf[0] = '\0';
	switch (c->kind) {
	case PRIO_JOBID:
	case PRIO_F58:
		snprintf(buf, size, "Weights");
		break;
	case PRIO_POINTS:
	case PRIO_NORM:
	case PRIO_VALUE:
		snprintf(buf, size, "%.0f", fs_prios_weights(s->prios)[fs_prios_find_term(s->prios, c->factor)].weight);
		break;
	case PRIO_SITE:
		snprintf(buf, size, "1");
		break;
	case PRIO_TRES:
		snprintf(buf, size, "%s", tres ? tres : "(null)");
		break;
	default:
		break;
	}
}

void prio_print_weights(const struct prio_sheet *s)
{
	struct emit_row line;
	char text[1024];

	emit_row_begin(&line, stdout);
	emit_row_own(&line, s->parsable ? "" : s->format->prefix);
	for (size_t i = 0; i < s->format->n; i++) {
		weight_text(s, s->format->field[i].column, text, sizeof(text));
		print_cell(&line, s, i, text);
	}
	emit_row_end(&line);
}

static void number(char *buf, size_t size, const char *form, double v)
{
	if (isnan(v))
		snprintf(buf, size, "?");
	else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(buf, size, form, v);
#pragma GCC diagnostic pop
}

/* In decimal; at most 20 digits. */
static void whole_number(char *buf, uint64_t u)
{
	char digits[24];
	size_t n = 0, k = 0;

	do
		digits[n++] = (char)('0' + u % 10);
	while (u /= 10);
	while (n)
		buf[k++] = digits[--n];
	buf[k] = '\0';
}

/* What %.0f prints, without printf's exact arithmetic: most cells are whole numbers of moderate size. */
static void whole(char *buf, size_t size, double v)
{
	const double r = nearbyint(v);

	if (!(fabs(r) < 1e15) || size < 26) {
		number(buf, size, "%.0f", v);
		return;
	}
	if (signbit(r))
		*buf++ = '-';
	whole_number(buf, (uint64_t)fabs(r));
}

static double over_weight(const struct fs_prio_term *t)
{
	return t->weight == 0 ? 0 : t->points / t->weight;
}

/* As much of a text as there is room for in front of a NUL; returns how much. */
static size_t put_piece(char *buf, size_t room, const char *text)
{
	const size_t len = strlen(text), n = !room ? 0 : len < room ? len : room - 1;

	if (room) {
		memcpy(buf, text, n);
		buf[n] = '\0';
	}
	return n;
}

/* `cpu=10,mem=5`: terms that are not zero. */
static void tres_text(const struct prio_sheet *s, const struct fs_prio_row *row, bool norm,
		      char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t t = fs_prios_find_term(s->prios, FS_FACTOR_TRES); t < fs_prios_terms(s->prios) && n < size; t++) {
		const struct fs_prio_term *term = &row->terms[t];

		if (term->points == 0)
			continue;
		if (n)
			n += put_piece(buf + n, size - n, ",");
		n += put_piece(buf + n, size - n, term->name + strlen("tres/"));
		n += put_piece(buf + n, size - n, "=");
		if (n < size && norm)
			number(buf + n, size - n, "%.2f", over_weight(term));
		else if (n < size)
			whole(buf + n, size - n, term->points);
		n += strlen(buf + n);
	}
}

/* An admin-set job without any factors: a plain 0 then. */
static bool no_factors(const struct prio_sheet *s, const struct fs_prio_row *row)
{
	return row->direct && fs_slurm_has(s->compat, FS_SLURM_ADMIN_SET_CLEARED);
}

/* `max-run-jobs-queue (2 of 2 in pdebug)`, with commas between. */
static void reason_text(const struct prio_sheet *s, const struct fs_prio_row *row, char *buf,
			size_t size)
{
	const size_t count = s->holds ? fs_holds_count(s->holds, row->job_row) : 0;
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < count && n + 1 < size; i++) {
		const struct fs_hold_row *h = fs_holds_row(s->holds, row->job_row, i);
		char name[2048];

		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "," : "",
				      text_visible(name, sizeof(name), h->reason));
		if (n < size && isfinite(h->value) && isfinite(h->used))
			n += (size_t)snprintf(buf + n, size - n, " (%.0f of %.0f in %s)", h->used,
					      h->value, text_visible(name, sizeof(name), h->scope));
	}
}

static const char *text_of(const struct prio_column *c, const struct fs_prio_row *row)
{
	return *(const char *const *)(const void *)((const char *)row + c->offset);
}

/* NULL to printf: nothing when cut below six characters on the left. */
static const char *null_words(const struct prio_field *f)
{
	return f->right || !f->width || f->width > 5 ? "(null)" : "";
}

static void cell_text(const struct prio_sheet *s, const struct prio_field *f,
		      const struct fs_prio_row *row, char *buf, size_t size)
{
	const struct prio_column *c = f->column;
	char digits[160];

	switch (c->kind) {
	case PRIO_JOBID:
		whole_number(buf, row->job);
		break;
	case PRIO_TEXT:
		text_visible(buf, size, text_of(c, row));
		break;
	case PRIO_NULLABLE:
		text_visible(buf, size, *text_of(c, row) ? text_of(c, row) : null_words(f));
		break;
	case PRIO_CLUSTER:
		snprintf(buf, size, "%s", null_words(f));
		break;
	case PRIO_TOTAL:
		whole(buf, size, row->priority);
		break;
	case PRIO_TOTAL_NORM:
		number(buf, size, "%16.14f",
		       row->direct ? row->priority : fmax(row->sum, 1) / 4294967295.0);
		break;
	case PRIO_POINTS:
		whole(buf, size, prio_term(s->prios, row, c->factor)->points);
		break;
	case PRIO_NORM:
		number(buf, size, no_factors(s, row) ? "%.0f" : "%.7f",
		       over_weight(prio_term(s->prios, row, c->factor)));
		break;
	case PRIO_SITE:
		whole(buf, size, prio_term(s->prios, row, FS_FACTOR_SITE)->value);
		break;
	case PRIO_NICE:
		whole(buf, size, prio_term(s->prios, row, FS_FACTOR_NICE)->value);
		break;
	case PRIO_TRES:
		tres_text(s, row, false, buf, size);
		break;
	case PRIO_TRES_NORM:
		tres_text(s, row, true, buf, size);
		break;
	case PRIO_VALUE:
		snprintf(buf, size, "%s",
			 isnan(prio_term(s->prios, row, c->factor)->value)
				 ? "?"
				 : text_number(digits, sizeof(digits), prio_term(s->prios, row, c->factor)->value,
					       10));
		break;
	case PRIO_F58:
		fs_f58_format(buf, row->job, !text_utf8());
		break;
	case PRIO_URGENCY:
		whole(buf, size, row->urgency);
		break;
	case PRIO_REASON:
		reason_text(s, row, buf, size);
		break;
	}
}

void prio_print_row(const struct prio_sheet *s, const struct fs_prio_row *row)
{
	struct emit_row line;
	char text[4096];

	emit_row_begin(&line, stdout);
	emit_row_own(&line, s->parsable ? "" : s->format->prefix);
	for (size_t i = 0; i < s->format->n; i++) {
		cell_text(s, &s->format->field[i], row, text, sizeof(text));
		print_cell(&line, s, i, text);
	}
	emit_row_end(&line);
}
