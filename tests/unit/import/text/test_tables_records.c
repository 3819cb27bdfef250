/* import/text/page/records: scontrol's records and its configuration as lines of the files that the importer reads. */
#include "fspaste.h"

static const struct fsi_text_file *file_of(struct paste *p, const char *text, const char *name)
{
	const struct fsi_text_file *f;

	paste_begin(p, text);
	assert_int_equal(fsi_text_write_records(&p->t), 0);
	f = fsi_text_find_file(&p->t, name);
	assert_non_null(f);
	return f;
}

static void lines_of_a_record(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "JobId=1 JobName=a\n   UserId=dana(1) Priority=5\n\nJobId=2 JobName=b\n   UserId=emil(2)\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 2);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=a UserId=dana(1) Priority=5");
	assert_string_equal(f->lines.v[1].s, "JobId=2 JobName=b UserId=emil(2)");
	assert_int_equal(f->lines.v[1].no, 4);
	assert_int_equal(p.t.pieces.v[0].imported, 2);
	paste_end(&p);
}

/* A terminal of 40 columns folds within a word. */
static void folded_lines(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "JobId=1 JobName=abcdefghijklmnopqrstuvwx\nyz UserId=dana(1)\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 1);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=abcdefghijklmnopqrstuvwxyz UserId=dana(1)");
	paste_end(&p);
}

/* Of a record that stands there twice the longer is taken; where they differ, that is told. */
static void a_record_twice(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "JobId=1 JobName=a\n\nJobId=1 JobName=a UserId=dana(1)\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 1);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=a UserId=dana(1)");
	assert_int_equal(p.t.warnings.n, 0);
	paste_end(&p);

	f = file_of(&p, "JobId=1 JobName=a UserId=dana(1)\n\nJobId=1 JobName=b\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 1);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=a UserId=dana(1)");
	assert_int_equal(p.t.warnings.n, 1);
	paste_end(&p);
}

/* A line of another record, whose beginning is lost, is none of the one before. */
static void a_lost_beginning(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "JobId=1 JobName=a\n   UserId=dana(1)\n   UserId=emil(2) Priority=7\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 1);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=a UserId=dana(1)");
	assert_int_equal(p.t.pieces.v[0].unparsed, 1);
	paste_end(&p);
}

static void configuration(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "Configuration data as of 2026-11-20T22:06:49\nPriorityWeightAge       = 1000\nPriorityType            = priority/multifactor\n",
		    "scontrol_config.txt");
	assert_int_equal(f->lines.n, 3);
	assert_string_equal(f->lines.v[1].s, "PriorityWeightAge       = 1000");
	assert_int_equal(p.t.pieces.v[0].imported, 3);
	paste_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lines_of_a_record), cmocka_unit_test(folded_lines),
					    cmocka_unit_test(a_record_twice), cmocka_unit_test(a_lost_beginning),
					    cmocka_unit_test(configuration) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
