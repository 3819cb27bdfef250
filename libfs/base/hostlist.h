/* Node list expressions: `lab[001-040,50],gpu7,r[1-2]n[01-04]`. */
#ifndef FSI_HOSTLIST_H
#define FSI_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FSI_HOST_NAME_MAX = 255, FSI_HOST_BRACKETS_MAX = 4 };

/* More names than any cluster has nodes: what a node list of users may expand to. */
enum { FSI_MAX_HOSTS = 1 << 20 };

/* Calls fn with each name in turn; a name is NUL-terminated and borrowed for that call. fn stops the
 * expansion by returning other than 0, which is returned. -1: not a node list (unbalanced or empty
 * brackets, a range that falls, a name over FSI_HOST_NAME_MAX bytes, more than FSI_HOST_BRACKETS_MAX
 * brackets in a name) or more than `max` names; names before the flaw have been seen by then. */
typedef int (*fsi_host_fn)(void *ctx, const char *name, size_t len);
int fsi_hostlist_each(const char *text, uint64_t max, fsi_host_fn fn, void *ctx);

/* An upper bound of how many names there are, found without making any. */
uint64_t fsi_hostlist_at_most(const char *text);

/* How many names there are; -1 as above. */
int64_t fsi_hostlist_count(const char *text, uint64_t max);

/* The other way round: names one after the other, each run of numbers of one width as a range, "n[01-04],gpu7"; ",..."
 * where there is no room for more. Names are borrowed until the end. */
struct fsi_hostlist_fold {
	char *buf;
	size_t size, len;
	const char *first, *last; /* of the run at hand; NULL none */
	bool cut;
};
void fsi_hostlist_fold_begin(struct fsi_hostlist_fold *f, char *buf, size_t size);
void fsi_hostlist_fold_add(struct fsi_hostlist_fold *f, const char *name);
void fsi_hostlist_fold_end(struct fsi_hostlist_fold *f);

#endif
