#include "picture/markup.h"

#include "files/save.h"
#include "files/stream.h"
#include "render/format.h"
#include "render/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void markup_put(struct markup *v, const char *s, size_t n)
{
	if (v->len + n + 1 > v->cap) {
		const size_t cap = (v->len + n + 1) * 2;
		char *text = realloc(v->text, cap);

		if (!text) {
			v->failed = true;
			return;
		}
		v->text = text;
		v->cap = cap;
	}
	memcpy(v->text + v->len, s, n);
	v->len += n;
	v->text[v->len] = '\0';
}

void markup_own(struct markup *v, const char *markup)
{
	markup_put(v, markup, strlen(markup));
}

void markup_say(struct markup *v, const char *fmt, ...)
{
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	markup_own(v, text);
}

void markup_character(struct markup *v, const char *step, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = step[i];
		const char *name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" :
				   c == '\'' ? "&#39;" : NULL;

		if (name)
			markup_own(v, name);
		else
			markup_put(v, &c, 1);
	}
}

void markup_escaped(struct markup *v, const char *text)
{
	char step[TEXT_STEP];

	while (*text) {
		const size_t n = text_step(&text, step);

		markup_character(v, step, n);
	}
}

void markup_what_if(struct markup *v)
{
	const char *command;

	for (size_t i = 0; v->state && (command = fs_snapshot_command(v->state, i)); i++) {
		markup_own(v, i ? "; " : "WHAT IF: ");
		markup_escaped(v, command);
	}
	if (v->state && fs_snapshot_command(v->state, 0))
		markup_own(v, ". ");
}

void markup_free(struct markup *v)
{
	free(v->text);
	*v = (struct markup){ 0 };
}

static int put_text(const void *text, FILE *to, struct fs_error *err)
{
	const struct markup *v = text;

	if (!stream_write(to, v->text, v->len))
		return 0;
	*err = (struct fs_error){ .code = FS_EIO, .message = "write error" };
	return FS_EIO;
}

int markup_save(const struct invocation *inv, struct markup *v, const char *file)
{
	enum { MODE = 0600 };
	const int status = v->failed ? no_memory(inv) : save(inv, put_text, v, file, MODE);

	markup_free(v);
	return status;
}
