/* Text of table cells: escapes text from users so that it is safe on a terminal, and formats numbers as the emulated
 * commands (sshare, sprio, ...) do. The caller owns the buffers. */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdarg.h>

/* Decodes the first UTF-8 character of s, which must not be empty. Returns the length of the character in bytes; 0 if s
 * does not begin with valid UTF-8. */
size_t text_decode_character(const char *s, uint32_t *c);

/* Returns true if the non-ASCII character `c` is invisible: a control, direction mark, separator, filler or other
 * format character. */
bool text_is_invisible(uint32_t c);

/* Stores the next character of *at in `out`, made safe for a terminal, and advances *at. Returns the number of bytes
 * stored. Unsafe characters become ASCII text: ^X for C0 controls and DEL, \xHH for C1 controls and bytes that are not
 * UTF-8, \uHHHH or \UHHHHHHHH for invisible characters (text_is_invisible). */
enum { TEXT_STEP = 12 };
size_t text_escape_next(const char **at, char out[TEXT_STEP]);

/* Stores the next character of *at in `out` for a file that a program reads, and advances *at. Returns the number of
 * bytes stored. Unlike with text_escape_next, the text can be read back: control and invisible characters become \xHH
 * (below U+0080), \uHHHH or \UHHHHHHHH, with lower-case digits. A backslash that begins such a text becomes \x5c. */
size_t text_encode_next(const char **at, char out[TEXT_STEP]);

/* Both functions copy src to dst with unsafe characters escaped, cut to `size` bytes including the NUL.
 * text_copy_escaped returns the length of the result, text_make_visible returns dst. */
size_t text_copy_escaped(char *dst, size_t size, const char *src);
char *text_make_visible(char *dst, size_t size, const char *src);

/* Returns the length in bytes of s after text_make_visible, at most 255. */
int text_get_width(const char *s);

/* Returns true if the character set of the locale (LC_ALL, LC_CTYPE, LANG) is UTF-8. */
bool text_has_utf8(void);

/* Formats v as Python's str() does: "0.0", "12165422.028375002", "1e+16". NAN gives "". Returns buf. */
enum { TEXT_PYTHON = 40 };
char *text_format_python(char buf[TEXT_PYTHON], double v);

/* The styles in which the field_print functions print a cell of Slurm's tables (src/common/print_fields.c).
 * FIELD_TABLE: aligned to `width` columns, left if `width` is negative. FIELD_PARSABLE: `width` is ignored. */
enum field_style { FIELD_TABLE, FIELD_PARSABLE };

/* Prints a text. A text longer than the width is cut and ends with '+'. */
void field_print_text(FILE *out, enum field_style style, int width, const char *s, size_t len);
void field_print_u64(FILE *out, enum field_style style, int width, uint64_t v);
/* Prints v as %f, or with an exponent if %f is wider than the column. NAN is printed as blanks. */
void field_print_double(FILE *out, enum field_style style, int width, double v);
void field_print_blank(FILE *out, enum field_style style, int width);

/* Formats v without an exponent, with the fewest decimals that identify the number, but at most `max` decimals. `size`
 * is at least 160. Returns buf, or a constant string: "unknown" for NAN; "inf" or "-inf" if |v| is above 1e100. */
const char *text_format_number(char *buf, size_t size, double v, int max);

/* ---- numbers for tables with many rows, formatted without printf */

/* Formats v like "%.*f", or like "%+.*f" if `sign` is set, with at most 9 decimals. A number that is too long for the
 * buffer is printed with an exponent. Returns the length. */
enum { DIGITS_TEXT = 80 };
size_t format_fixed_digits(char buf[DIGITS_TEXT], double v, int digits, bool sign);

/* Formats v as a decimal number. Returns the length, at most 20. */
enum { DIGITS_WHOLE = 24 };
size_t format_whole_digits(char buf[DIGITS_WHOLE], uint64_t v);

/* Formats v like "%.*f" with the fewest decimals from which v can be read back, but at most `most` decimals. Returns
 * false, and leaves buf undefined, if more than 9 decimals are needed or v is too large. */
bool format_fewest_digits(char buf[DIGITS_TEXT], double v, int most);

/* ---- formats of Maui's own tables */

/* Formats a number of seconds as Maui prints it (MTime.c:MULToTString): `00:10:00`, `1:30:00`, `1:02:03:04`,
 * INFINITY. */
char *text_colon_duration(char *buf, size_t size, int64_t seconds);

/* snprintf for text that users read: an unknown number (NaN) is printed as '?' in the width of its field.
 *
 * All text that contains a double is formatted by these functions or by render/emit.h; tests/lint/numbers.sh checks
 * this. */

/* format_text and format_args format like snprintf and vsnprintf, and return the same length. */
int format_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Appends to the string in buf, which has `size` bytes. Text that does not fit is cut. Returns buf. */
char *append_text(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int format_args(char *buf, size_t size, const char *fmt, va_list ap) __attribute__((format(printf, 3, 0)));

/* A parsed conversion of a printf format; render/emit.c uses it too. */
struct spec {
	char flags[8];
	int width, precision; /* `precision`: negative if the conversion has none */
	char length[3], conversion;
};

/* Parses the conversion at *at, after its '%'. If the width or precision is '*', takes its value from `ap`. Sets *at to
 * the end of the conversion. */
void parse_format_conversion(struct spec *f, const char **at, va_list *ap);

/* Returns true if the argument of the conversion is a double. */
bool is_double_conversion(const struct spec *f);

#endif
