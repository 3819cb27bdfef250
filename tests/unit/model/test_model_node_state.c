/* model/node_state: words of a node's state that exclude jobs. */
#include "fstest.h"
#include "model/find.h"

static const struct {
	const char *state;
	bool silent, asleep, waking, goes;
} states[] = {
	{ "IDLE", false, false, false, false },
	{ "IDLE+CLOUD+POWERED_DOWN", false, true, false, false },
	{ "IDLE+CLOUD+POWERING_DOWN", false, true, false, true },
	{ "ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP", false, false, true, false },
	{ "MIXED*+POWERING_UP", false, false, true, false },
	{ "MIXED*", true, false, false, false },
	{ "IDLE+NOT_RESPONDING", true, false, false, false },
	{ "IDLE+POWER_DOWN", false, false, false, true },
	{ "MIXED+POWER_DOWN", false, false, false, false },
	{ "", false, false, false, false },
};

static void state_words_show_whether_a_node_responds_and_has_power(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		const char *s = states[i].state;

		if (fsi_node_is_unresponsive(s) != states[i].silent ||
		    fsi_node_is_powered_down(s) != states[i].asleep || fsi_node_is_powering_up(s) != states[i].waking ||
		    fsi_node_will_power_down(s) != states[i].goes) {
			print_error("%s\n", s);
			fail();
		}
	}
}

static void state_words_match_only_as_whole_words(void **state)
{
	static const char *const down[] = { "DOWN", "DRAIN" };

	(void)state;
	assert_true(fsi_node_state_has("DOWN*+DRAIN", down, 2));
	assert_true(fsi_node_state_has("IDLE+DRAIN", down, 2));
	assert_false(fsi_node_state_has("IDLE+POWERED_DOWN", down, 2));
	assert_false(fsi_node_state_has("DRAINED", down, 2));
	assert_false(fsi_node_state_has("IDLE+DRAIN", down, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_words_show_whether_a_node_responds_and_has_power),
		cmocka_unit_test(state_words_match_only_as_whole_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
