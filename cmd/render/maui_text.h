/* Forms that Maui's own tables share. */
#ifndef RENDER_MAUI_TEXT_H
#define RENDER_MAUI_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Seconds as Maui prints them (MTime.c:MULToTString): `00:10:00`, `1:30:00`, `1:02:03:04`, INFINITY. */
char *maui_duration(char *buf, size_t size, int64_t seconds);

#endif
