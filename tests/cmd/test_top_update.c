/* fs-top: how keys, changes of the terminal's size and new snapshots change the model. */
#include "screened.h"
#include "top/list.h"

static struct list *queue(struct model *m)
{
	return &m->list[VIEW_QUEUE];
}

static void expect_place(struct model *m, const char *keys, size_t sel)
{
	screened_keys(m, keys);
	assert_int_equal(queue(m)->sel, sel);
	screened_check(m);
}

static void keys_move_within_the_rows(void **state)
{
	struct model m;
	struct layout at;

	(void)state;
	screened_open_jobs(&m, 50, 80, 24);
	model_get_row_layout(&m, &at);
	const size_t page = at.list_rows - 1;

	expect_place(&m, "k", 0);
	expect_place(&m, "j Down", 2);
	expect_place(&m, "PgDn", 2 + page);
	expect_place(&m, "PgUp", 2);
	expect_place(&m, "PgUp", 0);
	expect_place(&m, "G", 49);
	expect_place(&m, "j", 49);
	expect_place(&m, "PgDn k", 48);
	expect_place(&m, "Home", 0);
	expect_place(&m, "End Up", 48);
	expect_place(&m, "g ctrl-f", page);
	expect_place(&m, "ctrl-b", 0);
	assert_int_equal(screened_keys(&m, "q"), REACT_QUIT);
	model_free_data(&m);
}

static void lists_of_no_and_one_row_accept_all_keys(void **state)
{
	static const char keys[] = "j k g G PgDn PgUp Space c I > < F5 Enter Esc n N / x Enter \\ x Esc y Esc Tab j Enter Esc "
				   "Space + - t Tab j Enter Tab F2 j Space Enter F6 j Enter P Esc [ ] u Enter A Tab Esc";

	(void)state;
	for (unsigned jobs = 0; jobs < 2; jobs++) {
		struct model m;

		screened_open_jobs(&m, jobs, 80, 24);
		for (unsigned i = 0; i < 2; i++) {
			screened_keys(&m, keys);
			screened_check(&m);
		}
		assert_true(queue(&m)->sel < 1);
		assert_true(queue(&m)->top < 1);
		model_free_data(&m);
	}
}

static void screens_of_any_size_are_valid(void **state)
{
	static const unsigned sizes[][2] = { { 1, 1 },  { 10, 3 }, { 19, 5 }, { 20, 4 },
					     { 20, 5 }, { 21, 6 }, { 1, 50 }, { 300, 1 } };
	struct model m;

	(void)state;
	screened_open_jobs(&m, 30, 80, 24);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		screened_event(&m, &(struct event){ .kind = EV_RESIZE, .x = sizes[i][0], .y = sizes[i][1] });
		screened_check(&m);
		screened_keys(&m, "j G k PgUp Enter PgDn Esc Tab j Tab Tab Tab Tab / 2 Esc F6 j Esc F2 Esc ? PgDn Esc y Esc G");
		screened_check(&m);
		assert_int_equal(queue(&m)->sel, 29);
		assert_int_equal(screened_shows(&m, "too small") || sizes[i][0] < 9, sizes[i][0] < 20 || sizes[i][1] < 5);
	}
	model_free_data(&m);
}

static void the_selected_row_stays_on_the_screen(void **state)
{
	struct model m;
	struct layout at;
	unsigned seed = 7;

	(void)state;
	screened_open_jobs(&m, 60, 80, 24);
	screened_keys(&m, "G k k");
	for (unsigned i = 0; i < 200; i++) {
		seed = seed * 1103515245u + 12345u;
		screened_event(
			&m,
			&(struct event){ .kind = EV_RESIZE, .x = 20 + (seed >> 20) % 200, .y = 5 + (seed >> 10) % 60 });
		model_get_row_layout(&m, &at);
		assert_int_equal(screened_job(&m), 58);
		assert_true(queue(&m)->top <= 57 && 57 < queue(&m)->top + at.list_rows);
		assert_true(queue(&m)->top + at.list_rows <= 60 || !queue(&m)->top);
	}
	model_free_data(&m);
}

/* ---- a new snapshot replaces the present one */

static void a_new_snapshot_keeps_the_selected_job(void **state)
{
	struct model m;
	char *less = screened_jobs(11, 60, 25), *without = screened_jobs(11, 60, 40);

	(void)state;
	screened_open_jobs(&m, 60, 80, 24);
	for (unsigned i = 1; i < 40; i++)
		screened_keys(&m, "j");
	assert_int_equal(screened_job(&m), 40);
	const size_t above = queue(&m)->sel - queue(&m)->top;

	screened_reload(&m, less); /* the new snapshot lacks eleven jobs before the selected job */
	assert_int_equal(screened_job(&m), 40);
	assert_int_equal(queue(&m)->sel, 28);
	assert_int_equal(queue(&m)->sel - queue(&m)->top, above);
	assert_true(screened_shows(&m, "^11"));
	/* the selected job is missing, and a job ahead of it is back: the selection stays at its position in the
	 * list */
	screened_reload(&m, without);
	assert_int_equal(queue(&m)->sel, 28);
	assert_int_equal(screened_job(&m), 39);
	screened_keys(&m, "F");
	screened_reload(&m, less); /* the selection does not follow the job */
	assert_int_equal(queue(&m)->sel, 28);
	assert_int_equal(screened_job(&m), 40);
	screened_check(&m);
	model_free_data(&m);
	free(less);
	free(without);
}

static void a_new_snapshot_keeps_filter_order_and_tags(void **state)
{
	struct model m;
	char *less = screened_jobs(11, 60, 25);

	(void)state;
	screened_open_jobs(&m, 60, 80, 24);
	screened_keys(&m, "\\ b o b Enter > > > > I j j Space j Space");
	assert_int_equal(list_count_rows(queue(&m)), 30);
	const size_t sort = queue(&m)->sort;
	const uint64_t job = screened_job(&m), tag = m.tags.key[0].job;

	screened_reload(&m, less);
	assert_int_equal(list_count_rows(queue(&m)), 25);
	assert_int_equal(queue(&m)->sort, sort);
	assert_true(queue(&m)->inverted);
	assert_int_equal(screened_job(&m), job);
	assert_int_equal(m.tags.n, 2);
	assert_int_equal(m.tags.key[0].job, tag);
	screened_keys(&m, "c");
	assert_int_equal(m.mode, MODE_TEXT);
	screened_check(&m);
	model_free_data(&m);
	free(less);
}

static void a_new_snapshot_keeps_the_folds_of_the_tree(void **state)
{
	struct model m;

	(void)state;
	screened_open(&m, SLURM_HEAD, 80, 24);
	m.view = VIEW_SHARES;
	screened_keys(&m, "j Left");
	assert_int_equal(list_count_rows(&m.list[VIEW_SHARES]), 3);
	screened_reload(&m, SLURM_HEAD REC("association", "'id':9,'account':'early','parent':'root','shares':1,'usage_tres_s':0")
			REC("association", "'id':10,'account':'early','user':'eve','shares':1,'usage_tres_s':0"));
	assert_int_equal(list_count_rows(&m.list[VIEW_SHARES]), 5);
	assert_true(screened_shows(&m, "+ lab"));
	assert_true(screened_shows(&m, "eve"));
	screened_check(&m);
	model_free_data(&m);
}

static void what_ifs_wait_until_new_data_is_loaded(void **state)
{
	struct model m;

	(void)state;
	screened_open_jobs(&m, 3, 80, 24);
	screened_event(&m, &(struct event){ .kind = EV_LOADING });
	assert_int_equal(screened_keys(&m, "i N i c e = 1 Enter"), 0);
	assert_true(screened_shows(&m, "new data is being loaded; try again afterwards"));
	screened_check(&m);
	model_free_data(&m);
}

/* ---- filters, searches, orders */

static void filters_and_searches_can_be_combined(void **state)
{
	struct model m;

	(void)state;
	screened_open_jobs(&m, 60, 80, 24);
	screened_keys(&m, "\\ a n n a Enter");
	assert_int_equal(list_count_rows(queue(&m)), 30);
	screened_keys(&m, "/ r u n 2 Enter");
	assert_int_equal(screened_job(&m), 21);
	screened_keys(&m, "n");
	assert_int_equal(screened_job(&m), 23);
	screened_keys(&m, "N N");
	assert_int_equal(screened_job(&m), 29); /* the search backwards continues at the end of the list */
	screened_keys(&m, "/ z z Esc");
	assert_int_equal(screened_job(&m), 29); /* Esc selects the row in which the search began */
	screened_keys(&m, "u b o b Enter"); /* no job belongs to both anna and bob */
	assert_int_equal(list_count_rows(queue(&m)), 0);
	assert_true(screened_shows(&m, "no row matches the filter"));
	screened_check(&m);
	screened_keys(&m, "n j Enter Space c G k");
	screened_check(&m);
	screened_keys(&m, "Esc");
	assert_int_equal(list_count_rows(queue(&m)), 60);
	screened_keys(&m, "P s Tab Enter");
	assert_string_equal(queue(&m)->filter.partition, "short");
	assert_int_equal(list_count_rows(queue(&m)), 40);
	screened_keys(&m, "]");
	assert_string_equal(queue(&m)->filter.partition, "long");
	screened_keys(&m, "]");
	assert_string_equal(queue(&m)->filter.partition, "");
	screened_keys(&m, "A l a Tab Enter");
	assert_int_equal(list_count_rows(queue(&m)), 60);
	model_free_data(&m);
}

static void sorting_keeps_the_selected_job(void **state)
{
	struct model m;

	(void)state;
	screened_open_jobs(&m, 60, 160, 40);
	screened_keys(&m, "j j j j j j j");
	for (unsigned i = 0; i < 30; i++) {
		screened_keys(&m, i % 3 ? ">" : "I");
		assert_int_equal(screened_job(&m), 8);
		screened_check(&m);
	}
	model_free_data(&m);
}

static void many_rows_are_sorted_in_slices(void **state)
{
	enum { JOBS = 20000, CPUS = 11 };
	struct model m;
	struct sorted_rows whole;
	size_t slices = 0;

	(void)state;
	screened_open_jobs(&m, JOBS, 80, 24);
	screened_keys(&m, "j j j");
	queue(&m)->sort = CPUS;
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = 'I' });
	assert_true(list_is_being_sorted(queue(&m)));
	assert_int_equal(screened_job(&m), 4);
	assert_true(screened_shows(&m, "sorting"));
	while (model_continue_work(&m))
		slices++;
	assert_true(slices > 2);
	assert_false(list_is_being_sorted(queue(&m)));
	assert_int_equal(screened_job(&m), 4);
	assert_int_equal(sort_rows_by_column(&view_queue, m.data, CPUS, m.data->visible_rows,
					     m.data->nvisible_rows, &whole),
			 0);
	for (size_t i = 0; i < JOBS; i++)
		assert_int_equal(whole.row[JOBS - 1 - i], list_get_row_at(queue(&m), i));
	for (size_t i = 1; i < JOBS; i++) {
		struct view_column c;
		struct value a, b;

		view_column_get(&view_queue, m.data, CPUS, &c);
		view_queue.value(m.data, whole.row[i - 1], &c, &a);
		view_queue.value(m.data, whole.row[i], &c, &b);
		assert_true(value_to_number(&a) > value_to_number(&b) ||
			    (value_to_number(&a) == value_to_number(&b) && whole.row[i - 1] < whole.row[i]));
	}
	free(whole.row);
	/* a key typed during a sort selects another column; the list is then sorted by that column */
	screened_keys(&m, "<");
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = '>' });
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = '<' });
	while (model_continue_work(&m))
		;
	assert_false(list_is_being_sorted(queue(&m)));
	model_free_data(&m);
}

static void filtering_continues_between_keys(void **state)
{
	struct model m;

	(void)state;
	screened_open_jobs(&m, 20000, 80, 24);
	screened_keys(&m, "\\");
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = 'b' });
	assert_true(list_count_rows(queue(&m)) < 10000);
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = 'o' });
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = CODE_ENTER });
	screened_check(&m);
	while (model_continue_work(&m))
		screened_check(&m);
	assert_int_equal(list_count_rows(queue(&m)), 10000);
	model_free_data(&m);
}

/* ---- texts */

static void explanations_appear_when_they_are_ready(void **state)
{
	struct model m;
	struct explanation_request q, old;
	struct lines words = { 0 };

	(void)state;
	screened_open_jobs(&m, 5, 80, 40);
	assert_true(model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = CODE_ENTER }) & REACT_WORDS);
	assert_true(model_needs_explanation(&m, &old));
	assert_true(screened_shows(&m, "working"));
	assert_true(screened_shows(&m, "PRIORITY"));
	/* another job is selected before the explanation of the first job arrives */
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = CODE_ESC });
	model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = 'j' });
	assert_true(model_update_on_event(&m, &(struct event){ .kind = EV_KEY, .key = CODE_ENTER }) & REACT_WORDS);
	lines_add_formatted(&words, ATTR_PLAIN, "%s", "words of the first");
	model_update_on_event(&m, &(struct event){ .kind = EV_WORDS, .request = &old, .words = &words });
	assert_false(screened_shows(&m, "words of the first"));
	assert_true(screened_shows(&m, "working"));
	assert_true(model_needs_explanation(&m, &q));
	model_update_on_event(&m, &(struct event){ .kind = EV_WORDS, .request = &q, .words = &words });
	assert_true(screened_shows(&m, "words of the first"));
	assert_false(screened_shows(&m, "working"));
	assert_false(model_needs_explanation(&m, &q));
	lines_free_all(&words);
	screened_check(&m);
	model_free_data(&m);
}

static struct data *of_same_snapshot(fs_snapshot *s, bool without_queue, bool borrow)
{
	const struct data_options o = { .view.viewer = "root", .queue = &view_queue, .sorted_by = SIZE_MAX,
					.without_queue = without_queue, .borrow = borrow };
	struct data *d;
	struct fs_error err;

	fst_no_error(data_make_from_snapshot(&d, s, NULL, &o, NULL, &err), &err);
	return d;
}

static void jobs_are_not_shown_before_they_are_in_order(void **state)
{
	static const char keys[] = "j k G PgDn Space c I > < Enter Esc n / x Enter \\ x Esc Tab j Enter Esc Space t Tab j Enter "
				   "Esc Tab j Esc F2 j Space Enter Esc F6 j Enter P u Enter Tab Esc";
	char *text = screened_jobs(1, 40, 0);
	struct model m;

	(void)state;
	assert_int_equal(model_init_with_data(&m, of_same_snapshot(fst_snapshot(text), true, false), 120, 30), 0);
	assert_true(m.data->unordered);
	assert_true(screened_shows(&m, "[Queue]"));
	assert_true(screened_shows(&m, "sorting the queue"));
	assert_true(screened_shows(&m, "running 0"));
	assert_false(screened_shows(&m, "pending"));
	screened_check(&m);
	screened_keys(&m, "Tab G");
	assert_true(screened_shows(&m, "shop"));
	assert_int_equal(screened_keys(&m, "Enter") & REACT_WORDS, 0);
	screened_keys(&m, "Esc Tab");
	assert_true(screened_shows(&m, "sorting the queue"));
	assert_false(screened_shows(&m, "short"));
	screened_keys(&m, "Tab");
	assert_true(screened_shows(&m, "sorting the queue"));
	screened_keys(&m, "Tab");
	for (unsigned i = 0; i < 2; i++) {
		screened_keys(&m, keys);
		screened_check(&m);
	}
	model_free_data(&m);

	assert_int_equal(model_init_with_data(&m, of_same_snapshot(fst_snapshot(text), true, false), 120, 30), 0);
	screened_event(&m, &(struct event){ .kind = EV_DATA, .data = of_same_snapshot(m.data->snapshot, false, true) });
	data_free_results(model_take_retired_data(&m));
	assert_false(m.data->unordered);
	assert_true(screened_shows(&m, "pending 40"));
	assert_int_equal(screened_job(&m), 1);
	screened_check(&m);
	model_free_data(&m);
	free(text);
}

static void help_explains_the_chosen_column(void **state)
{
	struct model m;

	(void)state;
	screened_open_jobs(&m, 5, 80, 24);
	screened_keys(&m, "?");
	assert_false(screened_shows(&m, "THIS COLUMN"));
	screened_keys(&m, "Esc F6 j j j ?");
	assert_true(screened_shows(&m, "THIS COLUMN"));
	assert_true(screened_shows(&m, "JOBID"));
	screened_keys(&m, "Esc");
	assert_int_equal(m.mode, MODE_MENU);
	screened_keys(&m, "Enter ?");
	assert_true(screened_shows(&m, "THIS COLUMN"));
	model_free_data(&m);
}

static void the_same_keys_give_the_same_screen(void **state)
{
	static const char keys[] = "j j Space j Space > > I \\ b Enter / 4 Enter Tab j Space Tab Tab c PgDn Esc F2 j Space Enter";
	struct model a, b;
	char left[400], right[400];

	(void)state;
	screened_open_jobs(&a, 60, 100, 30);
	screened_open_jobs(&b, 60, 100, 30);
	screened_keys(&a, keys);
	screened_keys(&b, keys);
	for (unsigned y = 0; y < 30; y++)
		assert_string_equal(screened_row(&a, y, left, sizeof(left)), screened_row(&b, y, right, sizeof(right)));
	model_free_data(&a);
	model_free_data(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_move_within_the_rows),
		cmocka_unit_test(lists_of_no_and_one_row_accept_all_keys),
		cmocka_unit_test(screens_of_any_size_are_valid),
		cmocka_unit_test(the_selected_row_stays_on_the_screen),
		cmocka_unit_test(a_new_snapshot_keeps_the_selected_job),
		cmocka_unit_test(a_new_snapshot_keeps_filter_order_and_tags),
		cmocka_unit_test(a_new_snapshot_keeps_the_folds_of_the_tree),
		cmocka_unit_test(what_ifs_wait_until_new_data_is_loaded),
		cmocka_unit_test(filters_and_searches_can_be_combined),
		cmocka_unit_test(sorting_keeps_the_selected_job),
		cmocka_unit_test(many_rows_are_sorted_in_slices),
		cmocka_unit_test(filtering_continues_between_keys),
		cmocka_unit_test(explanations_appear_when_they_are_ready),
		cmocka_unit_test(jobs_are_not_shown_before_they_are_in_order),
		cmocka_unit_test(help_explains_the_chosen_column),
		cmocka_unit_test(the_same_keys_give_the_same_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
