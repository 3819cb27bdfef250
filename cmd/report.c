#include "cmd.h"
#include "render/emit.h"

#include <stdarg.h>
#include <string.h>

/* Returns true if the text begins with a severity: "error: ", "fatal: " or "warning: ". */
static bool has_severity_prefix(const char *text)
{
	static const char *const severities[] = { "error: ", "fatal: ", "warning: " };

	for (size_t i = 0; i < sizeof(severities) / sizeof(*severities); i++)
		if (!strncmp(text, severities[i], strlen(severities[i])))
			return true;
	return false;
}

void cmd_print_message(const struct invocation *inv, const char *fmt, ...)
{
	va_list ap;

	if (inv->quiet)
		return;
	fflush(stdout);
	emit_to_stream(stderr, "%s: %s", inv->name, has_severity_prefix(fmt) ? "" : inv->message_prefix);
	va_start(ap, fmt);
	emit_format_args(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void cmd_print_note_sentence(void *invocation, const char *sentence)
{
	cmd_print_message(invocation, "%s", sentence);
}

int cmd_report_error(const struct invocation *inv, const struct fs_error *err)
{
	char text[800];

	fs_error_format(err, text, sizeof(text));
	cmd_print_message(inv, "%s", text);
	if (inv->emulated)
		return EXIT_FAILED;
	switch (err->code) {
	case FS_EDATA:
		return EXIT_SNAPSHOT;
	case FS_EUSAGE:
		return EXIT_USAGE;
	default:
		return EXIT_FAILED;
	}
}

int cmd_report_no_memory(const struct invocation *inv)
{
	cmd_print_message(inv, "out of memory");
	return EXIT_FAILED;
}

int cmd_get_usage_status(const struct invocation *inv)
{
	return inv->emulated ? EXIT_FAILED : EXIT_USAGE;
}

int out_of_memory(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
}
