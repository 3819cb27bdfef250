#include "input/names.h"
#include "render/emit.h"
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int names_take(struct names *names, char *text)
{
	char **v = text ? room_for_one(names->v, names->n, &names->room, sizeof(*v)) : NULL;

	if (!v) {
		free(text);
		return -1;
	}
	names->v = v;
	names->v[names->n++] = text;
	return 0;
}

static int add_word(struct names *names, const char *s, size_t len, bool lower)
{
	char *word = strndup(s, len);

	for (char *p = word; lower && p && *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return names_take(names, word);
}

int names_add(struct names *names, const char *list, bool lower)
{
	size_t len = strlen(list);

	names->given = true;
	if (len >= 2 && (*list == '"' || *list == '\'') && list[len - 1] == *list) {
		list++;
		len -= 2;
	}
	while (len) {
		const char *comma = memchr(list, ',', len);
		const size_t word = comma ? (size_t)(comma - list) : len;

		if (word && add_word(names, list, word, lower))
			return -1;
		list += word + (comma != NULL);
		len -= word + (comma != NULL);
	}
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), by_bytes);
}

bool names_has(const struct names *names, const char *word)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->v[i], word))
			return true;
	return false;
}

void names_print(const char *label, const struct names *names)
{
	emit("%s = %s", label, names->given ? "" : "(null)");
	for (size_t i = 0; i < names->n; i++)
		emit("%s%s", i ? "," : "", names->v[i]);
	putchar('\n');
}

void names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	*names = (struct names){ 0 };
}
