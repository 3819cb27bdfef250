/* scontrol update job: how its nodes are chosen, and how many tasks of an array run (src/slurmctld/job_mgr.c:
 * _update_job). */
#include "base/hostlist.h"
#include "base/num.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* "1,3,5-9%2": the tasks not yet split off, and how many may run. */
FSI_SETTER(fsi_slurm_edit_throttle)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *tasks = fsi_str(s->m, j->array_tasks);
	char text[1024];
	int64_t max;

	if (fsi_slurm_number(s, w, v.text, 0, INT32_MAX, &max))
		return FS_EUSAGE;
	if (!*tasks)
		return 0;
	if (snprintf(text, sizeof(text), max ? "%.*s%%%lld" : "%.*s", (int)strcspn(tasks, "%"), tasks,
		     (long long)max) >= (int)sizeof(text))
		return fsi_scenario_refuse(s, "ArrayTaskThrottle: the array's list of tasks is too long");
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "array_tasks", (struct fsi_operand){ '=', text });
}

/* "2@1:00:00" */
FSI_SETTER(fsi_slurm_edit_switches)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const char *at = v.text ? strchr(v.text, '@') : NULL;
	int64_t switches, wait_s;
	char text[32];

	snprintf(text, sizeof(text), "%.*s", at ? (int)(at - v.text) : 31, v.text ? v.text : "");
	if (fsi_slurm_number(s, w, text, 0, INT32_MAX, &switches))
		return FS_EUSAGE;
	if (at && (fsi_scenario_minutes(at + 1, &wait_s) || wait_s == FS_UNLIMITED))
		return fsi_scenario_refuse(s, "%s: expected a number, or one and a time as 1@30:00, got \"%.60s\"", w->word, v.text);
	FSI_CLEAR_RARE(s->m, j, switches);
	if ((switches && FSI_SET_RARE(s->m, j, switches, (uint32_t)switches)) ||
	    (at && FSI_SET_RARE(s->m, j, switches_wait_s, (uint32_t)wait_s)))
		return fsi_nomem(s->err);
	return 0;
}

FSI_SETTER(fsi_slurm_edit_switch_wait)
{
	struct fsi_job *j = fsi_edited_job(rec);
	int64_t wait_s;

	if (fsi_slurm_number(s, w, v.text, 0, INT32_MAX, &wait_s))
		return FS_EUSAGE;
	return FSI_SET_RARE(s->m, j, switches_wait_s, (uint32_t)wait_s) ? fsi_nomem(s->err) : 0;
}

/* The job then has its nodes alone, whatever number it names, and goes on having them so without any. */
FSI_SETTER(fsi_slurm_edit_core_spec)
{
	const bool none = v.text && (!strcmp(v.text, "-1") || !strcmp(v.text, "*"));
	const char *alone = fs_slurm_has(s->m->info.version, FS_SLURM_EXCLUSIVE_FIELD) ? "NODE" : "NO";
	int64_t n;

	if (!none && fsi_slurm_number(s, w, v.text, 0, UINT16_MAX - 2, &n))
		return FS_EUSAGE;
	fsi_scenario_note(s, "%s: the controller takes it with AllowSpecResourcesUsage=YES alone", w->word);
	if (none)
		return 0;
	FSI_CLEAR_RARE(s->m, fsi_edited_job(rec), size_factor);
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "oversubscribe", (struct fsi_operand){ '=', alone });
}

static bool feature_known(const fs_snapshot *m, const char *name, size_t len)
{
	const uint32_t id = fsi_intern_find(&m->names, name, len);
	size_t n;

	for (size_t i = 0; id && i < m->node.n; i++) {
		const uint32_t *list = fsi_list(m, m->node.v[i].features, &n);

		while (n--)
			if (list[n] == id)
				return true;
	}
	return false;
}

/* The names of "a&[b*2|c]" must be some node's (src/slurmctld/job_scheduler.c: build_feature_list, _valid_feature_list),
 * where any node's are known. */
static int features_known(struct fsi_scenario *s, const char *text)
{
	static const char between[] = "&|()[],*!";

	size_t told = 0;

	while (told < s->m->node.n && !FSI_HAS(&s->m->node.v[told], NODE, features))
		told++;
	if (told == s->m->node.n || fsi_hidden(s->m, "node"))
		return 0;
	for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
		const size_t len = strcspn(p, between);

		if (!feature_known(s->m, p, len) && !(p > text && p[-1] == '*' && strspn(p, "0123456789") == len))
			return fsi_scenario_refuse(s, "no node has the feature \"%.*s\"", (int)(len < 60 ? len : 60), p);
		p += len;
	}
	return 0;
}

FSI_SETTER(fsi_slurm_edit_features)
{
	return features_known(s, v.text ? v.text : "") ? FS_EUSAGE : fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "features", v);
}

FSI_SETTER(fsi_slurm_edit_prefer)
{
	return features_known(s, v.text ? v.text : "") ? FS_EUSAGE : fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "prefer", v);
}

static int node_known(void *ctx, const char *name, size_t len)
{
	const fs_snapshot *m = ctx;
	const uint32_t id = fsi_intern_find(&m->names, name, len);
	size_t i = 0;

	while (i < m->node.n && m->node.v[i].name != id)
		i++;
	return !id || i == m->node.n;
}

FSI_SETTER(fsi_slurm_edit_nodes_by_name)
{
	const bool known = s->m->node.n && !fsi_hidden(s->m, "node");

	if (known && v.text && *v.text && fsi_hostlist_each(v.text, s->m->node.n, node_known, s->m))
		return fsi_scenario_refuse(s, "%s: not all of \"%.60s\" are nodes here", w->word, v.text);
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, *w->word == 'E' ? "exc_nodes" : "req_nodes", v);
}

/* How many of a licence the text has, "a:2,b": 0 where it names none. */
static int64_t licences(const char *text, const char *name, size_t len)
{
	for (const char *p = text; *p; p += strspn(p, ",;")) {
		const size_t all = strcspn(p, ",;"), own = strcspn(p, ":=,;");
		int64_t n = 1;

		if (own == len && !strncmp(p, name, len))
			return own < all && fsi_parse_i64(p + own + 1, all - own - 1, &n) ? 0 : n;
		p += all;
	}
	return 0;
}

/* The cluster must have as many (src/slurmctld/licenses.c: license_validate); those of a database stand in no
 * configuration. */
FSI_SETTER(fsi_slurm_edit_licenses)
{
	const char *have = fs_snapshot_config_text(s->m, "Licenses"), *text = v.text ? v.text : "";

	for (const char *p = text; have && *have && *p; p += strspn(p, ",;")) {
		const size_t all = strcspn(p, ",;"), len = strcspn(p, ":=,;");

		if (!memchr(p, '@', all) && !memchr(p, '|', all) && licences(p, p, len) > licences(have, p, len))
			return fsi_scenario_refuse(s, "%s: the cluster has fewer than \"%.*s\"", w->word, (int)(all < 60 ? all : 60), p);
		p += all;
	}
	return fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "licenses", v);
}

/* An owner may take it away alone. */
FSI_SETTER(fsi_slurm_edit_contiguous)
{
	struct fsi_job *j = fsi_edited_job(rec);
	const bool was = j->contiguous;
	const int rc = fsi_scenario_set(s, FSI_RECORD_JOB, rec, w->word, "contiguous", v);
	char what[64];

	if (!rc && j->contiguous && !was) {
		snprintf(what, sizeof(what), "%s%s: ", fsi_scenario_of_job(s, j), w->word);
		fsi_scenario_note_who(s, FSI_OPERATOR, j->user, j->account, what);
	}
	return rc;
}
