/* Lines of a history: texts as fields, and a line taken apart. */
#include "history/lines.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int line_field(char *buf, size_t size, const char *text)
{
	size_t n = 0;

	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		const bool plain = c >= ' ' && c != 0x7f && c != '\\';

		if (n + 5 > size)
			return -1;
		if (plain)
			buf[n++] = (char)c;
		else
			n += (size_t)snprintf(buf + n, size - n, "\\x%02x", c);
	}
	buf[n] = '\0';
	return 0;
}

static void unescape(char *s)
{
	char *to = s;
	unsigned c;

	while (*s) {
		if (s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) && isxdigit((unsigned char)s[3]) &&
		    sscanf(s + 2, "%2x", &c) == 1) {
			*to++ = (char)c;
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* The next field of *text; NULL past the last. */
static char *next_field(char **text)
{
	char *field = *text, *tab = field ? strchr(field, '\t') : NULL;

	*text = tab ? tab + 1 : NULL;
	if (tab)
		*tab = '\0';
	return field;
}

static int parse_values(char *text, struct line *out)
{
	char *field, *equals, *end;

	while ((field = next_field(&text))) {
		if (!*field)
			continue;
		equals = strchr(field, '=');
		if (!equals || out->n == LINE_VALUES)
			return -1;
		*equals = '\0';
		out->value[out->n] = (struct line_value){ field, equals[1] ? strtod(equals + 1, &end) : (double)NAN };
		if (equals[1] && (end == equals + 1 || *end))
			return -1;
		out->n++;
	}
	return 0;
}

int line_parse(char *text, struct line *out)
{
	const char **share[] = { &out->user, &out->account, &out->partition };
	const char **job[] = { &out->partition, &out->qos, &out->user, &out->account, &out->state };
	const char *kind = next_field(&text);

	*out = (struct line){ .user = "", .account = "", .partition = "", .qos = "", .state = "" };
	if (!kind || (strcmp(kind, "s") && strcmp(kind, "j")))
		return -1;
	out->of_job = *kind == 'j';
	if (out->of_job) {
		const char *id = next_field(&text);

		if (!id || !isdigit((unsigned char)*id))
			return -1;
		out->job = strtoull(id, NULL, 10);
	}
	for (size_t i = 0; i < (out->of_job ? 5 : 3); i++) {
		char *field = next_field(&text);

		if (!field)
			return -1;
		unescape(field);
		*(out->of_job ? job[i] : share[i]) = field;
	}
	return parse_values(text, out);
}

int line_order(const struct line *a, const struct line *b)
{
	int order = (a->job > b->job) - (a->job < b->job);

	order = order ? order : strcmp(a->user, b->user);
	order = order ? order : strcmp(a->account, b->account);
	order = order ? order : strcmp(a->partition, b->partition);
	return order ? order : strcmp(a->qos, b->qos);
}

double line_value(const struct line *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->value[i].name, name))
			return l->value[i].value;
	return (double)NAN;
}
