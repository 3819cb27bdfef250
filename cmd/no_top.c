/* fs-top in a build without ncurses (make CURSES=no): prints that fs-top is not available. */
#include "cmd.h"

static int report_no_curses(const struct invocation *inv, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	cmd_print_message(inv, "not available: this program was built without ncurses (CURSES=no)");
	return EXIT_FAILED;
}

const struct command top_command = { "fs-top", NULL,  "not available: built without ncurses",
				     "",       false, report_no_curses };
