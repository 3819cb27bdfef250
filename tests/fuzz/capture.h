/* Treats any bytes as the files of a capture: a line `@@name` begins the file with that name. If the bytes contain no
 * file date_begin, a fixed time is used. */
#ifndef FUZZ_CAPTURE_H
#define FUZZ_CAPTURE_H

#include "fuzz.h"

enum { FILES_MAX = 48 };

struct fuzz_capture {
	struct file {
		const char *name;
		size_t name_len;
		struct fuzz_bytes text;
	} v[FILES_MAX];
	size_t n;
};

static inline void fuzz_capture_split(struct fuzz_capture *c, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		const char *next = newline ? newline + 1 : end;

		if (next - s > 2 && !memcmp(s, "@@", 2) && newline) {
			if (c->n == FILES_MAX)
				return;
			c->v[c->n++] =
				(struct file){ s + 2, (size_t)(newline - s - 2), { next, 0 } };
		} else if (c->n) {
			c->v[c->n - 1].text.left += (size_t)(next - s);
		}
		s = next;
	}
}

static inline const struct file *fuzz_capture_find(const struct fuzz_capture *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].name_len == strlen(name) && !memcmp(c->v[i].name, name, strlen(name)))
			return &c->v[i];
	return NULL;
}

static inline int fuzz_capture_open(void *ctx, const char *name, void **stream)
{
	static const char date[] = "1700000000\n";
	const struct file *f = fuzz_capture_find(ctx, name);
	struct fuzz_bytes *b;

	if (!f && strcmp(name, "date_begin") != 0)
		return 1;
	b = malloc(sizeof(*b));
	PROMISE(b != NULL);
	*b = f ? f->text : (struct fuzz_bytes){ date, sizeof(date) - 1 };
	*stream = b;
	return 0;
}

/* Calls `each` for each file whose path begins with the name of the folder `dir`. Returns the first nonzero result of
 * `each`, else 0. */
static inline int fuzz_capture_list(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name),
			       void *each_ctx)
{
	const struct fuzz_capture *c = ctx;
	const size_t len = strlen(dir);
	int rc = 0;

	for (size_t i = 0; i < c->n && !rc; i++) {
		const struct file *f = &c->v[i];
		char name[64];
		size_t skip = len ? len + 1 : 0;

		if (f->name_len <= skip || f->name_len - skip >= sizeof(name) || memcmp(f->name, dir, len) != 0)
			continue;
		memcpy(name, f->name + skip, f->name_len - skip);
		name[f->name_len - skip] = '\0';
		if (strlen(name) == f->name_len - skip && !strchr(name, '/'))
			rc = each(each_ctx, name);
	}
	return rc;
}

static inline struct fs_source fuzz_capture_source(struct fuzz_capture *c)
{
	return (struct fs_source){ c, "fuzz", fuzz_capture_open, fuzz_read, free, fuzz_capture_list };
}

#endif
