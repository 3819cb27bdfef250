/* Any bytes as the files of a capture: a line `@@name` begins the file of that name. The file
 * `usage` is the exact usage. Without a date_begin there is one that does no harm. */
#include "fuzz.h"

enum { FILES_MAX = 16 };

struct capture {
	struct file {
		const char *name;
		size_t name_len;
		struct fuzz_bytes text;
	} v[FILES_MAX];
	size_t n;
};

static void split(struct capture *c, const char *s, size_t len)
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

static const struct file *find(const struct capture *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].name_len == strlen(name) && !memcmp(c->v[i].name, name, strlen(name)))
			return &c->v[i];
	return NULL;
}

static int open_file(void *ctx, const char *name, void **stream)
{
	static const char date[] = "1700000000\n";
	const struct file *f = find(ctx, name);
	struct fuzz_bytes *b;

	if (!f && strcmp(name, "date_begin") != 0)
		return 1;
	b = malloc(sizeof(*b));
	PROMISE(b != NULL);
	*b = f ? f->text : (struct fuzz_bytes){ date, sizeof(date) - 1 };
	*stream = b;
	return 0;
}

/* The same files as Flux's, and the bytes as a tree of banks. */
static void as_flux(const struct fs_source *source, const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { (const char *)data, size };
	struct fs_error err;
	fs_snapshot *m;
	int rc = fs_import_flux(&m, source, &err);

	for (int i = 0; i < 2; i++) {
		if (rc) {
			fuzz_check_error(rc, &err);
		} else {
			fuzz_snapshot(m);
			fuzz_shares(m, "flux_exact");
			fuzz_shares(m, "flux_range");
			fs_snapshot_free(m);
		}
		rc = i ? 0 : fs_import_flux_tree(&m, fuzz_read, &bytes, "tree", &err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = { .n = 0 };
	const struct fs_source source = { &c, "fuzz", open_file, fuzz_read, free };
	const struct file *usage;
	struct fuzz_bytes exact = { "", 0 };
	struct fs_error err;
	fs_snapshot *m;
	int rc;

	split(&c, (const char *)data, size);
	as_flux(&source, data, size);
	usage = find(&c, "usage");
	if (usage)
		exact = usage->text;
	const struct fs_import_options o = { usage ? fuzz_read : NULL, &exact, "usage" };
	rc = fs_import_slurm(&m, &source, &o, &err);
	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_snapshot(m);
	fs_snapshot_free(m);
	return 0;
}
