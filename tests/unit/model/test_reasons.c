/* model/reasons: every entry of the table of pending reasons is complete, and every reason text leads to its entry. */
#include "fstest.h"

#include "model/reasons.h"
#include "model/records/limit_names.h"

static void entries_of_the_reason_table_are_complete(void **state)
{
	size_t n = 0, limits = 0;

	(void)state;
	for (const struct fs_reason *r; (r = fs_reason_at(n)); n++) {
		assert_true(*r->name && *r->meaning && *r->clears);
		assert_int_equal(r->meaning[strlen(r->meaning) - 1] == '.', 0);
		assert_true(r->section < FS_SECTION_COUNT);
		assert_int_equal(*r->limit != 0,
				 r->section == FS_SECTION_ASSOC_LIMIT || r->section == FS_SECTION_QOS_LIMIT);
		limits += *r->limit != 0;
		/* a reason with number 0 is not a reason of Slurm; several texts have the number of "Resources" */
		for (size_t k = 0; k < n && r->number && r->number != FS_REASON_RESOURCES; k++)
			assert_int_not_equal(fs_reason_at(k)->number, r->number);
	}
	assert_int_equal(limits, 173);
	assert_true(n >= 210);
	assert_null(fs_reason_at(n + 100));
}

/* A verdict of HELD, NEVER or another kind follows only from reasons of the sections that such jobs are in. */
static void verdicts_of_reasons_fit_their_sections(void **state)
{
	(void)state;
	for (size_t i = 0; fs_reason_at(i); i++) {
		const struct fsi_reason *r = fsi_reason_row(fs_reason_at(i));

		assert_int_equal(fsi_reason_to_number(&r->shown), i + 1);
		assert_int_equal(!r->shown.fasrc.section, !r->shown.fasrc.state);
		assert_int_equal(!r->shown.tacc.section, !r->shown.tacc.state);
		if (r->shown.section == FS_SECTION_HELD)
			assert_int_equal(r->kind, FS_VERDICT_HELD);
		if (r->kind == FS_VERDICT_NEVER)
			assert_non_null(r->shown.remedy);
		if (r->refusal != FSI_REFUSES_NEVER)
			assert_true(r->shown.section == FS_SECTION_PARTITION || r->shown.section == FS_SECTION_ACCESS);
	}
	assert_int_equal(fsi_reason_to_number(NULL), 0);
	assert_int_equal(fsi_reason_verdict(NULL), FS_VERDICT_NONE);
}

/* One name occurs twice in the table, because it is printed for two codes; fs_reason_find returns the first entry. */
static void each_name_is_found_in_the_table(void **state)
{
	size_t twice = 0;

	(void)state;
	for (size_t i = 0; fs_reason_at(i); i++) {
		const struct fs_reason *r = fs_reason_at(i), *found = fs_reason_find(r->name);

		assert_string_equal(found->name, r->name);
		twice += found != r;
	}
	assert_int_equal(twice, 1);
}

static void check(const char *text, const char *name, enum fs_section section)
{
	const struct fs_reason *r = fs_reason_find(text);

	assert_non_null(r);
	assert_string_equal(r->name, name);
	assert_int_equal(r->section, section);
}

static void variants_of_reason_texts_are_recognised(void **state)
{
	(void)state;
	check("", "None", FS_SECTION_ELIGIBLE);
	check("ReqNodeNotAvail,_UnavailableNodes:d[01-12]", "ReqNodeNotAvail", FS_SECTION_NODES);
	check("ReqNodeNotAvail, UnavailableNodes:d1", "ReqNodeNotAvail", FS_SECTION_NODES);
	check("ReqNodeNotAvail(Unavailable:d1)", "ReqNodeNotAvail", FS_SECTION_NODES);
	check("Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions",
	      "Resources", FS_SECTION_ELIGIBLE);
	check("No_suitable_topology_unit_found", "No suitable topology unit found", FS_SECTION_ELIGIBLE);
	check("No suitable topology unit found for segment", "No suitable topology unit found for segment",
	      FS_SECTION_ELIGIBLE);
	check("launch_failed_requeued_held", "JobHoldMaxRequeue", FS_SECTION_HELD);
	check("QOSMaxCpuPerUserLimit", "QOSMaxCpuPerUserLimit", FS_SECTION_QOS_LIMIT);
	check("MaxCpuPerAccount", "MaxCpuPerAccount", FS_SECTION_QOS_LIMIT);
	check("AssocGrpCPUMinutesLimit", "AssocGrpCPUMinutesLimit", FS_SECTION_ASSOC_LIMIT);
	check("PartitionDown", "PartitionDown", FS_SECTION_PARTITION);
	check("DependencyNeverSatisfied", "DependencyNeverSatisfied", FS_SECTION_REQUEST);
	assert_string_equal(fs_reason_find("QOSMaxGRESPerUser")->limit, "MaxTRESPU");
	assert_string_equal(fs_reason_find("QOSMaxGRESPerUser")->resource, "GRES (GPUs)");
	assert_int_equal(fs_reason_find("Licenses")->number, 10);
	assert_int_equal(fs_reason_find("No available nodes in topology")->number, FS_REASON_RESOURCES);
	assert_int_equal(fs_reason_find("JobArrayTaskLimit")->number, 72);
}

static void other_texts_are_not_reasons(void **state)
{
	static const char *const bad[] = { "Prio", "Priorityx", "priority", "(null)", ",", "Nodes", "_", "\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(fs_reason_find(bad[i]));
}

static bool some_reason_names(enum fs_section section, const char *limit)
{
	const struct fs_reason *r;

	for (size_t i = 0; (r = fs_reason_at(i)); i++)
		if (r->section == section && !strcmp(r->limit, limit))
			return true;
	return false;
}

/* No pending reason names a limit on accruing jobs. */
static void reasons_name_only_existing_limits(void **state)
{
#define NAME(member, TYPE, name, ...) name,
	static const char *const assoc[] = { FSI_ASSOC_GROUP_LIMITS(NAME) FSI_ASSOC_OWN_LIMITS(NAME) };
	static const char *const qos[] = { FSI_QOS_LIMITS(NAME) FSI_QOS_RUN_MINUTE_LIMITS(NAME) };
#undef NAME
	const size_t nassoc = sizeof(assoc) / sizeof(*assoc), nqos = sizeof(qos) / sizeof(*qos);
	const struct fs_reason *r;

	(void)state;
	for (size_t i = 0; i < nassoc; i++)
		assert_true(some_reason_names(FS_SECTION_ASSOC_LIMIT, assoc[i]));
	for (size_t i = 0; i < nqos; i++)
		assert_true(some_reason_names(FS_SECTION_QOS_LIMIT, qos[i]));
	for (size_t i = 0; (r = fs_reason_at(i)); i++) {
		const bool of_qos = r->section == FS_SECTION_QOS_LIMIT;
		/* skips reasons of other schedulers (number 0), and old reasons, which name only a resource */
		bool found = r->number == 0 || r->limit[0] < 'A' || r->limit[0] > 'Z';

		for (size_t k = 0; k < (of_qos ? nqos : nassoc); k++)
			found = found || !strcmp(of_qos ? qos[k] : assoc[k], r->limit);
		if (!found)
			fail_msg("%s: no limit \"%s\"", r->name, r->limit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_the_reason_table_are_complete),
		cmocka_unit_test(verdicts_of_reasons_fit_their_sections),
		cmocka_unit_test(each_name_is_found_in_the_table),
		cmocka_unit_test(variants_of_reason_texts_are_recognised),
		cmocka_unit_test(other_texts_are_not_reasons),
		cmocka_unit_test(reasons_name_only_existing_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
