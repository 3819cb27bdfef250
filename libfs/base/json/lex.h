/* The smallest pieces of JSON: numbers, strings and what a line must not hold, shared by both readers. */
#ifndef FSI_BASE_JSON_LEX_H
#define FSI_BASE_JSON_LEX_H

#include <stdbool.h>
#include <stddef.h>

/* Integers of more digits may not fit in a double. */
enum { FSI_JSON_EXACT_DIGITS = 15 };

/* The end of the number at s, or NULL if it is not in JSON's grammar; *integer_digits is 0 when it has a fraction
 * or an exponent. s ends with a NUL. */
const char *fsi_json_number_end(const char *s, size_t *integer_digits);

/* The first byte at or after s that is a control, a quote, a backslash or not ASCII; the NUL at end is one. */
const char *fsi_json_plain_end(const char *s, const char *end);

/* The closing quote of the string whose inside starts at s, or NULL with *bad at the offence. */
const char *fsi_json_string_end(const char *s, const char *end, const char **bad, const char **problem);

/* What the scan of a whole line learns. */
struct fsi_json_scan {
	size_t bad;          /* offset of what is wrong */
	const char *problem; /* NULL: nothing */
	bool long_integers;
};

struct fsi_json_scan fsi_json_scan_line(const char *line, size_t len);

#endif
