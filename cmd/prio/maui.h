/* fs-prio --style=maui: what Maui's `diagnose -p` prints. */
#ifndef PRIO_MAUI_H
#define PRIO_MAUI_H

#include "input.h"

/* With -v: the jobs that a fair-share cap holds back, and which; the exit status. */
int prio_maui_blocked(const struct invocation *inv, const struct input *in, const fs_snapshot *s);

/* The n rows of those numbers; the exit status. */
int prio_maui_print(const struct invocation *inv, fs_prios *p, const size_t *rows, size_t n);

#endif
