/* The words of a Slurm node's state: "IDLE+CLOUD+POWERED_DOWN", "MIXED*", "DOWN*+DRAIN". */
#ifndef FSI_MODEL_NODE_STATE_H
#define FSI_MODEL_NODE_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* Does the state have one of the n words? */
bool fsi_node_state_has(const char *state, const char *const *words, size_t n);

/* Does it not answer, for another reason than that it is being powered up, in which time jobs are given it all the same
 * (src/slurmctld/power_save.c: _do_power_work leaves it in avail_node_bitmap)? */
bool fsi_node_is_silent(const char *state);

/* Is it powered down, or being powered up? Jobs may be given it. */
bool fsi_node_is_asleep(const char *state);
bool fsi_node_is_waking(const char *state);

/* Is it, or will it be as soon as it can be, powered down, and taken by no job until it is
 * (src/slurmctld/node_mgr.c: make_node_avail)? One that is powered down wakes for a job. */
bool fsi_node_goes_to_sleep(const char *state);

#endif
