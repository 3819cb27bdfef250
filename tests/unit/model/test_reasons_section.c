/* model/reasons: the section of the queue that a job belongs to. */
#include "fstest.h"

#define J(id, state, fields) REC("job", "'id':" #id ",'state':'" state "'" fields)

static void each_job_belongs_to_its_section(void **state)
{
	static const struct {
		const char *job;
		enum fs_section section;
	} cases[] = {
		{ J(1, "RUNNING", ""), FS_SECTION_RUNNING },
		{ J(1, "CONFIGURING", ""), FS_SECTION_RUNNING },
		{ J(1, "COMPLETING", ""), FS_SECTION_COMPLETING },
		{ J(1, "SUSPENDED", ""), FS_SECTION_SUSPENDED },
		{ J(1, "FAILED", ""), FS_SECTION_ENDED },
		{ J(1, "UNKNOWN", ""), FS_SECTION_OTHER },
		{ J(1, "REQUEUE_HOLD", ""), FS_SECTION_HELD },
		{ J(1, "PENDING", ""), FS_SECTION_ELIGIBLE },
		{ J(1, "PENDING", ",'reason':'Priority'"), FS_SECTION_ELIGIBLE },
		{ J(1, "PENDING", ",'reason':'Priority','priority':0"), FS_SECTION_HELD },
		{ J(1, "PENDING", ",'eligible_time':1800000000"), FS_SECTION_REQUEST },
		{ J(1, "PENDING", ",'reason':'Licenses','priority':5"), FS_SECTION_RESOURCES },
		{ J(1, "PENDING", ",'reason':'MaxCpuPerAccount'"), FS_SECTION_QOS_LIMIT },
		{ J(1, "PENDING", ",'reason':'NewReason'"), FS_SECTION_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[400];
		const struct fs_reason *reason;

		snprintf(text, sizeof(text), "%s%s", FST_HEAD, cases[i].job);
		fs_snapshot *m = fst_snapshot(text);

		assert_int_equal(fs_job_section(m, 0, &reason), cases[i].section);
		fs_snapshot_free(m);
	}
	for (int s = 0; s < FS_SECTION_COUNT; s++)
		assert_true(*fs_section_name((enum fs_section)s));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_job_belongs_to_its_section) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
