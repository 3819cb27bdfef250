/* A line of slurm.conf, which the controller reads again at scontrol reconfigure. */
#include "base/num.h"
#include "model/job/settings.h"
#include "model/slurm/conf.h"
#include "scenario/slurm/slurm.h"

#include <string.h>

static int words(struct fsi_scenario *s, const char *text, int64_t *out)
{
	uint32_t list = 0;

	for (text += strspn(text, ","); *text; text += strspn(text, ",")) {
		const size_t len = strcspn(text, ",");
		const uint32_t name = fsi_intern(&s->m->names, text, len);

		list = name == FSI_INTERN_FAILED ? name : fsi_scenario_change_list(s->m, list, name, true);
		if (list == FSI_INTERN_FAILED)
			return fsi_nomem(s->err);
		text += len;
	}
	*out = list;
	return 0;
}

static int integer(struct fsi_scenario *s, const struct fsi_slurm_setting *to, const char *text, int64_t *out)
{
	uint64_t n;

	if (to->kind == FSI_SETTING_SECONDS && !fsi_scenario_minutes(text, out) && *out != FS_UNLIMITED)
		return 0;
	if (to->kind == FSI_SETTING_SECONDS || fsi_parse_u64(text, strlen(text), &n) || n > UINT32_MAX)
		return fsi_scenario_refuse(s, "%s: expected %s, got \"%.60s\"", to->name,
					   to->kind == FSI_SETTING_SECONDS ? "a time such as 7-0 or 1:00:00" : "a whole number", text);
	*out = (int64_t)n;
	return 0;
}

/* The size factor that was captured tells for how many CPUs a job counts; where small jobs go first, it is 1 less that
 * (priority_multifactor.c: set_priority_factors). */
static int turn_sizes(struct fsi_scenario *s, bool small, bool timed)
{
	fs_snapshot *m = s->m;
	const bool turned = small != fsi_config_yes(m, "PriorityFavorSmall");
	const bool other = timed != fsi_config_lists(m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME");

	for (size_t i = 0; i < m->job.n; i++) {
		struct fsi_job *j = &m->job.v[i];

		if (!FSI_HAS(j, JOB, size_factor))
			continue;
		if (other)
			FSI_CLEAR_RARE(m, j, size_factor);
		else if (turned && FSI_SET_RARE(m, j, size_factor, 1 - fsi_job_rare(m, j)->size_factor))
			return fsi_nomem(s->err);
	}
	return 0;
}

static int set(struct fsi_scenario *s, const struct fsi_slurm_setting *to, const char *text)
{
	struct fsi_config_entry value = { .kind = FSI_CONFIG_STR }, *e;
	struct fsi_job_defaults defaults;
	int rc = 0;

	switch (to->kind) {
	case FSI_SETTING_INTEGER:
	case FSI_SETTING_SECONDS:
		value.kind = FSI_CONFIG_INT;
		rc = integer(s, to, text, &value.i);
		break;
	case FSI_SETTING_YES_NO:
		value.kind = FSI_CONFIG_BOOL;
		value.i = fsi_same_any_case(text, strlen(text), "YES") || !strcmp(text, "1");
		if (!value.i && !fsi_same_any_case(text, strlen(text), "NO") && strcmp(text, "0") != 0)
			rc = fsi_scenario_refuse(s, "%s: expected YES or NO, got \"%.60s\"", to->name, text);
		break;
	case FSI_SETTING_WORDS:
		value.kind = FSI_CONFIG_LIST;
		rc = words(s, text, &value.i);
		break;
	case FSI_SETTING_MOMENT: /* the controller's own, not of its configuration */
		return fsi_scenario_refuse(s, "%s is not set", to->name);
	case FSI_SETTING_TEXT:
		if (!strcmp(to->name, "JobDefaults") && fsi_slurm_job_defaults(text, strlen(text), &defaults))
			return fsi_scenario_refuse(s, "%s: expected " FSI_JOB_DEFAULTS ", got \"%.60s\"",
						   to->name, text);
		value.i = fsi_name(s->m, text);
		break;
	}
	if (rc)
		return rc;
	e = fsi_config_entry(s->m, to->name);
	if (!e || value.i == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	value.name = e->name;
	*e = value;
	return 0;
}

/* Is it a parameter that the controller has and no command computes with? */
static bool is_idle(const char *text, size_t len)
{
	const struct fsi_slurm_setting *const idle = fsi_slurm_settings + FSI_SETTINGS_COMPUTED;
	const size_t n = FSI_SETTINGS - FSI_SETTINGS_COMPUTED, i = fsi_scenario_find(idle, n, sizeof(*idle), text, len);

	return i < n && idle[i].kind != FSI_SETTING_MOMENT;
}

bool fsi_slurm_sets(const char *word)
{
	const size_t len = strcspn(word, "=");
	size_t i = 0;

	while (i < FSI_SETTINGS && !fsi_same_any_case(word, len, fsi_slurm_settings[i].name))
		i++;
	return i < FSI_SETTINGS && !fsi_slurm_job_word(word, len);
}

int fsi_slurm_setting(struct fsi_scenario *s)
{
	const struct fsi_slurm_setting *const all = fsi_slurm_settings;
	const char *text = s->word[0];
	const size_t n = FSI_SETTINGS_COMPUTED, len = strcspn(text, "="), i = fsi_scenario_find(all, n, sizeof(*all), text, len);

	if (s->n > 1)
		return fsi_scenario_refuse(s, "one setting at a time: \"%.60s\" is one too many", s->word[1]);
	if (i == n && !is_idle(text, len))
		return fsi_scenario_refuse(s, "no setting \"%.*s\" changes what is computed; the nearest is %s",
					   (int)(len < 60 ? len : 60), text,
					   fsi_scenario_nearest(all, n, sizeof(*all), text, len));
	fsi_scenario_note_who(s, FSI_ADMINISTRATOR, 0, 0, "slurm.conf: ");
	if (i == n) {
		fsi_scenario_note(s, "slurm.conf: %.*s changes nothing that is computed", (int)(len < 60 ? len : 60), text);
		return 0;
	}
	fsi_slurm_forget_all_recorded(s);
	const bool small = fsi_config_yes(s->m, "PriorityFavorSmall");
	const bool timed = fsi_config_lists(s->m, "PriorityFlags", "SMALL_RELATIVE_TO_TIME");
	const int rc = set(s, &all[i], text + len + 1);

	return rc ? rc : turn_sizes(s, small, timed);
}
