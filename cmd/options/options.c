#include "options/options.h"

#include "render/emit.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts for --help and shell completion */

/* Formats an option for --help: "-f, --file=FILE", "    --json[=SHAPE]", "-a". */
static void format_option_names(const struct option_row *r, char *buf, size_t size)
{
	const bool optional = r->arg && r->arg[0] == '[';
	const char *sep = !r->arg ? "" : r->name ? (optional ? "[=" : "=") : (optional ? "" : " ");
	char letter[8] = "    ";

	if (r->id > 0 && r->id < 256)
		snprintf(letter, sizeof(letter), "-%c%s", r->id, r->name ? ", " : "");
	snprintf(buf, size, "%s%s%s%s%s", letter, r->name ? "--" : "", r->name ? r->name : "", sep,
		 r->arg ? r->arg + (optional && r->name) : "");
}

/* Returns true if --help lists the row. If the command accepts only the options of the tool that it emulates, --help
 * lists neither headings nor other options. */
static bool is_option_listed(const struct invocation *inv, const struct option_table *t, const struct option_row *r)
{
	if (!inv->only_emulated_options || !t->emulated_rows)
		return true;
	for (size_t i = 0; i < t->nemulated_rows; i++)
		if (r->id > 0 && t->emulated_rows[i].id == r->id)
			return true;
	return false;
}

int options_print_usage(const struct invocation *inv, const struct option_table *table)
{
	if (!inv->only_emulated_options || !table->emulated_usage)
		return options_print_help(inv, table);
	for (size_t i = 0; table->emulated_usage[i]; i++)
		emit_safe_line(table->emulated_usage[i]);
	return EXIT_DONE;
}

int options_print_help(const struct invocation *inv, const struct option_table *table)
{
	char words[80];

	emit("Usage: %s %s\n%s\n", inv->name, table->synopsis, table->about);
	for (size_t i = 0; i < table->n; i++) {
		const struct option_row *r = &table->rows[i];

		if (!r->help || !is_option_listed(inv, table, r))
			continue;
		if (r->id <= 0) {
			emit(r->id ? "%s\n" : "\n%s\n", r->help);
			continue;
		}
		format_option_names(r, words, sizeof(words));
		emit("  %-28s %s\n", words, r->help);
	}
	return EXIT_DONE;
}

/* Returns the texts for shell completion of the option's value. These are option_row.values or, if that is NULL, texts
 * that depend on `arg`. Returns "" if there are no texts. */
static const char *get_completion_values(const struct option_row *row)
{
	static const struct {
		const char *arg, *values;
	} completed_args[] = {
		{ "FILE", ":files" },	      { "DIR", ":folders" },	   { "USER", ":users" }, { "ACCOUNT", ":accounts" },
		{ "[ACCOUNT]", ":accounts" }, { "PARTITION", ":partitions" }, { "QOS", ":qos" },	 { "JOB", ":jobs" },
	};

	if (row->values)
		return row->values;
	for (size_t i = 0; row->arg && i < sizeof(completed_args) / sizeof(*completed_args); i++)
		if (!strcmp(row->arg, completed_args[i].arg))
			return completed_args[i].values;
	return "";
}

/* For shell completion, prints the options that --help lists, as lines "LETTER|NAME|=|VALUES|HELP". LETTER is "-" if
 * there is none; the third field is "=?" if the value is optional. Returns EXIT_DONE. */
static int print_completion_table(const struct option_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct option_row *r = &table->rows[i];
		const char letter = r->id > 0 && r->id < 256 ? (char)r->id : '-';

		if (r->help && r->id > 0)
			emit("%c|%s|%s|%s|%s\n", letter, r->name ? r->name : "",
			     !r->arg ? "" : r->arg[0] == '[' ? "=?" : "=", get_completion_values(r), r->help);
	}
	return EXIT_DONE;
}

struct option_parser {
	struct option *longs;
	char *shorts;
	size_t nlongs, nshorts;
};

static void add_parser_option(struct option_parser *p, int id, const char *name, const char *arg)
{
	const int kind = !arg ? no_argument : arg[0] == '[' ? optional_argument : required_argument;

	if (name)
		p->longs[p->nlongs++] = (struct option){ name, kind, NULL, id };
	if (id <= 0 || id > 255)
		return;
	p->shorts[p->nshorts++] = (char)id;
	for (int k = 0; k < (kind == no_argument ? 0 : kind == required_argument ? 1 : 2); k++)
		p->shorts[p->nshorts++] = ':';
}

static void free_option_parser(struct options *o)
{
	struct option_parser *p = o->state;

	if (p) {
		free(p->longs);
		free(p->shorts);
		free(p);
	}
}

static int init_option_parser(struct options *o, const struct invocation *inv, const struct option_table *table,
			      int argc, char **argv)
{
	const bool emulated = inv->only_emulated_options && table->emulated_rows;
	const size_t n = emulated ? table->nemulated_rows : table->n;
	struct option_parser *p = calloc(1, sizeof(*p));

	*o = (struct options){ .inv = inv, .table = table, .argc = argc, .argv = argv };
	o->state = p;
	if (!p)
		return -1;
	p->longs = calloc(n + 1, sizeof(*p->longs));
	p->shorts = calloc(n * 3 + 2, 1);
	if (!p->longs || !p->shorts)
		return -1;
	if (!inv->only_emulated_options)
		p->shorts[p->nshorts++] = ':';
	for (size_t i = 0; i < n; i++)
		if (emulated)
			add_parser_option(p, table->emulated_rows[i].id, table->emulated_rows[i].name,
					  table->emulated_rows[i].arg);
		else
			add_parser_option(p, table->rows[i].id, table->rows[i].name, table->rows[i].arg);
	optind = 0; /* in glibc, an optind of 0 makes getopt begin a new scan and reorder argv again */
	/* if only the options of the emulated tool are accepted, getopt prints its own messages, as in that tool */
	opterr = inv->only_emulated_options;
	return 0;
}

static const char try_help_format[] = "Try \"%s --help\" for more information\n";

void options_report_unknown_option(const struct invocation *inv, const char *program, const char *word)
{
	fflush(stdout);
	if (inv->only_emulated_options) {
		emit_to_stream(stderr, "%s: unrecognized option '%s'\n", program, word);
		emit_to_stream(stderr, try_help_format, inv->name);
	} else {
		cmd_print_message(inv, "unknown option '%s'; see %s --help", word, inv->name);
	}
}

/* Returns the id of the next option, -1 after the last option, or '?' after an option was reported as invalid. */
static int parse_next_option(struct options *o)
{
	const struct option_parser *p = o->state;
	const int at = optind;
	const int c = getopt_long(o->argc, o->argv, p->shorts, p->longs, NULL);
	const char *word = o->argv[optind > 1 && optind <= o->argc ? optind - 1 : at ? at : 1];

	o->arg = optarg;
	o->next = optind;
	if (c != '?' && c != ':')
		return c;
	if (o->inv->only_emulated_options)
		emit_to_stream(stderr, try_help_format, o->inv->name);
	else if (c == ':')
		cmd_print_message(o->inv, "option '%s' needs a value; see %s --help", word, o->inv->name);
	else if (optopt && optopt < 256)
		cmd_print_message(o->inv, "unknown option '-%c'; see %s --help", optopt, o->inv->name);
	else
		cmd_print_message(o->inv, "unknown option '%s'; see %s --help", word, o->inv->name);
	return '?';
}

/* ---- applying the effects of options */

static const struct option_row *find_option_row(const struct option_table *t, int id)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].id == id)
			return &t->rows[i];
	return NULL;
}

/* Applies an option of the snapshot source, viewer or usage. --usage without a value prints the help, as --usage of
 * Slurm's tools does. */
static int apply_input_option(const struct option_target *to, const struct options *o, int id)
{
	if (id == OPT_USAGE && !o->arg)
		return options_print_usage(o->inv, o->table);
	return input_handle_option(to->inv, to->input, id, o->arg) < 0 ? cmd_get_usage_status(to->inv) : -1;
}

/* Applies one option. Returns -1 to continue, or the exit status. */
static int apply_option_effect(const struct option_target *to, const struct options *o, int id)
{
	const struct option_row *row = find_option_row(o->table, id);
	void *at;

	if (!row)
		return to->passes_unknown ? -1 : cmd_get_usage_status(to->inv);
	at = (row->does.of_input ? (char *)to->input : (char *)to->run) + row->does.offset;
	switch (row->does.kind) {
	case OPTION_TAKEN:
		return to->take(to->run, o, id);
	case OPTION_HELP:
		return options_print_help(o->inv, o->table);
	case OPTION_VERSION:
		emit("%s " FS_VERSION "\n", o->inv->name);
		return EXIT_DONE;
	case OPTION_INPUT:
		return apply_input_option(to, o, id);
	case OPTION_JSON:
		return json_parse_option(to->inv, o->arg, to->json);
	case OPTION_FLAG:
		*(bool *)at = true;
		break;
	case OPTION_TEXT:
		*(const char **)at = o->arg;
		break;
	case OPTION_COUNT:
		++*(int *)at;
		break;
	case OPTION_LINES:
		*(enum json_form *)at = JSON_LINES;
		break;
	case OPTION_ACCEPTED:
		break;
	}
	return -1;
}

int options_parse_command_line(const struct option_target *to, const struct option_table *table, int argc, char **argv,
			       int *next)
{
	struct options o;
	int id, status = -1;

	if (to->inv->lists_options)
		return print_completion_table(table);
	if (init_option_parser(&o, to->inv, table, argc, argv))
		status = cmd_report_no_memory(to->inv);
	while (status < 0 && (id = parse_next_option(&o)) != -1)
		status = apply_option_effect(to, &o, id);
	*next = o.next;
	free_option_parser(&o);
	return status;
}

int options_report_unexpected_argument(const struct invocation *inv, const char *word)
{
	cmd_print_message(inv, "unexpected argument \"%s\"; see %s --help", word, inv->name);
	return cmd_get_usage_status(inv);
}
