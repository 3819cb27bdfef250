#include "scenario/slurm/script.h"

#include "base/error.h"
#include "base/num.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The script that is being read. */
struct script_reader {
	struct fsi_script *out;
	struct fsi_arena *arena;
	struct fs_error *err;
	char *line;      /* copy of the current line, without the newline */
	uint32_t number; /* 1-based number of the current line */
};

static int refuse_line(struct script_reader *r, const char *why, const char *text)
{
	const int rc = fsi_fail_with_code(r->err, FS_EUSAGE, "%s [%.200s]", why, text);

	r->err->line = r->number;
	return rc;
}

/* Adds a word of `len` bytes to the list. Returns FS_ENOMEM if out of memory. */
static int add_script_word(struct script_reader *r, struct fsi_script_words *w, const char *text, size_t len)
{
	if (w->n == w->capacity) {
		const size_t capacity = w->capacity ? 2 * w->capacity : 16;
		char **word = fsi_arena_array(r->arena, capacity + 1, sizeof(*word));
		uint32_t *line = fsi_arena_array(r->arena, capacity, sizeof(*line));

		if (!word || !line)
			return fsi_fail_no_memory(r->err);
		if (w->n) {
			memcpy(word, w->word, w->n * sizeof(*word));
			memcpy(line, w->line, w->n * sizeof(*line));
		}
		*w = (struct fsi_script_words){ word, line, w->n, capacity };
	}
	w->line[w->n] = r->number;
	w->word[w->n] = fsi_arena_strndup(r->arena, text, len);
	return w->word[w->n++] ? 0 : fsi_fail_no_memory(r->err);
}

static int add_formatted_word(struct script_reader *r, struct fsi_script_words *w, const char *name, const char *value,
			      size_t len)
{
	char text[1024];
	const int n = snprintf(text, sizeof(text), "--%s=%.*s", name, (int)(len < 900 ? len : 900), value);

	return add_script_word(r, w, text, (size_t)n);
}

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Returns true if the text begins with `word`, in any case, followed by a blank or the end. */
static bool begins_with_word(const char *at, const char *word)
{
	const size_t n = strlen(word);

	return !strncasecmp(at, word, n) && (!at[n] || isspace((unsigned char)at[n]));
}

/* Returns the length of the word "hetjob" (or its old name "packjob") at the start of a directive; 0: neither. */
static size_t get_separator_length(const char *at)
{
	static const char *const names[] = { "hetjob", "packjob" };

	for (size_t i = 0; i < 2; i++)
		if (begins_with_word(at, names[i]))
			return strlen(names[i]);
	return 0;
}

/* Removes the quotes and backslashes of the word at `from`, in place. Sets *len to the length of the word, and returns
 * its end in the line; NULL: a quote is not closed. */
static char *unquote_word(char *from, size_t *len)
{
	char *at = from, *to = from, quote = '\0';

	while (*at && (quote || !isspace((unsigned char)*at)) && (quote || *at != '#')) {
		if (*at == '\\' && at[1]) {
			*to++ = at[1];
			at += 2;
		} else if (quote ? *at == quote : *at == '"' || *at == '\'') {
			quote = quote ? '\0' : *at;
			at++;
		} else {
			*to++ = *at++;
		}
	}
	*len = (size_t)(to - from);
	return quote ? NULL : at;
}

/* Adds the words of a directive to the list. Returns FS_EUSAGE if a quote is open or a word begins with a colon. */
static int add_directive_words(struct script_reader *r, struct fsi_script_words *w, const char *text)
{
	char *at = fsi_arena_strndup(r->arena, text, strlen(text));
	size_t len;
	int rc = at ? 0 : fsi_fail_no_memory(r->err);

	while (!rc && *(at += skip_blanks(at) - at) && *at != '#') {
		char *word = at;

		if (*word == ':')
			return refuse_line(r, "Unexpected `:` in", text);
		at = unquote_word(word, &len);
		if (!at)
			return refuse_line(r, "Unmatched quote in", text);
		if (len)
			rc = add_script_word(r, w, word, len);
	}
	return rc;
}

/* ---- #PBS lines (src/sbatch/xlate.c: _set_pbs_options, _parse_pbs_resource_list) */

/* Adds the options for "nodes=2:ppn=4:gpus=1". */
static int translate_pbs_nodes(struct script_reader *r, const char *value, size_t len)
{
	uint64_t nodes = 0, ppn = 0, n;
	char number[32];
	int rc = 0;

	for (size_t i = 0; i < len && !rc; i++) {
		const size_t part = strcspn(value + i, ":+,");
		const size_t size = i + part < len ? part : len - i;
		const char *at = value + i;

		if (size > 5 && !strncmp(at, "gpus=", 5))
			rc = add_formatted_word(r, &r->out->pbs, "gpus-per-node", at + 5, size - 5);
		else if (size > 4 && !strncmp(at, "ppn=", 4) && !fsi_parse_u64(at + 4, size - 4, &n))
			ppn += n;
		else if (!fsi_parse_u64(at, size, &n))
			nodes += n;
		else
			rc = add_script_word(r, &r->out->untranslated, at, size);
		i += size;
	}
	snprintf(number, sizeof(number), "%" PRIu64, nodes);
	if (!rc && nodes)
		rc = add_formatted_word(r, &r->out->pbs, "nodes", number, strlen(number));
	snprintf(number, sizeof(number), "%" PRIu64, ppn * (nodes ? nodes : 1));
	return rc || !ppn ? rc : add_formatted_word(r, &r->out->pbs, "ntasks", number, strlen(number));
}

/* Adds the option for one resource of "-l", such as "walltime=1:00:00". */
static int translate_pbs_resource(struct script_reader *r, const char *text, size_t len)
{
	static const struct {
		const char *key, *option; /* `option` NULL: sbatch ignores the resource */
		bool bytes;               /* true: the value is an amount that may end with B */
	} keys[] = {
		{ "walltime=", "time", false },
		{ "cput=", "time", false },
		{ "pcput=", "time", false },
		{ "mem=", "mem", true },
		{ "file=", "tmp", true },
		{ "nice=", "nice", false },
		{ "select=", "nodes", false },
		{ "ncpus=", "mincpus", false },
		{ "mpiprocs=", "ntasks-per-node", false },
		{ "arch=", NULL, false },
		{ "host=", NULL, false },
		{ "opsys=", NULL, false },
		{ "other=", NULL, false },
		{ "pmem=", NULL, false },
		{ "pvmem=", NULL, false },
		{ "software=", NULL, false },
		{ "vmem=", NULL, false },
	};

	if (len > 6 && !strncmp(text, "nodes=", 6))
		return translate_pbs_nodes(r, text + 6, len - 6);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const size_t key = strlen(keys[i].key);
		const bool unit = keys[i].bytes && len && (text[len - 1] == 'b' || text[len - 1] == 'B');

		if (len > key && !strncmp(text, keys[i].key, key) && keys[i].option)
			return add_formatted_word(r, &r->out->pbs, keys[i].option, text + key, len - key - unit);
		if (len > key && !strncmp(text, keys[i].key, key))
			return 0;
	}
	return add_script_word(r, &r->out->untranslated, text, len);
}

/* Adds the options for the value of "-l", a comma-separated list. Colons separate the parts of a select statement. */
static int translate_pbs_resources(struct script_reader *r, const char *value)
{
	int rc = 0;

	for (size_t len; *value && !rc; value += len + (value[len] != '\0')) {
		const bool whole = !strncmp(value, "nodes=", 6) || !strncmp(value, "walltime=", 9) ||
				   !strncmp(value, "cput=", 5) || !strncmp(value, "pcput=", 6);

		len = strcspn(value, whole ? "," : ",:");
		rc = translate_pbs_resource(r, value, len);
	}
	return rc;
}

/* Options of #PBS lines: their letter, whether they have a value, and the option of sbatch; NULL: sbatch ignores it. */
static const struct {
	char letter;
	bool has_value;
	const char *option;
} pbs_options[] = {
	{ 'a', true, "begin" },    { 'A', true, "account" }, { 'e', true, "error" },     { 'o', true, "output" },
	{ 'c', true, NULL },       { 'C', true, NULL },      { 'w', true, "chdir" },     { 'd', true, "chdir" },
	{ 'h', false, "hold" },    { 'I', false, NULL },     { 'j', true, NULL },        { 'J', true, "array" },
	{ 't', true, "array" },    { 'k', true, NULL },      { 'm', true, NULL },        { 'M', true, "mail-user" },
	{ 'N', true, "job-name" }, { 'p', true, "nice" },    { 'q', true, "partition" }, { 'r', true, NULL },
	{ 'S', true, NULL },       { 'u', true, NULL },      { 'v', true, "export" },    { 'V', false, NULL },
	{ 'z', false, NULL },      { 'l', true, NULL },      { 'W', true, NULL },
};

static int translate_pbs_option(struct script_reader *r, size_t row, const char *value)
{
	const char *option = pbs_options[row].option;

	if (pbs_options[row].letter == 'l')
		return translate_pbs_resources(r, value);
	if (pbs_options[row].letter == 'W' && !strncasecmp(value, "depend=", 7))
		return add_formatted_word(r, &r->out->pbs, "dependency", value + 7, strlen(value + 7));
	if (option && !pbs_options[row].has_value)
		return add_script_word(r, &r->out->pbs, "--hold", strlen("--hold"));
	return option ? add_formatted_word(r, &r->out->pbs, option, value, strlen(value)) : 0;
}

/* Translates the words of one #PBS line. */
static int translate_pbs_words(struct script_reader *r, const struct fsi_script_words *w)
{
	int rc = 0;

	for (size_t i = 0; i < w->n && !rc; i++) {
		const char *word = w->word[i];
		size_t row = 0;

		while (row < sizeof(pbs_options) / sizeof(*pbs_options) &&
		       (word[0] != '-' || pbs_options[row].letter != word[1]))
			row++;
		if (row == sizeof(pbs_options) / sizeof(*pbs_options))
			rc = add_script_word(r, &r->out->untranslated, word, strlen(word));
		else if (!pbs_options[row].has_value || word[2])
			rc = translate_pbs_option(r, row, word + 2);
		else
			rc = translate_pbs_option(r, row, i + 1 < w->n ? w->word[++i] : "");
	}
	return rc;
}

static int read_pbs_line(struct script_reader *r, const char *text)
{
	struct fsi_script_words w = { .n = 0 };
	const int rc = add_directive_words(r, &w, text);

	return rc ? rc : translate_pbs_words(r, &w);
}

/* ---- lines of the script */

enum { PBS_LINES = 100 }; /* sbatch looks for #PBS lines until it has read this many other lines that are no comments */

/* Progress in the script. */
struct script_state {
	uint32_t component; /* 0-based number of the component that the next directive belongs to */
	uint32_t others;    /* number of lines that are not comments */
	bool ended;         /* the first command was read */
};

/* Returns the text after the mark of a directive; NULL: the line is not a directive. */
static const char *find_directive_text(struct script_reader *r)
{
	if (!strncmp(r->line, "#SBATCH", 7))
		return r->line + 7;
	if (strncmp(r->line, "#SLURM", 6) != 0)
		return NULL;
	if (!r->out->old_mark)
		r->out->old_mark = r->number;
	return r->line + 6;
}

static int read_directive(struct script_reader *r, struct script_state *t, const char *text, uint32_t component)
{
	const size_t separator = get_separator_length(text = skip_blanks(text));

	if (t->ended)
		return add_script_word(r, &r->out->late, text, strlen(text));
	t->component += separator != 0;
	if (t->component > component)
		r->out->has_next = true;
	return t->component == component ? add_directive_words(r, &r->out->options, text + separator) : 0;
}

static int read_script_line(struct script_reader *r, struct script_state *t, uint32_t component)
{
	const char *text = find_directive_text(r);

	if (text)
		return read_directive(r, t, text, component);
	if (!strncmp(r->line, "#PBS", 4))
		return t->others > PBS_LINES ? 0 : read_pbs_line(r, r->line + 4);
	if (!strncmp(r->line, "#BSUB", 5))
		return add_script_word(r, &r->out->untranslated, r->line, strlen(r->line));
	t->others += r->line[0] != '#';
	t->ended = t->ended || (*skip_blanks(r->line) && *skip_blanks(r->line) != '#');
	return 0;
}

/* Checks what sbatch checks before it reads directives (src/sbatch/sbatch.c: _get_script_buffer). Returns FS_EUSAGE
 * with the words of sbatch if the text is no batch script. */
static int check_script_text(const char *text, size_t size, struct fs_error *err)
{
	const char *why = NULL;
	size_t blanks = 0;

	while (blanks < size && isspace((unsigned char)text[blanks]))
		blanks++;
	if (!size)
		why = "Batch script is empty!";
	else if (blanks == size)
		why = "Batch script contains only whitespace!";
	else if (size < 2 || text[0] != '#' || text[1] != '!')
		why = "This does not look like a batch script. The first line must start with #! followed by the path "
		      "to an interpreter.";
	else if (memchr(text, '\0', size))
		why = "The Slurm controller does not allow scripts that contain a NULL character '\\0'.";
	for (size_t i = 0; !why && i + 1 < size; i++)
		if (text[i] == '\r' && text[i + 1] == '\n')
			why = "Batch script contains DOS line breaks (\\r\\n) instead of expected UNIX "
			      "line breaks (\\n).";
	return why ? fsi_fail_with_code(err, FS_EUSAGE, "%s", why) : 0;
}

int fsi_script_read(struct fsi_script *out, struct fsi_arena *a, const char *text, size_t size, uint32_t component,
		    struct fs_error *err)
{
	struct script_reader r = { .out = out, .arena = a, .err = err };
	struct script_state t = { .component = 0 };
	int rc = check_script_text(text, size, err);

	*out = (struct fsi_script){ .has_next = false };
	for (size_t at = 0, len; at < size && !rc; at += len + 1) {
		const char *end = memchr(text + at, '\n', size - at);

		len = end ? (size_t)(end - (text + at)) : size - at;
		r.number++;
		r.line = fsi_arena_strndup(a, text + at, len);
		rc = r.line ? read_script_line(&r, &t, component) : fsi_fail_no_memory(err);
	}
	return rc;
}
