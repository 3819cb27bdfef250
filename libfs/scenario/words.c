/* A command line cut into words, and the words of tables. */
#include "base/text.h"
#include "scenario/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How many letters from their beginning are the same, at most len. */
static size_t alike(const char *a, size_t len, const char *b)
{
	size_t i = 0;

	while (i < len && b[i] && fsi_lower(a[i]) == fsi_lower(b[i]))
		i++;
	return i;
}

int fsi_scenario_refuse(struct fsi_scenario *s, const char *fmt, ...)
{
	char text[sizeof(s->err->message)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fsi_fail(s->err, FS_EUSAGE, "%s", text);
}

void fsi_scenario_note(const struct fsi_scenario *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!s->o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->o->note(s->o->note_ctx, text);
}

/* One word from *from into *to, without its quotes. False: a quote stays open. */
static bool take_word(const char **from, char **to)
{
	char quote = 0;

	for (; **from && (quote || !strchr(" \t\n", **from)); (*from)++) {
		if (quote ? **from == quote : **from == '\'' || **from == '"')
			quote = quote ? 0 : **from;
		else
			*(*to)++ = **from;
	}
	*(*to)++ = '\0';
	return !quote;
}

static bool is_utf8(const char *s)
{
	size_t left = strlen(s), len;

	for (; left && (len = fsi_utf8_len(s, left)); s += len)
		left -= len;
	return !left;
}

int fsi_scenario_words(struct fsi_scenario *s, const char *command)
{
	char *to = s->text;

	if (strlen(command) >= sizeof(s->text))
		return fsi_scenario_refuse(s, "a command of more than %d bytes", FSI_COMMAND_MAX - 1);
	if (!is_utf8(command))
		return fsi_scenario_refuse(s, "the command is not UTF-8");
	for (s->n = 0; *(command += strspn(command, " \t\n")); s->n++) {
		if (s->n == FSI_COMMAND_WORDS)
			return fsi_scenario_refuse(s, "a command of more than %d words", FSI_COMMAND_WORDS);
		s->word[s->n] = to;
		if (!take_word(&command, &to))
			return fsi_scenario_refuse(s, "a quote is not closed");
	}
	s->word[s->n] = NULL;
	return s->n ? 0 : fsi_scenario_refuse(s, "a command is expected, as in scontrol hold 12");
}

static const char *name_at(const void *names, size_t stride, size_t i)
{
	const char *name;

	memcpy(&name, (const char *)names + i * stride, sizeof(name));
	return name;
}

size_t fsi_scenario_find(const void *names, size_t n, size_t stride, const char *s, size_t len)
{
	enum { LETTERS = 3 };
	size_t found = n, begun = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = name_at(names, stride, i);

		if (fsi_same_any_case(s, len, name))
			return i;
		if (len >= LETTERS && alike(s, len, name) == len) {
			found = i;
			begun++;
		}
	}
	return begun == 1 ? found : n;
}

/* Levenshtein's distance, letters of either case being the same; names are short. */
static size_t distance(const char *a, size_t n, const char *b)
{
	enum { LONGEST = 64 };
	const size_t m = strlen(b);
	size_t row[LONGEST + 1];

	if (n > LONGEST || m > LONGEST)
		return SIZE_MAX;
	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			const size_t change = corner + (fsi_lower(a[i - 1]) != fsi_lower(b[k - 1]));
			const size_t less = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

			corner = row[k];
			row[k] = change < less ? change : less;
		}
	}
	return row[m];
}

const char *fsi_scenario_nearest(const void *names, size_t n, size_t stride, const char *s, size_t len)
{
	const char *best = NULL;
	size_t min = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		const size_t d = distance(s, len, name_at(names, stride, i));

		if (!best || d < min) {
			best = name_at(names, stride, i);
			min = d;
		}
	}
	return best;
}

static size_t find_word(const struct fsi_edit_word *table, size_t n, const char *s, size_t len)
{
	if (!table->least)
		return fsi_scenario_find(table, n, sizeof(*table), s, len);
	for (size_t i = 0; i < n; i++)
		if (len >= table[i].least && alike(s, len, table[i].word) == len)
			return i;
	return n;
}

bool fsi_scenario_table_has(const struct fsi_edit_word *table, size_t n, const char *s, size_t len)
{
	return find_word(table, n, s, len) < n;
}

int fsi_scenario_word(struct fsi_scenario *s, const struct fsi_edit_word *table, size_t n, const char *what,
		      const char *text, const struct fsi_edit_word **out, struct fsi_operand *v)
{
	size_t len = strcspn(text, "="), i;

	*v = (struct fsi_operand){ '=', text[len] ? text + len + 1 : NULL };
	if (v->text && len && strchr("+-", text[len - 1]))
		v->op = text[--len];
	i = find_word(table, n, text, len);
	if (i == n)
		return fsi_scenario_refuse(s, "%s: there is no word \"%.*s\", the nearest is %s", what,
					   (int)(len < 60 ? len : 60), text,
					   fsi_scenario_nearest(table, n, sizeof(*table), text, len));
	*out = &table[i];
	return 0;
}

FSI_SETTER(fsi_scenario_ignore)
{
	(void)rec;
	(void)v;
	fsi_scenario_note(s, "%s changes nothing that is computed", w->word);
	return 0;
}

FSI_SETTER(fsi_scenario_unheeded)
{
	(void)rec;
	(void)v;
	fsi_scenario_note(s, "%s may change where or when a job starts, and is not heeded here", w->word);
	return 0;
}

int fsi_scenario_verb(struct fsi_scenario *s, const struct fsi_verb *verbs, size_t n, const char *what, size_t at)
{
	const char *word = at < s->n ? s->word[at] : "";
	const size_t len = strlen(word), i = fsi_scenario_find(verbs, n, sizeof(*verbs), word, len);

	if (i == n)
		return fsi_scenario_refuse(s, "%s \"%.60s\" is not known here; the nearest is %s", what, word,
					   fsi_scenario_nearest(verbs, n, sizeof(*verbs), word, len));
	return verbs[i].run(s, at + 1);
}
