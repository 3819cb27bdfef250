/* Fuzz target: reads any bytes as a command line and as the files in its folder. After the line `@@words`, each line is
 * one word of the command line. */
#include "program.h"

/* Returns true if the word of the command line is harmless: it names no file outside of the folder, does not begin with
 * "cap" (the verb capture runs commands), and sets no column width of five or more digits. */
static bool harmless(const char *word)
{
	return !program_outside(word) && strncmp(word, "cap", 3) != 0 && !program_wide(word);
}

/* Cuts the words in place; they end with a NUL each. */
static int words(char *s, char **argv)
{
	int n = 0;

	for (char *next; s && *s && n < PROGRAM_WORDS - 1; s = next) {
		next = strchr(s, '\n');
		if (next)
			*next++ = '\0';
		if (!harmless(s))
			return 0;
		argv[n++] = s;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_capture c = { .n = 0 };
	char line[1024], *argv[PROGRAM_WORDS];
	const struct file *of;
	int argc;

	fuzz_capture_split(&c, (const char *)data, size);
	of = fuzz_capture_find(&c, "words");
	if (!of || of->text.left >= sizeof(line))
		return 0;
	memcpy(line, of->text.s, of->text.left);
	line[of->text.left] = '\0';
	argc = words(line, argv);
	if (!argc)
		return 0;
	for (size_t i = 0; i < c.n; i++)
		program_put(c.v[i].name, c.v[i].name_len, c.v[i].text);
	program_run(argc, argv);
	program_empty(".", 0);
	return 0;
}
