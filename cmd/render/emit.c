#include "render/emit.h"

#include "render/doc.h"
#include "render/text.h"

#include <math.h>
#include <string.h>
#include <sys/types.h>

/* Returns the number of bytes at the start of s that are printable ASCII, at most `max`. Most texts contain nothing
 * else and need no further check. A text with a printf precision need not be terminated, so no more than `max` bytes
 * are read. */
static size_t count_plain_ascii_bytes(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n] >= 0x20 && s[n] < 0x7f)
		n++;
	return n;
}

static size_t get_escaped_text_length(const char *s, size_t max)
{
	char step[TEXT_STEP];
	size_t n = count_plain_ascii_bytes(s, max);

	for (s += n; n < max && *s;)
		n += text_escape_next(&s, step);
	return n < max ? n : max;
}

/* Passes the first n bytes of s, escaped, to put(to, ...). All printable ASCII characters at the start are passed in
 * one call. */
static void pass_escaped_text(void (*put)(void *to, const char *s, size_t n), void *to, const char *s, size_t n)
{
	const size_t plain = count_plain_ascii_bytes(s, n);
	char step[TEXT_STEP];

	put(to, s, plain);
	n -= plain;
	for (s += plain; n && *s;) {
		const size_t have = text_escape_next(&s, step), more = have < n ? have : n;

		put(to, step, more);
		n -= more;
	}
}

static void write_stream_bytes(void *out, const char *s, size_t n)
{
	fwrite(s, 1, n, out);
}

void emit_cut_text(FILE *out, const char *s, size_t n)
{
	pass_escaped_text(write_stream_bytes, out, s, n);
}

void emit_raw_text(FILE *out, const char *s)
{
	fputs(s, out);
}

/* ---- output buffer for the rows of a large table */

/* Returns the address of n free bytes in the row buffer. If the buffer lacks the space, writes its contents out first.
 * n must not exceed the buffer size. */
static char *reserve_row_bytes(struct emit_row *r, size_t n)
{
	if (n > sizeof(r->bytes) - r->n) {
		fwrite(r->bytes, 1, r->n, r->out);
		r->n = 0;
	}
	r->n += n;
	return r->bytes + r->n - n;
}

void emit_row_add_safe(struct emit_row *r, const char *s, size_t n)
{
	for (; n > sizeof(r->bytes); s += sizeof(r->bytes), n -= sizeof(r->bytes))
		memcpy(reserve_row_bytes(r, sizeof(r->bytes)), s, sizeof(r->bytes));
	memcpy(reserve_row_bytes(r, n), s, n);
}

static void append_row_bytes(void *row, const char *s, size_t n)
{
	emit_row_add_safe(row, s, n);
}

void emit_row_add_blanks(struct emit_row *r, size_t n)
{
	for (; n > sizeof(r->bytes); n -= sizeof(r->bytes))
		memset(reserve_row_bytes(r, sizeof(r->bytes)), ' ', sizeof(r->bytes));
	memset(reserve_row_bytes(r, n), ' ', n);
}

void emit_row_add_field(struct emit_row *r, const char *s, size_t n, size_t width, bool right)
{
	const size_t blanks = width > n ? width - n : 0;

	if (n + blanks <= sizeof(r->bytes)) {
		char *const at = reserve_row_bytes(r, n + blanks);

		memset(right ? at : at + n, ' ', blanks);
		memcpy(right ? at + blanks : at, s, n);
		return;
	}
	emit_row_add_blanks(r, right ? blanks : 0);
	emit_row_add_safe(r, s, n);
	emit_row_add_blanks(r, right ? 0 : blanks);
}

void emit_row_add_cut(struct emit_row *r, const char *s, size_t n)
{
	pass_escaped_text(append_row_bytes, r, s, n);
}

void emit_row_add_raw(struct emit_row *r, const char *s)
{
	emit_row_add_safe(r, s, strlen(s));
}

void emit_row_end(struct emit_row *r)
{
	emit_row_add_safe(r, "\n", 1);
	fwrite(r->bytes, 1, r->n, r->out);
	r->n = 0;
}

/* ---- printf-like output to a stream, with escaped texts */

static void emit_text_in_field(FILE *out, const struct spec *f, const char *s)
{
	const size_t max = f->precision < 0 ? SIZE_MAX : (size_t)f->precision;
	const size_t n = f->width ? get_escaped_text_length(s, max) : 0;
	const int blanks = f->width && (size_t)f->width > n ? f->width - (int)n : 0;
	const bool left = blanks && strchr(f->flags, '-');

	if (blanks && !left)
		fprintf(out, "%*s", blanks, "");
	emit_cut_text(out, s, max);
	if (left)
		fprintf(out, "%*s", blanks, "");
}

/* Prints an integer without calling printf. Supports only d, i and u without flags, width and precision, and the
 * lengths l and ll. For any other conversion, prints nothing and returns false. */
static bool emit_plain_integer(FILE *out, const struct spec *f, va_list *ap)
{
	const bool is_signed = f->conversion == 'd' || f->conversion == 'i';
	char buf[DIGITS_WHOLE + 1] = "-";
	uint64_t v;

	if (*f->flags || f->width || f->precision >= 0 || (!is_signed && f->conversion != 'u'))
		return false;
	if (strcmp(f->length, "ll") == 0 || strcmp(f->length, "l") == 0)
		v = f->length[1] ? va_arg(*ap, unsigned long long) : va_arg(*ap, unsigned long);
	else if (!*f->length)
		v = is_signed ? (uint64_t)(int64_t)va_arg(*ap, int) : va_arg(*ap, unsigned);
	else
		return false;
	const bool negative = is_signed && (int64_t)v < 0;

	fwrite(buf + !negative, 1, format_whole_digits(buf + 1, negative ? 0 - v : v) + negative, out);
	return true;
}

/* Turns off the warning about format strings that are not literals. The functions below build format strings from
 * parsed conversions. The compiler checks the literal format strings of the callers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void emit_integer_conversion(FILE *out, const struct spec *f, const char *fmt, va_list *ap)
{
	if (!strcmp(f->length, "ll") || !strcmp(f->length, "j"))
		fprintf(out, fmt, f->width, f->precision, va_arg(*ap, long long));
	else if (!strcmp(f->length, "l"))
		fprintf(out, fmt, f->width, f->precision, va_arg(*ap, long));
	else if (*f->length == 'z' || *f->length == 't')
		fprintf(out, fmt, f->width, f->precision, va_arg(*ap, size_t));
	else
		fprintf(out, fmt, f->width, f->precision, va_arg(*ap, int));
}

/* Prints a double. NAN means an unknown number and is printed as '?'. */
static void emit_double_conversion(FILE *out, const struct spec *f, const char *fmt, double v)
{
	const struct spec unknown = { .width = f->width,
				      .precision = -1,
				      .flags = { strchr(f->flags, '-') ? '-' : '\0' } };

	if (isnan(v))
		emit_text_in_field(out, &unknown, "?");
	else
		fprintf(out, fmt, f->width, f->precision, v);
}

static void emit_number_conversion(FILE *out, const struct spec *f, va_list *ap)
{
	char fmt[24];

	snprintf(fmt, sizeof(fmt), "%%%s*.*%s%c", f->flags, f->length, f->conversion);
	if (is_double_conversion(f))
		emit_double_conversion(out, f, fmt, va_arg(*ap, double));
	else
		emit_integer_conversion(out, f, fmt, ap);
}

static void emit_one_conversion(FILE *out, const struct spec *f, va_list *ap)
{
	const char *s;

	switch (f->conversion) {
	case '%':
		fputc('%', out);
		break;
	case 's':
		s = va_arg(*ap, const char *);
		emit_text_in_field(out, f, s ? s : "(null)");
		break;
	case 'c':
		emit_text_in_field(out, f, (char[]){ (char)va_arg(*ap, int), '\0' });
		break;
	default:
		if (!emit_plain_integer(out, f, ap))
			emit_number_conversion(out, f, ap);
	}
}

#pragma GCC diagnostic pop

static void emit_format_list(FILE *out, const char *fmt, va_list *ap)
{
	while (*fmt) {
		const size_t n = strcspn(fmt, "%");
		struct spec f;

		fwrite(fmt, 1, n, out);
		fmt += n;
		if (!*fmt)
			break;
		fmt++;
		parse_format_conversion(&f, &fmt, ap);
		emit_one_conversion(out, &f, ap);
	}
}

void emit_format_args(FILE *out, const char *fmt, va_list ap)
{
	va_list own;

	va_copy(own, ap);
	emit_format_list(out, fmt, &own);
	va_end(own);
}

void emit_to_stream(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_format_list(out, fmt, &ap);
	va_end(ap);
}

void emit(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_format_list(stdout, fmt, &ap);
	va_end(ap);
}

void emit_safe_text(const char *s)
{
	emit_cut_text(stdout, s, SIZE_MAX);
}

void emit_safe_line(const char *s)
{
	emit_safe_text(s);
	putchar('\n');
}

void emit_row_begin(struct emit_row *r, FILE *out)
{
	r->out = out;
	r->n = 0;
}

/* Prints metrics in the text format of Prometheus and OpenMetrics. The functions are declared in render/doc.h. */

static void print_metric_label(const char *before, const char *name, const char *value)
{
	emit("%s%s=\"", before, name);
	while (*value) {
		char step[TEXT_STEP + 1];
		const size_t n = *value == '\n' ? 0 : text_encode_next(&value, step);

		if (!n) {
			emit("\\n");
			value++;
		}
		step[n] = '\0';
		/* the bytes of a multibyte UTF-8 character are never a quote or a backslash */
		for (char *p = step; *p; p++)
			if (*p == '"' || *p == '\\')
				emit("\\%c", *p);
			else
				emit_raw_text(stdout, (char[]){ *p, '\0' });
	}
	emit("\"");
}

static void print_metric_value(double v)
{
	char text[TEXT_PYTHON];

	emit(" %s\n", text_format_python(text, v));
}

static void print_metric_head(const char *name, const char *help)
{
	emit("# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void metrics_print_time(const fs_snapshot *s, const char *prefix)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	char name[64];

	snprintf(name, sizeof(name), "%s_snapshot_time_seconds", prefix);
	print_metric_head(name, "When the state was captured, in seconds since 1970.");
	emit("%s", name);
	print_metric_label("{", "cluster", info->cluster);
	emit("}");
	print_metric_value((double)info->time);
}

static int compare_labels_of_records(const void *x, const void *y, const void *ctx)
{
	const struct metric_record *a = x, *b = y;
	const struct metric_family *f = ctx;

	for (size_t k = 0; k < METRIC_LABELS && f->label[k]; k++) {
		const int c = strcmp(a->label[k], b->label[k]);

		if (c)
			return c;
	}
	return 0;
}

static double combine_record_values(enum metric_how how, const struct metric_record *v, size_t n)
{
	double min = v[0].value, max = v[0].value, sum = 0;

	if (how == METRIC_COUNT)
		return (double)n;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(v[i].value))
			return (double)NAN;
		min = v[i].value < min ? v[i].value : min;
		max = v[i].value > max ? v[i].value : max;
		sum += v[i].value;
	}
	return how == METRIC_SUM ? sum : how == METRIC_MEAN ? sum / (double)n : how == MIN_METRIC ? min : max;
}

static void print_metric_sample(const fs_snapshot *s, const struct metric_family *f, const struct metric_record *r,
				double v)
{
	emit("%s", f->name);
	print_metric_label("{", "cluster", fs_snapshot_info(s)->cluster);
	for (size_t k = 0; k < METRIC_LABELS && f->label[k]; k++)
		if (*r->label[k])
			print_metric_label(",", f->label[k], r->label[k]);
	emit("}");
	print_metric_value(v);
}

int metrics_print_family(const fs_snapshot *s, const struct metric_family *f, struct metric_record *v, size_t n)
{
	bool head_printed = false;

	if (fs_sort(v, n, sizeof(*v), compare_labels_of_records, f))
		return EXIT_FAILED;
	for (size_t i = 0, end; i < n; i = end) {
		double value;

		for (end = i + 1; end < n && !compare_labels_of_records(&v[i], &v[end], f); end++)
			;
		value = combine_record_values(f->how, v + i, end - i);
		if (!isfinite(value))
			continue;
		if (!head_printed)
			print_metric_head(f->name, f->help);
		head_printed = true;
		print_metric_sample(s, f, &v[i], value);
	}
	return EXIT_DONE;
}

int metrics_print_end(void)
{
	emit("# EOF\n");
	return EXIT_DONE;
}
