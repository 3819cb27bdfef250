/* snapshot/: reading and writing of snapshots. Writing a snapshot and reading it again changes nothing. */
#include "fstest.h"
#include "model/tables.h"

/* A snapshot with the order and form of lines and fields that the writer produces. */
static const char canonical[] =
	"{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm "
	"22.05.8','captured_by':'ann','utc_offset_s':-3600,'priority_time':1699999990,"
	"'usage_source':'exact','hidden':['node'],'records':{'config':1,'tres':2,"
	"'association':3,'user':1,'qos':1,'partition':1,'reservation':1,'job':2,'recorded':1}}\n"
	"{'type':'config','PriorityWeightAge':1000,'PriorityFavorSmall':false,"
	"'PriorityFlags':['A','B'],'PriorityType':'priority/multifactor','X':0.25,'Empty':[]}\n"
	"{'type':'tres','id':1,'name':'cpu'}\n"
	"{'type':'tres','id':1001,'name':'gres/gpu'}\n"
	"{'type':'association','id':1,'account':'root','shares':1}\n"
	"{'type':'association','id':7,'account':'root','user':'root','shares':'parent',"
	"'usage_tres_s':0.1,'usage_by_tres_s':{'cpu':0.30000000000000004},"
	"'grp_wall_s':'unlimited','grp_tres':{}}\n"
	"{'type':'association','id':3,'account':'phys','parent':'root','shares':0,"
	"'qos':['normal','high']}\n"
	"{'type':'user','name':'ann','uid':4294967295,'admin':'none','coordinates':[]}\n"
	"{'type':'qos','name':'normal','priority':0,'usage_factor':1}\n"
	"{'type':'partition','name':'p','job_factor':1,'tres':{'cpu':64,"
	"'gres/gpu':9007199254740993},'max_time_s':'unlimited','is_default':true}\n"
	"{'type':'reservation','name':'r','start_time':0,'users':['ann']}\n"
	"{'type':'job','id':9007199254740993,'state':'PENDING','accrue_time':1699999000,"
	"'name':'a\\\\b \\u0007 \xc3\xa9','uid':0,'partitions':['p'],'nice':-2147483648}\n"
	"{'type':'job','id':18446744073709551615,'state':'UNKNOWN'}\n"
	"{'type':'recorded','job':9007199254740993,'priority':17.5,'tres':{'cpu':3}}\n";

static void canonical_text_is_written_unchanged(void **state)
{
	fs_snapshot *m = fst_snapshot(canonical);
	struct fst_sink s = fst_written(m);
	char *want = fst_quoted(canonical);

	(void)state;
	assert_string_equal(s.data, want);
	assert_int_equal(fs_snapshot_warnings(m), 0);
	free(want);
	fst_free(&s);
	fs_snapshot_free(m);
}

static void reads_of_any_size_give_the_same_snapshot(void **state)
{
	char *bytes = fst_quoted(canonical);

	(void)state;
	for (size_t step = 1; step < 200; step += 13) {
		struct fst_sink s;
		struct fs_error err;
		fs_snapshot *m;

		assert_int_equal(fst_try_bytes(bytes, strlen(bytes), step, &m, &err), 0);
		s = fst_written(m);
		assert_string_equal(s.data, bytes);
		fst_free(&s);
		fs_snapshot_free(m);
	}
	free(bytes);
}

static void the_header_is_reported(void **state)
{
	fs_snapshot *m = fst_snapshot(canonical);
	const struct fs_snapshot_info *i = fs_snapshot_info(m);

	(void)state;
	assert_string_equal(i->file, "test");
	assert_string_equal(i->cluster, "c");
	assert_string_equal(i->scheduler, "slurm 22.05.8");
	assert_string_equal(i->captured_by, "ann");
	assert_string_equal(i->usage_source, "exact");
	assert_int_equal(i->version, FS_SLURM_RELEASE(22, 5, 8));
	assert_int_equal(i->time, 1700000000);
	assert_true(i->priority_time_known);
	assert_int_equal(i->priority_time, 1699999990);
	assert_int_equal(i->utc_offset_s, -3600);
	assert_int_equal(i->associations, 3);
	assert_int_equal(i->jobs, 2);
	assert_true(fs_snapshot_hidden(m, "node"));
	assert_false(fs_snapshot_hidden(m, "job"));
	fs_snapshot_free(m);
	m = fst_snapshot(FST_HEAD);
	assert_false(fs_snapshot_info(m)->priority_time_known);
	assert_int_equal(fs_snapshot_info(m)->priority_time, 1700000000);
	assert_int_equal(fs_snapshot_info(m)->version, FS_SLURM_VERSION(26, 5));
	fs_snapshot_free(m);
}

/* A table of shares needs no jobs, except ended jobs in Slurm. */
static void jobs_are_left_out_on_request_unless_shares_need_them(void **state)
{
#define THREE \
	REC("job", "'id':1,'state':'PENDING'") REC("job", "'id':2,'state':'RUNNING'") REC("job", "'state':'RUNNING','id':3") \
	REC("job", "'id':4,'state':'COMPLETED'")
	static const struct {
		const char *text;
		bool without;
		size_t jobs;
	} all[] = {
		{ FST_HEAD THREE, false, 4 },
		/* without a configuration, the fair-share algorithm may be a classic one, which needs the jobs */
		{ FST_HEAD THREE, true, 4 },
		{ FST_HEAD REC("config", "'PriorityMaxAge':9") THREE, true, 1 },
		{ FST_HEAD REC("config", "'BOOT_TIME':1699999990") THREE, true, 1 },
		{ FST_HEAD REC("config", "'PriorityFlags':['NO_FAIR_TREE']") THREE, true, 4 },
		{ "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'flux 0.88.0'}\n" THREE, true, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct fs_read_options o = { .without_jobs = all[i].without };
		char *bytes = fst_quoted(all[i].text);
		struct fst_text t = { bytes, strlen(bytes), 0 };
		struct fs_error err;
		fs_snapshot *m = NULL;

		fst_no_error(fs_snapshot_read_with(&m, fst_read, &t, "test", &o, &err), &err);
		assert_int_equal(m->job.n, all[i].jobs);
		fs_snapshot_free(m);
		free(bytes);
	}
}

static void a_copy_has_the_same_records(void **state)
{
	fs_snapshot *m = fst_snapshot(canonical), *copy = NULL;
	struct fst_sink a, b;
	struct fs_error err;

	(void)state;
	fst_no_error(fs_snapshot_copy(&copy, m, &err), &err);
	a = fst_written(m);
	fs_snapshot_free(m);
	b = fst_written(copy);
	assert_string_equal(a.data, b.data);
	fs_snapshot_free(copy);
	fst_free(&a);
	fst_free(&b);
}

static void users_accounts_and_config_values_are_found(void **state)
{
	fs_snapshot *m = fst_snapshot(canonical);

	(void)state;
	assert_string_equal(fs_snapshot_user_name(m, UINT32_MAX), "ann");
	assert_null(fs_snapshot_user_name(m, 5));
	assert_true(fs_snapshot_has_user(m, NULL, "root"));
	assert_true(fs_snapshot_has_user(m, NULL, "ann"));
	assert_false(fs_snapshot_has_user(m, NULL, "phys"));
	assert_false(fs_snapshot_has_user(m, NULL, ""));
	assert_true(fs_snapshot_has_account(m, NULL, "phys"));
	assert_false(fs_snapshot_has_account(m, NULL, "ann"));
	assert_false(fs_snapshot_has_account(m, NULL, ""));
	assert_string_equal(fs_snapshot_config_text(m, "PriorityType"), "priority/multifactor");
	assert_null(fs_snapshot_config_text(m, "PriorityWeightAge"));
	assert_null(fs_snapshot_config_text(m, "NoSuch"));
	assert_int_equal(fs_snapshot_tres_count(m), 2);
	fs_snapshot_free(m);
}

/* Writes a value for a field of the type `type`. `n` selects the value. */
static void put_value(struct fst_sink *s, const char *type, unsigned n)
{
	if (!strcmp(type, "string"))
		fst_put(s, "'s%u'", n);
	else if (!strcmp(type, "boolean"))
		fst_put(s, "%s", n % 2 ? "true" : "false");
	else if (!strcmp(type, "job state"))
		fst_put(s, "'RUNNING'");
	else if (!strcmp(type, "list of strings"))
		fst_put(s, "['l%u','m%u']", n, n);
	else if (!strncmp(type, "object", 6))
		fst_put(s, "{'cpu':%u,'mem':%u}", n, n * 1000);
	else if (!strcmp(type, "number"))
		fst_put(s, "%u.125", n);
	else if (n % 3 == 0 && strstr(type, "unlimited"))
		fst_put(s, "'unlimited'");
	else
		fst_put(s, "%u", n);
}

/* Writes one record of each type with every field. */
static void put_every_field(struct fst_sink *s)
{
	struct fs_format_field f;
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++) {
		fst_put(s, "{'type':'%s'", type);
		for (unsigned k = 0; fs_format_field(i, k, &f); k++) {
			fst_put(s, ",'%s':", f.key);
			if (!strcmp(f.key, "format"))
				fst_put(s, "1");
			else if (!strcmp(type, "association") && !strcmp(f.key, "account"))
				fst_put(s, "'top'");
			else if (!strcmp(type, "association") && !strcmp(f.key, "fairshare"))
				fst_put(s, "0.25");
			else if (!strcmp(f.key, "utc_offsets"))
				fst_put(s, "['-7 3600','9 -900']");
			else if (!strcmp(f.key, "kind"))
				fst_put(s, "'user'");
			else if (!strcmp(f.key, "target_mode"))
				fst_put(s, "'floor'");
			else
				put_value(s, f.type, k + 1);
		}
		fst_put(s, "}\n");
	}
	fst_put(s, REC("association", "'id':900,'account':'top'"));
}

static void every_field_is_written_as_it_was_read(void **state)
{
	struct fst_sink s = { 0 }, w;
	struct fs_error err;
	struct fs_format_field f;
	fs_snapshot *m;
	const char *type;

	(void)state;
	put_every_field(&s);
	fst_no_error(fst_try_bytes(s.data, s.len, 0, &m, &err), &err);
	assert_int_equal(fs_snapshot_warnings(m), 2); /* the snapshot is marked as incomplete */
	w = fst_written(m);
	for (char *line = strtok(s.data, "\n"); line; line = strtok(NULL, "\n"))
		if (!strstr(line, "\"snapshot\"")) /* the written header has the additional member "records" */
			assert_non_null(strstr(w.data, line));
	for (size_t k = 0; fs_format_field(0, k, &f); k++)
		assert_non_null(strstr(w.data, f.key));
	assert_false(fs_format_type(FSI_RECORD_COUNT + 1, &type)); /* type 0: header; last type: FSI_RECORD_COUNT */
	fst_same_again(m);
	fs_snapshot_free(m);
	fst_free(&s);
	fst_free(&w);
}

static void rows_are_sorted_by_type_and_id(void **state)
{
	fs_snapshot *m =
		fst_snapshot(FST_HEAD "{'state':'PENDING','id':3,'type':'job'}\n" "\n \r\n"
			"{'user':null,'id':1,'type':'job','state':'RUNNING'}\r\n"
			"{'type':'tres','name':'mem','id':2}\n"
			"{'type':'tres','name':'cpu','id':1}");
	struct fst_sink s = fst_written(m);

	(void)state;
	const char *cpu = strstr(s.data, "cpu"), *mem = strstr(s.data, "mem");
	const char *one = strstr(s.data, "\"id\":1,\"state\""),
		   *three = strstr(s.data, "\"id\":3,\"state\"");
	assert_true(cpu && mem && one && three);
	assert_true(cpu < mem && mem < one && one < three);
	assert_null(strstr(s.data, "user"));
	fst_same_again(m);
	fst_free(&s);
	fs_snapshot_free(m);
}

/* Writes a job with some of the fields in random order. */
static size_t put_job(char *out, size_t size, uint64_t *seed, unsigned id)
{
	static const char *const fields[][3] = {
		{ "'name':'x'", "'name':'xy'", "'name':''" },
		{ "'user':'u'", "'user':'v'", "'user':null" },
		{ "'partitions':['p']", "'partitions':['p','q']", "'partitions':['q','p']" },
		{ "'qos':[]", "'qos':['normal']", "'qos':['']" },
		{ "'nice':-1", "'nice':0", "'nice':null" },
		{ "'time_limit_s':60", "'time_limit_s':'unlimited'", "'time_limit_s':0" },
		{ "'tres_req':{'cpu':1,'mem':2}", "'tres_req':{'mem':2}", "'tres_req':{}" },
		{ "'tres_alloc':{'cpu':1}", "'tres_alloc':{'cpu':2}", "'tres_alloc':{'mem':1}" }
	};
	enum { FIELDS = sizeof(fields) / sizeof(*fields) };
	uint32_t order[FIELDS];
	size_t len = (size_t)snprintf(out, size, "{'type':'job','state':'PENDING'");

	for (uint32_t k = 0; k < FIELDS; k++)
		order[k] = k;
	if (!fst_below(seed, 4))
		fst_shuffle(seed, order, FIELDS);
	for (uint32_t k = 0; k < FIELDS; k++)
		if (fst_below(seed, 3))
			len += (size_t)snprintf(out + len, size - len, ",%s",
						fields[order[k]][fst_below(seed, 3)]);
	return len + (size_t)snprintf(out + len, size - len, ",'id':%u}\n", id);
}

/* A record does not depend on the keys, order and values of the records before it. */
static void records_do_not_depend_on_earlier_records(void **state)
{
	enum { JOBS = 1000, LONGEST = 400 };
	static char text[JOBS * LONGEST] = FST_HEAD;
	char alone[LONGEST] = FST_HEAD;
	const size_t head = strlen(text);
	uint64_t seed = 11, again = 11;
	size_t len = head;

	(void)state;
	for (unsigned i = 1; i <= JOBS; i++)
		len += put_job(text + len, sizeof(text) - len, &seed, i);
	fs_snapshot *m = fst_snapshot(text);
	struct fst_sink all = fst_written(m);
	const char *row = all.data;

	for (unsigned i = 1; i <= JOBS; i++) {
		put_job(alone + head, sizeof(alone) - head, &again, i);
		fs_snapshot *one = fst_snapshot(alone);
		struct fst_sink s = fst_written(one);
		const char *job = strstr(s.data, "{\"type\":\"job\"");

		row = strstr(row, "{\"type\":\"job\"");
		assert_true(job && row);
		assert_memory_equal(row++, job, strlen(job));
		fst_free(&s);
		fs_snapshot_free(one);
	}
	fst_free(&all);
	fs_snapshot_free(m);
}

static void each_unknown_word_gives_one_warning(void **state)
{
	fs_snapshot *m = fst_snapshot(
		FST_HEAD REC("job", "'id':1,'state':'PENDING','colour':'red'")
		REC("job", "'id':2,'state':'PENDING','colour':'blue','size':{'x':[1]}")
		REC("planet", "'name':'mars','id':1") REC("planet", "'name':'venus','colour':1")
		REC("user", "'name':'u','colour':1"));

	(void)state;
	assert_int_equal(fs_snapshot_warnings(m), 4);
	assert_string_equal(fs_snapshot_warning(m, 0), "test:2: unknown key \"colour\" skipped");
	assert_string_equal(fs_snapshot_warning(m, 1), "test:3: unknown key \"size\" skipped");
	assert_string_equal(fs_snapshot_warning(m, 2),
			    "test:4: unknown record type \"planet\": its records are skipped");
	assert_string_equal(fs_snapshot_warning(m, 3), "test:6: unknown key \"colour\" skipped");
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void absent_is_not_zero(void **state)
{
	fs_snapshot *m =
		fst_snapshot(FST_HEAD REC("job", "'id':1,'state':'PENDING','nice':0,'cpus':null"));
	const struct fsi_job *job = &m->job.v[0];

	(void)state;
	assert_true(FSI_HAS(job, JOB, nice));
	assert_false(FSI_HAS(job, JOB, cpus));
	assert_false(FSI_HAS(job, JOB, priority));
	assert_int_equal(job->rec.line, 2);
	fs_snapshot_free(m);
}

static void a_failed_write_is_an_error(void **state)
{
	fs_snapshot *m = fst_snapshot(canonical);
	struct fst_sink s = { .limit = 100 };
	struct fs_error err;

	(void)state;
	assert_int_equal(fs_snapshot_write(m, fst_write, &s, &err), FS_EIO);
	assert_int_equal(err.code, FS_EIO);
	assert_string_equal(err.message, "write error");
	fst_free(&s);
	fs_snapshot_free(m);
}

/* Names that differ only in bytes that are not UTF-8 are written as the same text. The reader must treat them as equal
 * from the start, or refuse them. */
static void names_that_are_not_utf8_stay_distinct_or_are_refused(void **state)
{
	static const char text[] =
		FST_HEAD REC("user", "'name':'a\xff'") REC("user", "'name':'a\xfe'");
	char *bytes = fst_quoted(text);
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	if (!fst_try_bytes(bytes, strlen(bytes), 0, &m, &err))
		fst_same_again(m);
	fs_snapshot_free(m);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(canonical_text_is_written_unchanged),
		cmocka_unit_test(reads_of_any_size_give_the_same_snapshot),
		cmocka_unit_test(the_header_is_reported),
		cmocka_unit_test(jobs_are_left_out_on_request_unless_shares_need_them),
		cmocka_unit_test(a_copy_has_the_same_records),
		cmocka_unit_test(users_accounts_and_config_values_are_found),
		cmocka_unit_test(every_field_is_written_as_it_was_read),
		cmocka_unit_test(rows_are_sorted_by_type_and_id),
		cmocka_unit_test(records_do_not_depend_on_earlier_records),
		cmocka_unit_test(each_unknown_word_gives_one_warning),
		cmocka_unit_test(absent_is_not_zero),
		cmocka_unit_test(a_failed_write_is_an_error),
		cmocka_unit_test(names_that_are_not_utf8_stay_distinct_or_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
