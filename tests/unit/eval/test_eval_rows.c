/* eval/: the rule for rows in the public headers: past the end, a function that returns a row returns NULL, and a
 * function that fills in a row returns false and leaves the caller's row unchanged. */
#include "fsprio.h"

#include "fs/compare.h"
#include "fs/forecast.h"
#include "fs/weights.h"

#define A_JOB(id, more) REC("job", "'id':" #id ",'user':'u','account':'root','partitions':['p'],'cpus':1," more)
#define SLURM \
	HEADER CONFIG("'PriorityWeightAge':100,'PriorityMaxAge':86400") \
	REC("tres", "'id':1,'name':'cpu'") REC("node", "'name':'n1','cpus':4,'partitions':['p']") \
	REC("partition", "'name':'p','state':'UP','total_nodes':1,'total_cpus':4") \
	REC("association", "'id':1,'account':'root','usage_tres_s':9") \
	REC("association", "'id':2,'account':'root','user':'u','shares':1,'usage_tres_s':9") \
	REC("grant", "'account':'root','kind':'lab','shares':144") \
	A_JOB(7, "'state':'RUNNING','start_time':1699999000,'time_limit_s':3600") \
	A_JOB(8, "'state':'PENDING','reason':'Priority','submit_time':1699999000,'eligible_time':1699999000,'time_limit_s':60")
#define LATER \
	REC("association", "'id':3,'account':'root','user':'v','shares':3,'usage_tres_s':0") \
	A_JOB(9, "'state':'PENDING','reason':'Priority','submit_time':1699999500,'eligible_time':1699999500,'time_limit_s':60")
#define MAUI \
	"{'type':'snapshot','format':1,'time':1699920100,'cluster':'c','scheduler':'maui 3.5'}\n" \
	REC("config", "'FSPOLICY':'DEDICATEDPS','FSINTERVAL':86400,'FSDEPTH':2,'FSDECAY':0.5,'RMPOLLINTERVAL':60") \
	REC("credential", "'kind':'user','name':'bob','target':10") \
	REC("window", "'start':1699920000,'kind':'user','name':'bob','usage_s':100") \
	REC("window", "'start':1699920000,'kind':'sched','usage_s':400") \
	REC("job", "'id':1,'name':'1','user':'bob','state':'PENDING'")
#define FLUX \
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'flux'}\n" \
	REC("association", "'id':1,'account':'root'") REC("association", "'id':2,'account':'root','user':'u','shares':1") \
	REC("job", "'id':9,'state':'PENDING','phase':'PRIORITY','account':'root','user':'u'")

struct site {
	fs_snapshot *m;
	struct fs_eval e;
};

static struct site site_of(const char *text)
{
	struct site s = { fst_snapshot(text), { 0 } };
	struct fs_error err;

	fst_no_error(fs_eval_compute(s.m, NULL, &s.e, &err), &err);
	return s;
}

static void close_site(struct site *s)
{
	fs_eval_release(&s->e);
	fs_snapshot_free(s->m);
}

/* Checks a function that fills in a row: it returns true for the last row; past the end it returns false and writes
 * nothing. */
#define FILLED(call, type, n)                                                     \
	do {                                                                      \
		type out, before;                                                 \
		size_t i = (n);                                                   \
	\
		memset(&out, 0x5a, sizeof(out));                                  \
		before = out;                                                     \
		assert_true(i > 0);                                               \
		assert_false(call);                                               \
		i = FS_NO_ROW;                                                    \
		assert_false(call);                                               \
		assert_memory_equal(&out, &before, sizeof(out));                  \
		i = (n) - 1;                                                      \
		assert_true(call);                                                \
	} while (0)

/* Checks a function that returns a row: the last row exists; past the end it returns NULL. */
#define LENT(call, n)                      \
	do {                               \
		size_t i = (n);            \
	\
		assert_true(i > 0);        \
		assert_null(call);         \
		i = FS_NO_ROW;             \
		assert_null(call);         \
		i = (n) - 1;               \
		assert_non_null(call);     \
	} while (0)

static void filled_rows_beyond_the_end_are_refused_and_unchanged(void **state)
{
	struct site s = site_of(SLURM);
	const size_t jobs = fs_snapshot_info(s.m)->jobs;
	struct fs_error err;
	fs_accrue *a;
	fs_plan *p;

	(void)state;
	FILLED(fs_snapshot_job(s.m, i, &out), struct fs_job, jobs);
	FILLED(fs_prios_row(s.e.prios, i, &out), struct fs_prio_row, fs_prios_count(s.e.prios));
	FILLED(fs_prios_label(s.e.prios, i, &out), struct fs_prio_row, fs_prios_count(s.e.prios));
	FILLED(fs_prios_brief(s.e.prios, i, &out), struct fs_prio_row, fs_prios_count(s.e.prios));
	FILLED(fs_prios_inputs(s.e.prios, i, 0, &out), struct fs_prio_inputs, fs_prios_count(s.e.prios));
	FILLED(fs_prios_inputs(s.e.prios, 0, i, &out), struct fs_prio_inputs, fs_prios_terms(s.e.prios));
	FILLED(fs_queue_row(s.e.queue, i, &out), struct fs_queue_row, fs_queue_count(s.e.queue));
	FILLED(fs_queue_place(s.e.queue, i, &out), struct fs_queue_place, fs_queue_count(s.e.queue));
	fst_no_error(fs_plan_compute(&p, s.m, NULL, &err), &err);
	FILLED(fs_plan_row(p, i, &out), struct fs_plan_row, fs_plan_count(p));
	fs_plan_free(p);
	fst_no_error(fs_accrue_compute(&a, s.m, 0, &err), &err);
	FILLED(fs_accrue_job(a, (uint32_t)i, &out), struct fs_accrue_row, jobs);
	fs_accrue_free(a);
	close_site(&s);
}

static void borrowed_rows_beyond_the_end_are_null(void **state)
{
	struct site s = site_of(SLURM), maui = site_of(MAUI), later = site_of(SLURM LATER);
	const struct fs_compared side = { .eval = &s.e }, side_later = { .eval = &later.e };
	struct fs_forecast_options o = FS_FORECAST_OPTIONS_INIT;
	struct fs_error err;
	fs_comparison *c;
	fs_forecast *f;
	fs_weights *w;
	fs_grants *g;

	(void)state;
	LENT(fs_shares_row(s.e.shares, i), fs_shares_count(s.e.shares));
	LENT(fs_windows_row(maui.e.windows, i), fs_windows_count(maui.e.windows));
	fst_no_error(fs_grants_compute(&g, s.m, &err), &err);
	LENT(fs_grants_row(g, i), fs_grants_count(g));
	fs_grants_free(g);
	fst_no_error(fs_weights_compute(&w, s.e.prios, &err), &err);
	LENT(fs_weights_row(w, i), fs_weights_count(w));
	fs_weights_free(w);
	fst_no_error(fs_compare(&c, &side, &side_later, &err), &err);
	LENT(fs_comparison_job(c, i), fs_comparison_jobs(c));
	LENT(fs_comparison_share(c, i), fs_comparison_shares(c));
	fs_comparison_free(c);
	o.eval = &s.e;
	o.until = 1700001000;
	o.points = 3;
	o.share_row = 1;
	o.job_row = FS_NO_ROW;
	fst_no_error(fs_forecast_compute(&f, s.m, &o, &err), &err);
	LENT(fs_forecast_point(f, FS_ASSUME_IDLE, i), fs_forecast_points(f));
	assert_null(fs_forecast_event(f, fs_forecast_events(f)));
	fs_forecast_free(f);
	assert_null(fs_snapshot_warning(s.m, fs_snapshot_warnings(s.m)));
	close_site(&later);
	close_site(&maui);
	close_site(&s);
}

static void spending_and_hold_rows_beyond_the_end_are_null(void **state)
{
	const struct fs_charge charge = { .job = 1, .row = 1, .tres_s = 5 };
	struct site s = site_of(SLURM), flux = site_of(FLUX);
	struct fs_error err;
	fs_spending *p;

	(void)state;
	fst_no_error(fs_spending_new(&p, s.m, &err), &err);
	assert_int_equal(fs_spending_charge(p, &charge), 0);
	fst_no_error(fs_spending_rank(p, NULL, &err), &err);
	LENT(fs_spending_row(p, i), fs_spending_count(p));
	fs_spending_free(p);
	LENT(fs_holds_row(flux.e.holds, 0, i), fs_holds_count(flux.e.holds, 0));
	assert_int_equal(fs_holds_count(flux.e.holds, FS_NO_ROW), 0);
	close_site(&flux);
	close_site(&s);
}

static void getters_accept_an_invalid_row_number(void **state)
{
	struct site s = site_of(SLURM), maui = site_of(MAUI);
	const struct fs_reason *reason = fs_reason_at(0);
	struct fs_cap_row cap;
	struct fs_tres tres;
	struct fs_verdict v;
	bool exact;

	(void)state;
	assert_null(fs_job_partition(s.m, FS_NO_ROW, 0));
	assert_null(fs_job_qos(s.m, FS_NO_ROW, 0));
	assert_false(fs_job_tres(s.m, FS_NO_ROW, 0, &tres));
	assert_false(fs_job_flag(s.m, FS_NO_ROW, "BACKFILL"));
	assert_false(fs_job_is_running(s.m, FS_NO_ROW));
	assert_int_equal(fs_job_tasks(s.m, FS_NO_ROW, &exact), 0);
	assert_int_equal(fs_job_section(s.m, FS_NO_ROW, &reason), FS_SECTION_OTHER);
	assert_null(reason);
	assert_int_equal(fs_prios_job_row(s.e.prios, fs_prios_count(s.e.prios)), FS_NO_ROW);
	assert_null(fs_prios_group(s.e.prios, 0));
	assert_int_equal(fs_queue_deciding_key(s.e.queue, 0, FS_NO_ROW), FS_QUEUE_KEY_NONE);
	assert_int_equal(fs_queue_verdict_kind(s.e.queue, FS_NO_ROW), FS_VERDICT_NONE);
	assert_int_equal(fs_queue_verdict(s.e.queue, FS_NO_ROW, &v), 0);
	assert_int_equal(v.kind, FS_VERDICT_NONE);
	fs_verdict_release(&v);
	assert_int_equal(fs_shares_tres(s.e.shares, FS_NO_ROW, FS_SHARE_TRES_LIMIT, &tres, 1), FS_ENODATA);
	assert_false(fs_windows_capped(maui.e.windows, FS_NO_ROW, &cap));
	close_site(&maui);
	close_site(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filled_rows_beyond_the_end_are_refused_and_unchanged),
		cmocka_unit_test(borrowed_rows_beyond_the_end_are_null),
		cmocka_unit_test(spending_and_hold_rows_beyond_the_end_are_null),
		cmocka_unit_test(getters_accept_an_invalid_row_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
