#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

FSI_PRINTF(3, 0)
static void set_error_message(struct fs_error *err, enum fs_code code, const char *fmt, va_list ap)
{
	err->code = code;
	vsnprintf(err->message, sizeof(err->message), fmt, ap);
}

int fsi_fail_with_code(struct fs_error *err, enum fs_code code, const char *fmt, ...)
{
	va_list ap;

	if (err) {
		memset(err, 0, sizeof(*err));
		va_start(ap, fmt);
		set_error_message(err, code, fmt, ap);
		va_end(ap);
	}
	return (int)code;
}

int fsi_fail_at(struct fs_error *err, struct fsi_input_position where, const char *field, const char *fmt, ...)
{
	va_list ap;

	if (err) {
		memset(err, 0, sizeof(*err));
		snprintf(err->file, sizeof(err->file), "%s", where.file ? where.file : "");
		snprintf(err->field, sizeof(err->field), "%s", field ? field : "");
		err->line = where.line;
		err->column = where.column;
		va_start(ap, fmt);
		set_error_message(err, FS_EDATA, fmt, ap);
		va_end(ap);
	}
	return FS_EDATA;
}

int fsi_fail_no_memory(struct fs_error *err)
{
	return fsi_fail_with_code(err, FS_ENOMEM, "out of memory");
}

size_t fs_error_format(const struct fs_error *err, char *buf, size_t size)
{
	char line[32] = "", column[32] = "";
	int n;

	if (err->line)
		snprintf(line, sizeof(line), ":%llu", (unsigned long long)err->line);
	if (err->column)
		snprintf(column, sizeof(column), ":%u", (unsigned)err->column);
	n = snprintf(buf, size, "%s%s%s%s%s%s%s", err->file, line, column, err->file[0] ? ": " : "",
		     err->field, err->field[0] ? ": " : "", err->message);
	return n < 0 ? 0 : (size_t)n;
}

const char *fs_version(void)
{
	return FS_VERSION;
}

void *fsi_copy_options(void *own, size_t size, const void *given)
{
	size_t n = 0;

	memset(own, 0, size);
	if (given) {
		memcpy(&n, given, sizeof(n));
		memcpy(own, given, n && n < size ? n : size);
	}
	memcpy(own, &size, sizeof(size));
	return own;
}
