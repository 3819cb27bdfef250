#include "options/options.h"

#include "render/emit.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	struct option *longs;
	char *shorts;
};

static int arg_kind(const struct option_row *r)
{
	if (!r->arg)
		return no_argument;
	return r->arg[0] == '[' ? optional_argument : required_argument;
}

int options_init(struct options *o, const struct invocation *inv, const struct option_table *table, int argc,
		 char **argv)
{
	const bool theirs = inv->strict && table->theirs;
	const struct option_row *rows = theirs ? table->theirs : table->rows;
	const size_t n = theirs ? table->ntheirs : table->n;
	struct parser *p = calloc(1, sizeof(*p));
	size_t longs = 0, shorts = 0;

	*o = (struct options){ .inv = inv, .table = table, .argc = argc, .argv = argv };
	o->state = p;
	if (!p)
		return -1;
	p->longs = calloc(n + 1, sizeof(*p->longs));
	p->shorts = calloc(n * 3 + 2, 1);
	if (!p->longs || !p->shorts)
		return -1;
	if (!inv->strict)
		p->shorts[shorts++] = ':';
	for (size_t i = 0; i < n; i++) {
		const int kind = arg_kind(&rows[i]);

		if (rows[i].name)
			p->longs[longs++] = (struct option){ rows[i].name, kind, NULL, rows[i].id };
		if (rows[i].id <= 0 || rows[i].id > 255)
			continue;
		p->shorts[shorts++] = (char)rows[i].id;
		for (int k = 0; k < (kind == no_argument         ? 0
				     : kind == required_argument ? 1
								 : 2);
		     k++)
			p->shorts[shorts++] = ':';
	}
	optind = 0; /* restart, with permutation */
	opterr = inv->strict; /* getopt's own words, as the tool's */
	return 0;
}

static const char try_help[] = "Try \"%s --help\" for more information\n";

void options_unknown(const struct invocation *inv, const char *program, const char *word)
{
	fflush(stdout);
	if (inv->strict) {
		emit_to(stderr, "%s: unrecognized option '%s'\n", program, word);
		emit_to(stderr, try_help, inv->name);
	} else {
		complain(inv, "unknown option '%s'; see %s --help", word, inv->name);
	}
}

int options_next(struct options *o)
{
	const struct parser *p = o->state;
	const int at = optind;
	const int c = getopt_long(o->argc, o->argv, p->shorts, p->longs, NULL);
	const char *word = o->argv[optind > 1 && optind <= o->argc ? optind - 1 : at ? at : 1];

	o->arg = optarg;
	o->next = optind;
	if (c != '?' && c != ':')
		return c;
	if (o->inv->strict)
		emit_to(stderr, try_help, o->inv->name);
	else if (c == ':')
		complain(o->inv, "option '%s' needs a value; see %s --help", word, o->inv->name);
	else if (optopt && optopt < 256)
		complain(o->inv, "unknown option '-%c'; see %s --help", optopt, o->inv->name);
	else
		complain(o->inv, "unknown option '%s'; see %s --help", word, o->inv->name);
	return '?';
}

void options_release(struct options *o)
{
	struct parser *p = o->state;

	if (p) {
		free(p->longs);
		free(p->shorts);
		free(p);
	}
}

int options_parse(const struct invocation *inv, const struct option_table *table, int argc, char **argv,
		  option_fn take, void *ctx, int *next)
{
	struct options o;
	int id, status = -1;

	if (options_init(&o, inv, table, argc, argv)) {
		status = no_memory(inv);
	}
	while (status < 0 && (id = options_next(&o)) != -1)
		status = take(ctx, &o, id);
	*next = o.next;
	options_release(&o);
	return status;
}

bool options_wants_help(const struct options *o, int id)
{
	return id == OPT_HELP || (id == OPT_USAGE && !o->arg);
}

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

/* Headings are, with nothing of ours below them. */
static bool is_offered(const struct options *o, const struct option_row *r)
{
	const struct option_table *t = o->table;

	if (!o->inv->strict || !t->theirs)
		return true;
	for (size_t i = 0; i < t->ntheirs; i++)
		if (r->id > 0 && t->theirs[i].id == r->id)
			return true;
	return false;
}

void options_help(const struct options *o, const char *synopsis, const char *about)
{
	char words[80];

	emit("Usage: %s %s\n%s\n", o->inv->name, synopsis, about);
	for (size_t i = 0; i < o->table->n; i++) {
		const struct option_row *r = &o->table->rows[i];

		if (!r->help || !is_offered(o, r))
			continue;
		if (r->id <= 0) {
			emit(r->id ? "%s\n" : "\n%s\n", r->help);
			continue;
		}
		option_words(r, words, sizeof(words));
		emit("  %-28s %s\n", words, r->help);
	}
}

bool options_set(const struct option_member *members, size_t n, void *run, int id, const char *arg)
{
	for (size_t i = 0; i < n; i++) {
		void *at = (char *)run + members[i].offset;

		if (members[i].id != id)
			continue;
		switch (members[i].kind) {
		case OPTION_SETS_FLAG:
			*(bool *)at = true;
			break;
		case OPTION_SETS_TEXT:
			*(const char **)at = arg;
			break;
		case OPTION_SETS_LINES:
			*(enum json_form *)at = JSON_LINES;
			break;
		}
		return true;
	}
	return false;
}
