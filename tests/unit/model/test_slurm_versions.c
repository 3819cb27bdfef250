/* model/slurm_versions: the table of differences between versions of Slurm. */
#include "fstest.h"

static void releases_are_read(void **state)
{
	(void)state;
	assert_int_equal(fs_slurm_release("22.05.8"), FS_SLURM_RELEASE(22, 5, 8));
	assert_int_equal(fs_slurm_release(" 26.11.0-0rc1"), FS_SLURM_RELEASE(26, 11, 0));
	assert_true(fs_slurm_release("24.05") > FS_SLURM_RELEASE(24, 5, 8));
	assert_true(fs_slurm_release("24.05") < FS_SLURM_VERSION(24, 11));
	assert_int_equal(fs_slurm_release("unknown"), 0);
	assert_int_equal(fs_slurm_release(""), 0);
}

static void features_apply_only_to_their_releases(void **state)
{
	(void)state;
	assert_false(fs_slurm_has(FS_SLURM_RELEASE(24, 5, 3), FS_SLURM_ACCRUE_SMALLEST));
	assert_true(fs_slurm_has(FS_SLURM_RELEASE(24, 5, 4), FS_SLURM_ACCRUE_SMALLEST));
	assert_true(fs_slurm_has(fs_slurm_release("24.05"), FS_SLURM_ACCRUE_SMALLEST));
	assert_false(fs_slurm_has(FS_SLURM_RELEASE(23, 11, 10), FS_SLURM_SPRIO_ID_LISTS_FAIL));
	assert_true(fs_slurm_has(FS_SLURM_RELEASE(25, 11, 2), FS_SLURM_SPRIO_ID_LISTS_FAIL));
	assert_false(fs_slurm_has(FS_SLURM_RELEASE(25, 11, 3), FS_SLURM_SPRIO_ID_LISTS_FAIL));
	assert_true(fs_slurm_has(FS_SLURM_OLDEST, FS_SLURM_ALWAYS));
}

/* Unknown and later versions are treated as the newest known version, earlier versions as the oldest. */
static void unknown_versions_are_treated_as_the_nearest_known_one(void **state)
{
	(void)state;
	for (enum fs_slurm_feature f = 0; f < FS_SLURM_FEATURES; f++) {
		const bool newest = fs_slurm_has(FS_SLURM_NEWEST, f);

		assert_int_equal(fs_slurm_has(0, f), newest);
		assert_int_equal(fs_slurm_has(FS_SLURM_VERSION(99, 5), f), newest);
		assert_int_equal(fs_slurm_has(FS_SLURM_VERSION(20, 11), f),
				 fs_slurm_has(FS_SLURM_OLDEST, f));
	}
	assert_int_equal(fs_slurm_unknown(0), 0);
	assert_int_equal(fs_slurm_unknown(FS_SLURM_RELEASE(20, 11, 9)), -1);
	assert_int_equal(fs_slurm_unknown(FS_SLURM_OLDEST), 0);
	assert_int_equal(fs_slurm_unknown(fs_slurm_release("26.11")), 0);
	assert_int_equal(fs_slurm_unknown(FS_SLURM_VERSION(27, 5)), 1);
}

static void each_difference_is_complete_and_in_order_of_releases(void **state)
{
	(void)state;
	for (enum fs_slurm_feature f = FS_SLURM_ALWAYS + 1; f < FS_SLURM_FEATURES; f++) {
		const struct fs_slurm_difference *d = fs_slurm_difference(f);

		assert_non_null(d->name);
		assert_true(strlen(d->what) > 10 && strlen(d->source) > 5);
		assert_true(d->since > FS_SLURM_OLDEST && d->since <= FS_SLURM_NEWEST);
		assert_true(!d->until || d->until > d->since);
		assert_true(d->since >= fs_slurm_difference(f - 1)->since);
		for (enum fs_slurm_feature g = 0; g < f; g++)
			assert_string_not_equal(fs_slurm_difference(g)->name, d->name);
	}
}

/* ---- the list of version differences in the manual */

static void put_release(struct fst_sink *s, unsigned version)
{
	const unsigned series = version / 100, micro = version % 100;

	fst_put(s, "%u.%02u", series / 100, series % 100);
	if (micro)
		fst_put(s, ".%u", micro);
}

/* Appends the list item of one version difference, in mdoc format. Each sentence begins on a new line. */
static void put_item(struct fst_sink *s, const struct fs_slurm_difference *d)
{
	fst_put(s, ".It Cm %s Pq since ", d->name);
	put_release(s, d->since);
	if (d->until) {
		fst_put(s, ", until ");
		put_release(s, d->until);
	}
	fst_put(s, "%s\n", d->followed ? "" : ", not followed");
	for (const char *p = d->what; *p; p++) {
		const bool ends = p[0] == '.' && p[1] == ' ';

		fst_write(s, ends ? ".\n" : p, ends ? 2 : 1);
		p += ends;
	}
	fst_write(s, "\n", 1);
}

static void put_list(struct fst_sink *s)
{
	for (enum fs_slurm_feature f = FS_SLURM_ALWAYS + 1; f < FS_SLURM_FEATURES; f++)
		put_item(s, fs_slurm_difference(f));
}

static void the_manual_lists_all_version_differences(void **state)
{
	static const char begin[] = ".\\\" versions\n.Bl -tag -width Ds\n";
	struct fst_sink want = { 0 };
	FILE *page = fopen("man/fs-tools.1", "r");
	char text[40000], *list, *end;

	(void)state;
	assert_non_null(page);
	text[fread(text, 1, sizeof(text) - 1, page)] = '\0';
	fclose(page);
	list = strstr(text, begin);
	assert_non_null(list);
	list += sizeof(begin) - 1;
	end = strstr(list, ".El\n");
	assert_non_null(end);
	*end = '\0';
	put_list(&want);
	assert_string_equal(list, want.data);
	fst_free(&want);
}

/* ---- warnings about unknown versions */

static void an_unknown_version_gives_a_warning(void **state)
{
	static const struct {
		const char *version, *says;
	} cases[] = {
		{ "22.05.0", NULL },
		{ "26.11.9", NULL },
		{ "27.05.1", "test: slurm 27.05.1 is newer than all known versions; treated as Slurm 26.11" },
		{ "21.08.8", "test: slurm 21.08.8 is older than all known versions; treated as Slurm 22.05" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[200];
		fs_snapshot *m;

		snprintf(text, sizeof(text),
			 "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm %s'}\n",
			 cases[i].version);
		m = fst_snapshot(text);
		assert_int_equal(fs_snapshot_warnings(m), cases[i].says != NULL);
		if (cases[i].says)
			assert_string_equal(fs_snapshot_warning(m, 0), cases[i].says);
		fs_snapshot_free(m);
	}
}

#define TRES(id, name) "{'type':'tres','id':" #id ",'name':'" name "'}\n"

/* Built-in TRES are sorted by id, the others by type and name, whatever their ids and the order in the file. */
static void site_tres_are_sorted_by_type_and_name(void **state)
{
	static const char *const want[] = { "cpu", "mem", "billing", "bb/datawarp", "gres/gpu",
					    "gres/gpu:a100", "gres/gpumem", "gres/gpuutil",
					    "license/alpha", "license/zeta" };
	static const char text[] =
		FST_HEAD TRES(1005, "license/zeta") TRES(5, "billing") TRES(1001, "gres/gpuutil")
			TRES(1, "cpu") TRES(1009, "bb/datawarp") TRES(1002, "gres/gpumem")
				TRES(1008, "license/alpha") TRES(2, "mem") TRES(1004, "gres/gpu:a100")
					TRES(1003, "gres/gpu");
	fs_snapshot *m = fst_snapshot(text);

	(void)state;
	assert_int_equal(fs_snapshot_tres_count(m), sizeof(want) / sizeof(*want));
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_string_equal(fs_snapshot_tres_name(m, i), want[i]);
	fs_snapshot_free(m);
}

/* Runs the tests. If $FS_LIST is set, prints the list of version differences for the manual instead. */
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(releases_are_read),
		cmocka_unit_test(features_apply_only_to_their_releases),
		cmocka_unit_test(unknown_versions_are_treated_as_the_nearest_known_one),
		cmocka_unit_test(each_difference_is_complete_and_in_order_of_releases),
		cmocka_unit_test(the_manual_lists_all_version_differences),
		cmocka_unit_test(an_unknown_version_gives_a_warning),
		cmocka_unit_test(site_tres_are_sorted_by_type_and_name),
	};

	if (getenv("FS_LIST")) {
		struct fst_sink s = { 0 };

		put_list(&s);
		fputs(s.data, stdout);
		fst_free(&s);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
