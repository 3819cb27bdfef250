/* A line of slurm.conf, read again with scontrol reconfigure. */
#include "base/num.h"
#include "scenario/slurm.h"

#include <stdlib.h>
#include <string.h>

enum kind { INTEGER, SECONDS, YES_NO, WORDS, TEXT };

/* Those that a command computes with; by name, as fsi_scenario_find asks. */
static const struct setting {
	const char *name;
	enum kind kind;
} settings[] = {
	{ "AccountingStorageEnforce", WORDS },
	{ "FairShareDampeningFactor", INTEGER },
	{ "Licenses", TEXT },
	{ "MaxMemPerCPU", INTEGER },
	{ "OverTimeLimit", SECONDS },
	{ "PreemptMode", TEXT },
	{ "PreemptType", TEXT },
	{ "PriorityCalcPeriod", SECONDS },
	{ "PriorityDecayHalfLife", SECONDS },
	{ "PriorityFavorSmall", YES_NO },
	{ "PriorityFlags", WORDS },
	{ "PriorityMaxAge", SECONDS },
	{ "PriorityType", TEXT },
	{ "PriorityUsageResetPeriod", TEXT },
	{ "PriorityWeightAge", INTEGER },
	{ "PriorityWeightAssoc", INTEGER },
	{ "PriorityWeightFairShare", INTEGER },
	{ "PriorityWeightJobSize", INTEGER },
	{ "PriorityWeightPartition", INTEGER },
	{ "PriorityWeightQOS", INTEGER },
	{ "PriorityWeightTRES", TEXT },
	{ "PrivateData", WORDS },
	{ "SchedulerParameters", TEXT },
	{ "SelectTypeParameters", TEXT },
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

static struct fsi_config_entry *entry_of(struct fsi_scenario *s, const char *name)
{
	fs_snapshot *m = s->m;
	const uint32_t id = fsi_name(m, name);

	for (size_t i = 0; i < m->config.n; i++)
		if (m->config.v[i].name == id)
			return &m->config.v[i];
	if (id == FSI_INTERN_FAILED || FSI_VEC_ROOM(&m->config))
		return NULL;
	m->config.v[m->config.n] = (struct fsi_config_entry){ .name = id };
	return &m->config.v[m->config.n++];
}

static int words(struct fsi_scenario *s, const char *text, int64_t *out)
{
	uint32_t list = 0;

	for (text += strspn(text, ","); *text; text += strspn(text, ",")) {
		const size_t len = strcspn(text, ",");
		const uint32_t name = fsi_intern(&s->m->names, text, len);

		list = name == FSI_INTERN_FAILED ? name : fsi_scenario_listed(s->m, list, name, true);
		if (list == FSI_INTERN_FAILED)
			return fsi_nomem(s->err);
		text += len;
	}
	*out = list;
	return 0;
}

static int integer(struct fsi_scenario *s, const struct setting *to, const char *text, int64_t *out)
{
	uint64_t n;

	if (to->kind == SECONDS && !fsi_scenario_minutes(text, out) && *out != FS_UNLIMITED)
		return 0;
	if (to->kind == SECONDS || fsi_parse_u64(text, strlen(text), &n) || n > UINT32_MAX)
		return fsi_scenario_refuse(s, "%s: expected %s, got \"%.60s\"", to->name,
					   to->kind == SECONDS ? "a time such as 7-0 or 1:00:00" : "a whole number", text);
	*out = (int64_t)n;
	return 0;
}

static int set(struct fsi_scenario *s, const struct setting *to, const char *text)
{
	struct fsi_config_entry value = { .kind = FSI_CONFIG_STR }, *e;
	int rc = 0;

	switch (to->kind) {
	case INTEGER:
	case SECONDS:
		value.kind = FSI_CONFIG_INT;
		rc = integer(s, to, text, &value.i);
		break;
	case YES_NO:
		value.kind = FSI_CONFIG_BOOL;
		value.i = fsi_scenario_same(text, strlen(text), "YES") || !strcmp(text, "1");
		if (!value.i && !fsi_scenario_same(text, strlen(text), "NO") && strcmp(text, "0") != 0)
			rc = fsi_scenario_refuse(s, "%s: expected YES or NO, got \"%.60s\"", to->name, text);
		break;
	case WORDS:
		value.kind = FSI_CONFIG_LIST;
		rc = words(s, text, &value.i);
		break;
	case TEXT:
		value.i = fsi_name(s->m, text);
		break;
	}
	if (rc)
		return rc;
	e = entry_of(s, to->name);
	if (!e || value.i == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	value.name = e->name;
	*e = value;
	return 0;
}

int fsi_slurm_setting(struct fsi_scenario *s)
{
	const char *text = s->word[0];
	const size_t len = strcspn(text, "="),
		     i = fsi_scenario_find(settings, SETTINGS, sizeof(*settings), text, len);

	if (s->n > 1)
		return fsi_scenario_refuse(s, "one setting at a time: \"%.60s\" is one too many", s->word[1]);
	if (i == SETTINGS)
		return fsi_scenario_refuse(s, "no setting \"%.*s\" changes what is computed; the nearest is %s",
					   (int)(len < 60 ? len : 60), text,
					   fsi_scenario_nearest(settings, SETTINGS, sizeof(*settings), text, len));
	fsi_scenario_only(s, FSI_ADMINISTRATOR, 0, 0, "slurm.conf: ");
	fsi_slurm_all_untold(s);
	return set(s, &settings[i], text + len + 1);
}
