/* --help from the table of options. */
#include "options/options.h"
#include "render/emit.h"

#include <stdio.h>

/* "-f, --file=FILE", "    --json[=SHAPE]", "-a". */
static void option_words(const struct option_row *r, char *buf, size_t size)
{
	const bool optional = r->arg && r->arg[0] == '[';
	const char *sep = !r->arg ? "" : r->name ? (optional ? "[=" : "=") : (optional ? "" : " ");
	char letter[8] = "    ";

	if (r->id > 0 && r->id < 256)
		snprintf(letter, sizeof(letter), "-%c%s", r->id, r->name ? ", " : "");
	snprintf(buf, size, "%s%s%s%s%s", letter, r->name ? "--" : "", r->name ? r->name : "", sep,
		 r->arg ? r->arg + (optional && r->name) : "");
}

/* Under the tool's name only its options have a line; headings have none. */
static bool is_offered(const struct invocation *inv, const struct option_table *t, const struct option_row *r)
{
	if (!inv->strict || !t->theirs)
		return true;
	for (size_t i = 0; i < t->ntheirs; i++)
		if (r->id > 0 && t->theirs[i].id == r->id)
			return true;
	return false;
}

int options_help(const struct invocation *inv, const struct option_table *table)
{
	char words[80];

	emit("Usage: %s %s\n%s\n", inv->name, table->synopsis, table->about);
	for (size_t i = 0; i < table->n; i++) {
		const struct option_row *r = &table->rows[i];

		if (!r->help || !is_offered(inv, table, r))
			continue;
		if (r->id <= 0) {
			emit(r->id ? "%s\n" : "\n%s\n", r->help);
			continue;
		}
		option_words(r, words, sizeof(words));
		emit("  %-28s %s\n", words, r->help);
	}
	return EXIT_DONE;
}
