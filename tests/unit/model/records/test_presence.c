/* The bits for known fields of a record, with field numbers on both sides of a word boundary. */
#include "model/records/presence.h"

#include "fstest.h"

static const unsigned bits[] = { 0, 1, 31, 32, 63, 64, 65, FSI_FIELDS_MAX - 1 };

enum { BITS = sizeof(bits) / sizeof(*bits) };

static void marking_a_field_does_not_affect_other_fields(void **state)
{
	(void)state;
	for (unsigned i = 0; i < BITS; i++) {
		struct fsi_rec rec = { .line = 7 };

		fsi_mark_known(&rec, bits[i]);
		for (unsigned k = 0; k < FSI_FIELDS_MAX; k++)
			assert_int_equal(fsi_is_field_known(&rec, k), k == bits[i]);
		fsi_mark_unknown(&rec, bits[i]);
		for (unsigned k = 0; k < FSI_FIELDS_MAX; k++)
			assert_false(fsi_is_field_known(&rec, k));
		assert_int_equal(rec.line, 7);
	}
}

static void a_set_without_one_field_is_a_proper_subset(void **state)
{
	struct fsi_fields all = { { 0 } };

	(void)state;
	for (unsigned i = 0; i < BITS; i++)
		fsi_fields_add(&all, bits[i]);
	assert_true(fsi_fields_are_subset(&all, &all));
	for (unsigned i = 0; i < BITS; i++) {
		struct fsi_fields less = all;

		fsi_fields_remove(&less, bits[i]);
		assert_true(fsi_fields_are_subset(&less, &all));
		assert_false(fsi_fields_are_subset(&all, &less));
	}
}

static void only_early_fields_can_be_special(void **state)
{
	const struct fsi_rec rec = { .special = UINT32_MAX };

	(void)state;
	assert_true(fsi_is_field_special(&rec, FSI_SPECIAL_BITS - 1));
	assert_false(fsi_is_field_special(&rec, FSI_SPECIAL_BITS));
	assert_false(fsi_is_field_special(&rec, 64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marking_a_field_does_not_affect_other_fields),
		cmocka_unit_test(a_set_without_one_field_is_a_proper_subset),
		cmocka_unit_test(only_early_fields_can_be_special),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
