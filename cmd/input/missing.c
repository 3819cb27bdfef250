#include "input/missing.h"

#include <string.h>

static const char *const kind_words[] = { "user", "account", "partition" };

bool missing_from(const fs_snapshot *s, enum missing_kind kind, const char *name)
{
	struct fs_partition p;

	switch (kind) {
	case MISSING_USER:
		return !fs_snapshot_has_user(s, name);
	case MISSING_ACCOUNT:
		return !fs_snapshot_has_account(s, name);
	default:
		return fs_snapshot_partition_name(s, 0) && !fs_snapshot_partition(s, name, &p);
	}
}

bool missing_name(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind, const char *name)
{
	if (!name || !missing_from(s, kind, name))
		return false;
	complain(inv, "no %s \"%s\"", kind_words[kind], name);
	return true;
}

size_t missing_names(const struct invocation *inv, const fs_snapshot *s, enum missing_kind kind,
		     const struct names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		n += missing_name(inv, s, kind, names->v[i]);
	return n;
}

int missing_clusters(const struct invocation *inv, const fs_snapshot *s, const struct names *clusters, const char *any)
{
	const char *name = fs_snapshot_info(s)->cluster;

	if (clusters->given && !clusters->n) {
		complain(inv, "no cluster is named");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < clusters->n; i++)
		if (strcmp(clusters->v[i], name) != 0 && (!any || strcmp(clusters->v[i], any) != 0)) {
			complain(inv, "the snapshot is of cluster \"%s\", not \"%s\"", name, clusters->v[i]);
			return EXIT_FAILED;
		}
	return 0;
}

int missing_status(const struct invocation *inv, int status, size_t missing)
{
	return !status && missing && !inv->emulated ? EXIT_NOTHING : status;
}
