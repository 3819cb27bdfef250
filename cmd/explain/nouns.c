/* What the scheduler of a snapshot calls accounts, partitions and credentials. */
#include "explain/parts.h"

const struct nouns *nouns(const struct explain_view *v)
{
	return &v->dialect->nouns;
}

const char *kind_noun(enum fs_cred_kind kind)
{
	static const char *const words[FS_CRED_KINDS] = { "user", "group", "account", "QOS",
							  "class" };

	return words[kind];
}
