/* The unit tests of one folder as one program: runs the tests of the files named on the command line, or of all files.
 * Usage: all [test_FILE]... TESTS is X(test_a) X(test_b)...; each file is compiled with its main renamed to
 * run_test_FILE. If an assertion in a helper fails, the helper's callers are printed too, so that the line of the test
 * case is visible. */
#include <dlfcn.h>
#include <execinfo.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define X(name) int run_##name(void);
TESTS
#undef X

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
#define X(name) { #name, run_##name },
	TESTS
#undef X
};

/* Prints the source lines of the tests at these addresses, as reported by addr2line. */
static void print_lines(void **address, int n)
{
	char command[4096], line[1024];
	Dl_info info;
	int len;

	if (!dladdr(address[0], &info))
		return;
	len = snprintf(command, sizeof(command), "addr2line -i -s -f -p -e '%s'", info.dli_fname);
	for (int i = 0; i < n && len < (int)sizeof(command) - 32; i++) {
		Dl_info of;

		/* A return address is the address after the call instruction; the byte before it belongs to the
		 * call. */
		if (dladdr(address[i], &of) && of.dli_fbase == info.dli_fbase)
			len += snprintf(command + len, sizeof(command) - (size_t)len, " %#tx",
					(char *)address[i] - 1 - (char *)of.dli_fbase);
	}
	FILE *f = popen(command, "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strstr(line, "??") && !strstr(line, "runner.c"))
			fprintf(stderr, "[   WHERE  ] --- %s", line);
	if (f)
		pclose(f);
}

/* Replaces cmocka's _fail(), which each failed assertion calls; prints the callers, then calls the original. */
void _fail(const char *const file, const int line)
{
	void (*cmocka)(const char *, int);
	void *address[64];
	const int n = backtrace(address, 64);

	print_lines(address, n);
	*(void **)&cmocka = dlsym(RTLD_NEXT, "_fail");
	cmocka(file, line);
}

static bool is_asked_for(const char *name, int n, char *const *names)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return n == 0;
}

int main(int argc, char **argv)
{
	size_t run = 0;
	int failed = 0;

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		if (is_asked_for(tests[i].name, argc - 1, argv + 1)) {
			failed |= tests[i].run() != 0;
			run++;
		}
	if (!run)
		fprintf(stderr, "%s: no such test\n", argv[0]);
	return failed || !run;
}
