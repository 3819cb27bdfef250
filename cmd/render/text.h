/* Text of table cells: escapes text from users so that it is safe on a terminal, and formats numbers as the emulated
 * tools do. Buffers belong to the caller. */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdarg.h>

/* Decodes the next UTF-8 character of s, which must not be at its end. Returns its length in bytes; 0: not valid
 * UTF-8. */
size_t text_decode_character(const char *s, uint32_t *c);

/* Returns true if a character beyond ASCII is invisible: a control, direction, separator, filler or other format
 * character. */
bool text_is_invisible(uint32_t c);

/* Stores the next character of *at in `out`, made safe for a terminal, and advances *at. Returns the number of bytes
 * stored. Unsafe characters are spelled out: ^X (C0 controls, DEL), \xHH (C1 controls, bytes that are not UTF-8),
 * \uHHHH or \UHHHHHHHH (invisible characters, see text_is_invisible). */
enum { TEXT_STEP = 12 };
size_t text_escape_next(const char **at, char out[TEXT_STEP]);

/* Copies src to dst with unsafe characters escaped, cut to `size` bytes including the NUL. The result of
 * text_copy_escaped is the length, that of text_make_visible is dst. */
size_t text_copy_escaped(char *dst, size_t size, const char *src);
char *text_make_visible(char *dst, size_t size, const char *src);

/* Returns the length of the text that text_make_visible makes of s, at most 255. */
int text_get_width(const char *s);

/* Returns true if the locale (LC_ALL, LC_CTYPE, LANG) uses UTF-8. */
bool text_has_utf8(void);

/* Formats v as Python's str() does: "0.0", "12165422.028375002", "1e+16"; "" for NAN. Returns buf. */
enum { TEXT_PYTHON = 40 };
char *text_format_python(char buf[TEXT_PYTHON], double v);

/* Cells of Slurm's tables (src/common/print_fields.c). A negative width aligns left; FIELD_PARSABLE ignores the
 * width. */
enum field_style { FIELD_TABLE, FIELD_PARSABLE };

/* A text longer than the width is cut and ends with '+'. */
void field_print_text(FILE *out, enum field_style style, int width, const char *s, size_t len);
void field_print_u64(FILE *out, enum field_style style, int width, uint64_t v);
/* Prints v as %f, or in exponent form if %f is wider than the column. NAN is blank. */
void field_print_double(FILE *out, enum field_style style, int width, double v);
void field_print_blank(FILE *out, enum field_style style, int width);

/* Formats v without an exponent, with as few decimals as identify the number, at most `max`. `size` is at least 160.
 * Returns buf or a constant string: "unknown" for NAN, "inf" and "-inf". */
const char *text_format_number(char *buf, size_t size, double v, int max);

/* ---- numbers for tables with many rows, formatted without printf */

/* Formats v like "%.*f", or "%+.*f" if `sign` is set, with at most 9 digits. A number that is too long for the buffer
 * gets an exponent. Returns the length. */
enum { DIGITS_TEXT = 80 };
size_t format_fixed_digits(char buf[DIGITS_TEXT], double v, int digits, bool sign);

/* Formats v in decimal. Returns the length, at most 20. */
enum { DIGITS_WHOLE = 24 };
size_t format_whole_digits(char buf[DIGITS_WHOLE], uint64_t v);

/* Formats v like "%.*f" with as few decimals as read back as v, at most `most`. Returns false, without a result, if
 * more than 9 decimals are needed or v is too large. */
bool format_fewest_digits(char buf[DIGITS_TEXT], double v, int most);

/* ---- formats shared by Maui's own tables */

/* Seconds as Maui prints them (MTime.c:MULToTString): `00:10:00`, `1:30:00`, `1:02:03:04`, INFINITY. */
char *text_colon_duration(char *buf, size_t size, int64_t seconds);

/* snprintf for text that users read: an unknown number (NaN) prints as '?' in the width of its field.
 *
 * All text that contains a double is formatted here or by render/emit.h; tests/lint/numbers.sh checks this. */

/* Format like snprintf and vsnprintf, and return the same length. */
int format_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int format_args(char *buf, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* One parsed conversion of a printf format, shared with render/emit.c. */
struct spec {
	char flags[8];
	int width, precision; /* precision: negative if none is given */
	char length[3], conversion;
};

/* Parses the conversion that follows a '%', takes the arguments of its '*', and advances *at past it. */
void parse_format_conversion(struct spec *f, const char **at, va_list *ap);

/* Returns true if the conversion takes a double. */
bool is_double_conversion(const struct spec *f);

#endif
