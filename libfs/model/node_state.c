#include "model/node_state.h"

#include <string.h>

#define HAS(state, ...) \
	fsi_node_state_has(state, (const char *const[]){ __VA_ARGS__ }, \
			   sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

bool fsi_node_state_has(const char *state, const char *const *words, size_t n)
{
	while (*state) {
		const size_t item = strcspn(state, "+"), word = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

		for (size_t i = 0; i < n; i++)
			if (word == strlen(words[i]) && !strncmp(state, words[i], word))
				return true;
		state += item + (state[item] == '+');
	}
	return false;
}

bool fsi_node_is_asleep(const char *state)
{
	return HAS(state, "POWERED_DOWN", "POWERING_DOWN");
}

bool fsi_node_is_waking(const char *state)
{
	return HAS(state, "POWERING_UP");
}

bool fsi_node_is_silent(const char *state)
{
	return !fsi_node_is_waking(state) && (strchr(state, '*') || HAS(state, "NOT_RESPONDING", "NO_RESPOND"));
}

bool fsi_node_goes_to_sleep(const char *state)
{
	return HAS(state, "POWERING_DOWN") || (HAS(state, "POWER_DOWN") && !HAS(state, "ALLOCATED", "MIXED"));
}
