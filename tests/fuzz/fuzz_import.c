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

/* Files of the folder `dir`, which are those that begin with its name. */
static int list_files(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	const struct capture *c = ctx;
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

/* A capture with a maui.cfg is one of Maui too. */
static void fuzz_maui(const struct fs_source *source)
{
	for (int dialect = FS_MAUI_CODE; dialect <= FS_MAUI_MANUAL; dialect++) {
		const struct fs_maui_import_options o = { (enum fs_maui_dialect)dialect, 0 };
		struct fs_error err;
		fs_snapshot *m;
		const int rc = fs_import_maui(&m, source, &o, &err);

		if (rc) {
			fuzz_check_error(rc, &err);
			continue;
		}
		fuzz_snapshot(m);
		fs_snapshot_free(m);
	}
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
	const struct fs_source source = { &c, "fuzz", open_file, fuzz_read, free, list_files };
	const struct file *usage;
	struct fuzz_bytes exact = { "", 0 };
	struct fs_error err;
	fs_snapshot *m;
	int rc;

	split(&c, (const char *)data, size);
	as_flux(&source, data, size);
	usage = find(&c, "usage");
	if (find(&c, "maui.cfg"))
		fuzz_maui(&source);
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
