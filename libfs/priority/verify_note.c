/* What every verification writes down: columns of its result, sentences, and values compared with records. */
#include "priority/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fs_verify_column *fsi_verify_column(struct fs_verify_result *r, const char *name)
{
	for (size_t i = 0; i < r->columns; i++)
		if (!strcmp(r->column[i].name, name))
			return &r->column[i];
	r->column[r->columns] = (struct fs_verify_column){ .name = name };
	return &r->column[r->columns++];
}

void fsi_verify_note(fs_note_fn note, void *ctx, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note(ctx, text);
}

static const struct fsi_field *field_of(unsigned bit)
{
	return &fsi_record_table(FSI_RECORD_RECORDED)->fields[bit];
}

const char *fsi_verify_key(unsigned bit)
{
	return field_of(bit)->key;
}

static bool recorded_value(const struct fsi_recorded *r, unsigned bit, double *value)
{
	const struct fsi_field *f = field_of(bit);
	const char *member = (const char *)r + f->offset;
	uint64_t whole;

	if (!fsi_known(&r->rec, bit))
		return false;
	if (f->type == FSI_U64) {
		memcpy(&whole, member, sizeof(whole));
		*value = (double)whole;
	} else {
		memcpy(value, member, sizeof(*value));
	}
	return true;
}

void fsi_verify_compare(struct fsi_verify_work *v, const char *what, const struct fsi_recorded *r,
			unsigned bit, double computed, double tolerance)
{
	const char *name = field_of(bit)->key;
	struct fs_verify_column *c;
	double printed;

	if (!recorded_value(r, bit, &printed))
		return;
	c = fsi_verify_column(v->out, name);
	if (isnan(computed) || isnan(tolerance)) {
		c->unknown++;
		return;
	}
	c->compared++;
	tolerance += 1e-12 * fabs(printed);
	if (computed == printed || fabs(computed - printed) <= tolerance)
		return;
	c->differ++;
	fsi_verify_note(v->note, v->ctx, "%s: %s: printed %.15g, computed %.15g", what, name,
			printed, computed);
}
