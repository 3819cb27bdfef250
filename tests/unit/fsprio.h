/* The small cluster of the priority tests, and helpers for the priority terms of its jobs. */
#ifndef FSPRIO_H
#define FSPRIO_H

#include "fstest.h"

#define CONFIG(fields) "{'type':'config','PriorityType':'priority/multifactor'," fields "}\n"
#define JOB(id, fields) \
	REC("job", "'id':" #id ",'state':'PENDING','eligible_time':1000," fields)

/* priority_time is 1700000000. The 10 nodes have 64 CPUs each, except node b, which has 68. Node a has effective_cpus
 * 60, so the total is 640 CPUs. */
#define HEADER \
	"{'type':'snapshot','format':1,'time':1700000030,'priority_time':1700000000,'cluster':'c'" \
	",'scheduler':'slurm 26.05.0'}\n"
#define NODE(name) "{'type':'node','name':'" name "','cpus':64}\n"
#define NODES REC("node", "'name':'a','cpus':64,'effective_cpus':60") \
	REC("node", "'name':'b','cpus':68") NODE("c") NODE("d") NODE("e") NODE("f") NODE("g") \
	NODE("h") NODE("i") NODE("j")
#define TRES REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'") \
	REC("tres", "'id':4,'name':'node'") REC("tres", "'id':1001,'name':'gres/gpu'")
#define PARTITIONS \
	REC("partition", \
		"'name':'p','job_factor':20,'tier':1,'max_time_s':6000,'tres':{'cpu':640," \
		"'mem':1000}") \
	REC("partition", \
		"'name':'q','job_factor':50,'tier':3,'max_time_s':'unlimited','tres':{'cpu':64}") \
	REC("partition", "'name':'z','job_factor':0,'tier':1")
#define QOS REC("qos", "'name':'low','priority':10") REC("qos", "'name':'high','priority':40") \
	REC("qos", "'name':'none','priority':0")
#define ASSOCIATIONS \
	REC("association", "'id':1,'account':'root','shares':1,'priority':0,'usage_tres_s':0") \
	REC("association", \
		"'id':2,'account':'root','user':'u','shares':1,'priority':5,'usage_tres_s':10") \
	REC("association", \
		"'id':3,'account':'root','user':'v','shares':1,'priority':20,'usage_tres_s':30")
#define CLUSTER TRES NODES PARTITIONS QOS ASSOCIATIONS

static inline fs_prios *fst_prios(const fs_snapshot *m, const struct fs_prios_options *o)
{
	struct fs_error err;
	fs_prios *p = NULL;

	fst_no_error(fs_prios_compute(&p, m, o, &err), &err);
	return p;
}

/* Compares the members bytewise, so that NAN equals NAN; ignores the padding between members. */
static inline void fst_same_terms(const struct fs_prio_term *a, const struct fs_prio_term *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const double x[] = { a[i].value, a[i].weight, a[i].points, a[i].cut };
		const double y[] = { b[i].value, b[i].weight, b[i].points, b[i].cut };

		assert_int_equal(a[i].factor, b[i].factor);
		assert_string_equal(a[i].name, b[i].name);
		assert_memory_equal(x, y, sizeof(x));
	}
}

/* Checks that fs_prios_label() fills in everything that identifies the row, but no terms, sum or priorities. */
static inline void fst_check_label(const fs_prios *p, size_t i, const struct fs_prio_row *row)
{
	struct fs_prio_row label;

	fs_prios_label(p, i, &label);
	assert_int_equal(label.job, row->job);
	assert_int_equal(label.job_row, row->job_row);
	assert_int_equal(label.uid, row->uid);
	assert_int_equal(label.visible, row->visible);
	assert_string_equal(label.partition, row->partition);
	assert_string_equal(label.user, row->user);
	assert_string_equal(label.account, row->account);
	assert_string_equal(label.qos, row->qos);
	assert_string_equal(label.sluid, row->sluid);
	assert_string_equal(label.state, row->state);
	assert_string_equal(label.name, row->name);
	assert_int_equal(label.nterms, 0);
	assert_true(isnan(label.sum) && isnan(label.priority) && isnan(label.stored_priority));
}

/* Checks that the caller's copy of a row does not change when another row is read, or when only the numbers of the same
 * row are read. */
static inline void fst_check_rows_apart(const fs_prios *p)
{
	const size_t n = fs_prios_count(p), terms = fs_prios_terms(p);
	struct fs_prio_row row, other;
	struct fs_prio_term kept[FS_PRIO_TERMS_MAX];

	assert_true(n > 1);
	for (size_t i = 0; i < n; i++) {
		fs_prios_row(p, i, &row);
		assert_int_equal(row.nterms, terms);
		memcpy(kept, row.terms, terms * sizeof(*kept));
		fs_prios_row(p, (i + 1) % n, &other);
		fst_same_terms(kept, row.terms, terms);
		fs_prios_row(p, i, &other);
		fst_same_terms(kept, other.terms, terms);
		assert_int_equal(row.job, other.job);
		assert_memory_equal(&row.sum, &other.sum, sizeof(row.sum));
		assert_memory_equal(&row.priority, &other.priority, sizeof(row.priority));
		assert_int_equal(fs_prios_job_row(p, i), row.job_row);
		fs_prios_brief(p, i, &other);
		assert_memory_equal(&row.priority, &other.priority, sizeof(row.priority));
		assert_int_equal(other.job_row, row.job_row);
		fst_check_label(p, i, &row);
	}
}

static inline struct fs_prio_term fst_term(const fs_prios *p, const struct fs_prio_row *row,
					   const char *name)
{
	for (size_t i = 0; i < fs_prios_terms(p); i++)
		if (!strcmp(row->terms[i].name, name))
			return row->terms[i];
	print_error("no term %s\n", name);
	fail();
	return row->terms[0];
}

/* Returns the factor of the first row. */
static inline double fst_factor(const char *text, const char *name)
{
	fs_snapshot *m = fst_snapshot(text);
	fs_prios *p = fst_prios(m, NULL);
	struct fs_prio_row row;
	double value;

	assert_true(fs_prios_count(p) > 0);
	fs_prios_row(p, 0, &row);
	value = fst_term(p, &row, name).value;
	if (isnan(value)) {
		assert_same_double(fst_term(p, &row, name).points, NAN);
		assert_same_double(row.sum, NAN);
		assert_same_double(row.priority, NAN);
	}
	fs_prios_free(p);
	fs_snapshot_free(m);
	return value;
}

/* A Flux snapshot: two users in one bank, two queues, and jobs of user u. */
#define FLUX_HEAD "{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'flux 0.88.0'}\n"
#define FLUX_TREE REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0,'bank_priority':0") \
	REC("association", "'id':2,'account':'b','parent':'root','shares':1,'usage_tres_s':0,'bank_priority':2.5") \
	REC("association", "'id':3,'account':'b','user':'u','shares':1,'usage_tres_s':10,'fairshare':0.25," \
			   "'max_jobs':2,'max_nodes':2147483647,'max_cores':8,'max_sched_jobs':1") \
	REC("association", "'id':4,'account':'b','user':'v','shares':1,'usage_tres_s':20") \
	REC("user", "'name':'u','uid':7,'default_account':'b'") \
	REC("partition", "'name':'fast','priority':1000,'max_jobs_per_assoc':3,'max_nodes_per_assoc':9,'max_sched_nodes':4") \
	REC("partition", "'name':'slow','priority':-3")
#define FLUX_PENDING(id, fields) REC("job", "'id':" #id ",'state':'PENDING','phase':'SCHED','account':'b','user':'u'," fields)
#define FLUX_RUNNING(id, fields) REC("job", "'id':" #id ",'state':'RUNNING','phase':'RUN','account':'b','user':'u'," fields)

#endif
