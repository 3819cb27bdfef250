/* Names for the shells' completions. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "cmd.h"

/* fs-tools --complete KIND [-f FILE]: the exit status. */
int complete(const struct invocation *inv, int argc, char **argv);

#endif
