/* The members of the Maui dialect. Each member is defined in maui.c in the folder of the command that uses it. */
#ifndef DIALECT_MAUI_H
#define DIALECT_MAUI_H

#include "explain/explain.h"
#include "prio/prio.h"
#include "showq/showq.h"

extern const struct explain_dialect explain_maui;
extern const struct prio_dialect prio_dialect_maui;
extern const struct showq_style showq_maui;

#endif
