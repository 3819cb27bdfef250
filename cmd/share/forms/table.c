#include "share/forms/table.h"
#include "render/digits.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

/* `cpu=1,mem=2`, as it may be shown, and how long it is; NULL without memory. */
static char *tres_words(const struct fs_tres *tres, int n, size_t *len)
{
	char *text, *at;
	size_t size = 1;

	for (int i = 0; i < n; i++)
		size += strlen(",=-") + TEXT_STEP * strlen(tres[i].name) + DIGITS_WHOLE;
	text = at = calloc(size, 1);
	for (int i = 0; at && i < n; i++) {
		const int64_t amount = tres[i].amount;

		if (i)
			*at++ = ',';
		at += text_show(at, size - (size_t)(at - text), tres[i].name);
		*at++ = '=';
		if (amount < 0)
			*at++ = '-';
		at += digits_whole(at, amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount);
	}
	*len = (size_t)(at - text);
	return text;
}

static char *tres_text(const struct share_table *t, enum fs_share_tres which, size_t row, size_t *len)
{
	const size_t max = fs_snapshot_tres_count(t->snapshot);
	struct fs_tres *tres = calloc(max + 1, sizeof(*tres));
	const int n = tres ? fs_shares_tres(t->shares, row, which, tres, max) : 0;
	char *text = tres ? tres_words(tres, n, len) : NULL;

	free(tres);
	return text;
}

static void print_text(FILE *out, enum field_style style, int width, unsigned indent, const char *s)
{
	char text[512];

	if (indent > 200)
		indent = 200;
	memset(text, ' ', indent);
	field_text(out, style, width, text, indent + text_show(text + indent, sizeof(text) - indent, s));
}

/* Returns LevelFS; 0 where the algorithm has no levels, as slurmctld sends it. */
static double level(const struct share_table *t, const struct fs_share_row *row)
{
	const bool zero = !fs_shares_has_levels(t->shares) && row->shares_kind != FS_SHARES_PARENT;

	return zero ? 0 : row->level_fs;
}

/* Prints usage in whole seconds, as slurmctld sends it. */
static void print_usage(FILE *out, enum field_style style, int width, double usage)
{
	if (usage >= 0)
		field_u64(out, style, width, usage < 1.8e19 ? (uint64_t)usage : UINT64_MAX);
	else
		field_blank(out, style, width);
}

static int print_tres(const struct share_table *t, FILE *out, enum field_style style, int width,
		      enum fs_share_tres which, size_t row)
{
	size_t len;
	char *tres = tres_text(t, which, row, &len);

	if (!tres)
		return -1;
	field_text(out, style, width, tres, len);
	free(tres);
	return 0;
}

static void print_value(const struct share_table *t, FILE *out, enum field_style style, const struct share_field *f,
			const struct fs_share_row *row)
{
	const struct share_source of = { .snapshot = t->snapshot };
	const enum share_column column = (enum share_column)(f->column - share_columns);
	struct value v;

	column_value(f->column, &of, row, &v);
	if (column == SHARE_RAW_USAGE)
		print_usage(out, style, f->width, v.number);
	else if (v.type == VALUE_TEXT)
		print_text(out, style, f->width, column == SHARE_ACCOUNT ? t->rows->indent[row->row] : 0, v.text);
	else if (v.type == VALUE_WHOLE)
		field_u64(out, style, f->width, v.whole);
	else
		field_double(out, style, f->width, column == SHARE_LEVEL_FS ? level(t, row) : v.number);
}

static int print_cell(const struct share_table *t, FILE *out, const struct share_field *f,
		       const struct fs_share_row *row)
{
	const enum field_style style = t->layout == ALIGNED ? FIELD_TABLE : FIELD_PARSABLE;
	enum fs_share_tres which;

	if (share_column_tres(f->column, &which))
		return print_tres(t, out, style, f->width, which, row->row);
	print_value(t, out, style, f, row);
	return 0;
}

/* Returns the width of a column that is never cut: that of its widest cell. */
static int natural_width(const struct share_table *t, struct share_field *f)
{
	size_t widest = strlen(f->column->name);

	for (size_t i = 0; i < t->rows->n; i++) {
		const struct share_table parsable = { t->snapshot, t->shares, t->rows, t->format,
						      PARSABLE2,   false,     false };
		char *text = NULL;
		size_t size = 0;
		FILE *s = open_memstream(&text, &size);
		int rc = s ? print_cell(&parsable, s, f, t->rows->v[i]) : -1;

		if (s && (ferror(s) | fclose(s)))
			rc = -1;
		free(text);
		if (rc)
			return rc;
		if (size > widest)
			widest = size;
	}
	f->width = (int)widest * (f->column->width < 0 ? -1 : 1);
	return 0;
}

static void end_cell(const struct share_table *t, size_t i)
{
	if (t->layout == PARSABLE || (t->layout == PARSABLE2 && i + 1 < t->format->n))
		putchar('|');
}

static void print_header(const struct share_table *t)
{
	for (size_t i = 0; i < t->format->n; i++) {
		const struct share_field *f = &t->format->field[i];

		if (t->layout == ALIGNED)
			emit("%*.*s ", f->width, abs(f->width), f->column->name);
		else
			emit_text(f->column->name);
		end_cell(t, i);
	}
	putchar('\n');
	if (t->layout != ALIGNED)
		return;
	for (size_t i = 0; i < t->format->n; i++) {
		for (int k = 0; k < abs(t->format->field[i].width); k++)
			putchar('-');
		putchar(' ');
	}
	putchar('\n');
}

int share_table_print(const struct share_table *t)
{
	for (size_t k = 0; k < t->format->n; k++)
		if (!t->format->field[k].width && natural_width(t, &t->format->field[k]))
			return -1;
	if (t->cluster_line)
		emit("CLUSTER: %s\n", fs_snapshot_info(t->snapshot)->cluster);
	if (t->header)
		print_header(t);
	for (size_t i = 0; i < t->rows->n; i++) {
		for (size_t k = 0; k < t->format->n; k++) {
			if (print_cell(t, stdout, &t->format->field[k], t->rows->v[i]))
				return -1;
			end_cell(t, k);
		}
		putchar('\n');
	}
	return 0;
}
