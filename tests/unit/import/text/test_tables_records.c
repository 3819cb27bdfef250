/* import/text/tables: scontrol's records and configuration become lines of the importer's files. */
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

static void the_lines_of_a_record_are_joined(void **state)
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
static void folded_lines_are_joined(void **state)
{
	const struct fsi_text_file *f;
	struct paste p;

	(void)state;
	f = file_of(&p, "JobId=1 JobName=abcdefghijklmnopqrstuvwx\nyz UserId=dana(1)\n", "scontrol_job_o.txt");
	assert_int_equal(f->lines.n, 1);
	assert_string_equal(f->lines.v[0].s, "JobId=1 JobName=abcdefghijklmnopqrstuvwxyz UserId=dana(1)");
	paste_end(&p);
}

/* The longer of two records with the same id is used; a contradiction gives a warning. */
static void the_longer_of_two_equal_records_is_used(void **state)
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

/* If the first line of a record is lost, its other lines are ignored. They do not belong to the record before them. */
static void a_line_of_a_record_without_beginning_is_ignored(void **state)
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

static void the_configuration_is_kept_line_by_line(void **state)
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lines_of_a_record_are_joined),
		cmocka_unit_test(folded_lines_are_joined),
		cmocka_unit_test(the_longer_of_two_equal_records_is_used),
		cmocka_unit_test(a_line_of_a_record_without_beginning_is_ignored),
		cmocka_unit_test(the_configuration_is_kept_line_by_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
