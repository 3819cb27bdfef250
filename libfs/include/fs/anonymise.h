/* A snapshot under other names: persons and places become pseudonyms, numbers stay. */
#ifndef FS_ANONYMISE_H
#define FS_ANONYMISE_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* What becomes of the names. */
struct fs_anonymise_options {
	size_t size; /* FS_ANONYMISE_OPTIONS_INIT */
	const void *key; /* the same key gives the same name the same pseudonym, in every snapshot */
	size_t key_size; /* bytes; 0: no secret at all */
	bool keep_order; /* pseudonyms sort as the names do: each begins with the name's rank in this snapshot */
	fs_note_fn note; /* what was left out, one sentence each; NULL: not told */
	void *note_ctx; /* first argument of note */
};
#define FS_ANONYMISE_OPTIONS_INIT FS_INIT(struct fs_anonymise_options)

/* Names of clusters, users, groups, accounts, QOS, partitions, reservations, jobs, the letters of nodes' names and user
 * ids other than 0 are replaced, all else that was written by people is left out: fs-snap(1), ANONYMITY. Errors:
 * FS_EDATA where two names got one pseudonym, FS_ENOMEM. */
FS_API int fs_snapshot_anonymise(fs_snapshot **out, const fs_snapshot *s, const struct fs_anonymise_options *o,
				 struct fs_error *err);

FS_END_DECLS

#endif
