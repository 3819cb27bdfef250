/* Maui's parameters with their defaults: those of the code, or those its manual promises.
 *
 * Code: src/moab/MPar.c:MParSetDefaults, include/msched.h. Manual: appendix F (component weights 0, FSINTERVAL
 * 24:00:00, FSDEPTH 7). */
#include "model/maui/maui.h"

#include <math.h>
#include <string.h>

#define GROUP_PART(tag, name, weight, cap) { name, weight, cap, FSI_MG_##tag },
const struct fsi_maui_part fsi_maui_groups[] = { FSI_MAUI_GROUPS(GROUP_PART) };

#define TERM_PART(tag, group, name, weight, cap) { name, weight, cap, FSI_MG_##group },
const struct fsi_maui_part fsi_maui_terms[] = { FSI_MAUI_TERMS(TERM_PART) };

const char *const fsi_fs_policy_names[] = { "[NONE]", "DEDICATEDPS", "DEDICATEDPES", "UTILIZEDPS" };

/* Reads a number; *out keeps its default when the parameter is not there. */
static int get_number(const fs_snapshot *m, const char *name, double *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT && e->kind != FSI_CONFIG_DOUBLE)
		return fsi_config_bad(m, e, "a number", err);
	*out = e->kind == FSI_CONFIG_INT ? (double)e->i : e->d;
	return 0;
}

static int get_int(const fs_snapshot *m, const char *name, int64_t min, int64_t max, int64_t *out,
		   struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT || e->i < min || e->i > max)
		return fsi_config_bad(m, e, "an integer in range", err);
	*out = e->i;
	return 0;
}

static int get_bool(const fs_snapshot *m, const char *name, bool *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_BOOL)
		return fsi_config_bad(m, e, "true or false", err);
	*out = e->i != 0;
	return 0;
}

static int get_policy(const fs_snapshot *m, struct fsi_maui_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "FSPOLICY");
	const char *s = e && e->kind == FSI_CONFIG_STR ? fsi_str(m, (uint32_t)e->i) : NULL;
	size_t len;

	if (!e)
		return 0;
	if (!s)
		return fsi_config_bad(m, e, "a string", err);
	len = strcspn(s, "%");
	c->ratio = s[len] == '%';
	for (int i = FSI_FS_DEDICATEDPS; i < FSI_FS_POLICIES; i++)
		if (strlen(fsi_fs_policy_names[i]) == len && !memcmp(fsi_fs_policy_names[i], s, len))
			c->policy = (enum fsi_fs_policy)i;
	if (!c->policy && (len != 4 || memcmp(s, "NONE", 4) != 0))
		return fsi_config_bad(m, e,
			   "NONE, DEDICATEDPS, DEDICATEDPES or UTILIZEDPS, with or without a %",
			   err);
	return 0;
}

static int get_part(const fs_snapshot *m, const struct fsi_maui_part *part, double otherwise,
		    double *weight, double *cap, struct fs_error *err)
{
	int rc;

	*weight = otherwise;
	*cap = 0;
	rc = get_number(m, part->weight, weight, err);
	return rc ? rc : get_number(m, part->cap, cap, err);
}

static int get_parts(const fs_snapshot *m, struct fsi_maui_conf *c, struct fs_error *err)
{
	const bool unknown = fsi_hidden(m, "config");
	const double component = unknown ? (double)NAN : c->dialect == FS_MAUI_MANUAL ? 0 : 1;
	int rc = 0;

	for (int i = 0; i < FSI_MAUI_GROUP_COUNT && !rc; i++)
		rc = get_part(m, &fsi_maui_groups[i], component, &c->group_weight[i], &c->group_cap[i], err);
	for (int i = 0; i < FSI_MAUI_TERM_COUNT && !rc; i++)
		rc = get_part(m, &fsi_maui_terms[i], unknown ? (double)NAN : i == FSI_MT_QUEUETIME, &c->weight[i],
			      &c->cap[i], err);
	return rc;
}

/* Returns false if the snapshot hides the parameter. One that maui.cfg does not set has Maui's default. */
static bool is_known(const fs_snapshot *m, const char *name)
{
	return fsi_config_find(m, name) || !fsi_hidden(m, "config");
}

int fsi_maui_conf_load(const fs_snapshot *m, enum fs_maui_dialect dialect, struct fsi_maui_conf *c,
		       struct fs_error *err)
{
	const bool manual = dialect == FS_MAUI_MANUAL;
	int64_t depth = manual ? 7 : 8;
	int rc;

	*c = (struct fsi_maui_conf){ .dialect = dialect,
				     .interval_s = manual ? 86400 : 43200,
				     .poll_s = FSI_MAUI_POLL_S,
				     .xf_min_wclimit_s = 120,
				     .decay = 1,
				     .system_queue_time = true,
				     .has_policy = is_known(m, "FSPOLICY"),
				     .has_interval = is_known(m, "FSINTERVAL"),
				     .has_depth = is_known(m, "FSDEPTH"),
				     .has_decay = is_known(m, "FSDECAY") };
	rc = get_policy(m, c, err);
	if (!rc)
		rc = get_int(m, "FSINTERVAL", 1, INT32_MAX, &c->interval_s, err);
	if (!rc)
		rc = get_int(m, "FSDEPTH", 0, FSI_MAUI_MAX_DEPTH, &depth, err);
	if (!rc)
		rc = get_number(m, "FSDECAY", &c->decay, err);
	if (!rc)
		rc = get_int(m, "RMPOLLINTERVAL", 1, INT32_MAX, &c->poll_s, err);
	if (!rc)
		rc = get_int(m, "XFMINWCLIMIT", 0, INT32_MAX, &c->xf_min_wclimit_s, err);
	if (!rc)
		rc = get_bool(m, "REJECTNEGPRIOJOBS", &c->reject_negative, err);
	if (!rc)
		rc = get_bool(m, "ENABLENEGJOBPRIORITY", &c->enable_negative, err);
	if (!rc)
		rc = get_bool(m, "USESYSTEMQUEUETIME", &c->system_queue_time, err);
	if (!rc)
		rc = get_parts(m, c, err);
	c->depth = (uint32_t)depth;
	return rc;
}
