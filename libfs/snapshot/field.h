/* One field of a record between JSON and its C member, driven by the tables of model/records/records.h. */
#ifndef FSI_FIELD_H
#define FSI_FIELD_H

#include "base/json/read.h"
#include "model/model.h"

/* A record being read. last holds, by field, the string or set that was read last into it, or 0: rows often repeat
 * it, and then need no look-up. */
struct fsi_reading {
	fs_snapshot *m;
	struct fsi_rec *rec;
	uint32_t *last;
	struct fsi_where where;
	struct fs_error *err;
};

/* Stores v into the member of field f, whose bit is `bit`; null is the same as absent. Error: FS_EDATA
 * with the field's name. */
int fsi_field_read(const struct fsi_reading *in, const struct fsi_field *f, unsigned bit,
		   const struct fsi_json *v);

/* Writes key and value, if the field is known. */
void fsi_field_write(const fs_snapshot *m, const struct fsi_field *f, unsigned bit,
		     const struct fsi_rec *rec, struct fs_json *out);

/* Puts a value into the configuration under its name; the same name twice is an error. */
int fsi_config_read(fs_snapshot *m, const struct fsi_json *v, struct fsi_where where, struct fs_error *err);
void fsi_config_write(const fs_snapshot *m, const struct fsi_config_entry *e, struct fs_json *out);

/* The word a field of this type may hold in place of a number, or NULL. */
const char *fsi_field_word(enum fsi_field_type type);
const char *fsi_field_type_text(enum fsi_field_type type);

#endif
