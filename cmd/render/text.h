/* Cells as text: what users typed made harmless, numbers in the emulated tools' forms. */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The next character of a text that is not at its end, and how many bytes it is in UTF-8; 0: they are none. */
size_t text_character(const char *s, uint32_t *c);

/* Is a character beyond ASCII one that is not seen but steers, separates or hides? */
bool text_unseen(uint32_t c);

/* The next character as it may be shown, and how many bytes that is; *at goes behind it. What could steer a terminal or
 * hide from the eye is spelled out: ^X (C0, DEL), \xHH (C1, bytes that are no UTF-8), \uHHHH or \UHHHHHHHH (marks of
 * direction, separators and whatever else is not seen). */
enum { TEXT_STEP = 12 };
size_t text_step(const char **at, char out[TEXT_STEP]);

/* Makes all of src so, as far as there is room; returns how long it is then, or dst. */
size_t text_show(char *dst, size_t size, const char *src);
char *text_visible(char *dst, size_t size, const char *src);

/* Returns how many bytes text_visible makes of it, 255 at most. */
int text_width(const char *s);

/* Does the terminal understand UTF-8, by LC_ALL, LC_CTYPE and LANG? */
bool text_utf8(void);

/* A double as Python's str() writes it: "0.0", "12165422.028375002", "1e+16"; "" for NAN. */
enum { TEXT_PYTHON = 40 };
char *text_python(char buf[TEXT_PYTHON], double v);

/* Slurm's print_fields (src/common/print_fields.c). width < 0 aligns left. */
enum field_style { FIELD_TABLE, FIELD_PARSABLE };

/* Cut to the width with '+' as last character. */
void field_text(FILE *out, enum field_style style, int width, const char *s, size_t len);
void field_u64(FILE *out, enum field_style style, int width, uint64_t v);
/* %f; an exponent form when that is too wide. NAN is blank. */
void field_double(FILE *out, enum field_style style, int width, double v);
void field_blank(FILE *out, enum field_style style, int width);

/* A number with as few decimals as tell it, at most that many: never an exponent. size: 160 and more. "unknown" if it
 * is NAN. Returns buf or a constant. */
const char *text_number(char *buf, size_t size, double v, int max);

/* Numbers of tables with many rows, written without printf. */

/* As "%.{digits}f", or "%+.{digits}f" with the sign; at most 9 digits. Returns how long it is; of what is not finite,
 * or so large that it takes an exponent, at most 80. */
enum { DIGITS_TEXT = 80 };
size_t digits_fixed(char buf[DIGITS_TEXT], double v, int digits, bool sign);

/* In decimal; returns how long it is, at most 20. */
enum { DIGITS_WHOLE = 24 };
size_t digits_whole(char buf[DIGITS_WHOLE], uint64_t v);

/* As "%.*f" with as few digits as give the number back, at most `most`. False: it takes more than 9, or is large. */
bool digits_fewest(char buf[DIGITS_TEXT], double v, int most);

/* Forms that Maui's own tables share. */

/* Seconds as Maui prints them (MTime.c:MULToTString): `00:10:00`, `1:30:00`, `1:02:03:04`, INFINITY. */
char *text_colon_duration(char *buf, size_t size, int64_t seconds);

#endif
