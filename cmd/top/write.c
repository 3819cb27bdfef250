#include "top/write.h"

#include "render/emit.h"
#include "render/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void send_message(struct run *r, enum event_kind kind, const char *name, const char *what)
{
	char text[PROMPT_SIZE + 200];

	if (kind == EV_SAID)
		snprintf(text, sizeof(text), "%s %s", what, name);
	else
		snprintf(text, sizeof(text), "%s: %s", name, what);
	model_update(&r->model, &(struct event){ .kind = kind, .text = text });
}

bool write_begin(struct run *r, struct writing *w)
{
	*w = (struct writing){ .asks = false };
	snprintf(w->name, sizeof(w->name), "%s", r->model.prompt);
	if (!access(w->name, F_OK)) {
		send_message(r, EV_WARNED, w->name, "it is there already; choose another name");
		return false;
	}
	w->asks = model_words_to_write(&r->model, &w->request);
	return true;
}

static void write_lines(const struct lines *l, FILE *out)
{
	char clean[1200];

	for (size_t i = 0; i < l->n; i++)
		emit_to(out, "%s\n", text_visible(clean, sizeof(clean), l->v[i].text));
}

static void write_screen(const struct model *m, FILE *out)
{
	struct lines l = { 0 };

	model_explain(m, &l, WORDS_WIDTH);
	write_lines(&l, out);
	lines_free(&l);
}

/* Writes a new file: one that exists is left alone, one that cannot be finished is removed. */
static int write_file(const struct model *m, const char *name, const struct lines *words)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;
	int why;

	if (!out)
		return -1;
	if (words)
		write_lines(words, out);
	else
		write_screen(m, out);
	failed = ferror(out);
	failed = fclose(out) || failed;
	if (!failed)
		return 0;
	why = errno;
	unlink(name);
	errno = why;
	return -1;
}

void write_end(struct run *r, const struct writing *w, const struct lines *words)
{
	if (words && words->failed)
		send_message(r, EV_WARNED, w->name, "out of memory");
	else if (write_file(&r->model, w->name, words))
		send_message(r, EV_WARNED, w->name, strerror(errno));
	else
		send_message(r, EV_SAID, w->name, "written to");
}
