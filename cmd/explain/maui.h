/* What fs-explain says of Maui alone: its row in the table of Maui's dialect. */
#ifndef EXPLAIN_MAUI_H
#define EXPLAIN_MAUI_H

#include "explain/explain.h"

extern const struct explain_dialect explain_maui;

#endif
