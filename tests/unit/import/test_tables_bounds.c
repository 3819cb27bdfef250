/* import/tables.c: the importer and the reader of snapshots accept the same values. Each field of each record type is
 * set to texts at and beyond the bounds of its type. The importer refuses a text, or the snapshot that it makes is
 * written, read again, and has the same value. */
#include "fstest.h"

#include "import/import.h"

#define ANY 0xff

/* A text, and the JSON value that the importer makes from it (with ' instead of "). `flags` selects the fields for which
 * the row holds: those with these FSI_POS and FSI_PART flags. want: NULL: the importer refuses the text. */
static const struct {
	enum fsi_field_type type;
	unsigned flags;
	const char *text, *want;
} values[] = {
	{ FSI_U32, ANY, "0", "0" },
	{ FSI_U32, ANY, "4294967295", "4294967295" },
	{ FSI_U32, ANY, "4294967296", NULL },
	{ FSI_U32, ANY, "-1", NULL },
	{ FSI_U64, ANY, "0", "0" },
	{ FSI_U64, ANY, "18446744073709551615", "18446744073709551615" },
	{ FSI_U64, ANY, "18446744073709551616", NULL },
	{ FSI_U64, ANY, "-1", NULL },
	{ FSI_I32, ANY, "-2147483648", "-2147483648" },
	{ FSI_I32, ANY, "2147483647", "2147483647" },
	{ FSI_I32, ANY, "-2147483649", NULL },
	{ FSI_I32, ANY, "2147483648", NULL },
	{ FSI_TIME, ANY, "1970-01-01T00:00:00", "0" },
	{ FSI_TIME, ANY, "1969-12-31T23:59:59", NULL },
	{ FSI_TIME, ANY, "9999-12-31T23:59:59", "253402300799" },
	{ FSI_DUR, ANY, "00:00", "0" },
	{ FSI_DUR, ANY, "UNLIMITED", "'unlimited'" },
	{ FSI_DUR, ANY, "100000000-00:00:00", "8640000000000" },
	{ FSI_DUR, ANY, "100000001-00:00:00", NULL },
	{ FSI_DUR, ANY, "16666666666666", "999999999999960" },
	{ FSI_DUR, ANY, "16666666666667", NULL },
	{ FSI_DUR, ANY, "-1", NULL },
	{ FSI_SHARES, ANY, "0", "0" },
	{ FSI_SHARES, ANY, "parent", "'parent'" },
	{ FSI_SHARES, ANY, "4294967295", "4294967295" },
	{ FSI_SHARES, ANY, "4294967296", NULL },
	{ FSI_SHARES, ANY, "1.5", NULL },
	{ FSI_DBL, ANY, "0", "0" },
	{ FSI_DBL, ANY, "1", "1" },
	{ FSI_DBL, ANY, "5e-324", "4.94065645841247e-324" },
	{ FSI_DBL, 0, "-1.7976931348623157e308", "-1.7976931348623157e+308" },
	{ FSI_DBL, FSI_POS, "-5e-324", NULL },
	{ FSI_DBL, FSI_PART, "-5e-324", NULL },
	{ FSI_DBL, 0, "1.7976931348623157e308", "1.7976931348623157e+308" },
	{ FSI_DBL, FSI_POS, "1.7976931348623157e308", "1.7976931348623157e+308" },
	{ FSI_DBL, FSI_PART, "1.0000000000000002", NULL },
	{ FSI_DBL, ANY, "1e309", NULL },
	{ FSI_DBL, ANY, "-1e309", NULL },
	{ FSI_DBL, ANY, "nan", NULL },
	{ FSI_DBL, ANY, "inf", NULL },
	{ FSI_BOOL, ANY, "YES", "true" },
	{ FSI_BOOL, ANY, "0", "false" },
	{ FSI_BOOL, ANY, "2", NULL },
	{ FSI_STR, ANY, "user", "'user'" },
	{ FSI_STR, ANY, "\xff", "'\\\\xff'" },
	{ FSI_STATE, ANY, "PENDING", "'PENDING'" },
	{ FSI_STATE, ANY, "UNKNOWN_STATE", NULL },
	{ FSI_LIST, ANY, "a,b", "['a','b']" },
	{ FSI_LIST, ANY, ",", "[]" },
	{ FSI_TRES, ANY, "cpu=0", "{'cpu':0}" },
	{ FSI_TRES, ANY, "cpu=9223372036854775807", "{'cpu':9223372036854775807}" },
	{ FSI_TRES, ANY, "cpu=9223372036854775808", NULL },
	{ FSI_TRES, ANY, "cpu=-1", NULL },
	{ FSI_TRES, ANY, "cpu=1,cpu=2", NULL },
	{ FSI_TRESF, ANY, "cpu=5", NULL },
};

/* Texts of required fields. */
static const char *get_required_text(const struct fsi_field *f)
{
	switch (f->type) {
	case FSI_STR:
		return "user";
	case FSI_TIME:
		return "1970-01-01T00:00:00";
	case FSI_STATE:
		return "PENDING";
	default:
		return "1";
	}
}

#define ADD_ROW(TAG, name, json)                                                                                       \
	case FSI_RECORD_##TAG:                                                                                         \
		assert_int_equal(FSI_VEC_RESERVE(&m->name), 0);                                                        \
		memset(&m->name.v[0], 0, sizeof(m->name.v[0]));                                                        \
		m->name.n = 1;                                                                                         \
		return &m->name.v[0].rec;

static struct fsi_rec *add_row(fs_snapshot *m, enum fsi_record_type type)
{
	switch (type) {
		FSI_RECORD_TYPES(ADD_ROW)
	default:
		return NULL;
	}
}

static void set_field(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit, struct fsi_rec *rec,
		      const char *text)
{
	fst_no_error(fsi_import_set_field(imp, t, bit, rec, fsi_string_to_span(text)), imp->err);
}

static void fill_header(struct fsi_import *imp)
{
	struct fsi_header *h = &imp->m->head;

	FSI_PUT(h, SNAPSHOT, format, 1);
	FSI_PUT(h, SNAPSHOT, time, 1700000000);
	set_field(imp, fsi_header_table(), FSI_SNAPSHOT_cluster, &h->rec, "c");
	set_field(imp, fsi_header_table(), FSI_SNAPSHOT_scheduler, &h->rec, "slurm 26.05.0");
}

static void fill_required_fields(struct fsi_import *imp, const struct fsi_record_table *t, struct fsi_rec *rec)
{
	for (unsigned k = 0; k < t->nfields; k++)
		if (t->fields[k].flags & FSI_REQ)
			set_field(imp, t, k, rec, get_required_text(&t->fields[k]));
}

/* Checks that a snapshot that the importer completes is read again with the same values. The importer may refuse to
 * complete it, for example if a parent does not exist. */
static void check_written_value(fs_snapshot *m, const char *key, const char *want)
{
	char expected[200], *quoted;
	struct fs_error err;
	struct fst_sink out;

	if (fsi_model_finish(m, &err))
		return;
	snprintf(expected, sizeof(expected), "'%s':%s", key, want);
	quoted = fst_quoted(expected);
	out = fst_written(m);
	if (!strstr(out.data, quoted))
		print_error("%s: %s\n", quoted, out.data);
	assert_non_null(strstr(out.data, quoted));
	fst_free(&out);
	free(quoted);
	fst_same_again(m);
}

/* type: FSI_RECORD_COUNT: the header */
static void try_value(enum fsi_record_type type, unsigned bit, size_t i)
{
	const bool header = type == FSI_RECORD_COUNT;
	const struct fsi_record_table *t = header ? fsi_header_table() : fsi_record_table(type);
	struct fs_error err = { .code = 0 };
	struct fsi_import imp = { .m = fsi_model_create("test"), .err = &err };
	struct fsi_rec *rec;
	int rc;

	assert_non_null(imp.m);
	fill_header(&imp);
	rec = header ? &imp.m->head.rec : add_row(imp.m, type);
	if (!header)
		fill_required_fields(&imp, t, rec);
	rc = fsi_import_set_field(&imp, t, bit, rec, fsi_string_to_span(values[i].text));
	if (rc != (values[i].want ? 0 : FS_EDATA))
		print_error("%s.%s: \"%s\": %d %s\n", t->type, t->fields[bit].key, values[i].text, rc, err.message);
	assert_int_equal(rc, values[i].want ? 0 : FS_EDATA);
	if (!rc)
		check_written_value(imp.m, t->fields[bit].key, values[i].want);
	fs_snapshot_free(imp.m);
}

static void every_field_at_its_bounds(void **state)
{
	(void)state;
	for (int type = 0; type <= FSI_RECORD_COUNT; type++) {
		const struct fsi_record_table *t =
			type == FSI_RECORD_COUNT ? fsi_header_table() : fsi_record_table((enum fsi_record_type)type);

		/* the first field of the header is the format, which has only the value 1 */
		for (unsigned k = type == FSI_RECORD_COUNT; k < t->nfields; k++)
			for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
				if (values[i].type == t->fields[k].type &&
				    (values[i].flags == ANY || values[i].flags == (t->fields[k].flags & FSI_PART)))
					try_value((enum fsi_record_type)type, k, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_at_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
