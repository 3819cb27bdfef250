/* import/flux/jobs.c: data that the job listing lacks. */
#include "fsflux.h"

#define SLOT(n, cores, more) "{'type':'slot','count':" #n ",'with':[{'type':'core','count':" #cores "}" more "]}"
#define GPU(n) ",{'type':'gpu','count':" #n "}"
#define NODE_OF(n, own, slot) "{'type':'node','count':" #n own ",'with':[" slot "]}"

/* `flux jobs` shows only the time of day of a begin time; the jobspec has the whole time. If there are several begin
 * times, the latest one applies. Invalid times are ignored. A future begin time is not the capture time. */
static void jobspecs_give_the_begin_time(void **state)
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

/* `flux jobs` shows no cores for a job with exclusive nodes; for other jobs it does. */
static void cores_of_exclusive_nodes_are_not_missing(void **state)
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

		assert_int_equal(warned(m, "fields are missing: ncores (in 1 of 2 records)"), i);
		fs_snapshot_free(m);
		free(spec);
	}
	free(jobs);
}

/* GPUs, exclusive nodes and constraints come from the jobspecs. A job without a jobspec has the values of `flux
 * jobs`. */
static void jobspecs_give_gpus_exclusive_nodes_and_constraints(void **state)
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
		assert_int_equal(warned(m, "cannot parse the constraint of job f8: "), i >= 6);
		fs_snapshot_free(m);
		free(jobs);
		free(specs);
	}
}

/* Limits count the nodes and cores that the jobspec requests, and 1 node if it requests no nodes. `flux jobs` shows the
 * allocated nodes and cores instead. */
static void jobspecs_give_the_nodes_and_cores_that_limits_count(void **state)
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
		cmocka_unit_test(jobspecs_give_the_begin_time),
		cmocka_unit_test(cores_of_exclusive_nodes_are_not_missing),
		cmocka_unit_test(jobspecs_give_the_nodes_and_cores_that_limits_count),
		cmocka_unit_test(jobspecs_give_gpus_exclusive_nodes_and_constraints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
