#include "input/edits.h"

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
	const struct invocation *inv;
	const char *command;
};

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
		const struct fs_edit_options o = { .viewer = viewer, .note = note_edit, .note_ctx = &t };

		if (!fs_snapshot_edit(s, e->command[i], &o, &err))
			continue;
		if (err.code != FS_EUSAGE)
			return report(inv, &err);
		complain(inv, "--if: %s: %s", e->command[i], err.message);
		return usage_status(inv);
	}
	return 0;
}

int edits_try(const struct edits *e, const char *viewer, fs_snapshot *s, struct fs_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < e->n && !rc; i++) {
		const struct fs_edit_options o = { .viewer = viewer };

		rc = fs_snapshot_edit(s, e->command[i], &o, err);
	}
	return rc;
}
