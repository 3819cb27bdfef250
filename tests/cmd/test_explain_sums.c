/* fs-explain: the printed lines of the sum add up to the total exactly, in thousands of random states. */
#include "explained.h"
#include "fsworld.h"

#include <inttypes.h>

/* Returns a printed decimal as a whole number of units of its last digit. */
static int64_t units(const char *s, int *digits)
{
	const char *dot = strchr(s, '.');
	int64_t v = 0;

	*digits = dot ? (int)strlen(dot + 1) : 0;
	for (const char *c = s; *c; c++)
		if (*c >= '0' && *c <= '9')
			v = v * 10 + (*c - '0');
	return *s == '-' ? -v : v;
}

static int64_t scaled(int64_t v, int from, int to)
{
	for (; from < to; from++)
		v *= 10;
	return v;
}

struct table {
	int digits;
	int64_t terms, sum, rest, total;
	size_t n;
	bool has_sum, has_total;
};

/* Splits a line into words. */
static size_t split(char *line, char **word, size_t max)
{
	size_t n = 0;

	for (char *w = strtok(line, " "); w && n < max; w = strtok(NULL, " "))
		word[n++] = w;
	return n;
}

static bool is_number(const char *s)
{
	return strspn(s, "-0123456789.") == strlen(s);
}

/* Reads the table row of a term: name (one or two words), value, weight and points. The value times the weight must be
 * the points. */
static void read_term(struct table *t, char **word, size_t n)
{
	const size_t at = !strcmp(word[0], "TRES") ? 2 : 1;
	int digits;

	assert_true(n >= at + 3);
	const int64_t points = units(word[at + 2], &digits);
	const double product = strtod(word[at], NULL) * strtod(word[at + 1], NULL);

	if (!t->n)
		t->digits = digits;
	assert_int_equal(digits, t->digits);
	assert_near(product, strtod(word[at + 2], NULL), 1.01 * pow(10, -digits) + 1e-12 * fabs(product));
	t->terms += points;
	t->n++;
}

static void read_line(struct table *t, const char *text)
{
	char line[400], *word[24];
	int digits;
	size_t n;

	snprintf(line, sizeof(line), "%s", text);
	n = split(line, word, 24);
	if (!n || strspn(text, " ") > 4 || !strcmp(word[0], "factor"))
		return; /* the line continues the note in the line before it */
	if (!strcmp(word[0], "sum")) {
		t->sum = units(word[1], &digits);
		if (!t->n) /* no term has points */
			t->digits = digits;
		assert_int_equal(digits, t->digits);
		t->has_sum = true;
	} else if (!strcmp(word[0], "PRIORITY")) {
		t->total = units(word[1], &digits);
		t->has_total = true;
	} else if (t->has_sum) {
		while (n > 0 && !is_number(word[n - 1]))
			n--;
		assert_true(n > 0);
		t->rest += units(word[n - 1], &digits);
		assert_int_equal(digits, t->digits);
	} else {
		read_term(t, word, n);
	}
}

static void read_table(struct table *t, const struct page *p)
{
	size_t i = 0;

	*t = (struct table){ 0 };
	while (i < p->n && strncmp(p->lines[i].text, "PRIORITY", 8) != 0)
		i++;
	assert_true(i < p->n);
	for (i++; i < p->n && !t->has_total; i++)
		if (!strstr(p->lines[i].text, "----"))
			read_line(t, p->lines[i].text);
	assert_true(t->has_sum && t->has_total);
}

static int width_of(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void check_job(const struct explained *e, uint32_t row, double held)
{
	struct table t;
	struct page p;

	explained_job(&p, e, row);
	for (size_t i = 0; i < p.n; i++)
		assert_true(width_of(p.lines[i].text) <= 80);
	read_table(&t, &p);
	assert_int_equal(t.terms, t.sum);
	assert_int_equal(t.sum + t.rest, scaled(t.total, 0, t.digits));
	assert_true((double)t.total == held);
	page_free_text(&p);
}

static void printed_lines_add_up(void **state)
{
	enum { ROUNDS = 120 };
	struct world *w = calloc(1, sizeof(*w));
	uint64_t seed = 4711;
	size_t checked = 0;

	(void)state;
	assert_non_null(w);
	for (int round = 0; round < ROUNDS; round++) {
		struct fst_sink s = { 0 };
		struct explained e;
		struct fs_prio_row r;

		draw(w, &seed);
		put_cluster(&s, w);
		put_jobs(&s, w);
		explained_open(&e, s.data, NULL);
		for (size_t i = 0; i < fs_prios_count(e.from.prios); i++, checked++) {
			fs_prios_row(e.from.prios, i, &r);
			check_job(&e, r.job_row, r.stored_priority);
		}
		explained_close(&e);
		fst_free(&s);
	}
	free(w);
	assert_true(checked == ROUNDS * JOBS_N);
}

/* Checks a sum that is in binary just below a whole number, sums below 1, sums above the 32-bit maximum, and sums with
 * a nice value. */
static void sums_near_whole_numbers_and_limits_add_up(void **state)
{
	static const struct {
		const char *weights, *job;
		double total;
	} cases[] = {
		{ "'PriorityWeightAge':3,'PriorityMaxAge':10", "'accrue_time':1699999999", 1 },
		{ "'PriorityWeightAge':10,'PriorityMaxAge':10", "'accrue_time':1699999999", 1 },
		{ "'PriorityWeightAge':1000,'PriorityMaxAge':3", "'accrue_time':1699999998,'nice':5000", 1 },
		{ "'PriorityWeightAge':1000,'PriorityMaxAge':3", "'accrue_time':1699999998,'nice':-2147483000", 2147483666 },
		{ "'PriorityWeightQOS':4294967295,'PriorityWeightAge':4294967295,'PriorityMaxAge':3",
		  "'accrue_time':1699999998,'qos':['high']", 4294967295.0 },
		{ "'PriorityWeightTRES':'mem=100','PriorityFlags':['NO_NORMAL_TRES']",
		  "'partitions':['p'],'tres_req':{'mem':999999}", 99999900 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[4000];
		struct explained e;

		snprintf(text, sizeof(text), HEADER CLUSTER CONFIG("%s") REC("job", "'id':1,'state':'PENDING',"
			 "'eligible_time':1000,%s"), cases[i].weights, cases[i].job);
		explained_open(&e, text, NULL);
		check_job(&e, 0, cases[i].total);
		explained_close(&e);
	}
}

/* Points with binary fractions must be printed so that their decimals add up to the truncated priority. */
static void decimals_agree_with_the_truncated_priority(void **state)
{
	char text[4000];
	struct explained e;

	(void)state;
	for (unsigned age = 1; age < 400; age++) {
		snprintf(text, sizeof(text),
			 HEADER CLUSTER CONFIG("'PriorityWeightAge':%u,'PriorityMaxAge':7,'PriorityWeightAssoc':3,"
					       "'PriorityWeightFairShare':%u")
				 JOB(1, "'accrue_time':%u,'user':'u','account':'root'"),
			 age * 7, age, 1700000000 - age % 7);
		struct fs_prio_row r;

		explained_open(&e, text, NULL);
		fs_prios_row(e.from.prios, 0, &r);
		check_job(&e, 0, r.stored_priority);
		explained_close(&e);
	}
}

/* ---- Flux and Maui */

static const char *choose(uint64_t *seed, const char *const *v, uint32_t n)
{
	return v[fst_below(seed, n)];
}

/* Covers sums that are rounded up, down or from one half, sums below 0, and bank priorities with fractions. */
static void flux_lines_add_up(void **state)
{
	static const char *const weights[] = { "100000", "1", "0.5", "333.25", "7" };
	static const char *const banks[] = { "0", "-3.75", "12.5", "0.123457" };
	uint64_t seed = 7;
	size_t lines[FS_STEPS] = { 0 };

	(void)state;
	for (int round = 0; round < 1500; round++) {
		char text[4000];
		struct explained e;
		struct fs_prio_row r;

		snprintf(text, sizeof(text),
			 "{'type':'snapshot','format':1,'time':1000,'cluster':'c','scheduler':'flux 0.80'}\n"
			 CONFIG("'weight_fairshare':%s,'weight_queue':%s,'weight_bank':%s,'weight_urgency':%s")
			 REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0")
			 REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0,'bank_priority':%s")
			 REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':5")
			 REC("partition", "'name':'q','priority':%u")
			 REC("job", "'id':1,'state':'PENDING','user':'u','account':'b','partitions':['q'],'urgency':%u,"
				    "'fairshare_ppm':%u"),
			 choose(&seed, weights, 5), choose(&seed, weights, 5), choose(&seed, weights, 5),
			 choose(&seed, weights, 5), choose(&seed, banks, 4), fst_below(&seed, 20),
			 1 + fst_below(&seed, 30), fst_below(&seed, 1000001));
		explained_open(&e, text, NULL);
		assert_int_equal(fs_prios_count(e.from.prios), 1);
		fs_prios_row(e.from.prios, 0, &r);
		for (size_t i = 0; i < r.nsteps; i++)
			lines[r.steps[i].step]++;
		check_job(&e, 0, r.stored_priority);
		explained_close(&e);
	}
	assert_true(lines[FS_STEP_ROUNDED] > 100 && lines[FS_STEP_CLAMPED] > 100);
}

/* Checks caps of terms and of components, sums below 1, and system priorities. */
static void maui_lines_add_up(void **state)
{
	static const char *const numbers[] = { "0", "1", "3", "10", "-2", "1000" };
	static const char *const caps[] = { "0", "2", "5", "70" };
	static const char *const negative[] = { "true", "false" };
	uint64_t seed = 11;
	size_t lines[FS_STEPS] = { 0 }, cuts = 0, groups = 0;

	(void)state;
	for (int round = 0; round < 1500; round++) {
		char text[4000];
		struct explained e;
		struct fs_prio_row r;

		snprintf(text, sizeof(text),
			 "{'type':'snapshot','format':1,'time':1600000777,'cluster':'c','scheduler':'maui'}\n"
			 CONFIG("'FSPOLICY':'DEDICATEDPS','FSDEPTH':3,'FSDECAY':0.7,'FSWEIGHT':%s,'FSUSERWEIGHT':%s,"
				"'FSUSERCAP':%s,'SERVICEWEIGHT':%s,'XFACTORWEIGHT':%s,'XFACTORCAP':%s,'SERVICEWCAP':%s,"
				"'RESWEIGHT':%s,'PROCWEIGHT':%s,'RESCAP':%s,'ENABLENEGJOBPRIORITY':%s")
			 REC("credential", "'kind':'user','name':'u','position':0,'target':%u,'target_mode':'target'")
			 REC("window", "'start':1599998400,'kind':'user','name':'u','usage_s':%u")
			 REC("window", "'start':1599998400,'kind':'sched','usage_s':100000")
			 REC("job", "'id':1,'state':'PENDING','submit_time':1600000000,'eligible_time':1600000000,"
				    "'time_limit_s':%u,'name':'1','user':'u','nodes':1,'cpus':%u,'tasks':1,"
				    "'cpus_per_task':1,'position':0,'priority_set':%u"),
			 choose(&seed, numbers, 6), choose(&seed, numbers, 6), choose(&seed, caps, 4),
			 choose(&seed, numbers, 6), choose(&seed, numbers, 6), choose(&seed, caps, 4),
			 choose(&seed, caps, 4), choose(&seed, numbers, 6), choose(&seed, numbers, 6),
			 choose(&seed, caps, 4), choose(&seed, negative, 2), fst_below(&seed, 60),
			 fst_below(&seed, 90000), 60 + fst_below(&seed, 90000), 1 + fst_below(&seed, 64),
			 fst_below(&seed, 8) ? 0 : fst_below(&seed, 500));
		explained_open(&e, text, NULL);
		assert_int_equal(fs_prios_count(e.from.prios), 1);
		fs_prios_row(e.from.prios, 0, &r);
		for (size_t i = 0; i < r.nsteps; i++)
			lines[r.steps[i].step]++;
		for (size_t t = 0; t < fs_prios_terms(e.from.prios); t++) {
			cuts += r.terms[t].cut > 0;
			groups += strstr(r.terms[t].name, "/cap") && r.terms[t].points != 0;
		}
		check_job(&e, 0, r.stored_priority);
		explained_close(&e);
	}
	assert_true(lines[FS_STEP_RAISED] > 50 && lines[FS_STEP_SYSTEM] > 50 && lines[FS_STEP_FRACTION] > 50);
	assert_true(cuts > 100 && groups > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printed_lines_add_up),
		cmocka_unit_test(sums_near_whole_numbers_and_limits_add_up),
		cmocka_unit_test(decimals_agree_with_the_truncated_priority),
		cmocka_unit_test(flux_lines_add_up),
		cmocka_unit_test(maui_lines_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
