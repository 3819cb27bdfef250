/* backfill/node_space: licences of reservations in node_space (src/slurmctld/licenses.c: bf_licenses_*). */
#include "fstest.h"

#include "backfill/node_space.h"

enum { STEP = 60, KINDS = 2 };

static const int64_t all[KINDS] = { 5, 3 };

static void reserved_licenses_are_only_for_their_owner(void **state)
{
	const struct fsi_node_space_licenses l = { .n = KINDS, .nowners = 2 };
	const int64_t one[KINDS] = { 1, 0 }, kept[KINDS] = { 2, 0 }, four[KINDS] = { 4, 0 }, five[KINDS] = { 5, 0 },
		      six[KINDS] = { 6, 0 };
	int64_t row[KINDS * 3];

	(void)state;
	fsi_node_space_licenses_init(&l, row, all);
	fsi_node_space_licenses_reserve(&l, row, (struct fsi_license_demand){ kept, 2 });
	assert_false(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ four, 0 }));
	assert_false(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ four, 1 }));
	assert_true(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ five, 2 }));
	/* licenses of the owning reservation are taken first, then licenses that are free for all jobs */
	fsi_node_space_licenses_take(&l, row, (struct fsi_license_demand){ one, 2 });
	assert_true(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ kept, 0 }));
	assert_int_equal(row[0], 3);
	fsi_node_space_licenses_take(&l, row, (struct fsi_license_demand){ kept, 2 });
	assert_int_equal(row[0], 2);
	/* after a demand for more licenses than there are, 0 licenses are free */
	fsi_node_space_licenses_take(&l, row, (struct fsi_license_demand){ six, 2 });
	assert_int_equal(row[0], 0);
	assert_int_equal(row[1], 3);
}

static void no_more_licenses_are_reserved_than_exist(void **state)
{
	const struct fsi_node_space_licenses l = { .n = KINDS, .nowners = 2 };
	const int64_t four[KINDS] = { 4, 1 };
	int64_t row[KINDS * 3];

	(void)state;
	fsi_node_space_licenses_init(&l, row, all);
	fsi_node_space_licenses_reserve(&l, row, (struct fsi_license_demand){ four, 1 });
	fsi_node_space_licenses_reserve(&l, row, (struct fsi_license_demand){ four, 2 });
	assert_int_equal(row[0], 0);
	assert_true(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ four, 1 }));
	assert_false(fsi_node_space_licenses_suffice(&l, row, (struct fsi_license_demand){ four, 2 }));
}

/* Returns the number of slots after a node is taken twice in succession while a reservation holds licences. */
static uint32_t slots(bool compared)
{
	const struct fsi_node_space_licenses l = { .n = KINDS, .nowners = 1, .compares_reserved = compared };
	const int64_t kept[KINDS] = { 2, 0 };
	const struct fsi_license_demand none = { NULL, 0 };
	const uint64_t up = 3, first = 1;
	struct fsi_node_space m;
	uint32_t n;

	assert_int_equal(fsi_node_space_init(&m, 0, 100 * STEP, STEP, &up, 1, &l, all), 0);
	assert_int_equal(fsi_node_space_reserve_licenses(&m, 0, 50 * STEP, (struct fsi_license_demand){ kept, 1 }), 0);
	assert_int_equal(fsi_node_space_take_nodes(&m, 10 * STEP, 12 * STEP, &first, none), 0);
	assert_int_equal(fsi_node_space_take_nodes(&m, 12 * STEP, 14 * STEP, &first, none), 0);
	n = m.n;
	fsi_node_space_release(&m);
	return n;
}

static void comparing_reserved_licenses_merges_equal_slots(void **state)
{
	(void)state;
	assert_int_equal(slots(false), slots(true) + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reserved_licenses_are_only_for_their_owner),
		cmocka_unit_test(no_more_licenses_are_reserved_than_exist),
		cmocka_unit_test(comparing_reserved_licenses_merges_equal_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
