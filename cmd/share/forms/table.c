/* The table of fs-share: sshare's, aligned or parsable. */
#include "share/share.h"

#include "render/digits.h"
#include "render/emit.h"

#include <stdlib.h>
#include <string.h>

/* Room for the TRES of any row, and for their words as they may be shown. */
struct room {
	struct fs_tres *tres;
	size_t max, size; /* TRES; bytes of text */
	char *text;
};

static int make_room(struct room *room, const fs_snapshot *s)
{
	room->max = fs_snapshot_tres_count(s);
	room->size = 1;
	for (size_t i = 0; i < room->max; i++)
		room->size += strlen(",=-") + TEXT_STEP * strlen(fs_snapshot_tres_name(s, i)) + DIGITS_WHOLE;
	room->tres = calloc(room->max + 1, sizeof(*room->tres));
	room->text = malloc(room->size);
	return room->tres && room->text ? 0 : -1;
}

/* Makes `cpu=1,mem=2` of n TRES and returns how long it is. */
static size_t tres_words(const struct room *room, int n)
{
	char *at = room->text;

	for (int i = 0; i < n; i++) {
		const int64_t amount = room->tres[i].amount;

		if (i)
			*at++ = ',';
		at += text_show(at, room->size - (size_t)(at - room->text), room->tres[i].name);
		*at++ = '=';
		if (amount < 0)
			*at++ = '-';
		at += digits_whole(at, amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount);
	}
	return (size_t)(at - room->text);
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
static double level(const struct share_run *r, const struct fs_share_row *row)
{
	const bool zero = !fs_shares_has_levels(r->shares) && row->shares_kind != FS_SHARES_PARENT;

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

static void print_value(const struct share_run *r, FILE *out, enum field_style style, const struct share_field *f,
			const struct fs_share_row *row)
{
	const struct share_source of = { .snapshot = r->snapshot };
	const enum share_column column = (enum share_column)(f->column - share_columns);
	struct value v;

	column_value(f->column, &of, row, &v);
	if (column == SHARE_RAW_USAGE)
		print_usage(out, style, f->width, v.number);
	else if (v.type == VALUE_TEXT)
		print_text(out, style, f->width, column == SHARE_ACCOUNT ? r->rows.indent[row->row] : 0, v.text);
	else if (v.type == VALUE_WHOLE)
		field_u64(out, style, f->width, v.whole);
	else
		field_double(out, style, f->width, column == SHARE_LEVEL_FS ? level(r, row) : v.number);
}

static void print_cell(const struct share_run *r, const struct room *room, FILE *out, enum field_style style,
		       const struct share_field *f, const struct fs_share_row *row)
{
	enum fs_share_tres which;

	if (share_column_tres(f->column, &which))
		field_text(out, style, f->width, room->text,
			   tres_words(room, fs_shares_tres(r->shares, row->row, which, room->tres, room->max)));
	else
		print_value(r, out, style, f, row);
}

/* Finds the width of a column that is never cut: that of its widest cell. */
static int natural_width(const struct share_run *r, const struct room *room, struct share_field *f)
{
	size_t widest = strlen(f->column->name);

	for (size_t i = 0; i < r->rows.n; i++) {
		char *text = NULL;
		size_t size = 0;
		FILE *s = open_memstream(&text, &size);

		if (s)
			print_cell(r, room, s, FIELD_PARSABLE, f, r->rows.v[i]);
		const bool failed = !s || (ferror(s) | fclose(s));

		free(text);
		if (failed)
			return -1;
		if (size > widest)
			widest = size;
	}
	f->width = (int)widest * (f->column->width < 0 ? -1 : 1);
	return 0;
}

static void end_cell(const struct share_run *r, size_t i)
{
	if (r->layout == PARSABLE || (r->layout == PARSABLE2 && i + 1 < r->format.n))
		putchar('|');
}

static void print_header(const struct share_run *r)
{
	for (size_t i = 0; i < r->format.n; i++) {
		const struct share_field *f = &r->format.field[i];

		if (r->layout == ALIGNED)
			emit("%*.*s ", f->width, abs(f->width), f->column->name);
		else
			emit_text(f->column->name);
		end_cell(r, i);
	}
	putchar('\n');
	if (r->layout != ALIGNED)
		return;
	for (size_t i = 0; i < r->format.n; i++) {
		for (int k = 0; k < abs(r->format.field[i].width); k++)
			putchar('-');
		putchar(' ');
	}
	putchar('\n');
}

static int find_widths(struct share_run *r, const struct room *room)
{
	for (size_t k = 0; k < r->format.n; k++)
		if (!r->format.field[k].width && natural_width(r, room, &r->format.field[k]))
			return -1;
	return 0;
}

static void print_rows(const struct share_run *r, const struct room *room)
{
	const enum field_style style = r->layout == ALIGNED ? FIELD_TABLE : FIELD_PARSABLE;

	for (size_t i = 0; i < r->rows.n; i++) {
		for (size_t k = 0; k < r->format.n; k++) {
			print_cell(r, room, stdout, style, &r->format.field[k], r->rows.v[i]);
			end_cell(r, k);
		}
		putchar('\n');
	}
}

int share_table(struct share_run *r)
{
	struct room room;
	const int rc = make_room(&room, r->snapshot) || find_widths(r, &room) ? -1 : EXIT_DONE;

	if (!rc && r->clusters.given)
		emit("CLUSTER: %s\n", fs_snapshot_info(r->snapshot)->cluster);
	if (!rc && !r->no_header)
		print_header(r);
	if (!rc)
		print_rows(r, &room);
	free(room.tres);
	free(room.text);
	return rc;
}
