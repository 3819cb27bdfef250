/* fairshare/: Maui's targets, floors, ceilings, caps, DEFAULT, and the order of its lists. */
#include "fsmaui.h"

#include "model/maui.h"

static void names_hash_to_mauis_slots(void **state)
{
	(void)state;
	assert_int_equal(fsi_maui_hash_name("mary"), 29);
	assert_int_equal(fsi_maui_hash_name("john"), 894);
	assert_int_equal(fsi_maui_hash_name("DEFAULT"), 914);
	assert_int_equal(fsi_maui_hash_name("averylongusername"), 776);
	assert_int_equal(fsi_maui_hash_name("."), 1); /* Maui never uses hash slot 0 */
}

/* Users who used 100 s in total: one over, one under and one at the target of 20 %. */
#define CREDENTIAL(name, target, mode) \
	REC("credential", "'kind':'user','name':'" name "','target':" target ",'target_mode':'" mode "'")
#define USED(name, seconds) \
	REC("window", "'start':1599998400,'kind':'user','name':'" name "','usage_s':" seconds)
#define TOTAL(seconds) REC("window", "'start':1599998400,'kind':'sched','usage_s':" seconds)
#define CONFIG(policy) REC("config", "'FSPOLICY':'" policy "','FSDEPTH':1")

static void factors_follow_the_target_mode(void **state)
{
	static const struct {
		const char *mode;
		double over, under, over_ratio, under_ratio;
		bool over_marked, under_marked;
	} all[] = {
		{ "target", -10, 18, -0.5, 0.9, true, true }, { "floor", 0, 18, 0, 0.9, false, true },
		{ "ceiling", -10, 0, -0.5, 0, true, false },  { "cap_rel", 0, 0, 0, 0, false, false },
		{ "cap_abs", 0, 0, 0, 0, false, false },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++)
		for (int ratio = 0; ratio < 2; ratio++) {
			char text[2000];

			snprintf(text, sizeof(text),
				 FST_MAUI_HEAD "{'type':'config','FSPOLICY':'DEDICATEDPS%s','FSDEPTH':1}\n"
				 "{'type':'credential','kind':'user','name':'over','target':20,'target_mode':'%s'}\n"
				 "{'type':'credential','kind':'user','name':'under','target':20,'target_mode':'%s'}\n"
				 "%s", ratio ? "%" : "", all[i].mode, all[i].mode,
				 USED("over", "30") USED("under", "2") TOTAL("100"));
			fs_snapshot *m = fst_snapshot(text);
			fs_windows *w = fst_windows(m);
			const struct fs_window_row *over = fst_window(w, FS_CRED_USER, "over");
			const struct fs_window_row *under = fst_window(w, FS_CRED_USER, "under");

			assert_near(over->factor, ratio ? all[i].over_ratio : all[i].over, 1e-12);
			assert_near(under->factor, ratio ? all[i].under_ratio : all[i].under, 1e-12);
			assert_int_equal(over->off_target, all[i].over_marked);
			assert_int_equal(under->off_target, all[i].under_marked);
			fs_windows_free(w);
			fs_snapshot_free(m);
		}
}

static void a_row_is_off_target_beyond_five_percentage_points(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD CONFIG("DEDICATEDPS") CREDENTIAL("at", "20", "target")
					      CREDENTIAL("past", "20", "target") USED("at", "25") USED("past", "25.01")
						      TOTAL("100"));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_false(fst_window(w, FS_CRED_USER, "at")->off_target);
	assert_true(fst_window(w, FS_CRED_USER, "past")->off_target);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

static void credentials_without_a_target_inherit_default(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD CONFIG("DEDICATEDPS") CREDENTIAL("own", "20", "target")
					      CREDENTIAL("zero", "0", "floor") CREDENTIAL("DEFAULT", "30", "ceiling")
						      USED("zero", "50") TOTAL("100"));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_false(fst_window(w, FS_CRED_USER, "own")->inherited);
	assert_true(fst_window(w, FS_CRED_USER, "zero")->inherited);
	assert_near(fst_window(w, FS_CRED_USER, "zero")->target, 30, 0);
	assert_near(fst_window(w, FS_CRED_USER, "zero")->factor, -20, 1e-12);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

static void factors_are_zero_without_total_usage(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD CONFIG("DEDICATEDPS") CREDENTIAL("u", "20", "target")
					      USED("u", "5"));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_near(fst_window(w, FS_CRED_USER, "u")->factor, 0, 0);
	assert_near(fst_window(w, FS_CRED_USER, "u")->percent, 0, 0);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

/* Returns true if a cap holds back a job of 4 processors for 60 s. */
static bool capped(const char *policy, const char *credentials, struct fs_cap_row *cap)
{
	char text[3000];
	bool is;

	snprintf(text, sizeof(text), FST_MAUI_HEAD "{'type':'config','FSPOLICY':'%s','FSINTERVAL':43200,'FSDEPTH':1}\n%s%s", policy,
		 credentials,
		 REC("node", "'name':'n','cpus':16,'mem_mb':1024") USED("u", "1000") TOTAL("10000")
			 REC("job", "'id':1,'state':'PENDING','user':'u','group':'g','cpus':4,'tasks':4,"
				    "'cpus_per_task':1,'time_limit_s':60"));
	fs_snapshot *m = fst_snapshot(text);
	fs_windows *w = fst_windows(m);

	is = fs_windows_capped(w, 0, cap);
	if (is)
		cap->name = cap->name[0] == 'u' ? "u" : "other";
	fs_windows_free(w);
	fs_snapshot_free(m);
	return is;
}

static void caps_hold_back_jobs_that_would_exceed_them(void **state)
{
	static const struct {
		const char *credentials;
		bool held;
	} all[] = {
		{ CREDENTIAL("u", "1239", "cap_abs"), true },
		/* the usage with the job equals the cap, which is allowed */
		{ CREDENTIAL("u", "1240", "cap_abs"), false },
		{ CREDENTIAL("u", "1241", "cap_abs"), false },
		{ CREDENTIAL("u", "12.39", "cap_rel"), true },
		{ CREDENTIAL("u", "12.41", "cap_rel"), false },
		{ CREDENTIAL("u", "5", "target"), false },
		/* Maui compares the value of a usage target with 0, not with usage: a negative target holds every job
		 * of the user */
		{ CREDENTIAL("u", "-5", "target"), true },
		{ CREDENTIAL("DEFAULT", "1000", "cap_abs") REC("credential", "'kind':'user','name':'u'"), false },
		{ CREDENTIAL("u", "5000", "cap_abs") REC("credential", "'kind':'group','name':'g','target':200,"
								       "'target_mode':'cap_abs'"), true },
	};
	struct fs_cap_row cap;

	(void)state;
	for (size_t i = 0; i < FST_COUNT(all); i++) {
		assert_int_equal(capped("DEDICATEDPS", all[i].credentials, &cap), all[i].held);
		assert_false(capped("NONE", all[i].credentials, &cap));
	}
	assert_true(capped("DEDICATEDPS", all[0].credentials, &cap));
	assert_int_equal(cap.kind, FS_CRED_USER);
	assert_near(cap.cap, 1239, 0);
	assert_near(cap.usage, 1000, 0);
	assert_near(cap.need, 240, 0);
	assert_true(capped("DEDICATEDPS", all[3].credentials, &cap));
	assert_near(cap.usage + cap.need, 12.4, 1e-12);
	/* with FSPOLICY DEDICATEDPES, the usage that the job would add is its number of processors */
	assert_false(capped("DEDICATEDPES", CREDENTIAL("u", "1004", "cap_abs"), &cap));
	assert_true(capped("DEDICATEDPES", CREDENTIAL("u", "1003", "cap_abs"), &cap));
	assert_near(cap.need, 4, 0);
}

static void names_in_the_same_slot_are_listed_by_position(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("credential", "'kind':'user','name':'aga','position':1")
					      REC("credential", "'kind':'user','name':'aar','position':0"));
	uint32_t *order;

	(void)state;
	assert_int_equal(fsi_maui_hash_name("aar"), fsi_maui_hash_name("aga"));
	assert_int_equal(fsi_maui_list_credentials(m, FS_CRED_USER, &order), 2);
	/* both names have the same hash slot: `aar` gets the slot, because its position is lower */
	assert_int_equal(order[0], 1);
	assert_int_equal(order[1], 0);
	free(order);
	fs_snapshot_free(m);
}

static void windows_are_available_as_shares(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD CONFIG("DEDICATEDPS") CREDENTIAL("u", "20", "target")
					      USED("u", "30") TOTAL("100"));
	fs_shares *s = fst_shares(m, NULL);
	const struct fs_share_row *r = fst_row(s, "user", "u");

	(void)state;
	assert_string_equal(fs_shares_algorithm(s), "maui");
	assert_near(r->norm_shares, 0.2, 1e-15);
	assert_near(r->effective_usage, 0.3, 1e-15);
	assert_near(r->fairshare, -10, 1e-12);
	assert_near(r->raw_usage, 30, 0);
	assert_int_equal(fs_shares_tres(s, r->row, FS_SHARE_TRES_USAGE, NULL, 0), FS_ENODATA);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void invalid_credentials_windows_and_depths_are_refused(void **state)
{
	struct fs_error err;
	fs_windows *w;
	fs_shares *s;
	const struct fs_view o = { .algorithm = "maui" };
	fs_snapshot *m = fst_snapshot(FST_HEAD);

	(void)state;
	assert_int_equal(fs_shares_compute(&s, m, &o, &err), FS_ENODATA);
	assert_non_null(strstr(err.message, "no credentials"));
	fs_snapshot_free(m);
	fst_refuses(FST_MAUI_HEAD REC("credential", "'kind':'planet','name':'x'"), 2, "kind", "planet");
	fst_refuses(FST_MAUI_HEAD REC("credential", "'kind':'user','name':'x','target_mode':'roof'"), 2, "target_mode",
		    "roof");
	fst_refuses(FST_MAUI_HEAD REC("credential", "'kind':'user','name':'x'")
			    REC("credential", "'kind':'user','name':'x'"), 3, "name", "twice");
	fst_refuses(FST_MAUI_HEAD REC("window", "'start':0,'kind':'user','usage_s':1"), 2, "name", "missing");
	m = fst_snapshot(FST_MAUI_HEAD REC("config", "'FSDEPTH':25") CREDENTIAL("u", "20", "target"));
	assert_int_equal(fs_windows_compute(&w, m, &err), FS_EDATA);
	assert_int_equal(err.line, 2);
	assert_string_equal(err.field, "FSDEPTH");
	fs_snapshot_free(m);
}

#define GROUP(name, seconds) \
	REC("window", "'start':1599998400,'kind':'group','name':'" name "','usage_s':" seconds)

/* Each kind of credential has a row above the rows of its credentials. Only credentials of the kind "user" are counted
 * as users. */
static void each_kind_has_a_row_above_its_credentials(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("config", "'FSPOLICY':'DEDICATEDPS','FSDEPTH':2") CREDENTIAL("a", "20", "target")
					      CREDENTIAL("b", "20", "target") CREDENTIAL("c", "20", "target")
					      REC("credential", "'kind':'group','name':'g'")
					      REC("credential", "'kind':'group','name':'h'") USED("a", "60")
					      USED("b", "30") USED("c", "10") GROUP("g", "70") GROUP("h", "30") TOTAL("100"));
	static const char *const names[] = { "root", "user", "", "", "", "group", "g", "h" };
	const size_t below[] = { 0, 0, 1, 1, 1, 0, 5, 5 };
	struct fs_error err;
	fs_shares *s;

	(void)state;
	fst_no_error(fs_shares_compute(&s, m, NULL, &err), &err);
	assert_int_equal(fs_shares_count(s), FST_COUNT(names));
	for (size_t i = 0; i < FST_COUNT(names); i++) {
		if (*names[i])
			assert_string_equal(fs_shares_row(s, i)->account, names[i]);
		if (i)
			assert_string_equal(fs_shares_row(s, i)->parent, names[below[i]]);
	}
	assert_int_equal(fs_shares_users(s), 3);
	fs_shares_free(s);
	fs_snapshot_free(m);
}

static void windows_start_one_interval_apart(void **state)
{
	fs_snapshot *m = fst_snapshot(FST_MAUI_HEAD REC("config", "'FSPOLICY':'DEDICATEDPS','FSDEPTH':3,'FSINTERVAL':43200")
					      CREDENTIAL("a", "20", "target") USED("a", "60") TOTAL("60"));
	fs_windows *w = fst_windows(m);

	(void)state;
	assert_true(fs_windows_start(w, 0) > 0);
	assert_int_equal(fs_windows_start(w, 0) - fs_windows_start(w, 1), fs_windows_info(w)->interval_s);
	assert_int_equal(fs_windows_start(w, 0) - fs_windows_start(w, 2), 2 * fs_windows_info(w)->interval_s);
	fs_windows_free(w);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_hash_to_mauis_slots),
		cmocka_unit_test(factors_follow_the_target_mode),
		cmocka_unit_test(a_row_is_off_target_beyond_five_percentage_points),
		cmocka_unit_test(credentials_without_a_target_inherit_default),
		cmocka_unit_test(factors_are_zero_without_total_usage),
		cmocka_unit_test(caps_hold_back_jobs_that_would_exceed_them),
		cmocka_unit_test(names_in_the_same_slot_are_listed_by_position),
		cmocka_unit_test(windows_are_available_as_shares),
		cmocka_unit_test(each_kind_has_a_row_above_its_credentials),
		cmocka_unit_test(windows_start_one_interval_apart),
		cmocka_unit_test(invalid_credentials_windows_and_depths_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
