/* Dispatches Slurm commands by their first word, applies lines of slurm.conf, and defines the texts of Slurm commands
 * for advice. */
#include "scenario/slurm/slurm.h"

#include "base/num.h"
#include "model/jobs.h"
#include "model/slurm.h"
#include "scenario/grammar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- a command that is a line of slurm.conf; scontrol reconfigure is assumed to run after the change */

static int intern_config_words(struct fsi_scenario *s, const char *text, int64_t *out)
{
	uint32_t list = 0;

	for (text += strspn(text, ","); *text; text += strspn(text, ",")) {
		const size_t len = strcspn(text, ",");
		const uint32_t name = fsi_intern_add(&s->m->names, text, len);

		list = name == FSI_INTERN_FAILED ? name : fsi_scenario_change_list(s->m, list, name, true);
		if (list == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->err);
		text += len;
	}
	*out = list;
	return 0;
}

static int parse_config_integer(struct fsi_scenario *s, const struct fsi_slurm_setting *to, const char *text,
				int64_t *out)
{
	uint64_t n;

	if (to->kind == FSI_SETTING_SECONDS && !fsi_scenario_parse_minutes(text, out) && *out != FS_UNLIMITED)
		return 0;
	if (to->kind == FSI_SETTING_SECONDS || fsi_parse_u64(text, strlen(text), &n) || n > UINT32_MAX)
		return fsi_scenario_refuse(s, "%s: expected %s, got \"%.60s\"", to->name,
					   to->kind == FSI_SETTING_SECONDS ? "a time such as 7-0 or 1:00:00" : "a whole number", text);
	*out = (int64_t)n;
	return 0;
}

/* Adapts the captured size factors of all jobs after a change of PriorityFavorSmall or SMALL_RELATIVE_TO_TIME. `small`,
 * `timed`: old values of the two parameters. After a change of PriorityFavorSmall, each factor f becomes 1 - f
 * (priority_multifactor.c: set_priority_factors). After a change of SMALL_RELATIVE_TO_TIME, the factors become
 * unknown. */
static int adapt_size_factors(struct fsi_scenario *s, bool small, bool timed)
{
	fs_snapshot *m = s->m;
	const bool is_order_changed = small != fsi_config_is_true(m, "PriorityFavorSmall");
	const bool is_basis_changed = timed != fsi_config_list_has(m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME");

	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *j = &m->job.v[i];

		if (!FSI_HAS(j, JOB, size_factor))
			continue;
		if (is_basis_changed)
			FSI_CLEAR_JOB_EXT(m, j, size_factor);
		else if (is_order_changed && FSI_SET_JOB_EXT(m, j, size_factor, 1 - fsi_job_ext(m, j)->size_factor))
			return fsi_fail_no_memory(s->err);
	}
	return 0;
}

static int set_config_value(struct fsi_scenario *s, const struct fsi_slurm_setting *to, const char *text)
{
	struct fsi_config_entry value = { .kind = FSI_CONFIG_STR }, *e;
	struct fsi_job_defaults defaults;
	int rc = 0;

	switch (to->kind) {
	case FSI_SETTING_INTEGER:
	case FSI_SETTING_SECONDS:
		value.kind = FSI_CONFIG_INT;
		rc = parse_config_integer(s, to, text, &value.i);
		break;
	case FSI_SETTING_YES_NO:
		value.kind = FSI_CONFIG_BOOL;
		value.i = fsi_is_same_ignoring_case(text, strlen(text), "YES") || !strcmp(text, "1");
		if (!value.i && !fsi_is_same_ignoring_case(text, strlen(text), "NO") && strcmp(text, "0") != 0)
			rc = fsi_scenario_refuse(s, "%s: expected YES or NO, got \"%.60s\"", to->name, text);
		break;
	case FSI_SETTING_WORDS:
		value.kind = FSI_CONFIG_LIST;
		rc = intern_config_words(s, text, &value.i);
		break;
	case FSI_SETTING_MOMENT: /* a time that the controller computes and that cannot be configured */
		return fsi_scenario_refuse(s, "%s cannot be set, because the controller computes it", to->name);
	case FSI_SETTING_TEXT:
		if (!strcmp(to->name, "JobDefaults") && fsi_slurm_parse_job_defaults(text, strlen(text), &defaults))
			return fsi_scenario_refuse(s, "%s: expected " FSI_JOB_DEFAULTS ", got \"%.60s\"",
						   to->name, text);
		value.i = fsi_name_intern(s->m, text);
		break;
	}
	if (rc)
		return rc;
	e = fsi_config_find_or_add(s->m, to->name);
	if (!e || value.i == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(s->err);
	value.name = e->name;
	*e = value;
	return 0;
}

/* Returns the index in fsi_slurm_settings of the parameter of slurm.conf with this name; FSI_SETTINGS if there is none.
 * The name may be abbreviated. Parameters used in computations are searched first. */
static size_t find_config_parameter(const char *text, size_t len)
{
	const struct fsi_slurm_setting *const all = fsi_slurm_settings;
	const size_t n = FSI_SETTINGS_COMPUTED, i = fsi_scenario_find_name(all, n, sizeof(*all), text, len);

	return i < n ? i : n + fsi_scenario_find_name(all + n, FSI_SETTINGS - n, sizeof(*all), text, len);
}

/* Returns true if the word begins with the full name of a parameter of slurm.conf that is not also a keyword of
 * scontrol update job. */
static bool is_config_setting(const char *word)
{
	const size_t len = strcspn(word, "=");
	size_t i = 0;

	while (i < FSI_SETTINGS && !fsi_is_same_ignoring_case(word, len, fsi_slurm_settings[i].name))
		i++;
	return i < FSI_SETTINGS && !fsi_slurm_is_job_keyword(word, len);
}

/* Applies the line of slurm.conf in s->words[0], such as "PriorityWeightAge=0". */
static int apply_config_setting(struct fsi_scenario *s)
{
	const struct fsi_slurm_setting *const all = fsi_slurm_settings;
	const char *text = s->words[0];
	const size_t n = FSI_SETTINGS_COMPUTED, len = strcspn(text, "="), i = find_config_parameter(text, len);

	if (s->n > 1)
		return fsi_scenario_refuse(s, "expected one setting only; remove \"%.60s\"", s->words[1]);
	if (i == FSI_SETTINGS)
		return fsi_scenario_refuse(s, "setting \"%.*s\" is not supported; the nearest is %s",
					   (int)(len < 60 ? len : 60), text,
					   fsi_scenario_nearest_name(all, n, sizeof(*all), text, len));
	fsi_scenario_note_privilege(s, FSI_ADMINISTRATOR, 0, 0, "changing slurm.conf: ");
	if (i >= n && all[i].kind != FSI_SETTING_MOMENT) {
		fsi_scenario_note(s, "slurm.conf: %.*s has no effect on computed values", (int)(len < 60 ? len : 60),
				  text);
		return 0;
	}
	if (fsi_slurm_changes_priorities(all[i].name))
		fsi_slurm_drop_all_recorded(s);
	const bool small = fsi_config_is_true(s->m, "PriorityFavorSmall");
	const bool timed = fsi_config_list_has(s->m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME");
	const int rc = set_config_value(s, &all[i], text + len + 1);

	return rc ? rc : adapt_size_factors(s, small, timed);
}

/* ---- dispatch of commands by their first word */

static bool is_key_word(const char *word, const char *key)
{
	const size_t len = strlen(key);

	return strlen(word) > len && word[len] == '=' && fsi_is_same_ignoring_case(word, len, key);
}

static bool is_machine_word(const char *word)
{
	return is_key_word(word, "PartitionName") || is_key_word(word, "NodeName");
}

/* Applies "PartitionName=p Key=value" or "NodeName=n Key=value", which may be a line of slurm.conf or the words after
 * scontrol update. */
static int update_named_machine(struct fsi_scenario *s, size_t at)
{
	const char *word = s->words[at], *name = strchr(word, '=') + 1;

	return is_key_word(word, "NodeName") ? fsi_slurm_update_nodes(s, name, at + 1)
				       : fsi_slurm_update_partition(s, name, at + 1);
}

/* Returns true for a word such as "ReservationName=maint", and for the word "reservation". */
static bool is_reservation_word(const char *word)
{
	static const char *const key[] = { "ReservationName" };

	return !fsi_scenario_find_name(key, 1, sizeof(*key), word, strcspn(word, "="));
}

/* Applies "create reservation Key=value..." or "create ReservationName=maint Key=value...". */
static int run_scontrol_create(struct fsi_scenario *s, size_t at)
{
	if (at < s->n && is_reservation_word(s->words[at]))
		return fsi_slurm_create_reservation(s, at + !strchr(s->words[at], '='));
	return fsi_scenario_refuse(s, "scontrol create: expected reservation, got \"%.60s\"",
				   at < s->n ? s->words[at] : "");
}

static int run_scontrol_delete(struct fsi_scenario *s, size_t at)
{
	if (at < s->n && is_reservation_word(s->words[at]))
		return fsi_slurm_delete_reservation(s, at);
	return fsi_scenario_refuse(s, "scontrol delete: expected ReservationName=NAME, got \"%.60s\"",
				   at < s->n ? s->words[at] : "");
}

/* Returns the index of the first word, from s->words[at] on, that has the key `kind`; s->n if there is none. A word
 * without "=" is a key whose value is the next word. */
static size_t find_kind_word(const struct fsi_scenario *s, size_t at, const char *kind)
{
	for (; at < s->n; at++) {
		const size_t len = strcspn(s->words[at], "=");

		if (!fsi_scenario_find_name(&kind, 1, sizeof(kind), s->words[at], len))
			return at;
		at += !s->words[at][len];
	}
	return s->n;
}

/* Removes one key and its value from the command: s->words[at] if it has the form "Key=value", otherwise s->words[at]
 * and the next word. Returns the value. */
static const char *remove_word_value(struct fsi_scenario *s, size_t at)
{
	const char *equals = strchr(s->words[at], '='), *value = equals ? equals + 1 : at + 1 < s->n ? s->words[at + 1] : "";
	const size_t n = equals || at + 1 == s->n ? 1 : 2;

	s->n -= n;
	memmove(&s->words[at], &s->words[at + n], (s->n - at + 1) * sizeof(*s->words));
	return value;
}

/* Runs scontrol update with words such as "job 12 Key=value" or "Key=value JobId=12". Any word may name the object to
 * update. The words are searched for a job first, then for a reservation, then for nodes and partitions
 * (src/scontrol/scontrol.c: _update_it). */
static int run_scontrol_update(struct fsi_scenario *s, size_t at)
{
	static const struct {
		const char *name;
		int (*run)(struct fsi_scenario *s, const char *name, size_t at);
	} kinds[] = { { "JobId", fsi_slurm_update_job },
		      { "ReservationName", NULL },
		      { "NodeName", fsi_slurm_update_nodes },
		      { "PartitionName", fsi_slurm_update_partition } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t word_at = find_kind_word(s, at, kinds[i].name);

		if (word_at < s->n)
			return kinds[i].run ? kinds[i].run(s, remove_word_value(s, word_at), at)
					    : fsi_slurm_update_reservation(s, at);
	}
	return fsi_scenario_refuse(s,
				   "scontrol update: expected job ID, JobId=ID, PartitionName=NAME, NodeName=LIST or "
				   "ReservationName=NAME, got \"%.60s\"",
				   at < s->n ? s->words[at] : "");
}

static int run_scontrol_verb(struct fsi_scenario *s, size_t at)
{
	static const struct fsi_verb verbs[] = {
		{ "create", run_scontrol_create },    { "delete", run_scontrol_delete },
		{ "hold", fsi_slurm_run_hold },       { "release", fsi_slurm_run_release },
		{ "requeue", fsi_slurm_run_requeue }, { "requeuehold", fsi_slurm_run_requeuehold },
		{ "resume", fsi_slurm_run_resume },   { "suspend", fsi_slurm_run_suspend },
		{ "top", fsi_slurm_run_top },         { "uhold", fsi_slurm_run_uhold },
		{ "update", run_scontrol_update },
	};

	return fsi_scenario_run_verb(s, verbs, sizeof(verbs) / sizeof(*verbs), "scontrol", at);
}

static const struct fsi_verb slurm_commands[] = {
	{ "sacctmgr", fsi_slurm_run_sacctmgr },
	{ "sbatch", fsi_slurm_run_sbatch },
	{ "scancel", fsi_slurm_run_scancel },
	{ "scontrol", run_scontrol_verb },
};
enum { SLURM_COMMAND_COUNT = sizeof(slurm_commands) / sizeof(*slurm_commands) };

bool fsi_slurm_begins_command(const char *word)
{
	const size_t len = strlen(word);

	if (strchr(word, '='))
		return is_machine_word(word) || is_config_setting(word);
	return fsi_scenario_find_name(slurm_commands, SLURM_COMMAND_COUNT, sizeof(*slurm_commands), word, len) <
	       SLURM_COMMAND_COUNT;
}

static int run_slurm_command(struct fsi_scenario *s)
{
	if (is_machine_word(s->words[0]))
		return update_named_machine(s, 0);
	if (strchr(s->words[0], '='))
		return apply_config_setting(s);
	return fsi_scenario_run_verb(s, slurm_commands, SLURM_COMMAND_COUNT, "the snapshot's scheduler is Slurm: command", 0);
}

int fsi_slurm_edit(struct fsi_scenario *s)
{
	const int rc = run_slurm_command(s);

	return rc ? rc : fsi_slurm_release_throttled(s);
}

/* ---- texts of Slurm commands for advice */

static void write_slurm_limit(struct fsi_command *c, const struct fsi_limit_change *l)
{
	const char *word = fsi_slurm_find_limit_keyword(l->name), *equals = *l->tres ? "=" : "";

	if (!word)
		return;
	switch (l->scope) {
	case FS_LIMIT_QOS:
	case FS_LIMIT_PARTITION_QOS:
		fsi_command_set_text(c, "sacctmgr modify qos where name=%s set %s=%s%s%.0f", l->of, word, l->tres,
				     equals, l->amount);
		break;
	case FS_LIMIT_ACCOUNT:
		fsi_command_set_text(c, "sacctmgr modify account where name=%s set %s=%s%s%.0f", l->of, word, l->tres,
				     equals, l->amount);
		break;
	case FS_LIMIT_ASSOC:
		fsi_command_set_text(c, "sacctmgr modify user where name=%s account=%s set %s=%s%s%.0f", l->user,
				     l->account, word, l->tres, equals, l->amount);
		break;
	}
}

void fsi_slurm_write_shares(struct fsi_command *c, const fs_snapshot *m, const struct fsi_association *a,
			    uint32_t shares)
{
	const char *account = fsi_name_text(m, a->account), *partition = fsi_name_text(m, a->partition);

	if (a->user)
		fsi_command_set_text(c, "sacctmgr modify user where name=%s account=%s%s%s set fairshare=%" PRIu32,
				     fsi_name_text(m, a->user), account, *partition ? " partition=" : "", partition,
				     shares);
	else
		fsi_command_set_text(c, "sacctmgr modify account where name=%s set fairshare=%" PRIu32, account,
				     shares);
}

/* Formats minutes as "1:30:00" or "2-06:00:00". */
static void format_slurm_minutes(char *out, size_t size, int64_t minutes)
{
	const int64_t days = minutes / 1440, rest = minutes % 1440;

	if (days)
		snprintf(out, size, "%" PRId64 "-%02" PRId64 ":%02" PRId64 ":00", days, rest / 60, rest % 60);
	else
		snprintf(out, size, "%" PRId64 ":%02" PRId64 ":00", rest / 60, rest % 60);
}

static const char *find_rule_command(const char *what)
{
	static const struct {
		const char *what, *command;
	} rules[] = { { "time", "scontrol update PartitionName=%s MaxTime=UNLIMITED" },
		      { "account", "scontrol update PartitionName=%s AllowAccounts=ALL" },
		      { "qos", "scontrol update PartitionName=%s AllowQos=ALL" },
		      { "node", "scontrol update PartitionName=%s MaxNodes=UNLIMITED" },
		      { "min_nodes", "scontrol update PartitionName=%s MinNodes=0" } };

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(what, rules[i].what))
			return rules[i].command;
	return NULL;
}

const struct fsi_commands fsi_slurm_commands = {
	.update = "scontrol update job %s",
	.hold = "scontrol hold %s",
	.release = "scontrol release %s",
	.top = "scontrol top %s",
	.cancel = "scancel",
	.resume_nodes = "scontrol update NodeName=%s State=RESUME",
	.delete_reservation = "scontrol delete ReservationName=%s",
	.open_partition = "scontrol update PartitionName=%s State=UP",
	.remove_rule = find_rule_command,
	.search_parameter = "SchedulerParameters",
	.max_priority = "4294967293",
	.owner_may_top = fsi_slurm_has_user_top,
	.word = {
		[FSI_CHANGE_NOTHING] = " Comment=",
		[FSI_CHANGE_TIME_LIMIT] = " TimeLimit=",
		[FSI_CHANGE_TIME_MIN] = " TimeMin=",
		[FSI_CHANGE_BEGIN] = " StartTime=",
		[FSI_CHANGE_NODES] = " NumNodes=",
		[FSI_CHANGE_CPUS] = " NumCPUs=",
		[FSI_CHANGE_TASKS] = " NumTasks=",
		[FSI_CHANGE_CPU_MEMORY] = " MinMemoryCPU=",
		[FSI_CHANGE_NODE_MEMORY] = " MinMemoryNode=",
		[FSI_CHANGE_DISK] = " MinTmpDiskNode=",
		[FSI_CHANGE_GRES] = " Gres=",
		[FSI_CHANGE_JOB_GRES] = " TresPerJob=",
		[FSI_CHANGE_LICENSES] = " Licenses=",
		[FSI_CHANGE_PARTITIONS] = " Partition=",
		[FSI_CHANGE_QOS] = " QOS=",
		[FSI_CHANGE_ACCOUNT] = " Account=",
		[FSI_CHANGE_NODE_LIST] = " ReqNodeList=",
		[FSI_CHANGE_EXCLUDED] = " ExcNodeList=",
		[FSI_CHANGE_FEATURES] = " Features=",
		[FSI_CHANGE_RESERVATION] = " ReservationName=",
		[FSI_CHANGE_CONTIGUOUS] = " Contiguous=",
		[FSI_CHANGE_THROTTLE] = " ArrayTaskThrottle=",
		[FSI_CHANGE_NICE] = " Nice=",
		[FSI_CHANGE_PRIORITY] = " Priority=",
		[FSI_CHANGE_DEPENDENCY] = " Dependency=",
	},
	.minutes = format_slurm_minutes,
	.limit = write_slurm_limit,
	.shares_weight_option = "PriorityWeightFairShare",
};
