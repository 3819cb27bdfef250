/* The objects of a JSON document one at a time, whatever its size: memory is bounded by the largest object without
 * those nested in it.
 *
 * Objects handed out are: the document itself when it is one, the elements of a document that is a list, and what
 * stands under one of the keys named, in an object handed out, as an object or a list of objects: to any
 * depth. Each is parsed by base/json/read.h, with an empty list in the place of what was handed out before it. */
#ifndef FSI_BASE_JSON_SPLIT_H
#define FSI_BASE_JSON_SPLIT_H

#include "base/json/read.h"

enum { FSI_JSON_NESTING = 100000, FSI_JSON_OBJECT_MAX = 4 * 1024 * 1024 };

struct fsi_json_split {
	const char *const *keys; /* ends with NULL */
	/* Both return 0 or a negative code; either may be NULL. depth: 0 for the document or the elements of its
	 * list. begin comes before anything inside the object does. */
	int (*begin)(void *ctx, uint32_t depth);
	int (*object)(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where);
	void *ctx;
};

/* Errors: FS_EDATA with the line, FS_EIO, FS_ENOMEM, and what the callbacks return. */
int fsi_json_split(const struct fsi_json_split *split, fs_read_fn read, void *stream,
		   const char *name, struct fs_error *err);

#endif
