/* The options of a command for the shells' completions. */
#include "options/options.h"
#include "render/emit.h"

#include <string.h>

const char *option_values(const struct option_row *row)
{
	static const struct {
		const char *arg, *values;
	} known[] = {
		{ "FILE", ":files" },	      { "DIR", ":folders" },	   { "USER", ":users" }, { "ACCOUNT", ":accounts" },
		{ "[ACCOUNT]", ":accounts" }, { "PARTITION", ":partitions" }, { "QOS", ":qos" },	 { "JOB", ":jobs" },
	};

	if (row->values)
		return row->values;
	for (size_t i = 0; row->arg && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(row->arg, known[i].arg))
			return known[i].values;
	return "";
}

int options_list(const struct option_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct option_row *r = &table->rows[i];
		const char letter = r->id > 0 && r->id < 256 ? (char)r->id : '-';

		if (r->help && r->id > 0)
			emit("%c|%s|%s|%s|%s\n", letter, r->name ? r->name : "",
			     !r->arg ? "" : r->arg[0] == '[' ? "=?" : "=", option_values(r), r->help);
	}
	return EXIT_DONE;
}
