/* import/text/page: finds the beginning and end of each command's output in a paste, and the time of the paste. */
#include "fspaste.h"

#define SQUEUE "  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
#define SPRIO "  JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE\n"

static void assert_piece(const struct paste *p, size_t i, enum fsi_text_kind kind, size_t begin, size_t end)
{
	assert_true(i < p->t.pieces.n);
	assert_int_equal(p->t.pieces.v[i].kind, kind);
	assert_int_equal(p->t.pieces.v[i].begin, begin);
	assert_int_equal(p->t.pieces.v[i].end, end);
}

/* Prompts and headings end the output above them. Prose before the first prompt belongs to no command. */
static void outputs_of_successive_commands_are_separated(void **state)
{
	struct paste p;

	(void)state;
	paste_begin(&p, "Hello, my job waits:\n[dana@login1 ~]$ squeue\n" SQUEUE "     12     batch        a     dana PD       0:00      1 (Priority)\n"
			"$ sprio\n" SPRIO "     12     batch       1000          0        100        900\n");
	assert_int_equal(p.t.pieces.n, 2);
	assert_piece(&p, 0, TEXT_SQUEUE, 2, 4);
	assert_piece(&p, 1, TEXT_SPRIO, 5, 7);
	assert_int_equal(p.t.clock, FS_UNKNOWN);
	paste_end(&p);
}

static void records_form_one_piece_and_each_heading_begins_another(void **state)
{
	struct paste p;

	(void)state;
	paste_begin(&p, "JobId=1 JobName=a\n   UserId=dana(1)\n\nJobId=2 JobName=b\n" SQUEUE SQUEUE "PartitionName=batch\n");
	assert_int_equal(p.t.pieces.n, 4);
	assert_piece(&p, 0, TEXT_JOB, 0, 4);
	assert_piece(&p, 1, TEXT_SQUEUE, 4, 5);
	assert_piece(&p, 2, TEXT_SQUEUE, 5, 6);
	assert_piece(&p, 3, TEXT_PARTITION, 6, 7);
	paste_end(&p);
}

static void json_ends_with_its_closing_bracket(void **state)
{
	struct paste p;

	(void)state;
	paste_begin(&p, "{\"jobs\": [\n  {\"name\": \"a } b\"}\n]}\nthat is all\n" SQUEUE);
	assert_int_equal(p.t.pieces.n, 2);
	assert_piece(&p, 0, TEXT_FLUX_JSON, 0, 3);
	assert_piece(&p, 1, TEXT_SQUEUE, 4, 5);
	paste_end(&p);
}

/* The time that the pasted configuration shows is used as the time of the capture. A pasted time that is far from it
 * causes a warning. */
static void the_clock_and_the_cluster_are_found(void **state)
{
	struct paste p;

	(void)state;
	paste_begin(&p, "Fri Nov 20 21:06:49 2026\n" SQUEUE);
	assert_int_equal(p.t.clock, 1795208809);
	assert_false(p.t.clock_from_config);
	paste_end(&p);

	paste_begin(&p, "Fri Nov 20 21:06:49 2026\nConfiguration data as of 2026-11-20T22:06:49\nClusterName             = lab\n");
	assert_int_equal(p.t.clock, 1795212409);
	assert_true(p.t.clock_from_config);
	assert_span(p.t.cluster, "lab");
	assert_int_equal(p.t.warnings.n, 1);
	assert_non_null(strstr(p.t.warnings.v[0], "60 minutes from the time of an earlier output"));
	paste_end(&p);

	paste_begin(&p, "CLUSTER: lab\n" SQUEUE "CLUSTER: other\n");
	assert_span(p.t.cluster, "lab");
	assert_int_equal(p.t.warnings.n, 1);
	assert_string_equal(p.t.warnings.v[0], "line 3: the outputs are from different clusters, lab and other");
	paste_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outputs_of_successive_commands_are_separated),
		cmocka_unit_test(records_form_one_piece_and_each_heading_begins_another),
		cmocka_unit_test(json_ends_with_its_closing_bracket),
		cmocka_unit_test(the_clock_and_the_cluster_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
