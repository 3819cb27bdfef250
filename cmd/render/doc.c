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

		fwrite(step, 1, json_step(&s, step), out);
	}
	fputc('"', out);
}

/* Returns true if a YAML parser reads s as the same text without quotes (libyaml's emitter.c:
 * yaml_emitter_analyze_scalar, in block context). s is printable, not empty, and on one line. */
static bool plain_in_yaml(const char *s)
{
	const size_t len = strlen(s);

	if (strchr(" ,[]{}#&*!|>'\"%@`", *s) || s[len - 1] == ' ' || s[len - 1] == ':' || !strncmp(s, "---", 3) ||
	    !strncmp(s, "...", 3) || ((*s == '-' || *s == '?' || *s == ':') && (!s[1] || s[1] == ' ')))
		return false;
	return !strstr(s, ": ") && !strstr(s, " #");
}

static bool graphic(const char *s)
{
	while (*s) {
		uint32_t c;
		const size_t n = text_character(s, &c);

		if (!n || c < 0x20 || c == 0x7f || (c >= 0x80 && text_unseen(c)))
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
	if (!graphic(s)) {
		put_json_string(out, s);
	} else if (plain_in_yaml(s)) {
		fputs(s, out);
	} else {
		fputc('\'', out);
		for (; *s; s++)
			fputs(*s == '\'' ? "\'\'" : (char[]){ *s, '\0' }, out);
		fputc('\'', out);
	}
}

static void newline(struct doc *d, int depth)
{
	fputc('\n', d->out);
	for (int i = 0; i < depth; i++)
		fputs("  ", d->out);
}

/* Returns the indentation of YAML, in steps of two columns. The dashes of a list are aligned with its key; the keys
 * of a map are indented by two more columns. */
static int yaml_depth(const struct doc *d)
{
	int n = 0;

	for (int i = 2; i <= d->depth; i++)
		n += !d->list[i];
	return n;
}

/* Starts an element: comma, line break with indentation, and key. */
static void start(struct doc *d, const char *key)
{
	if (d->form == DOC_JSON) {
		if (!d->empty[d->depth])
			fputc(',', d->out);
		newline(d, d->depth);
		if (key) {
			put_json_string(d->out, key);
			fputs(": ", d->out);
		}
	} else {
		newline(d, yaml_depth(d));
		if (d->list[d->depth])
			fputs("- ", d->out);
		if (key)
			fprintf(d->out, "!!str %s: ", key);
	}
	d->empty[d->depth] = false;
}

static void enter(struct doc *d, bool list)
{
	d->depth++;
	d->list[d->depth] = list;
	d->empty[d->depth] = true;
}

void doc_begin(struct doc *d, FILE *out, enum doc_form form)
{
	*d = (struct doc){ .out = out, .form = form };
	fputs(form == DOC_JSON ? "{" : "%YAML 1.1\n--- !!map", out);
	enter(d, false);
}

void doc_end(struct doc *d)
{
	fputs(d->form == DOC_JSON ? "\n}\n" : "\n...\n\n", d->out);
}

void doc_map(struct doc *d, const char *key)
{
	start(d, key);
	fputs(d->form == DOC_JSON ? "{" : "!!map", d->out);
	enter(d, false);
}

void doc_end_map(struct doc *d)
{
	d->depth--;
	if (d->form == DOC_JSON) {
		newline(d, d->depth);
		fputc('}', d->out);
	}
}

void doc_list(struct doc *d, const char *key, bool empty)
{
	start(d, key);
	if (d->form == DOC_JSON)
		fputc('[', d->out);
	else
		fputs(empty ? "!!seq []" : "!!seq", d->out);
	enter(d, true);
}

void doc_end_list(struct doc *d)
{
	d->depth--;
	if (d->form == DOC_JSON) {
		newline(d, d->depth);
		fputc(']', d->out);
	}
}

void doc_string(struct doc *d, const char *key, const char *value)
{
	start(d, key);
	if (d->form == DOC_JSON) {
		put_json_string(d->out, value);
	} else {
		fputs("!!str", d->out);
		put_yaml_string(d->out, value);
	}
}

void doc_int(struct doc *d, const char *key, int64_t value)
{
	start(d, key);
	fprintf(d->out, "%s%" PRId64, d->form == DOC_JSON ? "" : "!!int ", value);
}

void doc_bool(struct doc *d, const char *key, bool value)
{
	start(d, key);
	fprintf(d->out, "%s%s", d->form == DOC_JSON ? "" : "!!bool ", value ? "true" : "false");
}

/* json-c writes a double always with a point or an exponent, and infinity, which JSON does not have, as a bare word. */
void doc_double(struct doc *d, const char *key, double value)
{
	char buf[40];

	start(d, key);
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

/* Formatting of many rows by several threads. Each block of consecutive rows is formatted into one of the memory
 * buffers of a ring. Any thread that is free writes finished blocks to standard output in order. Threads never wait:
 * a thread that finds no work returns. */

enum { FEW = 2000, ROWS = 1024, THREADS_MAX = 8, RING_MAX = 2 * THREADS_MAX + 1 };

struct block {
	FILE *to;
	char *bytes;
	size_t size;
	atomic_bool ready;
};

struct blocks {
	void (*put)(FILE *out, const void *of, size_t i);
	const void *of;
	size_t rows, n;		       /* n: number of blocks */
	struct block block[RING_MAX];  /* ring buffer: block i uses element i % ring */
	size_t ring;
	atomic_size_t begun, written;  /* number of blocks begun, and number of blocks written */
	atomic_flag writing;	       /* a thread is writing to standard output */
};

static void put_rows(const struct blocks *b, FILE *out, size_t block)
{
	const size_t first = block * ROWS, end = b->rows - first < ROWS ? b->rows : first + ROWS;

	for (size_t i = first; i < end; i++)
		b->put(out, b->of, i);
}

static bool put_next(struct blocks *b)
{
	size_t i = b->begun;

	while (i < b->n && i < b->written + b->ring)
		if (atomic_compare_exchange_weak(&b->begun, &i, i + 1)) {
			put_rows(b, b->block[i % b->ring].to, i);
			b->block[i % b->ring].ready = true;
			return true;
		}
	return false;
}

/* Writes block i. If its buffer could not be filled (out of memory), formats the rows again, directly to standard
 * output. */
static void write_block(const struct blocks *b, struct block *block, size_t i)
{
	if (fflush(block->to) || ferror(block->to))
		put_rows(b, stdout, i);
	else
		fwrite(block->bytes, 1, block->size, stdout);
	clearerr(block->to);
	rewind(block->to);
	block->ready = false;
}

static bool write_next(struct blocks *b)
{
	bool found = false;

	if (!atomic_flag_test_and_set(&b->writing)) {
		struct block *block = &b->block[b->written % b->ring];

		found = b->written < b->n && block->ready;
		if (found) {
			write_block(b, block, b->written);
			b->written++;
		}
		atomic_flag_clear(&b->writing);
	}
	return found;
}

static void work(void *arg, size_t i)
{
	struct blocks *b = arg;

	(void)i;
	while (write_next(b) || put_next(b))
		;
}

static void begin(struct blocks *b, size_t threads)
{
	while (threads > 1 && b->ring < 2 * threads + 1) {
		struct block *next = &b->block[b->ring];

		next->to = open_memstream(&next->bytes, &next->size);
		if (!next->to)
			return;
		b->ring++;
	}
}

static void end(struct blocks *b)
{
	while (b->ring--) {
		fclose(b->block[b->ring].to);
		free(b->block[b->ring].bytes);
	}
}

void emit_rows(size_t n, void (*put)(FILE *out, const void *of, size_t i), const void *of)
{
	struct blocks b = { .put = put, .of = of, .rows = n, .n = (n + ROWS - 1) / ROWS, .writing = ATOMIC_FLAG_INIT };
	const size_t wanted = n < FEW ? 1 : threads_wanted(), threads = wanted < THREADS_MAX ? wanted : THREADS_MAX;

	begin(&b, threads);
	if (b.ring)
		threads_run(threads, work, &b);
	while (b.ring && write_next(&b))
		;
	for (size_t i = b.written; i < b.n; i++)
		put_rows(&b, stdout, i);
	end(&b);
}
