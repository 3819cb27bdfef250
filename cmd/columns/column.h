/* Tables of columns. An array of struct column describes the fields of one type of row: the names of the fields in
 * tables and in JSON, where their values are stored, and what they mean. The arrays are used to print tables, JSON and
 * help, to sort rows, and to show the lists of fs-top. Each program formats the values in its own way.
 *
 * The functions of a column get two pointers from the caller: `row` points to a row, and `of` to data that all rows
 * use, such as the snapshot. Nothing is allocated: a text in a struct value belongs to `row` or `of`. */
#ifndef COLUMNS_COLUMN_H
#define COLUMNS_COLUMN_H

#include "fs/json.h"

/* The type of a value. It selects the member of struct value. */
enum value_type {
	VALUE_NONE,
	VALUE_TEXT,   /* text stored in value.text; "": no value */
	VALUE_DOUBLE, /* number stored in value.number; NAN: no value */
	VALUE_UNSIGNED,
	VALUE_SIGNED, /* stored in value.integer; FS_UNKNOWN: no value; FS_UNLIMITED: no limit */
	VALUE_FLAG
};

struct value {
	enum value_type type;
	union {
		const char *text;
		double number;
		uint64_t whole;
		int64_t integer;
		bool flag;
	};
};

/* The C type of the struct member that holds the value of a column. MEMBER_NONE: no member, the value is computed.
 * MEMBER_CHARS: an array of characters. */
enum column_member_type {
	MEMBER_NONE, MEMBER_TEXT, MEMBER_DOUBLE, MEMBER_U32, MEMBER_U64, MEMBER_I64, MEMBER_BOOL, MEMBER_CHARS
};

/* The unit of a column. UNIT_TIME: seconds since the epoch. */
enum column_unit { UNIT_NONE, UNIT_FRACTION, UNIT_SECONDS, UNIT_TIME };

/* size, in bytes, of the buffer for the text of a cell */
enum { COLUMN_TEXT_SIZE = 1024 };

struct column {
	const char *name; /* heading in tables, and name in options; NULL: the column exists only in JSON */
	const char *key;  /* JSON key; NULL: the column exists only in tables */
	int width;	  /* width in tables; negative: left-aligned; 0: not padded, for the last column of a row */
	bool cuts_wide_cells;	  /* a cell wider than the column is cut */
	enum column_member_type member;
	size_t offset;	  /* offset of the member in the row, in bytes */
	bool zero_is_none;	  /* the value 0 of a VALUE_UNSIGNED means that there is no value */
	/* returns false if the row has no value in this column; NULL: every row has a value */
	bool (*has_value)(const void *of, const void *row);
	/* a number whose meaning each table of columns defines, such as QUEUE_NEEDS_JOB */
	unsigned row_part;
	enum column_unit unit;
	const char *help;
	/* returns the name of the enum value `number`; NULL: the member is not an enum, or its number is shown */
	const char *(*enum_name)(uint32_t number);
	/* `get_value` sets *out to the value of a column whose value is not stored in a member. `write_json` writes the
	 * JSON of a column that is not a single value. `of` points to the data that all rows use. */
	void (*get_value)(const void *of, const void *row, struct value *out);
	void (*write_json)(struct fs_json *j, const void *of, const void *row);
	/* `format_cell` writes the text of a cell; NULL: the text is the value. `get_heading` returns a heading that
	 * depends on the scheduler; NULL: the heading is `name`. `prefix` is printed before heading and cell; NULL: a
	 * blank, or nothing in the first column. */
	void (*format_cell)(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row);
	const char *(*get_heading)(const void *of);
	const char *prefix;
};

/* Initializes .offset and .member of a struct column for the member `m` of a row type. */
#define COLUMN_MEMBER(type, m)                                                                                  \
	.offset = offsetof(type, m), .member = _Generic(((type *)0)->m, const char *: MEMBER_TEXT,               \
							double: MEMBER_DOUBLE, uint32_t: MEMBER_U32,             \
							uint64_t: MEMBER_U64, int64_t: MEMBER_I64, bool: MEMBER_BOOL,\
							char *: MEMBER_CHARS)

/* Returns the argument as a struct value. value_from_text converts NULL to "". */
struct value value_from_text(const char *s);
struct value value_from_double(double x);
struct value value_from_unsigned(uint64_t n);
struct value value_from_signed(int64_t n);
struct value value_from_flag(int yes);

/* Converts the expression x to a struct value. The C type of x selects the function; bool and int become VALUE_FLAG. */
#define VALUE_FROM(x) \
	_Generic((x), const char *: value_from_text, char *: value_from_text, double: value_from_double, \
		 uint32_t: value_from_unsigned, uint64_t: value_from_unsigned, int64_t: value_from_signed, \
		 bool: value_from_flag, int: value_from_flag)(x)

/* COLUMN_GET_VALUE, COLUMN_HAS_VALUE, COLUMN_FORMAT_CELL and COLUMN_WRITE_JSON define a static function for the members
 * `get_value`, `has_value`, `format_cell` and `write_json` of struct column. The body of the function is the given
 * expression or statement. In it, `of` and `row` are pointers to the given types; a cell is written to `buf`, JSON to
 * `j`. */
#define COLUMN_FUNCTION(head, of_type, row_type, statement)                                                            \
	static head                                                                                                    \
	{                                                                                                              \
		const of_type *of = of_;                                                                               \
		const row_type *row = row_;                                                                            \
		(void)of, (void)row;                                                                                   \
		statement;                                                                                             \
	}
#define COLUMN_GET_VALUE(name, of_type, row_type, expression) \
	COLUMN_FUNCTION(void name(const void *of_, const void *row_, struct value *out), of_type, row_type, \
			*out = VALUE_FROM(expression))
#define COLUMN_HAS_VALUE(name, of_type, row_type, expression) \
	COLUMN_FUNCTION(bool name(const void *of_, const void *row_), of_type, row_type, return expression)
#define COLUMN_FORMAT_CELL(name, of_type, row_type, statement) \
	COLUMN_FUNCTION(void name(char buf[COLUMN_TEXT_SIZE], const void *of_, const void *row_), of_type, row_type, \
			statement)
#define COLUMN_WRITE_JSON(name, of_type, row_type, statement) \
	COLUMN_FUNCTION(void name(struct fs_json *j, const void *of_, const void *row_), of_type, row_type, statement)

/* Sets *out to the value of column `c` for `row`. If the row has no value in this column, out->type is VALUE_NONE. */
void column_get_value(const struct column *c, const void *of, const void *row, struct value *out);

/* Sets *out to element i (0-based) of the array that column `c` shows. The struct member of the column (`member`) must
 * be an array. */
void column_get_element(const struct column *c, size_t i, const void *of, const void *row, struct value *out);

/* Returns the value as a number to sort by; NAN if there is no value or the value is a text. */
double value_to_number(const struct value *v);

/* Writes the columns that have a JSON key as members of the current JSON object, in the order of the table of
 * columns. */
void columns_write_members(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);

/* columns_write_object writes a row as a JSON object. columns_write_named_object writes the row as the member `key` of
 * the current JSON object, and null if `row` is NULL. */
void columns_write_object(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);
void columns_write_named_object(struct fs_json *j, const char *key, const struct column *columns, size_t n,
				const void *of, const void *row);

/* columns_write_list writes a JSON array with an object for each row. `rows`: array of `count` rows of `size` bytes
 * each. columns_write_named_list writes the array as the member `key` of the current JSON object. */
void columns_write_list(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *rows,
			size_t count, size_t size);
void columns_write_named_list(struct fs_json *j, const char *key, const struct column *columns, size_t n,
			      const void *of, const void *rows, size_t count, size_t size);

/* Writes a value as JSON. A missing value, "" and FS_UNKNOWN are written as null, FS_UNLIMITED as "unlimited". */
void value_write_json(struct fs_json *j, const struct value *v);

/* The settings for printing rows as a table. Columns without a name exist only in JSON and are omitted. If a column has
 * a name but no .format_cell, .get_value or .member, only its heading is printed; the caller prints its cell after
 * columns_print_row. */
struct column_page {
	const struct column *columns;
	size_t n;
	const void *rows_owner;
	/* indices of the n columns to print, in the order of printing; NULL: the first n columns */
	const unsigned char *column_indices;
	/* indexed by column: width in this table; 0, or the array is NULL: the width is column.width */
	const int *widths;
	/* true: widths are in characters; false: widths are in bytes, as in the emulated commands */
	bool width_in_characters;
	/* separator between cells that are not padded; NULL: cells are padded to the widths */
	const char *separator;
};

/* columns_print_heading prints the line of headings with its newline. columns_print_row prints the cells of a row
 * without a newline. */
void columns_print_heading(const struct column_page *p);
void columns_print_row(const struct column_page *p, const void *row);

/* columns_format_heading writes the line of headings to buf. columns_format_row writes the cells of a row. Both write
 * no newline, cut text that does not fit, and return buf. */
char *columns_format_heading(char *buf, size_t size, const struct column_page *p);
char *columns_format_row(char *buf, size_t size, const struct column_page *p, const void *row);

/* Expands to two arguments: an array and the number of its elements. */
#define COLUMNS(table) (table), sizeof(table) / sizeof(*(table))

#endif
