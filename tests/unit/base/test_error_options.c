/* base/error.c: options of programs that were compiled with another version of the header. */
#include "fstest.h"

#include "base/error.h"

struct old_options {
	size_t size;
	long a;
};

struct options {
	size_t size;
	long a, b;
};

static void members_unknown_to_the_caller_are_zero(void **state)
{
	const struct {
		struct old_options o;
		long behind;
	} given = { { sizeof(struct old_options), 7 }, 9 };
	struct options own;

	(void)state;
	assert_ptr_equal(FSI_OPTIONS(own, &given), &own);
	assert_int_equal(own.a, 7);
	assert_int_equal(own.b, 0);
	assert_int_equal(own.size, sizeof(own));
}

static void members_of_a_later_header_are_ignored(void **state)
{
	const struct options later = { sizeof(later), 7, 8 };
	struct old_options own;

	(void)state;
	FSI_OPTIONS(own, &later);
	assert_int_equal(own.a, 7);
	assert_int_equal(own.size, sizeof(own));
}

static void size_zero_copies_all_members_and_null_zeroes_all(void **state)
{
	const struct options given = { .a = 1, .b = 2 };
	struct options own = { 1, 2, 3 };

	(void)state;
	FSI_OPTIONS(own, &given);
	assert_int_equal(own.b, 2);
	FSI_OPTIONS(own, NULL);
	assert_int_equal(own.a, 0);
	assert_int_equal(own.b, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_unknown_to_the_caller_are_zero),
		cmocka_unit_test(members_of_a_later_header_are_ignored),
		cmocka_unit_test(size_zero_copies_all_members_and_null_zeroes_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
