#include "top/setup.h"

#include "files/save.h"
#include "render/emit.h"
#include "top/list/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void name_file(char file[512])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = 0;

	if (config && *config == '/')
		n = snprintf(file, 512, "%s/fs-tools/fs-top", config);
	else if (home && *home == '/')
		n = snprintf(file, 512, "%s/.config/fs-tools/fs-top", home);
	if (n <= 0 || n >= 512)
		*file = '\0';
}

/* ---- as text */

static void add(char text[SETUP_SIZE], const char *a, const char *b, const char *c)
{
	const size_t n = strlen(text);
	const int more = snprintf(text + n, SETUP_SIZE - n, "%s %s%s%s\n", a, b, *c ? " " : "", c);

	if (more < 0 || (size_t)more >= SETUP_SIZE - n)
		text[n] = '\0';
}

static void describe(const struct setup *s, const struct model *m, char text[SETUP_SIZE])
{
	struct view_column c;

	*text = '\0';
	add(text, "theme", theme_name(m->theme), "");
	for (int v = 0; v < VIEWS; v++) {
		const struct list *l = &m->list[v];

		for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
			view_column_get(l->ops, m->data, i, &c);
			if (m->chosen[v][i])
				add(text, l->ops->name, m->chosen[v][i] > 0 ? "show" : "hide", c.name);
			if (i == l->sort)
				add(text, l->ops->name, "sort", c.name);
		}
		if (l->inverted)
			add(text, l->ops->name, "turned", "");
	}
	if (strlen(text) + strlen(s->others) < SETUP_SIZE)
		strcat(text, s->others);
}

/* ---- from text */

static size_t column_named(const struct model *m, const struct list *l, const char *name)
{
	struct view_column c;

	for (size_t i = 0; i < l->columns && i < MAX_COLUMNS; i++) {
		view_column_get(l->ops, m->data, i, &c);
		if (!strcmp(c.name, name))
			return i;
	}
	return SIZE_MAX;
}

static void choose(struct setup *s, struct model *m, int v, const char *verb, const char *name)
{
	struct list *l = &m->list[v];
	const size_t i = column_named(m, l, name);

	if (i == SIZE_MAX)
		add(s->others, l->ops->name, verb, name);
	else if (!strcmp(verb, "sort"))
		l->sort = i;
	else
		m->chosen[v][i] = !strcmp(verb, "show") ? 1 : -1;
}

/* Takes one line of the file: NULL, or what is wrong with it. */
static const char *take_line(struct setup *s, struct model *m, char *line)
{
	static const char *const verbs[] = { "show", "hide", "sort", "turned" };
	char *verb = line + strcspn(line, " "), *name;
	size_t k = 0;
	int v = 0;

	if (!*line || *line == '#')
		return NULL;
	if (*verb)
		*verb++ = '\0';
	if (!strcmp(line, "theme")) {
		m->theme = theme_named(verb);
		return m->theme < THEMES ? NULL : "no such theme";
	}
	while (v < VIEWS && strcmp(m->list[v].ops->name, line) != 0)
		v++;
	name = verb + strcspn(verb, " ");
	if (*name)
		*name++ = '\0';
	while (k < 4 && strcmp(verbs[k], verb) != 0)
		k++;
	if (v == VIEWS || k == 4 || (k == 3) != !*name)
		return "not a line of a set-up";
	if (k == 3)
		m->list[v].inverted = true;
	else
		choose(s, m, v, verb, name);
	return NULL;
}

static void forget(struct setup *s, struct model *m, enum theme theme)
{
	m->theme = theme;
	memset(m->chosen, 0, sizeof(m->chosen));
	*s->others = '\0';
	for (int v = 0; v < VIEWS; v++) {
		m->list[v].sort = SIZE_MAX;
		m->list[v].inverted = false;
	}
}

static const char *take_file(struct setup *s, struct model *m, FILE *in, unsigned *line)
{
	const char *wrong = NULL;
	char text[512];

	while (!wrong && fgets(text, sizeof(text), in)) {
		++*line;
		if (!strchr(text, '\n') && !feof(in))
			return "a line is too long";
		text[strcspn(text, "\n")] = '\0';
		wrong = take_line(s, m, text);
	}
	return wrong ? wrong : ferror(in) ? strerror(errno) : NULL;
}

void setup_load(struct setup *s, struct model *m, bool themed)
{
	const enum theme theme = m->theme;
	const char *wrong = NULL;
	unsigned line = 0;
	FILE *in;

	*s = (struct setup){ .file = "" };
	name_file(s->file);
	in = *s->file ? fopen(s->file, "r") : NULL;
	if (in) {
		wrong = take_file(s, m, in, &line);
		fclose(in);
	}
	if (wrong) {
		model_say(m, true, "set-up ignored, line %u: %s: %s", line, wrong, s->file);
		forget(s, m, theme);
		*s->file = '\0';
	}
	if (themed)
		m->theme = theme;
	for (int v = 0; v < VIEWS; v++)
		if (list_refresh(&m->list[v], m->data, false))
			model_starve(m);
	describe(s, m, s->text);
	model_use_theme(m, m->theme);
}

/* ---- writing */

static int put(const void *what, FILE *to, struct fs_error *err)
{
	(void)err;
	emit_to(to, "# set-up of fs-top: F2 and F6 change it\n");
	for (const char *at = what; *at; at += strcspn(at, "\n") + 1)
		emit_to(to, "%.*s\n", (int)strcspn(at, "\n"), at);
	return 0;
}

/* Makes the folders above the file, for this user alone. */
static void make_folders(const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s", file);
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

void setup_save(const struct setup *s, const struct invocation *inv, const struct model *m)
{
	char text[SETUP_SIZE];

	describe(s, m, text);
	if (!*s->file || !strcmp(text, s->text))
		return;
	make_folders(s->file);
	save(inv, put, text, s->file, 0600);
}
