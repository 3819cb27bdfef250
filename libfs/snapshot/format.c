/* The format as data, for documentation and its tests. */
#include "snapshot/field.h"

#include <string.h>

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

#define COUNT_RECORDS(TAG, name, json)                                                             \
	if (!strcmp(type, json))                                                                   \
		return m->name.n;

size_t fs_snapshot_records(const fs_snapshot *m, const char *type)
{
	if (!strcmp(type, "usage") && m->info.usage_records) /* they are not always kept */
		return m->info.usage_records;
	if (!strcmp(type, "config"))
		return m->config.n != 0;
	FSI_RECORD_TYPES(COUNT_RECORDS)
	return 0;
}
