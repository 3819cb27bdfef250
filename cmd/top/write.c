/* The explanation on the screen as a file of plain text. */
#include "render/text.h"
#include "top/run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 100 };

static void write_lines(const struct lines *l, FILE *out)
{
	char clean[1200];

	for (size_t i = 0; i < l->n; i++)
		fprintf(out, "%s\n", text_visible(clean, sizeof(clean), l->v[i].text));
}

static void write_all(const struct model *m, FILE *out)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(m->data->snapshot);
	const bool compares = m->mode == MODE_TEXT && m->text_kind == TEXT_COMPARE;
	struct lines l = { 0 };
	char subject[160], clean[200];

	model_subject(m, subject, sizeof(subject));
	fprintf(out, "%s\n\n", text_visible(clean, sizeof(clean), compares ? m->title : subject));
	if (compares) {
		write_lines(&m->text, out);
	} else {
		model_words(m, &l, WIDTH, true);
		write_lines(&l, out);
	}
	fprintf(out, "\nCluster %s, snapshot of %lld seconds since 1970, algorithm %s.\n",
		text_visible(clean, sizeof(clean), info->cluster), (long long)info->time, m->data->algorithm);
	lines_free(&l);
}

/* A file that is there is left alone. */
static int write_file(const struct model *m, const char *name)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;

	if (!out)
		return -1;
	write_all(m, out);
	failed = ferror(out);
	return fclose(out) || failed ? -1 : 0;
}

void run_write(struct run *r)
{
	char name[PROMPT_SIZE], text[PROMPT_SIZE + 80];
	struct event e = { .kind = EV_SAID, .text = text };

	snprintf(name, sizeof(name), "%s", r->model.prompt);
	if (write_file(&r->model, name)) {
		snprintf(text, sizeof(text), "%s: %s", name, strerror(errno));
		e.kind = EV_WARNED;
	} else {
		snprintf(text, sizeof(text), "written to %s", name);
	}
	model_update(&r->model, &e);
}
