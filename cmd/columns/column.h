/* Columns as data. A table of struct column describes the fields of one type of row once: their names in tables and in
 * JSON, where each value is found, and what it means. Tables, JSON, sort keys, help texts and the lists of fs-top read
 * these tables. How a program formats a value is left to its own printer.
 *
 * A caller passes a row and `of`, the object the rows belong to. Both are opaque here and are passed on to the
 * functions of the columns. Nothing is allocated: a text in a struct value is borrowed from the row or from `of`. */
#ifndef COLUMNS_COLUMN_H
#define COLUMNS_COLUMN_H

#include "fs/json.h"

/* The type of a value, which selects the member of struct value. */
enum value_type {
	VALUE_NONE,
	VALUE_TEXT,   /* "": no value */
	VALUE_DOUBLE, /* NAN: no value */
	VALUE_UNSIGNED,
	VALUE_SIGNED, /* FS_UNKNOWN: no value; FS_UNLIMITED: no limit */
	VALUE_FLAG
};

struct value {
	enum value_type type;
	union {
		const char *text; /* borrowed from the row or from the object that the rows belong to */
		double number;
		uint64_t whole;
		int64_t integer;
		bool flag;
	};
};

/* The C type of a struct member that holds the value of a column. MEMBER_CHARS is an array of characters. */
enum column_member_type {
	MEMBER_NONE, MEMBER_TEXT, MEMBER_DOUBLE, MEMBER_U32, MEMBER_U64, MEMBER_I64, MEMBER_BOOL, MEMBER_CHARS
};

/* The unit of a column. UNIT_TIME is seconds since the epoch. */
enum column_unit { UNIT_NONE, UNIT_FRACTION, UNIT_SECONDS, UNIT_TIME };

/* Size of the buffer for a cell, bytes. */
enum { COLUMN_TEXT_SIZE = 1024 };

struct column {
	const char *name; /* heading in tables, name in options; NULL: the column exists only in JSON */
	const char *key;  /* JSON key; NULL: the column exists only in tables */
	int width;	  /* width in tables; negative: left-aligned; 0: not padded, for the last column of a row */
	bool cuts_wide_cells;	  /* whether a wider cell is cut to the width */
	enum column_member_type member;
	size_t offset;	  /* offset of the member in the row, bytes */
	bool zero_is_none;	  /* whether the value 0 (of a VALUE_UNSIGNED) means that there is no value */
	/* returns false if the row has no value; NULL: it always has one */
	bool (*has_value)(const void *of, const void *row);
	unsigned row_part;	  /* for a row composed of several structs: number of the struct that holds the value */
	enum column_unit unit;
	const char *help;
	/* for a member that is an enum: returns the name of its value; NULL: the value is written as it is */
	const char *(*enum_name)(uint32_t number);
	/* `get` sets *out to the value if no member of the row holds it. `json` writes a value that is not a single
	 * value in JSON. `of` is the object that the rows belong to. */
	void (*get_value)(const void *of, const void *row, struct value *out);
	void (*write_json)(struct fs_json *j, const void *of, const void *row);
	/* `text` writes the cell of a table if the cell is not just the value. `heading` returns a heading that depends
	 * on the scheduler. `before` is the text before heading and cell; NULL: a blank, or nothing in the first
	 * column. */
	void (*format_cell)(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row);
	const char *(*get_heading)(const void *of);
	const char *prefix;
};

/* Initialises .offset and .member of a struct column for member m of a row type. */
#define COLUMN_MEMBER(type, m)                                                                                  \
	.offset = offsetof(type, m), .member = _Generic(((type *)0)->m, const char *: MEMBER_TEXT,               \
							double: MEMBER_DOUBLE, uint32_t: MEMBER_U32,             \
							uint64_t: MEMBER_U64, int64_t: MEMBER_I64, bool: MEMBER_BOOL,\
							char *: MEMBER_CHARS)

/* Convert to a struct value. value_from_text takes NULL as "". */
struct value value_from_text(const char *s);
struct value value_from_double(double x);
struct value value_from_unsigned(uint64_t n);
struct value value_from_signed(int64_t n);
struct value value_from_flag(int yes);

/* Converts an expression to a struct value by its C type. bool and int become VALUE_FLAG. */
#define VALUE_FROM(x) \
	_Generic((x), const char *: value_from_text, char *: value_from_text, double: value_from_double, \
		 uint32_t: value_from_unsigned, uint64_t: value_from_unsigned, int64_t: value_from_signed, \
		 bool: value_from_flag, int: value_from_flag)(x)

/* COLUMN_GET_VALUE, COLUMN_HAS_VALUE, COLUMN_FORMAT_CELL and COLUMN_WRITE_JSON define a static function for the
 * members `get`, `known`, `text` and `json` of struct column. Its body is the given expression or statement, which
 * may use `of` and `row` as pointers to the given types. A cell is written to `buf`, JSON to `j`. */
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

/* Sets *out to the value of a column in a row; its type is VALUE_NONE if there is none. */
void column_get_value(const struct column *c, const void *of, const void *row, struct value *out);

/* Sets *out to element i of a column whose member is an array. */
void column_get_element(const struct column *c, size_t i, const void *of, const void *row, struct value *out);

/* Returns the value as a number to sort by; NAN if there is no value or the value is a text. */
double value_to_number(const struct value *v);

/* Writes the columns that have a key as members of the JSON object that is open, in the order of the table. */
void columns_write_members(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);

/* columns_write_object writes a row as a JSON object. columns_write_named_object writes it as the member `key` of the
 * object that is open, null if row is NULL. */
void columns_write_object(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);
void columns_write_named_object(struct fs_json *j, const char *key, const struct column *columns, size_t n,
				const void *of, const void *row);

/* columns_write_list writes `count` rows of `size` bytes, stored one after the other, as a JSON array of objects.
 * columns_write_named_list writes that array as the member `key` of the object that is open. */
void columns_write_list(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *rows,
			size_t count, size_t size);
void columns_write_named_list(struct fs_json *j, const char *key, const struct column *columns, size_t n,
			      const void *of, const void *rows, size_t count, size_t size);

/* Writes one value. No value, "" and FS_UNKNOWN are written as null, FS_UNLIMITED as "unlimited". */
void value_write_json(struct fs_json *j, const struct value *v);

/* How rows are printed as a table. Columns without a name are left out, they exist only in JSON. A column with a name
 * but without a value has a heading only: the caller prints its cells after the row. */
struct column_page {
	const struct column *columns;
	size_t n;
	const void *rows_owner;
	const unsigned char *column_indices; /* indices of the n columns to print, in this order; NULL: the first n */
	const int *widths; /* by column: width that replaces the column's own, 0: not replaced; NULL: none is replaced */
	bool width_in_characters;	   /* widths count characters; false: bytes, as the emulated tools count */
	/* separator between cells, which are not padded then; NULL: cells are padded to the widths */
	const char *separator;
};

/* columns_print_heading prints the headings and a newline. columns_print_row prints the cells of a row without a
 * newline. */
void columns_print_heading(const struct column_page *p);
void columns_print_row(const struct column_page *p, const void *row);

/* Write the heading and a row to buf instead, without a newline. Text that does not fit in buf is cut. Both return
 * buf. */
char *columns_format_heading(char *buf, size_t size, const struct column_page *p);
char *columns_format_row(char *buf, size_t size, const struct column_page *p, const void *row);

/* Expands to two arguments: an array and the number of its elements. */
#define COLUMNS(table) (table), sizeof(table) / sizeof(*(table))

#endif
