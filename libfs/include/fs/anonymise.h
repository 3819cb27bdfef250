/* Anonymised copy of a snapshot: names of users, clusters, nodes, jobs and so on become pseudonyms; numbers stay the
 * same. */
#ifndef FS_ANONYMISE_H
#define FS_ANONYMISE_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* Options of fs_snapshot_anonymise. */
struct fs_anonymise_options {
	size_t size; /* size of the struct in bytes; set by FS_ANONYMISE_OPTIONS_INIT */
	/* secret from which pseudonyms are derived; with the same key, a name has the same pseudonym in every
	 * snapshot */
	const void *key;
	size_t key_size; /* length of `key` in bytes; 0: pseudonyms are derived without a secret */
	/* true: pseudonyms sort in the same order as the names; each begins with the position of its name in the sorted
	 * list of names */
	bool keep_order;
	/* receives one sentence for each kind of data that is left out of the copy; NULL: no callback */
	fs_note_fn note;
	void *note_ctx; /* passed to the callback `note` as its first argument */
};
#define FS_ANONYMISE_OPTIONS_INIT FS_INIT(struct fs_anonymise_options)

/* Creates a copy with pseudonyms. They replace the names of clusters, users, groups, accounts, QOS, partitions,
 * reservations and jobs, the letters in node names, and user ids other than 0. The copy omits other text that people
 * wrote; see ANONYMITY in fs-snap(1). Errors: FS_EDATA if two different names have the same pseudonym; FS_ENOMEM. */
FS_API int fs_snapshot_anonymise(fs_snapshot **out, const fs_snapshot *s, const struct fs_anonymise_options *o,
				 struct fs_error *err);

FS_END_DECLS

#endif
