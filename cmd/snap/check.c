/* fs-snap check: reads a snapshot and tells what is odd about it. */
#include "input.h"
#include "snap/snap.h"

struct notes {
	size_t count;
};

static void print_note(void *ctx, const char *sentence)
{
	struct notes *n = ctx;

	if (n->count++ < 20)
		printf("note: %s\n", sentence);
}

static void print_hidden(const fs_snapshot *s)
{
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++)
		if (fs_snapshot_hidden(s, type))
			printf("note: %s records are missing or incomplete in this capture\n",
			       type);
	if (fs_snapshot_hidden(s, "config"))
		puts("note: the configuration is missing in this capture");
}

int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	const struct fs_snapshot_info *info;
	struct notes notes = { 0 };
	fs_snapshot *s = NULL;
	int status;

	(void)o;
	if (argc != 1) {
		complain(inv, "check: give one snapshot: check FILE");
		return EXIT_USAGE;
	}
	status = input_read_file(inv, argv[0], &s);
	if (status)
		return status;
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		printf("warning: %s\n", fs_snapshot_warning(s, i));
	print_hidden(s);
	fs_snapshot_check(s, print_note, &notes);
	if (notes.count > 20)
		printf("note: and %zu more of the kind\n", notes.count - 20);
	info = fs_snapshot_info(s);
	printf("%s: valid: cluster %s, %s, %zu %s, %zu jobs\n", argv[0], info->cluster,
	       info->scheduler, info->kind == FS_MAUI ? info->credentials : info->associations,
	       info->kind == FS_MAUI ? "credentials" : "associations", info->jobs);
	fs_snapshot_free(s);
	return EXIT_DONE;
}
