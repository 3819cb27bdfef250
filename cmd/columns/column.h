/* Columns as data. One table for each type of row says once what the fields of a row are called in tables and in JSON,
 * what they are and what they mean. Tables, JSON, sorting, help and the lists of fs-top take them from there; how a
 * tool writes a value is the business of that tool's own printer. */
#ifndef COLUMNS_COLUMN_H
#define COLUMNS_COLUMN_H

#include "fs/json.h"

enum value_type {
	VALUE_NONE,
	VALUE_TEXT,    /* "" is none */
	VALUE_NUMBER,  /* NAN is none */
	VALUE_WHOLE,
	VALUE_INTEGER, /* FS_UNKNOWN is none */
	VALUE_FLAG
};

struct value {
	enum value_type type;
	union {
		const char *text; /* borrowed from the row */
		double number;
		uint64_t whole;
		int64_t integer;
		bool flag;
	};
};

/* What a member of a row is in C. */
enum member { MEMBER_NONE, MEMBER_TEXT, MEMBER_DOUBLE, MEMBER_U32, MEMBER_U64, MEMBER_I64, MEMBER_BOOL, MEMBER_CHARS };

enum unit { UNIT_NONE, UNIT_FRACTION, UNIT_SECONDS, UNIT_TIME };

enum { COLUMN_TEXT = 1024 };

struct column {
	const char *name; /* heading; what options call it. NULL: in JSON alone */
	const char *key;  /* in JSON. NULL: in tables alone */
	int width;	  /* in tables; negative: left; 0: as wide as the cell, the last of a row */
	bool cut;	  /* a cell that is wider is cut */
	enum member member;
	size_t offset;	  /* of the member in the row */
	bool none_at_0;	  /* 0 says that there is none */
	bool (*known)(const void *of, const void *row); /* false: there is none. NULL: there always is */
	unsigned part;	  /* of a row made of several: which one it is in */
	enum unit unit;
	const char *help;
	const char *(*word)(uint32_t number); /* of a member that is an enum: what a number of it is called */
	/* Where no member holds the value; of: what the row belongs to. And what is no single value in JSON. */
	void (*get)(const void *of, const void *row, struct value *out);
	void (*json)(struct fs_json *j, const void *of, const void *row);
	/* How a page writes it, where not as the value is; the heading, where that depends on the scheduler; what
	 * stands before heading and cell, where that is no blank. */
	void (*text)(char buf[COLUMN_TEXT], const void *of, const void *row);
	const char *(*heading)(const void *of);
	const char *before;
};

/* The member of a type of row, for an initialiser. */
#define COLUMN_MEMBER(type, m)                                                                                  \
	.offset = offsetof(type, m), .member = _Generic(((type *)0)->m, const char *: MEMBER_TEXT,               \
							double: MEMBER_DOUBLE, uint32_t: MEMBER_U32,             \
							uint64_t: MEMBER_U64, int64_t: MEMBER_I64, bool: MEMBER_BOOL,\
							char *: MEMBER_CHARS)

struct value value_of_text(const char *s);
struct value value_of_number(double x);
struct value value_of_whole(uint64_t n);
struct value value_of_integer(int64_t n);
struct value value_of_flag(int yes);

/* The value of an expression, by its type; truths are flags. */
#define VALUE_OF(x)                                                                                                    \
	_Generic((x), const char *: value_of_text, char *: value_of_text, double: value_of_number,                     \
		 uint32_t: value_of_whole, uint64_t: value_of_whole, int64_t: value_of_integer, bool: value_of_flag,   \
		 int: value_of_flag)(x)

/* A function of columns, made of an expression or a statement that knows `of` and `row`, pointers to these types, and
 * where it writes, buf or j: `get`, `known`, `text`, `json`. */
#define COLUMN_FUNCTION(head, of_type, row_type, statement)                                                            \
	static head                                                                                                    \
	{                                                                                                              \
		const of_type *of = of_;                                                                               \
		const row_type *row = row_;                                                                            \
		(void)of, (void)row;                                                                                   \
		statement;                                                                                             \
	}
#define COLUMN_GET(name, of_type, row_type, expression)                                                                \
	COLUMN_FUNCTION(void name(const void *of_, const void *row_, struct value *out), of_type, row_type,            \
			*out = VALUE_OF(expression))
#define COLUMN_KNOWN(name, of_type, row_type, expression)                                                              \
	COLUMN_FUNCTION(bool name(const void *of_, const void *row_), of_type, row_type, return expression)
#define COLUMN_CELL(name, of_type, row_type, statement)                                                                \
	COLUMN_FUNCTION(void name(char buf[COLUMN_TEXT], const void *of_, const void *row_), of_type, row_type,      \
			statement)
#define COLUMN_JSON(name, of_type, row_type, statement)                                                                \
	COLUMN_FUNCTION(void name(struct fs_json *j, const void *of_, const void *row_), of_type, row_type, statement)

void column_value(const struct column *c, const void *of, const void *row, struct value *out);

/* Of a member that is an array: element i. */
void column_element(const struct column *c, size_t i, const void *of, const void *row, struct value *out);

/* To sort by: NAN where there is none, or a text. */
double value_number(const struct value *v);

/* The fields of a row that have a key, in the order of the table, into the object that is open. */
void columns_json(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);

/* The same as an object of its own; behind a key; null where there is no row. */
void columns_object(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row);
void columns_json_object(struct fs_json *j, const char *key, const struct column *columns, size_t n, const void *of,
			 const void *row);

/* A list of such objects, and the same behind a key: `count` rows of `size` bytes, one behind the other. */
void columns_list(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *rows,
		  size_t count, size_t size);
void columns_json_list(struct fs_json *j, const char *key, const struct column *columns, size_t n, const void *of,
		       const void *rows, size_t count, size_t size);

/* One value; none, "" and unknown are null. */
void value_json(struct fs_json *j, const struct value *v);

/* A page of rows: a heading, and below it the cells of each row. Columns without a name are in JSON alone; under one
 * without a value the page writes itself, behind the row. A row does not end its line. */
struct column_page {
	const struct column *columns;
	size_t n;
	const void *of;
	const unsigned char *pick; /* n of the columns, in this order; NULL: the first n */
	const int *width;	   /* by column, in place of its own where not 0; NULL: none */
	bool characters;	   /* widths are of characters; else of bytes, as the emulated tools count them */
	const char *between;	   /* cells as wide as they are, with this between them; NULL: none */
};

void columns_heading(const struct column_page *p);
void columns_row(const struct column_page *p, const void *row);

/* The same as a text, cut where buf ends: returns buf. */
char *columns_heading_text(char *buf, size_t size, const struct column_page *p);
char *columns_row_text(char *buf, size_t size, const struct column_page *p, const void *row);

/* "array, its length" */
#define COLUMNS(table) (table), sizeof(table) / sizeof(*(table))

#endif
