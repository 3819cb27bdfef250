/* The layout of Maui's showq. */
#ifndef SHOWQ_MAUI_H
#define SHOWQ_MAUI_H

#include "showq/showq.h"

extern const struct showq_style showq_maui;

#endif
