/* import/flux/jobs.c: what the listing of jobs leaves out. */
#include "fsflux.h"

#define SLOT(n, cores, more) "{'type':'slot','count':" #n ",'with':[{'type':'core','count':" #cores "}" more "]}"
#define GPU(n) ",{'type':'gpu','count':" #n "}"
#define NODE_OF(n, own, slot) "{'type':'node','count':" #n own ",'with':[" slot "]}"

/* `flux jobs` tells the time of day of a begin time, the jobspec all of it; the latest of several counts. What is no
 * time is none, and a begin time to come is not when the capture was made. */
static void jobspecs_tell_when_jobs_begin(void **state)
{
	static const struct {
		const char *dependencies, *begins;
	} rows[] = { { "[{'scheme':'begin-time','value':'1795310875.5'}]", "1795310875" },
		     { "[{'scheme':'begin-time','value':'20'},{'scheme':'begin-time','value':'30'},{'scheme':'begin-time','value':'9'}]", "30" },
		     { "[{'scheme':'afterok','value':'20'}]", "" },
		     { "[{'scheme':'begin-time','value':'-1'},{'scheme':'begin-time','value':'inf'},{'scheme':'begin-time'},7]", "" },
		     { "'too deep'", "" } };

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char text[400];
		char *jobs = fst_quoted("{'jobs':[{'id':7,'state':'DEPEND','urgency':16,'t_submit':6.0,'dependencies':['begin@09:04:35']}]}"), *specs;

		snprintf(text, sizeof(text), "{'jobspecs':[{'id':7,'resources':[],'dependencies':%s}]}", rows[i].dependencies);
		specs = fst_quoted(text);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", specs } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "job", 0, "eligible_time", rows[i].begins);
		assert_int_equal(fs_snapshot_info(m)->time, 6);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

/* Of a job with whole nodes of its own `flux jobs` tells no cores; of any other it does. */
static void jobs_of_whole_nodes_lack_no_cores(void **state)
{
	static const char *const specs[] = { "{'jobspecs':[{'id':7,'resources':[" NODE_OF(2, ",'exclusive':true", SLOT(1, 1, "")) "]}]}",
					     "{'jobspecs':[{'id':7,'resources':[" NODE_OF(2, "", SLOT(1, 1, "")) "]}]}" };
	char *jobs = fst_quoted("{'jobs':[{'id':7,'state':'SCHED','urgency':16,'t_submit':6.0,'priority':1,'nnodes':2,"
				"'username':'u'},{'id':9,'state':'SCHED','urgency':16,'t_submit':6.0,'priority':1,'ncores':1,"
				"'username':'u'}]}");

	(void)state;
	for (size_t i = 0; i < FST_COUNT(specs); i++) {
		char *spec = fst_quoted(specs[i]);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", spec } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_int_equal(warned(m, "missing fields, counted in 2 records: ncores (1)"), i);
		fs_snapshot_free(m);
		free(spec);
	}
	free(jobs);
}

/* GPUs, whole nodes and constraints come from the jobspecs; a job of which there is none has what `flux jobs` says. */
static void jobspecs_tell_what_the_listing_leaves_out(void **state)
{
	static const struct {
		const char *spec, *gpus, *own, *features;
	} rows[] = {
		{ "'resources':[" SLOT(3, 1, GPU(2)) "],'constraints':null", "{'gres/gpu':6}", "", "" },
		{ "'resources':[" NODE_OF(2, "", SLOT(2, 1, GPU(1))) "]", "{'gres/gpu':4}", "", "" },
		{ "'resources':[" NODE_OF(2, ",'exclusive':true", SLOT(2, 4, GPU(1))) "]", "{'gres/gpu':2}", "'EXCLUSIVE'", "" },
		{ "'resources':[" NODE_OF(1, ",'exclusive':false", SLOT(1, 1, "")) "],'constraints':{'properties':['a','^b']}", "", "", "'a&^b'" },
		{ "'resources':[],'constraints':{'and':[{'or':[{'properties':['a']},{'properties':['b']}]},{'not':[{'hostlist':['n[1-3]']}]},{'ranks':['0-1']}]}",
		  "", "", "'((a)|(b))&!((hosts:n[1-3]))&(ranks:[0-1])'" },
		{ "'resources':[{'type':'rack','count':1}],'constraints':{}", "", "", "" },
		{ "'resources':'too deep','constraints':'too deep'", "", "", "" },
		{ "'resources':[],'constraints':{'xor':[]}", "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char text[600];
		char *jobs = fst_quoted("{'jobs':[{'id':9,'state':'SCHED','urgency':16,'t_submit':5.0},{'id':7,'state':'SCHED','urgency':16,'t_submit':6.0}]}"), *specs;

		snprintf(text, sizeof(text), "{'jobspecs':[{'id':8,'resources':[]},{'id':7,%s}]}", rows[i].spec);
		specs = fst_quoted(text);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", specs } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "job", 0, "tres_req", rows[i].gpus);
		assert_member(m, "job", 0, "oversubscribe", rows[i].own);
		assert_member(m, "job", 0, "features", rows[i].features);
		assert_member(m, "job", 1, "features", "");
		assert_int_equal(warned(m, "cannot parse the constraint"), i >= 6);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

/* What limits count: the jobspec's nodes, 1 if it names none, and cores, where `flux jobs` tells what it was given. */
static void jobspecs_tell_what_limits_count(void **state)
{
	static const struct {
		const char *given, *spec, *nodes, *cores;
	} rows[] = {
		{ "'nnodes':3,'ncores':9", SLOT(9, 1, ""), "1", "" },
		{ "'nnodes':1,'ncores':9", SLOT(9, 1, ""), "", "" },
		{ "'nnodes':2,'ncores':32", NODE_OF(2, ",'exclusive':true", SLOT(2, 1, "")), "", "4" },
		{ "'nnodes':2,'ncores':4", NODE_OF(2, "", SLOT(2, 1, "")), "", "" },
		{ "'nnodes':2,'ncores':4", NODE_OF(4000000000, "", SLOT(4000000000, 4000000000, "")), "", "" },
	};

	(void)state;
	for (size_t i = 0; i < FST_COUNT(rows); i++) {
		char text[2][400];
		char *jobs, *specs;

		snprintf(text[0], sizeof(text[0]), "{'jobs':[{'id':7,'state':'RUN','urgency':16,'t_submit':6.0,'t_run':7.0,%s}]}", rows[i].given);
		snprintf(text[1], sizeof(text[1]), "{'jobspecs':[{'id':7,'resources':[%s]}]}", rows[i].spec);
		jobs = fst_quoted(text[0]);
		specs = fst_quoted(text[1]);
		const struct fst_file files[] = { { "flux-jobs_--json.json", jobs }, { "flux_jobspecs.json", specs } };
		fs_snapshot *m = import(files, FST_COUNT(files));

		assert_member(m, "job", 0, "asked_nodes", rows[i].nodes);
		assert_member(m, "job", 0, "asked_cores", rows[i].cores);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobspecs_tell_when_jobs_begin),
		cmocka_unit_test(jobs_of_whole_nodes_lack_no_cores),
		cmocka_unit_test(jobspecs_tell_what_limits_count),
		cmocka_unit_test(jobspecs_tell_what_the_listing_leaves_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
