#include "render/doc.h"

#include "render/emit.h"
#include "render/json.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void put_json_string(FILE *out, const char *s)
{
	fputc('"', out);
	while (*s) {
		char step[JSON_STEP];

		fwrite(step, 1, json_escape_next(&s, step), out);
	}
	fputc('"', out);
}

/* Writes a text in double quotes as libyaml does: characters above U+FFFF are \UHHHHHHHH, not two escapes as in
 * JSON. */
static void put_quoted_yaml_string(FILE *out, const char *s)
{
	fputc('"', out);
	while (*s) {
		char step[JSON_STEP];
		uint32_t c;
		const size_t length = text_decode_character(s, &c), n = json_escape_next(&s, step);

		if (length == 4 && *step == '\\')
			fprintf(out, "\\U%08X", c);
		else
			fwrite(step, 1, n, out);
	}
	fputc('"', out);
}

/* Returns true if s needs no quotes in YAML: a parser reads s without quotes as the same text (libyaml's emitter.c:
 * yaml_emitter_analyze_scalar, in block context). s must be printable, not empty, and on one line. */
static bool is_plain_in_yaml(const char *s)
{
	const size_t len = strlen(s);

	if (strchr(" ,[]{}#&*!|>'\"%@`", *s) || s[len - 1] == ' ' || s[len - 1] == ':' || !strncmp(s, "---", 3) ||
	    !strncmp(s, "...", 3) || ((*s == '-' || *s == '?' || *s == ':') && (!s[1] || s[1] == ' ')))
		return false;
	return !strstr(s, ": ") && !strstr(s, " #");
}

static bool is_graphic_text(const char *s)
{
	while (*s) {
		uint32_t c;
		const size_t n = text_decode_character(s, &c);

		if (!n || c < 0x20 || c == 0x7f || (c >= 0x80 && text_is_invisible(c)))
			return false;
		s += n;
	}
	return true;
}

static void put_yaml_string(FILE *out, const char *s)
{
	if (!*s)
		return;
	fputc(' ', out);
	if (!is_graphic_text(s)) {
		put_quoted_yaml_string(out, s);
	} else if (is_plain_in_yaml(s)) {
		fputs(s, out);
	} else {
		fputc('\'', out);
		for (; *s; s++)
			fputs(*s == '\'' ? "\'\'" : (char[]){ *s, '\0' }, out);
		fputc('\'', out);
	}
}

static void start_indented_line(struct doc *d, int depth)
{
	if (d->form == DOC_JSON_COMPACT)
		return;
	fputc('\n', d->out);
	for (int i = 0; i < depth; i++)
		fputs("  ", d->out);
}

/* Returns the indentation of the current YAML line in steps of two columns. The dashes of a list are not indented below
 * its key; the keys of a map are indented by one step. */
static int get_yaml_depth(const struct doc *d)
{
	int n = 0;

	for (int i = 2; i <= d->depth; i++)
		n += !d->list[i];
	return n;
}

/* Starts an element of the current map or list: writes a comma if needed, a line break with indentation, and the
 * key. */
static void start_doc_element(struct doc *d, const char *key)
{
	if (d->form != DOC_YAML) {
		if (!d->empty[d->depth])
			fputc(',', d->out);
		start_indented_line(d, d->depth);
		if (key) {
			put_json_string(d->out, key);
			fputs(d->form == DOC_JSON_COMPACT ? ":" : ": ", d->out);
		}
	} else {
		start_indented_line(d, get_yaml_depth(d));
		if (d->list[d->depth])
			fputs("- ", d->out);
		if (key)
			fprintf(d->out, "!!str %s: ", key);
	}
	d->empty[d->depth] = false;
}

static void enter_doc_level(struct doc *d, bool list)
{
	d->depth++;
	d->list[d->depth] = list;
	d->empty[d->depth] = true;
}

void doc_begin_document(struct doc *d, FILE *out, enum doc_form form)
{
	*d = (struct doc){ .out = out, .form = form };
	fputs(form != DOC_YAML ? "{" : "%YAML 1.1\n--- !!map", out);
	enter_doc_level(d, false);
}

void doc_end_document(struct doc *d)
{
	if (d->form == DOC_YAML) {
		fputs("\n...\n\n", d->out);
		return;
	}
	start_indented_line(d, 0);
	fputs("}\n", d->out);
}

void doc_begin_map(struct doc *d, const char *key)
{
	start_doc_element(d, key);
	fputs(d->form != DOC_YAML ? "{" : "!!map", d->out);
	enter_doc_level(d, false);
}

void doc_end_map(struct doc *d)
{
	d->depth--;
	if (d->form != DOC_YAML) {
		start_indented_line(d, d->depth);
		fputc('}', d->out);
	}
}

void doc_begin_list(struct doc *d, const char *key, bool empty)
{
	start_doc_element(d, key);
	if (d->form != DOC_YAML)
		fputc('[', d->out);
	else
		fputs(empty ? "!!seq []" : "!!seq", d->out);
	enter_doc_level(d, true);
}

void doc_end_list(struct doc *d)
{
	d->depth--;
	if (d->form != DOC_YAML) {
		start_indented_line(d, d->depth);
		fputc(']', d->out);
	}
}

void doc_write_string(struct doc *d, const char *key, const char *value)
{
	start_doc_element(d, key);
	if (d->form != DOC_YAML) {
		put_json_string(d->out, value);
	} else {
		fputs("!!str", d->out);
		put_yaml_string(d->out, value);
	}
}

void doc_write_int(struct doc *d, const char *key, int64_t value)
{
	start_doc_element(d, key);
	fprintf(d->out, "%s%" PRId64, d->form != DOC_YAML ? "" : "!!int ", value);
}

void doc_write_bool(struct doc *d, const char *key, bool value)
{
	start_doc_element(d, key);
	fprintf(d->out, "%s%s", d->form != DOC_YAML ? "" : "!!bool ", value ? "true" : "false");
}

/* json-c always writes a double with a point or an exponent. It writes infinity as a word without quotes, although that
 * is not valid JSON. */
void doc_write_double(struct doc *d, const char *key, double value)
{
	char buf[40];

	start_doc_element(d, key);
	if (isnan(value)) {
		fputs(d->form == DOC_YAML ? "!!null null" : "null", d->out);
		return;
	}
	if (d->form == DOC_YAML) {
		fprintf(d->out, "!!float %f", value);
		return;
	}
	if (isinf(value)) {
		fputs(value < 0 ? "-Infinity" : "Infinity", d->out);
		return;
	}
	snprintf(buf, sizeof(buf), "%.17g", value);
	fprintf(d->out, "%s%s", buf, strpbrk(buf, ".e") ? "" : ".0");
}

/* Formatting of many rows by several threads. Each block of consecutive rows is formatted into a memory buffer; the
 * buffers form a ring. Any free thread writes finished blocks to standard output, in order. Threads never wait: a
 * thread that finds no block to format or to write returns. */

enum { SINGLE_THREAD_ROWS = 2000, BLOCK_ROWS = 1024, MAX_ROW_THREADS = 8, MAX_ROW_BUFFERS = 2 * MAX_ROW_THREADS + 1 };

struct row_block {
	FILE *to;
	char *bytes;
	size_t size;
	atomic_bool ready;
};

struct row_writer {
	void (*put)(FILE *out, const void *of, size_t i);
	const void *of;
	/* `rows`: number of rows to print; `n`: number of blocks into which they are divided */
	size_t rows, n;
	struct row_block block[MAX_ROW_BUFFERS];  /* the buffers; block number i uses buffer i % ring */
	size_t ring; /* number of elements of `block` that are used */
	/* `started`: number of blocks whose formatting has begun; `written`: number of blocks written */
	atomic_size_t started, written;
	atomic_flag writing;	       /* set while a thread writes to standard output */
};

static void format_block_rows(const struct row_writer *b, FILE *out, size_t block)
{
	const size_t first = block * BLOCK_ROWS, last = b->rows - first < BLOCK_ROWS ? b->rows : first + BLOCK_ROWS;

	for (size_t i = first; i < last; i++)
		b->put(out, b->of, i);
}

static bool format_next_block(struct row_writer *b)
{
	size_t i = b->started;

	while (i < b->n && i < b->written + b->ring)
		if (atomic_compare_exchange_weak(&b->started, &i, i + 1)) {
			format_block_rows(b, b->block[i % b->ring].to, i);
			b->block[i % b->ring].ready = true;
			return true;
		}
	return false;
}

/* Writes the formatted block number i. If memory ran out while the block was formatted, formats its rows again,
 * directly to standard output. */
static void write_block_to_stdout(const struct row_writer *b, struct row_block *block, size_t i)
{
	if (fflush(block->to) || ferror(block->to))
		format_block_rows(b, stdout, i);
	else
		fwrite(block->bytes, 1, block->size, stdout);
	clearerr(block->to);
	rewind(block->to);
	block->ready = false;
}

static bool write_next_block(struct row_writer *b)
{
	bool found = false;

	if (!atomic_flag_test_and_set(&b->writing)) {
		struct row_block *block = &b->block[b->written % b->ring];

		found = b->written < b->n && block->ready;
		if (found) {
			write_block_to_stdout(b, block, b->written);
			b->written++;
		}
		atomic_flag_clear(&b->writing);
	}
	return found;
}

static void format_rows_in_thread(void *arg, size_t i)
{
	struct row_writer *b = arg;

	(void)i;
	while (write_next_block(b) || format_next_block(b))
		;
}

static void open_row_buffers(struct row_writer *b, size_t threads)
{
	while (threads > 1 && b->ring < 2 * threads + 1) {
		struct row_block *next = &b->block[b->ring];

		next->to = open_memstream(&next->bytes, &next->size);
		if (!next->to)
			return;
		b->ring++;
	}
}

static void close_row_buffers(struct row_writer *b)
{
	while (b->ring--) {
		fclose(b->block[b->ring].to);
		free(b->block[b->ring].bytes);
	}
}

void emit_all_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of)
{
	struct row_writer b = {
		.put = put, .of = of, .rows = n, .n = (n + BLOCK_ROWS - 1) / BLOCK_ROWS, .writing = ATOMIC_FLAG_INIT
	};
	const size_t wanted = n < SINGLE_THREAD_ROWS ? 1 : threads_get_usable_count(),
		     threads = wanted < MAX_ROW_THREADS ? wanted : MAX_ROW_THREADS;

	open_row_buffers(&b, threads);
	if (b.ring)
		threads_run_in_parallel(threads, format_rows_in_thread, &b);
	while (b.ring && write_next_block(&b))
		;
	for (size_t i = b.written; i < b.n; i++)
		format_block_rows(&b, stdout, i);
	close_row_buffers(&b);
}
