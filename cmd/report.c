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

void complain(const struct invocation *inv, const char *fmt, ...)
{
	va_list ap;

	if (inv->quiet)
		return;
	fflush(stdout);
	emit_to(stderr, "%s: %s", inv->name, has_severity_prefix(fmt) ? "" : inv->mark);
	va_start(ap, fmt);
	emit_args(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void complain_note(void *invocation, const char *sentence)
{
	complain(invocation, "%s", sentence);
}

int report(const struct invocation *inv, const struct fs_error *err)
{
	char text[800];

	fs_error_format(err, text, sizeof(text));
	complain(inv, "%s", text);
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

int no_memory(const struct invocation *inv)
{
	complain(inv, "out of memory");
	return EXIT_FAILED;
}

int usage_status(const struct invocation *inv)
{
	return inv->emulated ? EXIT_FAILED : EXIT_USAGE;
}

int out_of_memory(struct fs_error *err)
{
	*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	return FS_ENOMEM;
}
