/* Slurm's commands by their first words. */
#include "scenario/slurm/slurm.h"

#include <string.h>

static bool names(const char *word, const char *key)
{
	const size_t len = strlen(key);

	return strlen(word) > len && word[len] == '=' && fsi_same_any_case(word, len, key);
}

static bool names_machine(const char *word)
{
	return names(word, "PartitionName") || names(word, "NodeName");
}

/* "PartitionName=p Key=value", as scontrol has it after update, and a line of slurm.conf. */
static int update_machine(struct fsi_scenario *s, size_t at)
{
	const char *word = s->word[at], *name = strchr(word, '=') + 1;

	return names(word, "NodeName") ? fsi_slurm_update_nodes(s, name, at + 1)
				       : fsi_slurm_update_partition(s, name, at + 1);
}

/* "ReservationName=maint", "reservation" before other words. */
static bool is_reservation(const char *word)
{
	static const char *const key[] = { "ReservationName" };

	return !fsi_scenario_find(key, 1, sizeof(*key), word, strcspn(word, "="));
}

/* "create reservation Key=value...", "create ReservationName=maint Key=value..."; delete likewise. */
static int create(struct fsi_scenario *s, size_t at)
{
	if (at < s->n && is_reservation(s->word[at]))
		return fsi_slurm_create_reservation(s, at + !strchr(s->word[at], '='));
	return fsi_scenario_refuse(s, "scontrol create makes reservations here, not \"%.60s\"", at < s->n ? s->word[at] : "");
}

static int delete(struct fsi_scenario *s, size_t at)
{
	if (at < s->n && is_reservation(s->word[at]))
		return fsi_slurm_delete_reservation(s, at);
	return fsi_scenario_refuse(s, "scontrol delete takes ReservationName=NAME here, not \"%.60s\"", at < s->n ? s->word[at] : "");
}

/* The word from `at` on that names a record of the kind. A word without = has its value in the next one. */
static size_t named_by(const struct fsi_scenario *s, size_t at, const char *kind)
{
	for (; at < s->n; at++) {
		const size_t len = strcspn(s->word[at], "=");

		if (!fsi_scenario_find(&kind, 1, sizeof(kind), s->word[at], len))
			return at;
		at += !s->word[at][len];
	}
	return s->n;
}

/* Takes the word out of the command, and gives its value. */
static const char *take_out(struct fsi_scenario *s, size_t at)
{
	const char *equals = strchr(s->word[at], '='), *value = equals ? equals + 1 : at + 1 < s->n ? s->word[at + 1] : "";
	const size_t n = equals || at + 1 == s->n ? 1 : 2;

	s->n -= n;
	memmove(&s->word[at], &s->word[at + n], (s->n - at + 1) * sizeof(*s->word));
	return value;
}

/* "job 12 Key=value", "Key=value JobId=12": what is updated may be named anywhere, a job before a reservation and that
 * before the others (src/scontrol/scontrol.c: _update_it). */
static int update(struct fsi_scenario *s, size_t at)
{
	static const struct {
		const char *name;
		int (*run)(struct fsi_scenario *s, const char *name, size_t at);
	} kinds[] = { { "JobId", fsi_slurm_update_job },
		      { "ReservationName", NULL },
		      { "NodeName", fsi_slurm_update_nodes },
		      { "PartitionName", fsi_slurm_update_partition } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t found = named_by(s, at, kinds[i].name);

		if (found < s->n)
			return kinds[i].run ? kinds[i].run(s, take_out(s, found), at)
					    : fsi_slurm_update_reservation(s, at);
	}
	return fsi_scenario_refuse(s, "scontrol update takes job ID, JobId=ID, PartitionName=NAME, NodeName=LIST or ReservationName=NAME here, not \"%.60s\"",
				   at < s->n ? s->word[at] : "");
}

static int scontrol(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = {
		{ "create", create },
		{ "delete", delete },
		{ "hold", fsi_slurm_hold },
		{ "release", fsi_slurm_release },
		{ "requeue", fsi_slurm_requeue },
		{ "requeuehold", fsi_slurm_requeuehold },
		{ "resume", fsi_slurm_resume },
		{ "suspend", fsi_slurm_suspend },
		{ "top", fsi_slurm_top },
		{ "uhold", fsi_slurm_uhold },
		{ "update", update },
	};

	return fsi_scenario_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "scontrol", at);
}

static const struct fsi_verb commands[] = {
	{ "sacctmgr", fsi_slurm_sacctmgr },
	{ "sbatch", fsi_slurm_sbatch },
	{ "scancel", fsi_slurm_scancel },
	{ "scontrol", scontrol },
};
enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

bool fsi_slurm_begins_command(const char *word)
{
	const size_t len = strlen(word);

	if (strchr(word, '='))
		return names_machine(word) || fsi_slurm_sets(word);
	return fsi_scenario_find(commands, COMMANDS, sizeof(*commands), word, len) < COMMANDS;
}

static int run_command(struct fsi_scenario *s)
{
	if (names_machine(s->word[0]))
		return update_machine(s, 0);
	if (strchr(s->word[0], '='))
		return fsi_slurm_setting(s);
	return fsi_scenario_verb(s, commands, COMMANDS, "the command", 0);
}

int fsi_slurm_edit(struct fsi_scenario *s)
{
	const int rc = run_command(s);

	return rc ? rc : fsi_slurm_open_throttles(s);
}
