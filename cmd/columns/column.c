#include "columns/column.h"

#include <assert.h>
#include <math.h>

static_assert(sizeof(double) == sizeof(uint64_t) && sizeof(int64_t) == sizeof(uint64_t), "members have one size");

static struct value read_member_value(enum column_member_type member, const void *at)
{
	switch (member) {
	case MEMBER_TEXT:
		return value_from_text(*(const char *const *)at);
	case MEMBER_CHARS:
		return value_from_text(at);
	case MEMBER_DOUBLE:
		return value_from_double(*(const double *)at);
	case MEMBER_U32:
		return value_from_unsigned(*(const uint32_t *)at);
	case MEMBER_U64:
		return value_from_unsigned(*(const uint64_t *)at);
	case MEMBER_I64:
		return value_from_signed(*(const int64_t *)at);
	case MEMBER_BOOL:
		return value_from_flag(*(const bool *)at);
	case MEMBER_NONE:
		break;
	}
	return (struct value){ .type = VALUE_NONE };
}

static size_t get_member_size(enum column_member_type member)
{
	switch (member) {
	case MEMBER_TEXT:
		return sizeof(const char *);
	case MEMBER_U32:
		return sizeof(uint32_t);
	case MEMBER_BOOL:
		return sizeof(bool);
	default:
		return sizeof(uint64_t);
	}
}

void column_get_element(const struct column *c, size_t i, const void *of, const void *row, struct value *out)
{
	out->type = VALUE_NONE;
	if (c->has_value && !c->has_value(of, row))
		return;
	if (c->get_value)
		c->get_value(of, row, out);
	else
		*out = read_member_value(c->member, (const char *)row + c->offset + i * get_member_size(c->member));
	if (c->enum_name)
		*out = (struct value){ VALUE_TEXT, .text = c->enum_name((uint32_t)out->whole) };
	if (c->zero_is_none && out->type == VALUE_UNSIGNED && !out->whole)
		out->type = VALUE_NONE;
}

void column_get_value(const struct column *c, const void *of, const void *row, struct value *out)
{
	column_get_element(c, 0, of, row, out);
}

double value_to_number(const struct value *v)
{
	switch (v->type) {
	case VALUE_DOUBLE:
		return v->number;
	case VALUE_UNSIGNED:
		return (double)v->whole;
	case VALUE_SIGNED:
		return v->integer == FS_UNKNOWN	    ? (double)NAN
		       : v->integer == FS_UNLIMITED ? (double)INFINITY
						    : (double)v->integer;
	case VALUE_FLAG:
		return v->flag;
	default:
		return (double)NAN;
	}
}

void value_write_json(struct fs_json *j, const struct value *v)
{
	switch (v->type) {
	case VALUE_TEXT:
		if (*v->text)
			fs_json_string(j, v->text);
		else
			fs_json_null(j);
		break;
	case VALUE_DOUBLE:
		fs_json_double(j, v->number);
		break;
	case VALUE_UNSIGNED:
		fs_json_u64(j, v->whole);
		break;
	case VALUE_SIGNED:
		if (v->integer == FS_UNKNOWN)
			fs_json_null(j);
		else if (v->integer == FS_UNLIMITED)
			fs_json_string(j, "unlimited");
		else
			fs_json_i64(j, v->integer);
		break;
	case VALUE_FLAG:
		fs_json_bool(j, v->flag);
		break;
	case VALUE_NONE:
		fs_json_null(j);
		break;
	}
}

void columns_write_members(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row)
{
	struct value v;

	for (const struct column *c = columns; c < columns + n; c++) {
		if (!c->key)
			continue;
		fs_json_key(j, c->key);
		if (c->write_json) {
			c->write_json(j, of, row);
			continue;
		}
		column_get_value(c, of, row, &v);
		value_write_json(j, &v);
	}
}

void columns_write_object(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row)
{
	fs_json_object(j);
	columns_write_members(j, columns, n, of, row);
	fs_json_end_object(j);
}

void columns_write_named_object(struct fs_json *j, const char *key, const struct column *columns, size_t n,
				const void *of, const void *row)
{
	fs_json_key(j, key);
	if (row)
		columns_write_object(j, columns, n, of, row);
	else
		fs_json_null(j);
}

void columns_write_list(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *rows,
			size_t count, size_t size)
{
	fs_json_array(j);
	for (size_t i = 0; i < count; i++)
		columns_write_object(j, columns, n, of, (const char *)rows + i * size);
	fs_json_end_array(j);
}

void columns_write_named_list(struct fs_json *j, const char *key, const struct column *columns, size_t n,
			      const void *of, const void *rows, size_t count, size_t size)
{
	fs_json_key(j, key);
	columns_write_list(j, columns, n, of, rows, count, size);
}

struct value value_from_text(const char *s)
{
	return (struct value){ VALUE_TEXT, .text = s ? s : "" };
}

struct value value_from_double(double x)
{
	return (struct value){ VALUE_DOUBLE, .number = x };
}

struct value value_from_unsigned(uint64_t n)
{
	return (struct value){ VALUE_UNSIGNED, .whole = n };
}

struct value value_from_signed(int64_t n)
{
	return (struct value){ VALUE_SIGNED, .integer = n };
}

struct value value_from_flag(int yes)
{
	return (struct value){ VALUE_FLAG, .flag = yes != 0 };
}
