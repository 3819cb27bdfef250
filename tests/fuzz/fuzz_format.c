/* Passes any bytes as the value of -o, -S or --sort to a command that has the option. The first byte selects the
 * command and the option. */
#include "program.h"

#include "input/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const commands[][4] = {
		{ "fs-share", "-a", "-o", NULL },     { "fs-prio", "-l", "-o", NULL }, { "sprio", "-l", "-o", NULL },
		{ "sshare", "-a", "-o", NULL },	      { "fs-prio", "-w", "-o", NULL }, { "fs-prio", "-n", "-S", NULL },
		{ "fs-share", "-a", "--sort", NULL }, { "fs-diff", "-f", "snapshot", "-o" },
	};
	char text[600], *argv[PROGRAM_WORDS];
	int argc = 0;

	if (!size || size >= sizeof(text))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (program_wide(text))
		return 0;
	program_put("snapshot", strlen("snapshot"), (struct fuzz_bytes){ (const char *)demo_snapshot, demo_snapshot_size });
	for (size_t i = 0; i < 4 && commands[data[0] % 8][i]; i++)
		argv[argc++] = commands[data[0] % 8][i];
	argv[argc++] = text;
	program_run(argc, argv);
	program_empty(".", 0);
	return 0;
}
