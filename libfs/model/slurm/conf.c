#include "model/slurm/conf.h"

#include "base/num.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define SETTING_ROW(name, kind) { #name, FSI_SETTING_##kind },
const struct fsi_slurm_setting fsi_slurm_settings[] = {
	FSI_COMPUTED_SETTINGS(SETTING_ROW) FSI_IDLE_SETTINGS(SETTING_ROW)
};

enum { DAY = 86400, DEFAULT_MAX_AGE = 7 * DAY };

static int get_u32(const fs_snapshot *m, const char *name, uint32_t *out, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	*out = 0;
	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_INT || e->i < 0 || e->i > UINT32_MAX)
		return fsi_config_bad(m, e, "an integer from 0 to 4294967295", err);
	*out = (uint32_t)e->i;
	return 0;
}

/* Position in the cluster's TRES, m->tres.n if there is none of that name. */
static size_t tres_position(const fs_snapshot *m, const char *s, size_t len)
{
	size_t i = 0;

	while (i < m->tres.n && !fsi_same_any_case(s, len, fsi_str(m, m->tres.v[i].name)))
		i++;
	return i;
}

/* What a weight is divided by for its suffix letter; 0 for a letter that is none. */
static double suffix_divisor(char letter, bool in_mb)
{
	static const char letters[] = "kmgtp";
	const char *p = letter ? strchr(letters, fsi_lower(letter)) : NULL;
	int power;

	if (!p)
		return 0;
	power = (int)(p - letters) + 1 - (in_mb ? 2 : 0);
	return power > 0 ? pow(1024, power) : 1;
}

/* A number and a letter; what follows the letter does not matter (`1GB`). */
static int parse_weight(const char *s, size_t len, bool in_mb, double *out)
{
	size_t digits = 0;
	double divisor = 1;

	while (digits < len && strchr("0123456789.eE+-", s[digits]))
		digits++;
	if (digits < len)
		divisor = suffix_divisor(s[digits], in_mb);
	if (divisor == 0 || fsi_parse_double(s, digits, out) || *out < 0)
		return -1;
	*out /= divisor;
	return 0;
}

/* The place of the TRES among the n weights so far, n if it is new. */
static size_t weight_of(const struct fsi_tres_weight *w, size_t n, uint32_t tres)
{
	size_t i = 0;

	while (i < n && w[i].tres != tres)
		i++;
	return i;
}

static void insert_ordered(const fs_snapshot *m, struct fsi_tres_weight *w, size_t n)
{
	for (; n; n--) {
		const char *a = fsi_str(m, w[n - 1].tres), *b = fsi_str(m, w[n].tres);

		if (tres_position(m, a, strlen(a)) <= tres_position(m, b, strlen(b)))
			break;
		const struct fsi_tres_weight swap = w[n];
		w[n] = w[n - 1];
		w[n - 1] = swap;
	}
}

int fsi_tres_weights(const fs_snapshot *m, const char *text, struct fsi_tres_weight *out)
{
	size_t n = 0;

	for (text += strspn(text, ","); *text; text += strspn(text, ",")) {
		const size_t len = strcspn(text, ","), name = strcspn(text, "=");
		struct fsi_tres_weight w;
		size_t at, k;
		bool in_mb;

		if (name + 1 >= len || n == FSI_TRES_WEIGHTS_MAX)
			return -1;
		at = tres_position(m, text, name);
		if (at == m->tres.n)
			return -1;
		in_mb = fsi_same_any_case(text, name, "mem") || (name > 3 && fsi_same_any_case(text, 3, "bb/"));
		w.tres = m->tres.v[at].name;
		if (parse_weight(text + name + 1, len - name - 1, in_mb, &w.weight))
			return -1;
		k = weight_of(out, n, w.tres);
		out[k] = w;
		if (k == n)
			insert_ordered(m, out, n++);
		text += len;
	}
	return (int)n;
}

static void read_flags(const fs_snapshot *m, struct fsi_slurm_conf *c)
{
	const uint32_t set = fsi_config_list(m, "PriorityFlags");
	const bool all = fsi_list_has(m, set, "NO_NORMAL_ALL");

	c->no_normal_assoc = all || fsi_list_has(m, set, "NO_NORMAL_ASSOC");
	c->no_normal_part = all || fsi_list_has(m, set, "NO_NORMAL_PART");
	c->no_normal_qos = all || fsi_list_has(m, set, "NO_NORMAL_QOS");
	c->no_normal_tres = all || fsi_list_has(m, set, "NO_NORMAL_TRES");
	c->small_relative_to_time = fsi_list_has(m, set, "SMALL_RELATIVE_TO_TIME");
	c->accrue_always = fsi_list_has(m, set, "ACCRUE_ALWAYS");
	c->calculate_running = fsi_list_has(m, set, "CALCULATE_RUNNING");
}

static int read_tres(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "PriorityWeightTRES");
	int n;

	if (!e)
		return 0;
	if (e->kind != FSI_CONFIG_STR)
		return fsi_config_bad(m, e, "a string", err);
	n = fsi_tres_weights(m, fsi_str(m, (uint32_t)e->i), c->weight_tres);
	if (n < 0)
		return fsi_config_bad(m, e, "a list tres=weight of TRES that the cluster has", err);
	c->ntres = (size_t)n;
	return 0;
}

bool fsi_is_multifactor(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PriorityType");

	if (type)
		return !strcmp(type, "priority/multifactor");
	return fs_slurm_has(m->info.version, FS_SLURM_MULTIFACTOR_DEFAULT);
}

/* site_factor/none is what the controller loads when none is configured (src/common/read_config.c). */
static bool has_site_plugin(const fs_snapshot *m)
{
	const char *plugin = fs_snapshot_config_text(m, "PrioritySiteFactorPlugin");

	return plugin && *plugin && strcmp(plugin, "site_factor/none") != 0;
}

int fsi_slurm_conf_load(const fs_snapshot *m, struct fsi_slurm_conf *c, struct fs_error *err)
{
	const struct fsi_config_entry *age = fsi_config_find(m, "PriorityMaxAge");
	const struct fsi_config_entry *small = fsi_config_find(m, "PriorityFavorSmall");
	int rc = 0;

	memset(c, 0, sizeof(*c));
	if (!m->config.n)
		return fsi_fail(err, FS_ENODATA,
				"%s: the snapshot does not hold the scheduler's configuration", m->file);
	c->multifactor = fsi_is_multifactor(m);
	c->site_plugin = has_site_plugin(m);
	c->max_age_s = DEFAULT_MAX_AGE;
	if (age && (age->kind != FSI_CONFIG_INT || age->i < 0))
		return fsi_config_bad(m, age, "seconds, not negative", err);
	if (age)
		c->max_age_s = age->i;
	if (small && small->kind != FSI_CONFIG_BOOL)
		return fsi_config_bad(m, small, "true or false", err);
	c->favor_small = small && small->i;
	read_flags(m, c);
	const struct {
		const char *name;
		uint32_t *to;
	} weights[] = {
		{ "PriorityWeightAge", &c->weight_age },
		{ "PriorityWeightAssoc", &c->weight_assoc },
		{ "PriorityWeightFairShare", &c->weight_fairshare },
		{ "PriorityWeightJobSize", &c->weight_jobsize },
		{ "PriorityWeightPartition", &c->weight_partition },
		{ "PriorityWeightQOS", &c->weight_qos },
	};
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights) && !rc; i++)
		rc = get_u32(m, weights[i].name, weights[i].to, err);
	return rc ? rc : read_tres(m, c, err);
}

bool fsi_slurm_is_classic(const fs_snapshot *m)
{
	return fsi_config_lists(m, "PriorityFlags", "NO_FAIR_TREE") ||
	       fsi_config_lists(m, "PriorityFlags", "DEPTH_OBLIVIOUS");
}

bool fsi_slurm_keeps_ended(const fs_snapshot *m)
{
	return fsi_config_lists(m, "PriorityFlags", "CALCULATE_RUNNING") && fsi_slurm_is_classic(m);
}
