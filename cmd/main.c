/* fs-tools: one binary for all commands. The name under which the binary is started selects the command. If the name is
 * fs-tools, the first argument selects the command. */
#include "cmd.h"
#include "render/emit.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Size of the output buffer in bytes; not used if standard output is a terminal. */
enum { OUTPUT_BUFFER_SIZE = 1 << 16 };

#define COMMAND_LISTED(name) &name##_command,
static const struct command *const commands[] = { COMMANDS(COMMAND_LISTED) };
enum { COMMAND_COUNT = sizeof(commands) / sizeof(*commands) };

static const char *get_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Returns the command with this name, or NULL. If `verb` is true, the name may lack the prefix "fs-". Sets *emulated to
 * true if the name is the name of the tool that the command emulates, else to false. */
static const struct command *find_named_command(const char *name, bool verb, bool *emulated)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = commands[i];
		const bool is_own = !strcmp(name, c->name) || (verb && !strcmp(name, c->name + strlen("fs-")));

		*emulated = !is_own && c->emulates && !strcmp(name, c->emulates);
		if (is_own || *emulated)
			return c;
	}
	return NULL;
}

static int print_command_list(FILE *out, int status)
{
	emit_to_stream(out, "Usage: fs-tools COMMAND [OPTION]...\n\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		emit_to_stream(out, "  %-8s %s\n", commands[i]->name + strlen("fs-"), commands[i]->summary);
	emit_to_stream(out, "\nEach COMMAND is also a program, fs-COMMAND, with its own --help.\n");
	return status;
}

static int run_with_invocation(const struct command *c, struct invocation *inv, int argc, char **argv)
{
	const char *extensions = getenv("FS_EXTENSIONS");

	if (inv->emulated) {
		inv->only_emulated_options = c->strict && (!extensions || !*extensions || !strcmp(extensions, "0"));
		inv->message_prefix = c->message_prefix;
	}
	return c->run(inv, argc, argv);
}

/* Runs fs-tools --complete. `--complete options COMMAND` prints the options of the command. `--complete KIND` prints
 * names of a kind, such as jobs or users. */
static int run_complete_option(struct invocation *inv, int argc, char **argv)
{
	const struct command *c;

	if (argc != 4 || strcmp(argv[2], "options") != 0)
		return complete_print_kind_names(inv, argc, argv);
	c = find_named_command(argv[3], true, &inv->lists_options);
	if (!c)
		return EXIT_USAGE;
	inv->lists_options = true;
	return c->run(inv, 1, argv);
}

static int dispatch_to_command(int argc, char **argv)
{
	struct invocation inv = { .name = get_base_name(argc ? argv[0] : "fs-tools"), .message_prefix = "" };
	const struct command *c = find_named_command(inv.name, false, &inv.emulated);

	if (c)
		return run_with_invocation(c, &inv, argc, argv);
	if (argc < 2)
		return print_command_list(stderr, EXIT_USAGE);
	if (!strcmp(argv[1], "--help"))
		return print_command_list(stdout, EXIT_DONE);
	if (!strcmp(argv[1], "--version")) {
		emit("fs-tools " FS_VERSION "\n");
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--complete"))
		return run_complete_option(&inv, argc, argv);
	c = find_named_command(argv[1], true, &inv.emulated);
	if (!c) {
		cmd_print_message(&inv, "unknown command '%s'; see fs-tools --help", argv[1]);
		return EXIT_USAGE;
	}
	inv.name = inv.emulated ? c->emulates : c->name;
	return run_with_invocation(c, &inv, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	static char
		output_buffer[OUTPUT_BUFFER_SIZE]; /* static, because stdout uses the buffer after main returns */
	/* file descriptor; negative if stdout is a memory stream, which has its own buffer */
	const int out = fileno(stdout);
	int status;

	setlocale(LC_CTYPE, "");
	if (out >= 0 && !isatty(out))
		setvbuf(stdout, output_buffer, _IOFBF, sizeof(output_buffer));
	/* the parent process may have set SIGPIPE to be ignored; with the default action, a write to a closed pipe ends
	 * the command without a message */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN); /* with SIGXFSZ ignored, a write beyond the file size limit fails with EFBIG */
	status = dispatch_to_command(argc, argv);
	if (fflush(stdout) || ferror(stdout)) {
		emit_to_stream(stderr, "%s: write error: %s\n", get_base_name(argv[0]), strerror(errno));
		return EXIT_FAILED;
	}
	return status;
}
