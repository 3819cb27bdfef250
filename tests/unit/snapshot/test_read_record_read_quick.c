/* snapshot/read_quick: a row that is taken as it is written comes out as the parser has it, and so do errors. The
 * parser takes a row that has a blank behind each colon. */
#include "fstest.h"

static const char head[] = "{'type':'snapshot','format':1,'time':1700000000,'cluster':'c','scheduler':'slurm 22.05.8'}\n";

/* The records with that blank, but for the header; yours to free. */
static char *spaced(const char *text)
{
	char *out = malloc(2 * strlen(text) + 1), *to = out;

	assert_non_null(out);
	for (; *text; text++) {
		*to++ = *text;
		if (text[0] == ':' && text[-1] == '\'')
			*to++ = ' ';
	}
	*to = '\0';
	return out;
}

struct outcome {
	struct fst_sink written;
	struct fs_error err;
	int rc;
	size_t warnings;
};

static struct outcome outcome_of(const char *rows)
{
	struct outcome o = { 0 };
	char *text = malloc(sizeof(head) + strlen(rows)), *bytes;
	fs_snapshot *m;

	assert_non_null(text);
	strcpy(text, head);
	strcat(text, rows);
	bytes = fst_quoted(text);
	o.rc = fst_try_bytes(bytes, strlen(bytes), 0, &m, &o.err);
	if (!o.rc) {
		o.written = fst_written(m);
		o.warnings = fs_snapshot_warnings(m);
		fs_snapshot_free(m);
	}
	free(bytes);
	free(text);
	return o;
}

static void assert_same_either_way(const char *rows, bool good)
{
	char *with_blanks = spaced(rows);
	struct outcome quick = outcome_of(rows), parsed = outcome_of(with_blanks);

	assert_int_equal(quick.rc, good ? 0 : FS_EDATA);
	assert_int_equal(parsed.rc, quick.rc);
	assert_int_equal(parsed.warnings, quick.warnings);
	if (good) {
		assert_string_equal(quick.written.data, parsed.written.data);
		fst_free(&quick.written);
		fst_free(&parsed.written);
	} else {
		assert_string_equal(quick.err.message, parsed.err.message);
		assert_string_equal(quick.err.field, parsed.err.field);
		assert_int_equal(quick.err.line, parsed.err.line);
	}
	free(with_blanks);
}

#define JOB(rest) "{'type':'job','id':" rest "}\n"
#define USER(rest) "{'type':'user','name':" rest "}\n"

static void values_that_come_again_and_others(void **state)
{
	static const char *const rows[] = {
		JOB("1,'state':'PENDING','nice':5") JOB("2,'state':'PENDING','nice':5") JOB("3,'state':'PENDING','nice':50")
			JOB("4,'state':'RUNNING','nice':5") JOB("5,'state':'RUNNING','nice':-5") JOB("6,'state':'RUNNING'"),
		JOB("1,'state':'PENDING','time_limit_s':'unlimited'") JOB("2,'state':'PENDING','time_limit_s':'unlimited'")
			JOB("7,'state':'PENDING','time_limit_s':'unlimited'") JOB("3,'state':'PENDING','time_limit_s':60") JOB("4,'state':'PENDING','time_limit_s':null")
				JOB("5,'state':'PENDING','time_limit_s':60") JOB("6,'state':'PENDING','time_limit_s':'unlimited'"),
		JOB("1,'state':'PENDING','tres_req':{'cpu':4,'mem':10},'partitions':['a','b']")
			JOB("2,'state':'PENDING','tres_req':{'cpu':4,'mem':10},'partitions':['a','b']")
				JOB("3,'state':'PENDING','tres_req':{'cpu':4,'mem':11},'partitions':['a']")
					JOB("4,'state':'PENDING','tres_req':{},'partitions':[]")
						JOB("5,'state':'PENDING','tres_req':{'cpu':4,'mem':11},'partitions':['a']"),
		JOB("1,'state':'PENDING','name':'x'") JOB("2,'state':'PENDING','name':'x'") JOB("3,'state':'PENDING','name':'xy'")
			JOB("4,'state':'PENDING','name':'a\\\\b'") JOB("5,'state':'PENDING','name':'\xc3\xa9'")
				JOB("6,'state':'PENDING','name':''") JOB("7,'state':'PENDING','name':'x'"),
		JOB("1,'state':'PENDING','name':'x','nice':1") JOB("2,'nice':1,'state':'PENDING','name':'x'")
			JOB("18446744073709551615,'nice':1,'state':'PENDING','name':'x'"),
		JOB("1,'state':'PENDING','urgency':3,'contiguous':true") JOB("2,'state':'PENDING','urgency':3,'contiguous':true")
			JOB("3,'state':'PENDING','contiguous':false") JOB("4,'state':'PENDING','urgency':16,'contiguous':true"),
		JOB("1,'state':'PENDING','new':1") JOB("2,'state':'PENDING','new':1") JOB("3,'state':'PENDING'"),
		USER("'ann','uid':1,'admin':'none'") JOB("1,'state':'PENDING'") USER("'bob','uid':1,'admin':'none'")
			JOB("2,'state':'PENDING'") USER("'eve','uid':12"),
		"{'type':'association','id':1,'account':'root','usage_tres_s':0.25}\n"
		"{'type':'association','id':2,'account':'a','parent':'root','usage_tres_s':0.25}\n"
		"{'type':'association','id':3,'account':'b','parent':'root','usage_tres_s':25e-2}\n"
		"{'type':'association','id':4,'account':'c','parent':'root','usage_tres_s':12345678901234567890123}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_same_either_way(rows[i], true);
}

static void errors_are_the_parsers(void **state)
{
	static const char *const rows[] = {
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':05"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':0,'nice':0"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'nice':0"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':'x'"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':0x"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':0}"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':0,"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice':-"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','nice'"),
		JOB("1,'state':'PENDING','nice':0") JOB("2,'state':'PENDING','contiguous':truth"),
		JOB("1,'state':'PENDING','name':'x'") JOB("2,'state':'PENDING','name':'x\x01'"),
		JOB("1,'state':'PENDING','name':'x'") JOB("2,'state':'SLEEPING','name':'x'"),
		JOB("1,'state':'PENDING','tres_req':{'cpu':1}") JOB("2,'state':'PENDING','tres_req':{'cpu':1,'cpu':1}"),
		JOB("1,'state':'PENDING','tres_req':{'cpu':1}") JOB("2,'state':'PENDING','tres_req':{'cpu':1}}"),
		JOB("1,'state':'PENDING','tres_req':{'cpu':1}") JOB("2,'state':'PENDING','tres_req':{'cpu':1"),
		JOB("1,'state':'PENDING'") JOB("1,'state':'PENDING'"),
		JOB("1,'state':'PENDING'") "{'type':'job','id':2,'state':'PENDING'",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_same_either_way(rows[i], false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_that_come_again_and_others),
		cmocka_unit_test(errors_are_the_parsers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
