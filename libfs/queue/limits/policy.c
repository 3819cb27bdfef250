/* What the configuration and a QOS say of all limits. */
#include "queue/limits/limits.h"

bool fsi_limits_flag(const fs_snapshot *m, const struct fsi_qos *q, const char *flag)
{
	return q && fsi_list_has(m, q->flags, flag);
}

double fsi_limits_factor(const struct fsi_qos *const qos[2])
{
	for (int i = 0; i < 2; i++)
		if (qos[i] && FSI_HAS(qos[i], QOS, limit_factor) && qos[i]->limit_factor > 0)
			return qos[i]->limit_factor;
	return 1;
}

static bool enforced(const fs_snapshot *m, const char *what)
{
	return fsi_config_lists(m, "AccountingStorageEnforce", what);
}

const char *fsi_queue_parameter(const fs_snapshot *m, const char *word)
{
	const char *s = fs_snapshot_config_text(m, "SchedulerParameters");

	for (; s && *s; s++) {
		size_t n = 0;

		while (word[n] && (s[n] == word[n] || (s[n] | 0x20) == word[n]))
			n++;
		if (!word[n])
			return s;
	}
	return NULL;
}

bool fsi_limits_stop(const fs_snapshot *m)
{
	return fsi_queue_parameter(m, "assoc_limit_stop") != NULL;
}

static struct fsi_fields fields_of(const struct fsi_limit_kind *kinds, size_t n)
{
	struct fsi_fields f = { { 0 } };

	for (size_t i = 0; i < n; i++)
		fsi_fields_add(&f, kinds[i].bit);
	return f;
}

void fsi_limit_site(struct fsi_limit_site *out, const fs_snapshot *m)
{
	const bool safe = enforced(m, "safe");

	*out = (struct fsi_limit_site){ .safe = safe,
					.enforced = safe || enforced(m, "limits"),
					.stops = fsi_limits_stop(m),
					.billing = fsi_name_find(m, "billing"),
					.node = fsi_name_find(m, "node"),
					.cpu = fsi_name_find(m, "cpu"),
					.mem = fsi_name_find(m, "mem"),
					.own = fields_of(fsi_assoc_limits, fsi_assoc_limit_count),
					.group = fields_of(fsi_assoc_limits, fsi_group_limit_count),
					.qos = fields_of(fsi_qos_limits, fsi_qos_limit_count) };
}
