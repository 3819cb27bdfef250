/* Under the name showq the words of the command line mean what the tool itself takes them for.
 *
 * Harvard's and TACC's look for the words they know with GetPot (slurm_showq.cpp: parse_supported_options): whole words
 * only, wherever they stand, a value being the word behind; all others are ignored in silence. Maui's takes its letters
 * from mclient.c: __MCGetArgList and MUtil.c: MUGetOpt: one a word, a value behind the letter or the word that
 * follows. */
#include "showq/showq.h"

#include <string.h>

/* GetPot: a search goes on from the last word that was found, and comes round. */
struct words {
	char **v;
	int n, at;
};

static bool find(struct words *w, const char *word)
{
	for (int k = 0; k < w->n; k++) {
		const int i = (w->at + k) % w->n;

		if (!strcmp(w->v[i], word)) {
			w->at = i;
			return true;
		}
	}
	return false;
}

static const char *following(const struct words *w)
{
	return w->at + 1 < w->n ? w->v[w->at + 1] : "";
}

static void take_users(struct showq_run *r, struct words *w)
{
	r->own = find(w, "-u") || find(w, "--user");
	if (find(w, "-U"))
		r->named = following(w);
}

void showq_words_tacc(struct showq_run *r, int argc, char **argv)
{
	struct words w = { argv, argc, 0 };

	r->version = find(&w, "--version");
	r->wide = find(&w, "--long") || find(&w, "-l");
	r->help = find(&w, "--help") || find(&w, "-h");
	take_users(r, &w);
}

void showq_words_harvard(struct showq_run *r, int argc, char **argv)
{
	struct words w = { argv, argc, 0 };

	r->version = find(&w, "--version");
	r->wide = find(&w, "--long") || find(&w, "-l");
	r->show_blocked = find(&w, "--blocked") || find(&w, "-b");
	r->help = find(&w, "--help") || find(&w, "-h");
	take_users(r, &w);
	if (find(&w, "-p") || find(&w, "-q"))
		r->partition = following(&w);
	r->by_priority = find(&w, "-o");
	r->summary = find(&w, "-s");
}

/* The value of letter i, which it has behind it or as the next word, unless that is a letter too. */
static const char *value(int argc, char **argv, int *i)
{
	if (argv[*i][2])
		return argv[*i] + 2;
	return *i + 1 < argc && argv[*i + 1][0] != '-' ? argv[++*i] : "";
}

/* C, D, F and P are the client's own: a file, a level, a host, a port. */
static void take_letter(struct showq_run *r, int argc, char **argv, int *i)
{
	switch (argv[*i][1]) {
	case 'b':
		r->show_blocked = true;
		break;
	case 'i':
		r->only_idle = true;
		break;
	case 'r':
		r->only_running = true;
		break;
	case 'v':
		r->verbose = true;
		break;
	case 'p':
		r->partition = value(argc, argv, i);
		break;
	case 'u':
		r->user_word = value(argc, argv, i);
		break;
	case 'C':
	case 'D':
	case 'F':
	case 'P':
		value(argc, argv, i);
		break;
	case '-':
		r->version |= !strcmp(argv[*i], "--version");
		r->refused |= !strcmp(argv[*i], "--help");
		break;
	default:
		r->refused |= !strchr("ahV", argv[*i][1]) || !argv[*i][1];
		break;
	}
}

void showq_words_maui(struct showq_run *r, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-')
			take_letter(r, argc, argv, &i);
}
