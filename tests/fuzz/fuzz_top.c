/* Fuzz target: runs fs-top with a script of keys. The input may contain the script after a line `@@keys`, and a
 * snapshot after a line `@@snapshot`. Without a script, each byte of the input is a key; without a snapshot, the demo
 * is shown. */
#include "program.h"

#include "input/input.h"

static const char *const names[] = { "Enter", "Esc", "Tab", "BackTab", "Up", "Down", "PgUp", "PgDn", "Home", "End",
				     "Left", "Right", "Backspace", "Space", "C-l", "F1" };

/* Writes letters unchanged, other keys by name. */
static size_t as_keys(char *out, size_t cap, struct fuzz_bytes b)
{
	size_t n = 0;

	for (size_t i = 0; i < b.left && n + 16 < cap; i++) {
		const char c = b.s[i];

		if (c > ' ' && c < 0x7f)
			n += (size_t)snprintf(out + n, cap - n, "key %c\n", c);
		else
			n += (size_t)snprintf(out + n, cap - n, "key %s\n", names[(unsigned char)c % 16]);
		if (i % 16 == 15)
			n += (size_t)snprintf(out + n, cap - n, "dump\n");
	}
	return n + (size_t)snprintf(out + n, cap - n, "dump\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { "fs-top", "-f", "snapshot", "--script", "keys", NULL };
	struct fuzz_capture c = { .n = 0 };
	const struct file *script, *snapshot;
	char text[8192];
	struct fuzz_bytes keys = { (const char *)data, size },
			  demo = { (const char *)demo_snapshot, demo_snapshot_size };

	fuzz_capture_split(&c, (const char *)data, size);
	script = fuzz_capture_find(&c, "keys");
	snapshot = fuzz_capture_find(&c, "snapshot");
	if (script) {
		keys = script->text;
	} else {
		keys.left = as_keys(text, sizeof(text), keys);
		keys.s = text;
	}
	program_put("keys", 4, keys);
	program_put("snapshot", strlen("snapshot"), snapshot ? snapshot->text : demo);
	program_run(5, argv);
	program_empty(".", 0);
	return 0;
}
