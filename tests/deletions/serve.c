/* serve: runs the program repeatedly in one process. A request is a line with the number of words and then one line per
 * word, the name of the command first. The answer is a line "STATUS OUT ERR" with the exit status and the lengths of
 * the two outputs, and then the bytes of the outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 32 };

int program_main(int argc, char **argv);

/* Output of the program on one stream. */
struct kept {
	char *text;
	size_t len;
};

static int run(int argc, char **argv, struct kept *out, struct kept *err)
{
	FILE *const real_out = stdout, *const real_err = stderr;
	int status = -1;

	stdout = open_memstream(&out->text, &out->len);
	stderr = open_memstream(&err->text, &err->len);
	if (stdout && stderr) {
		status = program_main(argc, argv);
		fclose(stdout);
		fclose(stderr);
	}
	stdout = real_out;
	stderr = real_err;
	return status;
}

static int answer(int argc, char **argv)
{
	struct kept out = { NULL, 0 }, err = { NULL, 0 };
	const int status = run(argc, argv, &out, &err);

	printf("%d %zu %zu\n", status, out.len, err.len);
	fwrite(out.text, 1, out.len, stdout);
	fwrite(err.text, 1, err.len, stdout);
	free(out.text);
	free(err.text);
	return fflush(stdout);
}

/* Reads the words of a request, one per line; returns their number, 0 at the end. */
static int ask(char **argv)
{
	char *line = NULL;
	size_t size = 0;
	long n = getline(&line, &size, stdin) > 0 ? strtol(line, NULL, 10) : 0;

	if (n < 0 || n >= WORDS)
		n = 0;
	for (long i = 0; i < n; i++) {
		if (getline(&line, &size, stdin) <= 0) {
			n = 0;
			break;
		}
		line[strcspn(line, "\n")] = '\0';
		argv[i] = strdup(line);
	}
	argv[n] = NULL;
	free(line);
	return (int)n;
}

int main(void)
{
	char *argv[WORDS], *words[WORDS];
	int argc;

	while ((argc = ask(argv)) > 0) {
		memcpy(words, argv, sizeof(words)); /* copies the pointers; the program may reorder argv */
		if (answer(argc, argv))
			return 1;
		for (int i = 0; i < argc; i++)
			free(words[i]);
	}
	return 0;
}
