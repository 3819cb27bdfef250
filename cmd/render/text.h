/* Cells as text: what users typed made harmless, numbers in the emulated tools' forms. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Copies src with control bytes (C0, DEL, C1) shown as ^X or \xHH; returns dst. */
char *text_visible(char *dst, size_t size, const char *src);

/* Bytes that text_visible makes of it, up to 255. */
int text_width(const char *s);

/* Does the terminal understand UTF-8, by LC_ALL, LC_CTYPE and LANG? */
bool text_utf8(void);

/* A double as Python's str() writes it: "0.0", "12165422.028375002", "1e+16"; "" for NAN. */
enum { TEXT_PYTHON = 40 };
char *text_python(char buf[TEXT_PYTHON], double v);

/* Slurm's print_fields (src/common/print_fields.c). width < 0 aligns left. */
enum field_style { FIELD_TABLE, FIELD_PARSABLE };

/* Cut to the width with '+' as last character. */
void field_str(FILE *out, enum field_style style, int width, const char *s);
void field_u64(FILE *out, enum field_style style, int width, uint64_t v);
/* %f; an exponent form when that is too wide. NAN is blank. */
void field_double(FILE *out, enum field_style style, int width, double v);
void field_blank(FILE *out, enum field_style style, int width);

#endif
