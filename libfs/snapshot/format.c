/* The format as data, for documentation and its tests. */
#include "snapshot/field.h"

static const struct fsi_record_table *table_at(size_t i)
{
	if (!i)
		return fsi_header_table();
	return i <= FSI_RECORD_COUNT ? fsi_record_table((enum fsi_record_type)(i - 1)) : NULL;
}

bool fs_format_type(size_t i, const char **type)
{
	const struct fsi_record_table *t = table_at(i);

	if (t)
		*type = t->type;
	return t != NULL;
}

bool fs_format_field(size_t i, size_t k, struct fs_format_field *out)
{
	const struct fsi_record_table *t = table_at(i);

	if (!t || k >= t->nfields)
		return false;
	*out = (struct fs_format_field){ t->fields[k].key, fsi_field_type_text(t->fields[k].type),
					 t->fields[k].unit, t->fields[k].help,
					 (t->fields[k].flags & FSI_REQ) != 0 };
	return true;
}
