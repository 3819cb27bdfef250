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

/* "job 12 Key=value", "JobId=12 Key=value", "PartitionName=p Key=value", "NodeName=n[1-4] Key=value" */
static int update(struct fsi_scenario *s, size_t at)
{
	const char *word = at < s->n ? s->word[at] : "", *equals = strchr(word, '=');
	const size_t len = equals ? (size_t)(equals - word) : strlen(word);

	if (names_machine(word))
		return update_machine(s, at);
	if (is_reservation(word))
		return fsi_slurm_update_reservation(s, at);
	if (!fsi_same_any_case(word, len, "JobId") && !(fsi_same_any_case(word, len, "job") && !equals))
		return fsi_scenario_refuse(s, "scontrol update begins with job ID, JobId=ID, PartitionName=NAME, NodeName=LIST or ReservationName=NAME here, not \"%.60s\"", word);
	if (equals)
		return fsi_slurm_update_job(s, equals + 1, at + 1);
	return fsi_slurm_update_job(s, at + 1 < s->n ? s->word[at + 1] : "", at + 2);
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

int fsi_slurm_edit(struct fsi_scenario *s)
{
	if (names_machine(s->word[0]))
		return update_machine(s, 0);
	if (strchr(s->word[0], '='))
		return fsi_slurm_setting(s);
	return fsi_scenario_verb(s, commands, COMMANDS, "the command", 0);
}
