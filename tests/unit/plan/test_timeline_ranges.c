/* The times at which Maui reserves nodes (libfs/plan/timeline.c). Two of the rules for these times are unusual; a log
 * of Maui 3.5 shows both rules. */
#include "fsmaui.h"

#include "plan/timeline.h"

#define NODE(name) REC("node", "'name':'" name "','state':'IDLE','cpus':4")
#define HOLD(t, n, job_row, from, to, cpus) \
	fsi_timeline_add_hold(t, n, &(struct fsi_timeline_hold){ \
					    .start = from, .end = to, .job = job_row, .amount = { cpus } })

enum { LIMIT = 1200 };

static fs_snapshot *two_nodes(struct fsi_timeline *t)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD NODE("n1") NODE("n2"));

	*t = (struct fsi_timeline){ 0 };
	assert_int_equal(fsi_timeline_init_nodes(t, m), 0);
	return m;
}

static struct fsi_timeline_request want(int64_t tasks)
{
	return (struct fsi_timeline_request){ .job = 9, .tasks = tasks, .limit_s = LIMIT, .task_amount = { 1 } };
}

static void later_holds_reduce_a_range_from_its_begin(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request three = want(3), two = want(2);

	(void)state;
	HOLD(&t, 1, 1, 0, 20000, 4);
	HOLD(&t, 0, 1, 0, 1000, 4);
	HOLD(&t, 0, 2, 4600, 5200, 2); /* four tasks fit from 1000 to 4600, twice the time limit */
	assert_int_equal(fsi_timeline_find_earliest(&t, &three, 0), 5200);
	assert_int_equal(fsi_timeline_find_earliest(&t, &two, 0), 1000);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

/* n2 can start the job only at 600, between the end of one job and the start of another. The start range of n1 ends at
 * 600. At 600, n1 counts only if n2 has no earlier starts. */
static void a_range_of_one_moment_joins_only_ranges_beginning_then(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request eight = want(8);

	(void)state;
	HOLD(&t, 0, 1, 600 + LIMIT, 9000, 4);
	HOLD(&t, 1, 1, 600 + LIMIT, 9000, 4);
	HOLD(&t, 1, 2, 0, 600, 4);
	assert_int_equal(fsi_timeline_find_earliest(&t, &eight, 0), 600); /* the start range of n2 begins at 600 */
	fsi_timeline_drop_job(&t, 2);
	HOLD(&t, 1, 2, 0, 600, 2); /* two processors of n2 are also free before 600 s */
	assert_int_equal(fsi_timeline_find_earliest(&t, &eight, 0), 9000);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

/* If a node can start the job only at a single moment, Maui ignores earlier starts on the nodes that it examines after
 * this node. */
static void a_range_of_one_moment_hides_earlier_ranges(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request four = want(4);

	(void)state;
	HOLD(&t, 0, 1, 0, 600, 4);
	assert_int_equal(fsi_timeline_find_earliest(&t, &four, 0), 0);
	HOLD(&t, 0, 2, 600 + LIMIT, 9000, 4); /* before 9000, n1 can start the job only at 600 */
	assert_int_equal(fsi_timeline_find_earliest(&t, &four, 0), 600);
	fsi_timeline_drop_job(&t, 1);
	fsi_timeline_drop_job(&t, 2);
	HOLD(&t, 1, 1, 0, 600, 4);
	HOLD(&t, 1, 2, 600 + LIMIT, 9000, 4); /* before 9000, n2 can start the job only at 600; n2 is added last */
	assert_int_equal(fsi_timeline_find_earliest(&t, &four, 0), 0);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

static void only_a_contiguous_range_of_sufficient_length_counts(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request three = want(3);
	int64_t room[2];

	(void)state;
	HOLD(&t, 1, 1, 0, 20000, 4);
	HOLD(&t, 0, 1, 0, 300, 1);
	HOLD(&t, 0, 2, 900, 20000, 4); /* the free range is too short, even if it is not split at 300 s */
	assert_int_equal(fsi_timeline_find_earliest(&t, &three, 0), 20000);
	fsi_timeline_count_reservable(&t, &three, 0, room);
	assert_int_equal(room[0], 0);
	fsi_timeline_drop_job(&t, 2);
	HOLD(&t, 0, 2, LIMIT, 20000, 4);
	assert_int_equal(fsi_timeline_find_earliest(&t, &three, 0), 0);
	fsi_timeline_count_reservable(&t, &three, 0, room);
	assert_int_equal(room[0], 3); /* number of tasks in the range that begins at 0 */
	assert_int_equal(room[1], 0);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

/* If a reservation admits the job, the ends of other jobs inside the reservation do not split a time range that is long
 * enough for the job: the length of the whole range counts. Outside of a reservation, two ends at different times split
 * the range. */
static void ends_inside_an_admitting_reservation_do_not_split_a_range(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request one = {
		.job = 9, .tasks = 1, .limit_s = 1, .task_amount = { 1 }, .admission_bits = 1
	};
	const struct fsi_timeline_hold gate = {
		.start = 0, .end = 5000, .job = FSI_NO_INDEX, .admission_number = 1, .amount = { 4 }
	};

	(void)state;
	for (unsigned node = 0; node < 2; node++) {
		HOLD(&t, node, 1, 0, 1200, 2);
		HOLD(&t, node, 2, 0, 1800, 1);
	}
	fsi_timeline_add_hold(&t, 0, &gate);
	assert_int_equal(fsi_timeline_free_span(&t, 0, &one, 100), INT64_MAX);
	assert_int_equal(fsi_timeline_free_span(&t, 1, &one, 100), 1700);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

static void own_nodes_of_a_job_are_preferred(void **state)
{
	struct fsi_timeline t;
	fs_snapshot *m = two_nodes(&t);
	const struct fsi_timeline_request two = want(2);
	const int64_t room[] = { 4, 4 }, span[] = { 5000, 9000 };
	bool own[2];

	(void)state;
	assert_true(fsi_timeline_choose_nodes(
		&t, &two, &(struct fsi_timeline_criteria){ .free_tasks = room, .free_span = span }, FSI_ORDER_LAST));
	assert_int_equal(t.chosen[0].node, 1);
	HOLD(&t, 0, 9, 0, LIMIT, 2);
	fsi_timeline_find_own_nodes(&t, &two, 0, own);
	assert_true(fsi_timeline_choose_nodes(
		&t, &two, &(struct fsi_timeline_criteria){ .free_tasks = room, .free_span = span, .preferred = own },
		FSI_ORDER_LAST));
	assert_int_equal(t.chosen[0].node, 0);
	fsi_timeline_release(&t);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_holds_reduce_a_range_from_its_begin),
		cmocka_unit_test(a_range_of_one_moment_joins_only_ranges_beginning_then),
		cmocka_unit_test(a_range_of_one_moment_hides_earlier_ranges),
		cmocka_unit_test(only_a_contiguous_range_of_sufficient_length_counts),
		cmocka_unit_test(ends_inside_an_admitting_reservation_do_not_split_a_range),
		cmocka_unit_test(own_nodes_of_a_job_are_preferred),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
