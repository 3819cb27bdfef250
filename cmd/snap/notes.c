/* What the verbs that read one snapshot share: reading it, and what is said of it. */
#include "input/input.h"

#include "render/emit.h"
#include "snap/snap.h"

#include <string.h>

enum { NOTES_SHOWN = 20 };

int snap_one_file(const struct invocation *inv, const char *verb, int argc)
{
	if (argc == 1)
		return 0;
	complain(inv, "%s: give one snapshot: %s FILE", verb, verb);
	return EXIT_USAGE;
}

int snap_read_one(const struct invocation *inv, const char *verb, int argc, char **argv, fs_snapshot **out)
{
	const int status = snap_one_file(inv, verb, argc);

	return status ? status : input_read_file(inv, argv[0], out);
}

void snap_note(void *notes, const char *sentence)
{
	struct snap_notes *n = notes;

	if (n->keep)
		n->failed |= names_take(&n->kept, strdup(sentence)) != 0;
	else if (n->count++ < NOTES_SHOWN)
		emit("%s%s\n", n->begin, sentence);
}

void snap_notes_end(const struct snap_notes *n)
{
	if (n->count > NOTES_SHOWN)
		emit("%sand %zu more of the kind\n", n->begin, n->count - NOTES_SHOWN);
}

void snap_notes_json(const struct snap_notes *n, struct fs_json *j)
{
	json_list(j, "notes");
	for (size_t i = 0; i < n->kept.n; i++)
		fs_json_string(j, n->kept.v[i]);
	fs_json_end_array(j);
}
