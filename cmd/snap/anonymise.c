/* fs-snap anonymise: the same numbers under other names, or nothing. */
#include "input/input.h"
#include "render/emit.h"
#include "snap/same_numbers.h"
#include "snap/snap.h"

#include <errno.h>
#include <string.h>

enum { MIN_KEY = 16, MAX_KEY = 4096 };

/* Reads the key from its file, or makes one that is not kept. */
static int read_key(const struct invocation *inv, const char *file, unsigned char key[MAX_KEY], size_t *n)
{
	const char *name = file ? file : "/dev/urandom";
	FILE *in = fopen(name, "rb");
	bool failed;

	if (!in) {
		complain(inv, "%s: %s", name, strerror(errno));
		return EXIT_FAILED;
	}
	setvbuf(in, NULL, _IONBF, 0);
	*n = fread(key, 1, file ? MAX_KEY : MIN_KEY, in);
	failed = ferror(in) || *n < MIN_KEY;
	fclose(in);
	if (!failed)
		return 0;
	complain(inv, "%s: a key has at least %d bytes", name, MIN_KEY);
	return EXIT_FAILED;
}

/* Renames without keeping the order of names, and again keeping it if a number depends on that order. */
static int rename_until_same(const struct invocation *inv, const fs_snapshot *s, struct fs_anonymise_options *o,
			     fs_snapshot **out, size_t *n)
{
	const char *what = NULL;
	struct fs_error err;

	for (int order = 0; order < 2; order++) {
		o->keep_order = order;
		o->note = order ? NULL : complain_note;
		fs_snapshot_free(*out);
		*out = NULL;
		if (fs_snapshot_anonymise(out, s, o, &err) || same_numbers(s, *out, &what, n, &err))
			return report(inv, &err);
		if (!what) {
			if (order)
				complain(inv, "numbers hang on the order of names here: each pseudonym begins with "
					      "the name's rank in this snapshot");
			return 0;
		}
	}
	complain(inv, "nothing is written: %s would change", what);
	return EXIT_NOTHING;
}

void snap_warn_what_identifies(const struct invocation *inv, size_t n)
{
	complain(inv, "%zu rows of numbers compared: all the same", n);
	complain(inv, "these stay and may identify: job ids, times, sizes and limits, usage, the form of the tree, "
		      "numbers in nodes' names, features, generic resources, licences, versions");
}

int snap_rename(const struct invocation *inv, const fs_snapshot *s, const char *file, fs_snapshot **out, size_t *n)
{
	unsigned char key[MAX_KEY];
	struct fs_anonymise_options a = { .key = key, .note = complain_note, .note_ctx = (void *)inv };
	const int status = read_key(inv, file, key, &a.key_size);

	*n = 0;
	return status ? status : rename_until_same(inv, s, &a, out, n);
}

int snap_anonymise(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	fs_snapshot *s = NULL, *out = NULL;
	size_t n = 0;
	int status = snap_one_file(inv, "anonymise", argc);

	if (!status)
		status = input_read_file(inv, argv[0], &s);
	if (!status)
		status = snap_rename(inv, s, o->key, &out, &n);
	if (!status)
		status = snap_write(inv, out, o);
	if (!status)
		snap_warn_what_identifies(inv, n);
	fs_snapshot_free(out);
	fs_snapshot_free(s);
	return status;
}
