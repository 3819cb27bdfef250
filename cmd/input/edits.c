#include "input/edits.h"

#include <errno.h>
#include <string.h>

int edits_option(const struct invocation *inv, struct edits *e, const char *arg)
{
	if (e->n == MAX_EDITS) {
		complain(inv, "--if: more than %d commands", MAX_EDITS);
		return -1;
	}
	e->command[e->n++] = arg;
	return 1;
}

struct edit_note {
	const struct invocation *inv; /* NULL: nothing is printed */
	const char *command;
};

/* ---- the script of sbatch */

/* The #SBATCH lines of a script, joined. */
struct directives {
	char text[400];
	size_t len, n;
};

static void add_directive(struct directives *d, const char *line)
{
	const int room = (int)(sizeof(d->text) - d->len);
	const size_t blank = strspn(line, " \t");
	const int len = snprintf(d->text + d->len, (size_t)room, " %.*s", (int)strcspn(line + blank, "\r\n"),
				 line + blank);

	d->n++;
	if (len < room)
		d->len += (size_t)len;
	else
		snprintf(d->text + sizeof(d->text) - 5, 5, " ...");
}

/* sbatch reads directives up to the first line that is neither blank nor a comment (src/sbatch/opt.c:
 * _opt_batch_script). */
static bool read_directives(FILE *f, struct directives *d)
{
	static const char mark[] = "#SBATCH";
	char line[4096];

	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, mark, sizeof(mark) - 1))
			add_directive(d, line + sizeof(mark) - 1);
		else if (line[0] != '#' && line[strspn(line, " \t\r\n")])
			break;
	}
	return !ferror(f);
}

static int read_script(void *ctx, const char *name, struct fs_error *err)
{
	const struct edit_note *t = ctx;
	struct directives d = { .n = 0 };
	FILE *f = fopen(name, "r");
	const bool good = f && read_directives(f, &d);

	if (!good) {
		*err = (struct fs_error){ .code = FS_EIO };
		snprintf(err->message, sizeof(err->message), "cannot read job script '%.200s': %s", name, strerror(errno));
	}
	if (f)
		fclose(f);
	if (good && d.n && t->inv)
		complain(t->inv, "warning: if %s: the #SBATCH lines of %s are not read yet; give them as options:%s",
			 t->command, name, d.text);
	return good ? 0 : FS_EIO;
}

static void note_edit(void *ctx, const char *sentence)
{
	const struct edit_note *t = ctx;

	complain(t->inv, "if %s: %s", t->command, sentence);
}

int edits_apply(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s)
{
	struct fs_error err;

	for (size_t i = 0; i < e->n; i++) {
		struct edit_note t = { inv, e->command[i] };
		const struct fs_edit_options o = { .viewer = viewer, .note = note_edit, .note_ctx = &t,
						    .script = read_script, .script_ctx = &t };

		if (!fs_snapshot_edit(s, e->command[i], &o, &err))
			continue;
		if (err.code != FS_EUSAGE && err.code != FS_EIO)
			return report(inv, &err);
		complain(inv, "--if: %s: %s", e->command[i], err.message);
		return err.code == FS_EIO ? EXIT_FAILED : usage_status(inv);
	}
	return 0;
}

int edits_try(const struct edits *e, const char *viewer, fs_snapshot *s, struct fs_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < e->n && !rc; i++) {
		struct edit_note t = { NULL, e->command[i] };
		const struct fs_edit_options o = { .viewer = viewer, .script = read_script, .script_ctx = &t };

		rc = fs_snapshot_edit(s, e->command[i], &o, err);
	}
	return rc;
}
