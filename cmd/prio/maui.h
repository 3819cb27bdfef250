/* What Maui's `diagnose -p` prints: the row of fs-prio in the table of Maui's dialect. */
#ifndef PRIO_MAUI_H
#define PRIO_MAUI_H

#include "prio/prio.h"

extern const struct prio_dialect prio_dialect_maui;

#endif
