/* Runs fs-tools in the process of the fuzzer, with its main function renamed to fuzz_main. The program runs with an
 * empty PATH in a folder of its own, which is emptied after each run. It must write no file outside the folder, and its
 * output is checked. */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include "capture.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

int fuzz_main(int argc, char **argv);
int fuzz_open(const char *name, int flags, ...);
FILE *fuzz_fopen(const char *name, const char *mode);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { PROGRAM_WORDS = 40 };

static inline bool program_outside(const char *name)
{
	return strchr(name, '/') != NULL;
}

int fuzz_open(const char *name, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? (mode_t)va_arg(ap, unsigned) : 0;
	va_end(ap);
	if ((flags & O_CREAT) && program_outside(name)) {
		errno = EACCES;
		return -1;
	}
	return open(name, flags, mode);
}

FILE *fuzz_fopen(const char *name, const char *mode)
{
	if (*mode != 'r' && program_outside(name)) {
		errno = EACCES;
		return NULL;
	}
	return fopen(name, mode);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char folder[] = "/tmp/fuzz-XXXXXX";

	(void)argc;
	(void)argv;
	PROMISE(mkdtemp(folder) != NULL && !chdir(folder));
	setenv("PATH", "/nonexistent", 1);
	setenv("HOME", "/nonexistent", 1);
	setenv("TZ", "UTC", 1);
	setenv("TERM", "dumb", 1);
	setenv("FS_THREADS", "1", 1);
	setenv("FS_USER", "root", 1);
	setenv("FS_SNAPSHOT", "snapshot", 1);
	setenv("TMPDIR", folder, 1);
	return 0;
}

static inline void program_empty(const char *dir, unsigned depth)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[600];

	while (d && (e = readdir(d))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (unlink(path) && depth < 4) {
			program_empty(path, depth + 1);
			rmdir(path);
		}
	}
	if (d)
		closedir(d);
}

static inline void program_put(const char *name, size_t len, struct fuzz_bytes text)
{
	char path[64], *slash;
	FILE *f;

	if (!len || len >= sizeof(path) || *name == '.' || *name == '/' || memchr(name, '\0', len))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)len, name);
	slash = strchr(path, '/');
	if (strstr(path, "..") || (slash && strchr(slash + 1, '/')))
		return;
	if (slash) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "wb");
	if (!f)
		return;
	fwrite(text.s, 1, text.left, f);
	fclose(f);
}

/* Checks that the printed text has no control characters except newline and tab. This holds for every input, because
 * texts are escaped and a snapshot is printed as JSON. */
static inline void program_look(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)text[i];

		PROMISE(c == '\n' || c == '\t' || c >= 0x20);
		PROMISE(c != 0x7f);
		PROMISE(c != 0xc2 || i + 1 == len || (unsigned char)text[i + 1] >= 0xa0);
	}
}

/* Returns true if the text requests a column width of at least five digits. The tools accept any width, but such a
 * width could need more memory than the fuzzer has. */
static inline bool program_wide(const char *text)
{
	size_t digits = 0;

	/* a column width can only be in a format, which contains %, or in a size, which contains x; job ids contain
	 * neither */
	if (!strpbrk(text, "%x"))
		return false;
	for (; *text && digits < 5; text++)
		digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
	return digits == 5;
}

static inline bool program_has(int argc, char **argv, const char *word)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

/* Returns true if all words of the command line are printable ASCII. Only then is the output checked, because the text
 * of a format option is printed unchanged. */
static inline bool program_plain(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		for (const char *s = argv[i]; *s; s++)
			if (*s < 0x20 || *s >= 0x7f)
				return false;
	return true;
}

static inline void program_run(int argc, char **argv)
{
	FILE *const out = stdout, *const err = stderr;
	char *text = NULL, *told = NULL;
	size_t len = 0, told_len = 0;
	int status;

	argv[argc] = NULL;
	stdout = open_memstream(&text, &len);
	stderr = open_memstream(&told, &told_len);
	PROMISE(stdout && stderr);
	status = fuzz_main(argc, argv);
	fclose(stdout);
	fclose(stderr);
	stdout = out;
	stderr = err;
	PROMISE(status >= 0 && status <= 4);
	if (strcmp(argv[0], "fs-snap") != 0 && program_plain(argc, argv)) {
		program_look(text, len);
		program_look(told, told_len);
	}
	if (!status && program_has(argc, argv, "--json") && len) {
		cJSON *j = cJSON_Parse(text);

		PROMISE(j != NULL);
		cJSON_Delete(j);
	}
	free(text);
	free(told);
}

#endif
