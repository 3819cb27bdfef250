/* The charge of a job per second: TRESBillingWeights with every suffix, MAX_TRES, MAX_TRES_GRES. */
#include "fstest.h"

#define TRES                                                                                       \
	REC("tres", "'id':1,'name':'cpu'") REC("tres", "'id':2,'name':'mem'")                      \
	REC("tres", "'id':3,'name':'energy'") REC("tres", "'id':4,'name':'node'")                  \
	REC("tres", "'id':5,'name':'billing'") REC("tres", "'id':6,'name':'bb/cray'")              \
	REC("tres", "'id':1001,'name':'gres/gpu'") REC("tres", "'id':1002,'name':'gres/tpu'")      \
	REC("tres", "'id':1003,'name':'license/ansys'")

static fs_snapshot *cluster(const char *weights, const char *flags)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 FST_HEAD "{'type':'config','PriorityFlags':[%s]}\n" TRES
			  "{'type':'partition','name':'p'%s%s%s}\n",
		 flags, *weights ? ",'billing_weights':'" : "", weights, *weights ? "'" : "");
	return fst_snapshot(text);
}

static struct fs_bill bill(const fs_snapshot *m, const char *request)
{
	struct fs_tres tres[FS_BILL_MAX];
	struct fs_error err;
	struct fs_bill b;
	const int n = fs_tres_parse(m, request, tres, FS_BILL_MAX, &err);

	fst_no_error(n < 0 ? n : 0, &err);
	fst_no_error(fs_bill_tres(m, "p", tres, (size_t)n, &b, &err), &err);
	return b;
}

static double rate(const char *weights, const char *flags, const char *request)
{
	fs_snapshot *m = cluster(weights, flags);
	const double r = bill(m, request).rate;

	fs_snapshot_free(m);
	return r;
}

static void without_valid_weights_each_cpu_costs_one(void **state)
{
	fs_snapshot *m = cluster("", "");
	struct fs_bill b = bill(m, "cpu=8,mem=64G,gres/gpu=4");

	(void)state;
	assert_near(b.rate, 8, 0);
	assert_true(b.by_cpus);
	fs_snapshot_free(m);
	/* an invalid list of billing weights is ignored, so a CPU second costs 1 */
	assert_near(rate("CPU=banana", "", "cpu=8,mem=64G"), 8, 0);
	assert_near(rate("CPU=1x,Mem=1G", "", "cpu=8"), 8, 0);
	assert_near(rate("FPGA=1", "", "cpu=8"), 8, 0);
}

static void only_tres_with_a_weight_cost(void **state)
{
	(void)state;
	assert_near(rate("gres/gpu=2", "", "cpu=8,mem=64G,gres/gpu=3,node=2"), 6, 0);
	assert_near(rate("CPU=1,Node=100", "", "cpu=8,node=2"), 208, 0);
	assert_near(rate("CPU=1", "", "cpu=8,node=2"), 8, 0);
	assert_near(rate("CPU=1,Energy=5,Billing=7", "", "cpu=8,energy=1000,billing=99"), 8, 0);
	assert_near(rate("license/ansys=10,gres/tpu=0.5", "", "license/ansys=2,gres/tpu=3"), 21.5, 0);
	assert_near(rate("CPU=0,Mem=0", "", "cpu=8,mem=64G"), 0, 0);
}

static void suffixes_of_weights_scale_the_amount(void **state)
{
	static const struct {
		const char *weights, *request;
		double expected;
	} cases[] = {
		{ "Mem=1", "mem=1", 1 },	  { "Mem=1K", "mem=1", 1 },	 { "Mem=1M", "mem=1", 1 },
		{ "Mem=0.25G", "mem=64G", 16 },	  { "mem=0.25g", "mem=64G", 16 }, { "Mem=1T", "mem=1G", 1.0 / 1024 },
		{ "Mem=1P", "mem=1T", 1.0 / 1024 }, { "bb/cray=2G", "bb/cray=3G", 6 },
		{ "bb/cray=2M", "bb/cray=3G", 6144 }, { "CPU=1K", "cpu=2048", 2 },
		{ "CPU=1M", "cpu=1048576", 1 },	  { "gres/gpu=1024K", "gres/gpu=3", 3 },
		{ "license/ansys=1G", "license/ansys=1073741824", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_near(rate(cases[i].weights, "", cases[i].request), cases[i].expected, 1e-12);
}

/* The weight of a core depends on the type of the node. The weight of a GB is such that all memory of a node costs as
 * much as all its cores. */
static void rates_follow_the_table_of_the_documentation(void **state)
{
	static const struct {
		const char *node;
		int cores, gb;
		double core;
	} nodes[] = { { "Abu Dhabi", 64, 256, 0.25 }, { "Broadwell", 32, 128, 0.6 }, { "Skylake", 32, 192, 1.2 } };
	char weights[64], request[64];

	(void)state;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		const double gb = nodes[i].cores * nodes[i].core / nodes[i].gb;

		snprintf(weights, sizeof(weights), "CPU=%.17g,Mem=%.17gG", nodes[i].core, gb);
		snprintf(request, sizeof(request), "cpu=%d", nodes[i].cores);
		assert_near(rate(weights, "'MAX_TRES'", request), nodes[i].cores * nodes[i].core, 1e-9);
		snprintf(request, sizeof(request), "cpu=1,mem=%dG", nodes[i].gb);
		assert_near(rate(weights, "'MAX_TRES'", request), nodes[i].cores * nodes[i].core, 1e-9);
		assert_near(rate(weights, "", request), nodes[i].cores * nodes[i].core + nodes[i].core, 1e-9);
	}
	assert_near(rate("CPU=0.5,Mem=0.125G", "", "cpu=16,mem=64G"), 16, 0);
}

static void max_tres_charges_only_the_greatest_term(void **state)
{
	static const char w[] = "CPU=1,Mem=0.25G,Node=3,gres/gpu=8,gres/tpu=5,license/ansys=2,bb/cray=1G";
	static const char r[] = "cpu=4,mem=8G,node=1,gres/gpu=1,gres/tpu=2,license/ansys=3,bb/cray=7G";

	(void)state;
	assert_near(rate(w, "", r), 4 + 2 + 3 + 8 + 10 + 6 + 7, 0);
	assert_near(rate(w, "'MAX_TRES'", r), 10 + 6 + 7, 0);
	assert_near(rate(w, "'MAX_TRES_GRES'", r), 4 + 8 + 10 + 6 + 7, 0);
	assert_near(rate(w, "'MAX_TRES','MAX_TRES_GRES'", r), 4 + 8 + 10 + 6 + 7, 0);
	assert_near(rate("", "'MAX_TRES'", r), 4, 0);
}

/* If several terms are equally large, MAX_TRES charges only the first of them. */
static void the_first_of_equal_terms_counts(void **state)
{
	fs_snapshot *m = cluster("CPU=1,Mem=1G,Node=1", "'MAX_TRES'");
	const struct fs_bill b = bill(m, "cpu=4,mem=4G,node=2");

	(void)state;
	assert_int_equal(b.n, 3);
	assert_near(b.rate, 4, 0);
	assert_true(b.term[0].counts);
	assert_false(b.term[1].counts);
	assert_false(b.term[2].counts);
	fs_snapshot_free(m);
}

static void terms_sum_to_the_rate(void **state)
{
	static const char *const flags[] = { "", "'MAX_TRES'", "'MAX_TRES_GRES'" };
	uint64_t r = 7;
	char weights[128], request[128];

	(void)state;
	for (int k = 0; k < 300; k++) {
		double sum = 0;
		fs_snapshot *m;
		struct fs_bill b;

		snprintf(weights, sizeof(weights), "CPU=%u.%u,Mem=%uG,gres/gpu=%u,license/ansys=%u", fst_below(&r, 4),
			 fst_below(&r, 10), fst_below(&r, 3), fst_below(&r, 50), fst_below(&r, 9));
		snprintf(request, sizeof(request), "cpu=%u,mem=%u,gres/gpu=%u,license/ansys=%u", fst_below(&r, 100),
			 fst_below(&r, 100000), fst_below(&r, 9), fst_below(&r, 5));
		m = cluster(weights, flags[k % 3]);
		b = bill(m, request);
		for (size_t i = 0; i < b.n; i++) {
			assert_same_double(b.term[i].points, b.term[i].amount * b.term[i].weight);
			sum += b.term[i].counts ? b.term[i].points : 0;
		}
		assert_same_double(sum, b.rate);
		fs_snapshot_free(m);
	}
}

static void unknown_partitions_and_invalid_tres_are_refused(void **state)
{
	fs_snapshot *m = cluster("CPU=1", "");
	struct fs_tres tres[2] = { { "cpu", 1 }, { "fpga", 1 } };
	struct fs_error err;
	struct fs_bill b;
	static const char *const bad[] = { "fpga=1", "cpu", "cpu=", "cpu=x", "cpu=-1", "=4", "cpu=1,,mem=2", "mem=1Q" };

	(void)state;
	assert_int_equal(fs_bill_tres(m, "nosuch", tres, 1, &b, &err), FS_EUSAGE);
	assert_int_equal(fs_bill_tres(m, "p", tres, 2, &b, &err), FS_EUSAGE);
	assert_non_null(strstr(err.message, "fpga"));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(fs_tres_parse(m, bad[i], tres, 2, &err), FS_EUSAGE);
	assert_int_equal(fs_tres_parse(m, "cpu=1,mem=1,node=1", tres, 2, &err), FS_EUSAGE);
	fs_snapshot_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_valid_weights_each_cpu_costs_one),
		cmocka_unit_test(only_tres_with_a_weight_cost),
		cmocka_unit_test(suffixes_of_weights_scale_the_amount),
		cmocka_unit_test(rates_follow_the_table_of_the_documentation),
		cmocka_unit_test(max_tres_charges_only_the_greatest_term),
		cmocka_unit_test(the_first_of_equal_terms_counts),
		cmocka_unit_test(terms_sum_to_the_rate),
		cmocka_unit_test(unknown_partitions_and_invalid_tres_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
