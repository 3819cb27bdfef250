/* The scheduler's configuration, by the names of its parameters. */
#include "model/model.h"

#include <math.h>

const struct fsi_config_entry *fsi_config_find(const fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name_find(m, name);

	for (size_t i = 0; id && i < m->config.n; i++)
		if (m->config.v[i].name == id)
			return &m->config.v[i];
	return NULL;
}

struct fsi_config_entry *fsi_config_entry(fs_snapshot *m, const char *name)
{
	const uint32_t id = fsi_name(m, name);

	if (id == FSI_INTERN_FAILED)
		return NULL;
	for (size_t i = 0; i < m->config.n; i++)
		if (m->config.v[i].name == id)
			return &m->config.v[i];
	if (FSI_VEC_ROOM(&m->config))
		return NULL;
	m->config.v[m->config.n] = (struct fsi_config_entry){ .name = id };
	return &m->config.v[m->config.n++];
}

int64_t fsi_config_int(const fs_snapshot *m, const char *name, int64_t otherwise)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_INT ? e->i : otherwise;
}

bool fsi_config_yes(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_BOOL && e->i;
}

uint32_t fsi_config_list(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_LIST ? (uint32_t)e->i : 0;
}

bool fsi_config_lists(const fs_snapshot *m, const char *name, const char *word)
{
	return fsi_list_has(m, fsi_config_list(m, name), word);
}

int fsi_config_bad(const fs_snapshot *m, const struct fsi_config_entry *e, const char *want, struct fs_error *err)
{
	const struct fsi_where where = { m->file, e->line, 0 };

	return fsi_fail_at(err, where, fsi_str(m, e->name), "expected %s", want);
}

const char *fs_snapshot_config_text(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	return e && e->kind == FSI_CONFIG_STR ? fsi_str(m, (uint32_t)e->i) : NULL;
}

double fs_snapshot_config_number(const fs_snapshot *m, const char *name)
{
	const struct fsi_config_entry *e = fsi_config_find(m, name);

	if (e && e->kind == FSI_CONFIG_DOUBLE)
		return e->d;
	return e && e->kind == FSI_CONFIG_INT ? (double)e->i : (double)NAN;
}
