#include "import/outputs.h"

#include "base/num.h"
#include "model/scheduler.h"

#include <string.h>

/* ---- looking up rows and columns */

const struct fs_output *fs_output_get(const char *scheduler, size_t i)
{
	const struct fsi_outputs *o = fsi_scheduler_find_by_name(scheduler)->outputs;

	return o && i < o->n ? &o->v[i].capture : NULL;
}

const struct fsi_output *fsi_output_find(const struct fsi_outputs *o, const char *file, const char *type)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct fs_output *c = &o->v[i].capture;

		if (!strcmp(c->file, file) && (!type || (c->type && !strcmp(c->type, type))))
			return &o->v[i];
	}
	return NULL;
}

static bool is_span_text(struct fsi_span v, const char *text)
{
	return text && strlen(text) == v.len && !memcmp(text, v.s, v.len);
}

const struct fsi_column *fsi_output_find_column(const struct fsi_output *o, struct fsi_span name)
{
	for (size_t i = 0; i < o->ncolumns; i++) {
		const struct fsi_column *c = &o->columns[i];

		if (is_span_text(name, c->name) || is_span_text(name, c->also[0]) || is_span_text(name, c->also[1]))
			return c;
	}
	return NULL;
}

const struct fsi_column *fsi_output_find_heading(const struct fsi_output *o, struct fsi_span heading)
{
	for (size_t i = 0; i < o->ncolumns; i++) {
		struct fsi_span list = fsi_string_to_span(o->columns[i].headings ? o->columns[i].headings : ""), word;

		while (fsi_span_cut_part(&list, '|', &word))
			if (word.len && fsi_span_equals(word, heading))
				return &o->columns[i];
	}
	return NULL;
}

enum fsi_role fsi_column_role(const struct fsi_output *o, const struct fsi_column *c)
{
	return c->form == FSI_FORM_OWN ? FSI_ROLE_REMOVE : fsi_field_role(&fsi_record_table(o->record)->fields[c->bit]);
}
