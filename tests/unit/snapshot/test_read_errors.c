/* snapshot/: every fault of the input gives FS_EDATA with the line and field of the fault. */
#include "fstest.h"

#define COUNTED(counts) \
	"{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'s','records':{" counts \
	"}}\n"
#define JOB(fields) FST_HEAD "{'type':'job','id':1,'state':'PENDING'," fields "}\n"
#define ROOT REC("association", "'id':1,'account':'root'")

static void the_first_line_is_the_header(void **state)
{
	(void)state;
	fst_refuses("", 0, "", "empty");
	fst_refuses("\n\n", 0, "", "empty");
	fst_refuses(REC("job", "'id':1,'state':'PENDING'"), 1, "type", "first line");
	fst_refuses("\n{'type':'config'}\n" FST_HEAD, 2, "type", "first line");
	fst_refuses("{}\n", 1, "type", "missing");
	fst_refuses("hello\n", 1, "", "not valid JSON");
	fst_refuses(FST_HEAD FST_HEAD, 2, "type", "second");
	fst_refuses("{'type':'snapshot','format':2,'time':1,'cluster':'c','scheduler':'s'}\n", 1,
		    "format", "format 1 only");
	fst_refuses("{'type':'snapshot','time':1,'cluster':'c','scheduler':'s'}\n", 1, "format",
		    "missing");
	fst_refuses("{'type':'snapshot','format':1,'cluster':'c','scheduler':'s'}\n", 1, "time",
		    "missing");
	fst_refuses("{'type':'snapshot','format':1,'time':1,'cluster':'','scheduler':'s'}\n", 1,
		    "cluster", "empty");
}

static void missing_and_surplus_records_are_refused(void **state)
{
	fs_snapshot *m = fst_snapshot(COUNTED("'tres':1,'config':0,'planet':9")
		REC("tres", "'id':1,'name':'cpu'"));

	(void)state;
	fs_snapshot_free(m);
	fst_refuses(COUNTED("'tres':2") REC("tres", "'id':1,'name':'cpu'"), 2, "records", "tres");
	fst_refuses(COUNTED("'tres':2") REC("tres", "'id':1,'name':'cpu'"), 2, "records",
		    "the file may be truncated");
	fst_refuses(COUNTED("'tres':1"), 1, "records", "announces 1");
	fst_refuses(COUNTED("'config':1"), 1, "records", "config");
	fst_refuses(COUNTED("'tres':0") REC("tres", "'id':1,'name':'cpu'"), 2, "records",
		    "the file has 1");
	fst_refuses(COUNTED("") REC("user", "'name':'u'"), 2, "records", "user");
	fst_refuses(COUNTED("'tres':-1"), 1, "records", "not negative");
	fst_refuses(COUNTED("'tres':'1'"), 1, "records", "integers");
	fst_refuses("{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'s',"
		    "'records':3}\n",
		    1, "records", "object");
}

static void duplicate_counts_are_refused(void **state)
{
	(void)state;
	fst_refuses(COUNTED("'tres':1,'tres':2"), 1, "records", "duplicate");
}

/* A file that is truncated anywhere must not be read successfully. */
static void a_truncated_file_is_never_read(void **state)
{
	char *text = fst_quoted(COUNTED("'tres':1,'job':1") REC("tres", "'id':1,'name':'cpu'")
		REC("job", "'id':1,'state':'PENDING','name':'x'"));
	const size_t len = strlen(text);
	struct fs_error err;
	fs_snapshot *m;

	(void)state;
	/* a file that lacks only the last newline is complete */
	for (size_t i = 0; i < len - 1; i++)
		assert_int_equal(fst_try_bytes(text, i, 0, &m, &err), FS_EDATA);
	assert_int_equal(fst_try_bytes(text, len - 1, 0, &m, &err), 0);
	fs_snapshot_free(m);
	free(text);
	fst_refuses(FST_HEAD "{'type':'job','id':1,'sta", 2, "", "the line ends inside a string");
	fst_refuses(FST_HEAD "{'type':'job','id':1", 2, "", "not valid JSON");
}

static void values_of_the_wrong_type_are_refused(void **state)
{
	(void)state;
	fst_refuses(JOB("'nice':'1'"), 2, "nice", "got a string");
	fst_refuses(JOB("'nice':2147483648"), 2, "nice", "2147483648");
	fst_refuses(JOB("'nice':1.5"), 2, "nice", "integer");
	fst_refuses(JOB("'cpus':-1"), 2, "cpus", "got -1");
	fst_refuses(JOB("'cpus':4294967296"), 2, "cpus", "integer");
	fst_refuses(JOB("'array_job_id':18446744073709551616"), 2, "array_job_id", "64 bits");
	fst_refuses(JOB("'array_job_id':-1"), 2, "array_job_id", "not negative");
	fst_refuses(JOB("'name':5"), 2, "name", "a string");
	fst_refuses(JOB("'partitions':'p'"), 2, "partitions", "list of strings");
	fst_refuses(JOB("'partitions':['p',1]"), 2, "partitions", "list of strings");
	fst_refuses(JOB("'submit_time':-1"), 2, "submit_time", "not negative");
	fst_refuses(JOB("'submit_time':1.5"), 2, "submit_time", "whole");
	fst_refuses(JOB("'submit_time':9223372036854775807"), 2, "submit_time", "seconds");
	fst_refuses(JOB("'time_limit_s':'forever'"), 2, "time_limit_s", "got a string");
	fst_refuses(JOB("'submit_time':'unlimited'"), 2, "submit_time", "got a string");
	fst_refuses(FST_HEAD REC("job", "'id':1,'state':'ASLEEP'"), 2, "state", "ASLEEP");
	fst_refuses(FST_HEAD REC("job", "'id':1,'state':1"), 2, "state", "a job state");
	fst_refuses(FST_HEAD REC("partition", "'name':'p','is_default':1"), 2, "is_default",
		    "true or false");
	fst_refuses(FST_HEAD REC("recorded", "'priority':true"), 2, "priority", "a number");
	fst_refuses(FST_HEAD REC("recorded", "'priority':1e999"), 2, "priority", "finite");
	fst_refuses(FST_HEAD "{'type':7}\n", 2, "type", "not a string");
	fst_refuses(FST_HEAD "{'id':7}\n", 2, "type", "missing");
	fst_refuses(FST_HEAD "[1]\n", 2, "", "not a JSON object");
}

static void invalid_tres_are_refused(void **state)
{
	(void)state;
	fst_refuses(JOB("'tres_req':[]"), 2, "tres_req", "object");
	fst_refuses(JOB("'tres_req':{'cpu':1.5}"), 2, "tres_req", "integer");
	fst_refuses(JOB("'tres_req':{'cpu':'1'}"), 2, "tres_req", "integer");
	fst_refuses(JOB("'tres_req':{'cpu':-1}"), 2, "tres_req", "not negative");
	fst_refuses(JOB("'tres_req':{'cpu':9223372036854775808}"), 2, "tres_req", "integer");
	fst_refuses(JOB("'tres_req':{'cpu':1,'mem':2,'cpu':1}"), 2, "tres_req", "appears twice");
	fst_refuses(
		FST_HEAD REC("association", "'id':1,'account':'a','usage_by_tres_s':{'cpu':-0.5}"),
		2, "usage_by_tres_s", "not negative");
}

static void negative_shares_and_usage_are_refused(void **state)
{
	static const char head[] = FST_HEAD "{'type':'association','id':1,'account':'root',";
	static const char *const bad[] = { "shares':-1",          "shares':1.5",
					   "shares':'child'",     "shares':4294967296",
					   "usage_tres_s':-1e-9", "usage_wall_s':-1" };
	char text[400], field[40];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "%s'%s}\n", head, bad[i]);
		snprintf(field, sizeof(field), "%.*s", (int)strcspn(bad[i], "'"), bad[i]);
		fst_refuses(text, 2, field, "");
	}
}

static void required_fields_are_required(void **state)
{
	(void)state;
	fst_refuses(FST_HEAD REC("job", "'id':1"), 2, "state", "missing");
	fst_refuses(FST_HEAD REC("job", "'state':'PENDING'"), 2, "id", "missing");
	fst_refuses(FST_HEAD REC("job", "'id':null,'state':'PENDING'"), 2, "id", "missing");
	fst_refuses(FST_HEAD REC("association", "'account':'root'"), 2, "id", "missing");
	fst_refuses(FST_HEAD REC("association", "'id':1"), 2, "account", "missing");
	fst_refuses(FST_HEAD REC("association", "'id':1,'account':''"), 2, "account", "empty");
	fst_refuses(FST_HEAD REC("qos", "'priority':1"), 2, "name", "missing");
}

static void duplicate_keys_are_refused(void **state)
{
	(void)state;
	fst_refuses(JOB("'id':1"), 2, "id", "duplicate key");
	fst_refuses(JOB("'nice':1,'nice':2"), 2, "nice", "duplicate key");
	fst_refuses(JOB("'time_limit_s':'unlimited','time_limit_s':5"), 2, "time_limit_s",
		    "duplicate key");
	fst_refuses(JOB("'colour':1,'colour':1"), 2, "colour", "duplicate key");
	fst_refuses(JOB("'type':'job'"), 2, "type", "duplicate key");
}

static void duplicate_keys_are_refused_even_if_null(void **state)
{
	(void)state;
	fst_refuses(JOB("'nice':null,'nice':2"), 2, "nice", "duplicate key");
	fst_refuses(FST_HEAD REC("config", "'A':null,'A':1"), 2, "A", "duplicate key");
}

static void duplicate_keys_of_the_config_are_refused(void **state)
{
	(void)state;
	fst_refuses(FST_HEAD REC("config", "'A':1,'A':1"), 2, "A", "duplicate key");
	fst_refuses(FST_HEAD REC("config", "'A':1") REC("config", "'B':1,'A':2"), 3, "A",
		    "duplicate key");
	fst_refuses(FST_HEAD REC("config", "'A':1,'type':'config'"), 2, "type", "duplicate key");
}

static void structured_config_values_are_refused(void **state)
{
	(void)state;
	fst_refuses(FST_HEAD REC("config", "'A':{'b':1}"), 2, "A", "list of strings");
	fst_refuses(FST_HEAD REC("config", "'A':[1]"), 2, "A", "list of strings");
	fst_refuses(FST_HEAD REC("config", "'A':1e999"), 2, "A", "finite");
}

static void duplicate_names_and_ids_are_refused(void **state)
{
	(void)state;
	fst_refuses(JOB("'nice':0") REC("job", "'id':1,'state':'RUNNING'"), 3, "id",
		    "job 1 appears twice");
	fst_refuses(FST_HEAD REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':1,'name':'mem'"),
		    3, "id", "TRES 1 appears twice");
	fst_refuses(FST_HEAD REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'cpu'"),
		    3, "name", "tres \"cpu\" appears twice");
	fst_refuses(FST_HEAD "{'type':'user','name':'u'}\n\n{'type':'user','name':'u'}\n", 4,
		    "name", "user \"u\"");
	fst_refuses(FST_HEAD REC("qos", "'name':'q'") REC("qos", "'name':'q'"), 3, "name",
		    "qos \"q\"");
	fst_refuses(FST_HEAD REC("node", "'name':'q'") REC("node", "'name':'q'"), 3, "name",
		    "node \"q\"");
	fst_refuses(FST_HEAD ROOT REC("association", "'id':1,'account':'root','user':'u'"), 3, "id",
		    "appears twice");
	fst_refuses(FST_HEAD ROOT REC("association", "'id':2,'account':'root'"), 3, "account",
		    "appears twice");
	fst_refuses(FST_HEAD ROOT
		REC("association", "'id':2,'account':'root','user':'u','partition':'p'")
		REC("association", "'id':3,'account':'root','user':'u'")
		REC("association", "'id':4,'account':'root','user':'u','partition':'p'"),
		    5, "user", "has the account, user and partition of another");
}

static void parents_must_exist_unless_hidden(void **state)
{
	fs_snapshot *m;

	(void)state;
	fst_refuses(FST_HEAD ROOT REC("association", "'id':2,'account':'a','parent':'b'"), 3,
		    "parent", "unknown account \"b\"");
	fst_refuses(FST_HEAD REC("association", "'id':2,'account':'a','user':'u'"), 2, "account",
		    "unknown account \"a\"");
	m = fst_snapshot("{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'s',"
			 "'hidden':['association']}\n"
			 "{'type':'association','id':2,'account':'a','parent':'b'}\n"
			 "{'type':'association','id':3,'account':'c','user':'u'}\n");
	assert_int_equal(fs_snapshot_info(m)->associations, 2);
	fst_same_again(m);
	fs_snapshot_free(m);
}

static void cycles_of_accounts_are_refused(void **state)
{
	(void)state;
	fst_refuses(FST_HEAD REC("association", "'id':2,'account':'a','parent':'a'"), 2, "parent",
		    "own ancestor");
	fst_refuses(FST_HEAD ROOT REC("association", "'id':2,'account':'a','parent':'root'")
		REC("association", "'id':3,'account':'x','parent':'x'")
		REC("association", "'id':4,'account':'y','parent':'x'")
		REC("association", "'id':5,'account':'y','user':'u'"),
		    4, "parent", "account \"x\"");
	fst_refuses(FST_HEAD "{'type':'association','id':3,'account':'b','parent':'a'}\n"
		"{'type':'association','id':4,'account':'b','user':'u'}\n\n\n"
		"{'type':'association','id':2,'account':'a','parent':'b'}\n",
		    6, "parent", "account \"a\"");
}

static void control_bytes_are_refused(void **state)
{
	static const char nul[] = "{\"type\":\"snapshot\",\"format\":1,\"time\":1,\"cluster\":"
				  "\"c\0d\",\"scheduler\":\"s\"}\n";

	(void)state;
	fst_refuses_bytes(nul, sizeof(nul) - 1, 1, "", "control byte");
	fst_refuses_bytes("\0\n", 2, 1, "", "NUL byte");
	fst_refuses(JOB("'name':'a\\u0000b'"), 2, "", "NUL in a string");
	fst_refuses(JOB("'name':'a\x1b[0m'"), 2, "", "control byte in a string");
	fst_refuses(FST_HEAD "{'type':'user','name':'u'} x\n", 2, "", "text after");
}

struct huge {
	const char *head;
	size_t given;
};

/* Returns the text h->head, followed by the character x without end. */
static ptrdiff_t huge_read(void *ctx, void *buf, size_t size)
{
	struct huge *h = ctx;
	const size_t n = strlen(h->head);

	if (n) {
		const size_t part = n < size ? n : size;

		memcpy(buf, h->head, part);
		h->head += part;
		return (ptrdiff_t)part;
	}
	memset(buf, 'x', size);
	h->given += size;
	return (ptrdiff_t)size;
}

static void an_endless_line_is_refused(void **state)
{
	char *head = fst_quoted(FST_HEAD "{'type':'job','id':1,'state':'PENDING','comment':'");
	struct huge h = { head, 0 };
	struct fs_error err;
	fs_snapshot *m = NULL;

	(void)state;
	assert_int_equal(fs_snapshot_read(&m, huge_read, &h, "test", &err), FS_EDATA);
	assert_null(m);
	fst_expect(&err, FS_EDATA, 2, "", "longer than 4194304");
	assert_in_range(h.given, 4000000, 6000000);
	free(head);
}

static ptrdiff_t broken_read(void *ctx, void *buf, size_t size)
{
	(void)ctx;
	(void)buf;
	(void)size;
	return -1;
}

static void a_read_error_is_reported(void **state)
{
	struct fs_error err;
	fs_snapshot *m = NULL;

	(void)state;
	assert_int_equal(fs_snapshot_read(&m, broken_read, NULL, "test", &err), FS_EIO);
	assert_int_equal(err.code, FS_EIO);
	assert_int_equal(fs_snapshot_read(&m, broken_read, NULL, "test", NULL), FS_EIO);
	assert_null(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_line_is_the_header),
		cmocka_unit_test(missing_and_surplus_records_are_refused),
		cmocka_unit_test(duplicate_counts_are_refused),
		cmocka_unit_test(a_truncated_file_is_never_read),
		cmocka_unit_test(values_of_the_wrong_type_are_refused),
		cmocka_unit_test(invalid_tres_are_refused),
		cmocka_unit_test(negative_shares_and_usage_are_refused),
		cmocka_unit_test(required_fields_are_required),
		cmocka_unit_test(duplicate_keys_are_refused),
		cmocka_unit_test(duplicate_keys_are_refused_even_if_null),
		cmocka_unit_test(duplicate_keys_of_the_config_are_refused),
		cmocka_unit_test(structured_config_values_are_refused),
		cmocka_unit_test(duplicate_names_and_ids_are_refused),
		cmocka_unit_test(parents_must_exist_unless_hidden),
		cmocka_unit_test(cycles_of_accounts_are_refused),
		cmocka_unit_test(control_bytes_are_refused),
		cmocka_unit_test(an_endless_line_is_refused),
		cmocka_unit_test(a_read_error_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
