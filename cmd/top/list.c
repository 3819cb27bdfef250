#include "top/list.h"

#include "dialect/dialect.h"
#include "fs/queue.h"
#include "picture/picture.h"
#include "render/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_row_sorter(struct sorter *s);

/* ---- texts of cells, and the letters of bars */

void format_short_duration(double s, char *buf, size_t size)
{
	if (isnan(s))
		*buf = '\0';
	else if (isinf(s))
		snprintf(buf, size, "none");
	else if (s < 60)
		format_text(buf, size, "%.0fs", floor(s));
	else if (s < 3600)
		format_text(buf, size, "%.0fm", floor(s / 60));
	else if (s < 86400)
		format_text(buf, size, "%.0fh%02.0f", floor(s / 3600), floor(fmod(s, 3600) / 60));
	else
		format_text(buf, size, "%.0fd%02.0fh", floor(s / 86400), floor(fmod(s, 86400) / 3600));
}

static void format_position_change(double n, char *buf, size_t size)
{
	if (isnan(n) || n == 0)
		*buf = '\0';
	else if (isinf(n))
		snprintf(buf, size, "new");
	else
		format_text(buf, size, "%c%.0f", n > 0 ? '^' : 'v', fabs(n));
}

void cell_format_value(const struct view_column *c, const struct value *v, char *buf, size_t size)
{
	const double number = value_to_number(v);

	if (v->type == VALUE_TEXT)
		snprintf(buf, size, "%s", v->text);
	else if (c->kind == CELL_MOVE)
		format_position_change(number, buf, size);
	else if (c->kind == CELL_SECONDS)
		format_short_duration(number, buf, size);
	else if (isnan(number))
		*buf = '\0';
	else if (c->kind == CELL_FRACTION)
		format_text(buf, size, number < 1e5 || isinf(number) ? "%.4f" : number < 1e19 ? "%.2e" : "inf", number);
	else
		format_text(buf, size, "%.0f", number);
}

/* ---- letters that represent priority terms in bars */

static size_t get_term_kind_length(const char *term)
{
	return strcspn(term, "/");
}

static bool is_same_term_kind(const char *a, const char *b)
{
	return get_term_kind_length(a) == get_term_kind_length(b) && !strncmp(a, b, get_term_kind_length(a));
}

/* Returns the first letter of the name that is not among the `n` letters of earlier terms; '*' if there is no such
 * letter. */
static char choose_unused_letter(const char *name, const char *letters, size_t n)
{
	for (size_t k = 0; k < get_term_kind_length(name); k++) {
		const char upper = (char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 'a' + 'A' : name[k]);

		if (!memchr(letters, upper, n))
			return upper;
	}
	return '*';
}

size_t term_assign_letters(const struct data *d, char *letters, size_t max)
{
	const struct fs_prio_term *terms = d->eval.prios ? fs_prios_weights(d->eval.prios) : NULL;
	const size_t n = !d->eval.prios                        ? 0
			 : fs_prios_terms(d->eval.prios) < max ? fs_prios_terms(d->eval.prios)
							  : max;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (!is_same_term_kind(terms[first].name, terms[i].name))
			first++;
		letters[i] = first < i ? letters[first] : choose_unused_letter(terms[i].name, letters, i);
	}
	return n;
}

enum attr term_choose_attr(const struct fs_prio_term *t)
{
	const size_t colour = get_factor_colour(t->name);

	return colour < FACTOR_ATTRS ? (enum attr)(ATTR_FACTOR + colour) : ATTR_PLAIN;
}

size_t view_count_columns(const struct view_ops *ops, const struct data *d)
{
	return ops->columns + (ops->has_term_columns && d->eval.prios ? fs_prios_terms(d->eval.prios) : 0);
}

void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out)
{
	const struct vocabulary *vocabulary = &find_scheduler_dialect(d->snapshot)->vocabulary;
	const size_t term = i - ops->columns;

	if (i < ops->columns) {
		*out = ops->column[i];
		if (out->heading_offset)
			out->name =
				*(const char *const *)(const void *)((const char *)vocabulary + out->heading_offset);
		out->name = out->name ? out->name : out->table_column->name;
		out->help = out->help ? out->help : out->table_column->help;
		return;
	}
	*out = (struct view_column){ .name = fs_prios_weights(d->eval.prios)[term].name,
				     .kind = CELL_WHOLE,
				     .width = 10,
				     .from_cols = UINT_MAX,
				     .help = "points that this factor adds to the priority",
				     .term = term + 1 };
}

unsigned view_column_min_width(const struct data *d, const struct view_column *c)
{
	enum { COLS_BESIDE_RANGES = 130 };
	const bool ranges = d->eval.shares && fs_shares_has_ranges(d->eval.shares);

	return c->hides_beside_ranges && ranges ? COLS_BESIDE_RANGES : c->from_cols;
}

enum { SORT_RUN_ROWS = 8192, MERGE_STEP_ROWS = 4 * SORT_RUN_ROWS };

struct sort_key {
	const char *text;
	double number;
	uint32_t row;
};

/* Merge sort in steps. A run is a block of sorted rows. First, blocks of SORT_RUN_ROWS rows are read and sorted. Each
 * pass over the rows then merges pairs of adjacent runs. A pass reads the runs from one array and writes the merged
 * runs to the other array. The sort ends when one run is left. */
struct sorter {
	const struct view_ops *ops;
	const struct data *d;
	struct view_column column;
	const uint32_t *rows;
	size_t n;
	struct sort_key *key, *spare_keys;
	size_t nread;
	/* number of rows in each run (block of sorted rows) that the current pass merges; the last run may be
	 * shorter */
	size_t width;
	/* `left`, `right`: index of the next key in each run of the current pair; `merged`: number of keys merged in
	 * the current pass */
	size_t left, right, merged;
	bool failed;
};

static int compare_key_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int compare_sort_keys(const void *x, const void *y, const void *ctx)
{
	const struct sort_key *a = x, *b = y;

	(void)ctx;
	if (a->text && b->text)
		return compare_key_texts(a->text, b->text);
	if (a->text || b->text)
		return a->text ? 1 : -1;
	if (isnan(a->number) || isnan(b->number))
		return !!isnan(a->number) - !!isnan(b->number);
	return (b->number > a->number) - (b->number < a->number);
}

static bool has_no_value(const struct sort_key *k)
{
	return k->text ? !*k->text : isnan(k->number);
}

/* Starts to sort rows of the view. Borrows the rows until finish_row_sort is called. Sorts texts in ascending order and
 * numbers in descending order. The sort is stable. Rows without a value come last. Returns NULL if out of memory. */
static struct sorter *start_row_sort(const struct view_ops *ops, const struct data *d, size_t column,
				     const uint32_t *rows, size_t n)
{
	struct sorter *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct sorter){ .ops = ops, .d = d, .rows = rows, .n = n, .width = SORT_RUN_ROWS };
	view_column_get(ops, d, column, &s->column);
	s->key = malloc((n + 1) * sizeof(*s->key));
	s->spare_keys = malloc((n + 1) * sizeof(*s->spare_keys));
	if (s->key && s->spare_keys)
		return s;
	free_row_sorter(s);
	return NULL;
}

/* Frees the sorter, which may be NULL. */
static void free_row_sorter(struct sorter *s)
{
	if (!s)
		return;
	free(s->key);
	free(s->spare_keys);
	free(s);
}

static void read_and_sort_run(struct sorter *s)
{
	const size_t start = s->nread, end = s->n - start > SORT_RUN_ROWS ? start + SORT_RUN_ROWS : s->n;
	struct value v;

	for (; s->nread < end; s->nread++) {
		s->ops->value(s->d, s->rows[s->nread], &s->column, &v);
		s->key[s->nread] = (struct sort_key){ v.type == VALUE_TEXT ? v.text : NULL, value_to_number(&v),
						      s->rows[s->nread] };
	}
	s->failed = fs_sort(s->key + start, end - start, sizeof(*s->key), compare_sort_keys, NULL) != 0;
	if (end == s->n)
		s->right = s->width < s->n ? s->width : s->n;
}

static size_t clamp_index_to_count(size_t i, size_t n)
{
	return i < n ? i : n;
}

/* Advances to the next pair of runs (blocks of sorted rows) to merge. After the last pair, begins the next pass, whose
 * runs are twice as long. */
static void advance_to_next_pair(struct sorter *s)
{
	struct sort_key *merged = s->spare_keys;

	if (s->merged == s->n) {
		s->spare_keys = s->key;
		s->key = merged;
		s->width *= 2;
		s->merged = 0;
	}
	s->left = s->merged;
	s->right = clamp_index_to_count(s->left + s->width, s->n);
}

static void merge_run_pair(struct sorter *s)
{
	const size_t first = s->merged / (2 * s->width) * 2 * s->width;
	const size_t middle = clamp_index_to_count(first + s->width, s->n),
		     end = clamp_index_to_count(middle + s->width, s->n);
	const size_t until = clamp_index_to_count(s->merged + MERGE_STEP_ROWS, end);

	for (; s->merged < until; s->merged++) {
		const bool left =
			s->right == end ||
			(s->left < middle && compare_sort_keys(&s->key[s->left], &s->key[s->right], NULL) <= 0);

		s->spare_keys[s->merged] = s->key[left ? s->left++ : s->right++];
	}
	if (s->merged == end)
		advance_to_next_pair(s);
}

/* Sorts for a few milliseconds. Returns true if the sort must be continued. Returns false if the sort is complete, or
 * if memory ran out; finish_row_sort then fails. */
static bool continue_row_sort(struct sorter *s)
{
	if (s->failed)
		return false;
	if (s->nread < s->n)
		read_and_sort_run(s);
	else if (s->width < s->n)
		merge_run_pair(s);
	return !s->failed && (s->nread < s->n || s->width < s->n);
}

/* Ends the sort, sets *out to the result and frees the sorter. The caller frees out->row. Returns -1 if out of
 * memory. */
static int finish_row_sort(struct sorter *s, struct sorted_rows *out)
{
	uint32_t *row = s->failed ? NULL : malloc((s->n + 1) * sizeof(*row));
	size_t unknown = 0;

	for (size_t i = 0; row && i < s->n; i++)
		row[i] = s->key[i].row;
	while (row && unknown < s->n && has_no_value(&s->key[s->n - 1 - unknown]))
		unknown++;
	*out = (struct sorted_rows){ row, unknown, false };
	free_row_sorter(s);
	return row ? 0 : -1;
}

int sort_rows_by_column(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
			struct sorted_rows *out)
{
	struct sorter *s = start_row_sort(ops, d, column, rows, n);

	if (!s)
		return -1;
	while (continue_row_sort(s))
		;
	return finish_row_sort(s, out);
}

/* ---- lists of few rows: sorted and filtered at once, not in steps */

static char to_ascii_lower_case(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool text_contains_word(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t i = 0;

		while (word[i] && to_ascii_lower_case(text[i]) == to_ascii_lower_case(word[i]))
			i++;
		if (!word[i])
			return true;
	}
	return !*word;
}

bool filter_is_active(const struct filter *f)
{
	return *f->text || *f->user || *f->account || *f->partition;
}

static void reverse_order_of_rows(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint32_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* Sets *out to a sorted copy of the rows, in reverse order if the list is inverted. The caller frees *out. Returns -1
 * if out of memory. */
static int arrange_list_rows(const struct list *l, const struct data *d, const uint32_t *rows, size_t n, uint32_t **out)
{
	struct sorted_rows sorted = { 0 };

	if (l->sort != SIZE_MAX) {
		if (sort_rows_by_column(l->ops, d, l->sort, rows, n, &sorted))
			return -1;
	} else {
		sorted.row = malloc((n + 1) * sizeof(*rows));
		if (!sorted.row)
			return -1;
		memcpy(sorted.row, rows, n * sizeof(*rows));
	}
	if (l->inverted)
		reverse_order_of_rows(sorted.row, n - sorted.without_value);
	*out = sorted.row;
	return 0;
}

/* Replaces the rows of the list by `rows`. The list takes ownership of `rows`. */
static void set_own_list_order(struct list *l, uint32_t *rows, size_t n)
{
	free(l->own_order);
	l->own_order = rows;
	l->order = rows;
	l->n = n;
	l->without_value = 0;
}

/* Returns true if the row passes the list's filter. */
static bool does_row_pass_filter(const struct list *l, const struct data *d, uint32_t row)
{
	if (l->ops->passes)
		return l->ops->passes(l, d, row);
	return !*l->filter.text || l->ops->contains(d, row, l->filter.text);
}

/* Fills the list with the view's rows that pass the filter, in the order of the list. Returns -1 if out of memory. */
static int order_passing_list_rows(struct list *l, const struct data *d)
{
	const uint32_t count = l->ops->get_problem(d) ? 0 : l->ops->count_rows(d);
	uint32_t *rows = malloc(((size_t)count + 1) * sizeof(*rows)), *arranged;
	size_t n = 0;
	int rc;

	if (!rows)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (does_row_pass_filter(l, d, i))
			rows[n++] = i;
	rc = arrange_list_rows(l, d, rows, n, &arranged);
	free(rows);
	if (!rc)
		set_own_list_order(l, arranged, n);
	return rc;
}

enum { FILTER_SLICE_ROWS = 4096, MAX_ROWS_SORTED_AT_ONCE = 16384 };

size_t list_count_rows(const struct list *l)
{
	return l->filtered ? l->npassing : l->n;
}

/* Returns the k-th row of the unfiltered list. For most lists, l->order has the rows in the order of the list. An
 * inverted list of jobs is an exception: l->order is not inverted. For this list, the function counts k from the end,
 * but rows without a value come last. */
static uint32_t get_unfiltered_list_row(const struct list *l, size_t k)
{
	const size_t reversible = l->n - l->without_value;

	return l->order[l->ops->has_jobs && l->inverted && k < reversible ? reversible - 1 - k : k];
}

uint32_t list_get_row_at(const struct list *l, size_t k)
{
	return l->filtered ? l->passing[k] : get_unfiltered_list_row(l, k);
}

uint32_t list_get_selected_row(const struct list *l)
{
	return l->sel < list_count_rows(l) ? list_get_row_at(l, l->sel) : FS_NO_ROW;
}

void list_select_row(struct list *l, uint32_t row)
{
	const size_t n = list_count_rows(l);

	l->row_to_select = FS_NO_ROW;
	for (size_t k = 0; k < n; k++)
		if (list_get_row_at(l, k) == row) {
			l->sel = k;
			return;
		}
	l->row_to_select = row;
}

/* ---- sorting lists of many rows in steps */

static void set_list_order(struct list *l, const uint32_t *order, size_t n, size_t unknown)
{
	l->order = order;
	l->n = n;
	l->without_value = unknown;
}

static void stop_list_sort(struct list *l)
{
	free_row_sorter(l->sorter);
	l->sorter = NULL;
}

/* Sorts at once if there are few rows. Otherwise starts a sort; the list keeps its old order until list_continue_work
 * has completed the sort. Returns -1 if out of memory. */
static int start_list_sort(struct list *l, const struct data *d)
{
	if (l->sorter && l->sorting == l->sort)
		return 0;
	stop_list_sort(l);
	l->sorting = l->sort;
	if (d->nvisible_rows <= MAX_ROWS_SORTED_AT_ONCE)
		return sort_rows_by_column(l->ops, d, l->sort, d->visible_rows, d->nvisible_rows, &l->sorted[l->sort]);
	l->sorter = start_row_sort(l->ops, d, l->sort, d->visible_rows, d->nvisible_rows);
	return l->sorter ? 0 : -1;
}

static int order_all_list_rows(struct list *l, const struct data *d)
{
	if (l->sort != SIZE_MAX && !l->sorted[l->sort].row && start_list_sort(l, d)) {
		l->sort = SIZE_MAX;
		return -1;
	}
	if (l->sort == SIZE_MAX || l->sorted[l->sort].row)
		stop_list_sort(l);
	if (l->sort != SIZE_MAX && l->sorted[l->sort].row)
		set_list_order(l, l->sorted[l->sort].row, d->nvisible_rows, l->sorted[l->sort].without_value);
	else if (l->sort == SIZE_MAX || !l->order)
		set_list_order(l, d->visible_rows, d->nvisible_rows, 0);
	return 0;
}

bool list_is_being_sorted(const struct list *l)
{
	return l->sorter;
}

/* Continues the unfinished sort of the list. Stores the finished order in l->sorted, where it is reused until there is
 * new data. */
static void continue_list_sort(struct list *l, const struct data *d)
{
	struct sorter *s = l->sorter;

	if (continue_row_sort(s))
		return;
	l->sorter = NULL;
	if (finish_row_sort(s, &l->sorted[l->sorting])) {
		l->sort = SIZE_MAX;
		l->failed = true;
	}
	if (list_refresh_rows(l, d, false))
		l->failed = true;
}

/* ---- filtering lists of many rows in steps */

static bool continue_list_filter(struct list *l, const struct data *d)
{
	const size_t end = l->n - l->scanned > FILTER_SLICE_ROWS ? l->scanned + FILTER_SLICE_ROWS : l->n;

	if (!l->filtered || l->scanned == l->n)
		return false;
	for (; l->scanned < end; l->scanned++) {
		const uint32_t row = get_unfiltered_list_row(l, l->scanned);

		if (!does_row_pass_filter(l, d, row))
			continue;
		if (row == l->row_to_select) {
			l->sel = l->npassing;
			l->row_to_select = FS_NO_ROW;
		}
		l->passing[l->npassing++] = row;
	}
	return l->scanned < l->n;
}

/* Removes the rows that do not pass the new filter from l->passing. The new filter must be stricter than the old
 * filter. */
static void filter_passing_rows_again(struct list *l, const struct data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < l->npassing; i++)
		if (does_row_pass_filter(l, d, l->passing[i]))
			l->passing[n++] = l->passing[i];
	l->npassing = n;
}

static int restart_list_filter(struct list *l, const struct data *d, bool narrower)
{
	const bool was_filtered = l->filtered;

	l->filtered = filter_is_active(&l->filter);
	if (!l->filtered)
		return 0;
	if (!l->passing)
		l->passing = malloc((l->n + 1) * sizeof(*l->passing));
	if (!l->passing) {
		l->filtered = false;
		return -1;
	}
	if (was_filtered && narrower && l->npassing <= FILTER_SLICE_ROWS) {
		filter_passing_rows_again(l, d);
	} else {
		l->npassing = 0;
		l->scanned = 0;
	}
	continue_list_filter(l, d);
	return 0;
}

/* ---- functions declared in list.h */

bool list_continue_work(struct list *l, const struct data *d)
{
	if (l->sorter) {
		continue_list_sort(l, d);
		return true;
	}
	return continue_list_filter(l, d);
}

int list_order_job_rows(struct list *l, const struct data *d, bool narrower)
{
	return order_all_list_rows(l, d) || restart_list_filter(l, d, narrower) ? -1 : 0;
}

/* Allocates l->sorted, which holds one order for each column, if l->sorted is NULL. l->sorted is NULL after new data
 * was adopted, or after an earlier allocation failed. Returns -1 if out of memory. */
static int allocate_column_orders(struct list *l, const struct data *d)
{
	if (!l->sorted) {
		const size_t n = view_count_columns(l->ops, d);

		l->sorted = calloc(n + 1, sizeof(*l->sorted));
		if (!l->sorted)
			return -1;
		l->columns = n;
		if (l->sort != SIZE_MAX && l->sort >= n)
			l->sort = SIZE_MAX;
		if (l->ops->has_jobs && l->sort != SIZE_MAX && l->sort == d->sorted_by)
			l->sorted[l->sort] = (struct sorted_rows){ d->sorted.row, d->sorted.without_value, true };
	}
	return 0;
}

int list_refresh_rows(struct list *l, const struct data *d, bool narrower)
{
	const uint32_t row = l->row_to_select != FS_NO_ROW ? l->row_to_select : list_get_selected_row(l);

	if (allocate_column_orders(l, d) ||
	    (l->ops->order_rows ? l->ops->order_rows(l, d, narrower) : order_passing_list_rows(l, d)))
		return -1;
	list_select_row(l, row);
	return 0;
}

int list_invert_order(struct list *l, const struct data *d)
{
	if (l->row_to_select == FS_NO_ROW)
		l->row_to_select = list_get_selected_row(l);
	l->inverted = !l->inverted;
	return list_refresh_rows(l, d, false);
}

static void free_column_orders(struct list *l)
{
	stop_list_sort(l);
	for (size_t i = 0; i < l->columns; i++)
		if (!l->sorted[i].borrowed)
			free(l->sorted[i].row);
	free(l->sorted);
	l->sorted = NULL;
	l->columns = 0;
}

int list_adopt_data(struct list *l, const struct data *d)
{
	free_column_orders(l);
	free(l->passing);
	l->passing = NULL;
	l->filtered = false;
	l->order = NULL;
	l->n = 0;
	l->npassing = 0;
	return list_refresh_rows(l, d, false);
}

void list_free_rows(struct list *l)
{
	free_column_orders(l);
	free(l->own_order);
	free(l->closed);
	free(l->passing);
	*l = (struct list){ 0 };
}

/* ---- lookup of jobs and shares */

bool data_get_priority_row(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out)
{
	const size_t n = d->eval.prios ? fs_prios_count(d->eval.prios) : 0;

	for (size_t i = d->first_prio[row->job_row]; i < n; i++) {
		fs_prios_row(d->eval.prios, i, out);
		if (out->job_row != row->job_row)
			return false;
		if (!strcmp(out->partition, row->partition) && !strcmp(out->qos, row->qos))
			return true;
	}
	return false;
}

size_t data_count_share_rows(const struct data *d)
{
	return d->eval.shares ? fs_shares_count(d->eval.shares) : 0;
}

uint32_t data_find_share_row(const struct data *d, const char *account, const char *user, const char *partition)
{
	const size_t n = data_count_share_rows(d);
	uint32_t other = FS_NO_ROW;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (strcmp(row->account, account) != 0 || strcmp(row->user, user) != 0 || !row->visible)
			continue;
		if (!strcmp(row->partition, partition))
			return (uint32_t)i;
		other = other == FS_NO_ROW ? (uint32_t)i : other;
	}
	return other;
}

/* ---- the tree of shares: the open accounts, the order of the rows, and the rows of new data that correspond to old
 * rows */

enum { MAX_OPEN_TREE_ROWS = 200 };

/* Initializes l->closed. In a large tree, all rows below the root are closed; in a small tree, no row is closed.
 * Returns -1 if out of memory. */
static int close_branches_of_large_tree(struct list *l, const struct data *d)
{
	const size_t n = data_count_share_rows(d);

	l->closed = calloc(n + 1, sizeof(*l->closed));
	for (size_t i = 0; l->closed && i < n; i++)
		l->closed[i] = n > MAX_OPEN_TREE_ROWS && fs_shares_row(d->eval.shares, i)->depth >= 1;
	return l->closed ? 0 : -1;
}

/* Sets show[i] to true for each row that is shown: each row that passes the filter and, in a tree, its ancestors. If
 * there is no filter text, the children of closed rows are not shown. */
static void mark_visible_tree_rows(const struct list *l, const struct data *d, size_t n, bool *show)
{
	const bool all = !*l->filter.text;

	for (size_t i = n; i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (!row->visible || (l->is_flat && !*row->user))
			continue;
		show[i] = show[i] || all || does_row_pass_filter(l, d, (uint32_t)i);
		if (show[i] && !l->is_flat && row->parent_row != FS_NO_ROW)
			show[row->parent_row] = true;
	}
	for (size_t i = 0; i < n && all && !l->is_flat; i++) {
		const uint32_t parent = fs_shares_row(d->eval.shares, i)->parent_row;

		if (parent != FS_NO_ROW && (l->closed[parent] || !show[parent]))
			show[i] = false;
	}
}

/* Fills the list with the rows of the tree in preorder. Siblings are in the order that they have in `rows`. Returns -1
 * if out of memory. */
static int list_tree_in_preorder(struct list *l, const struct data *d, const uint32_t *rows, size_t n)
{
	const size_t all = data_count_share_rows(d);
	uint32_t *first = malloc((all + 1) * sizeof(*first)),
		 *next = malloc((all + 1) * sizeof(*next));
	uint32_t at = FS_NO_ROW;

	if (!first || !next) {
		free(first);
		free(next);
		return -1;
	}
	memset(first, 0xff, (all + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) { /* first[i]: first child of share row i; first[all]: first row without a parent */
		const uint32_t parent = fs_shares_row(d->eval.shares, rows[i])->parent_row;
		uint32_t *head = &first[parent == FS_NO_ROW ? all : parent];

		next[rows[i]] = *head;
		*head = rows[i];
	}
	for (at = first[all]; at != FS_NO_ROW;) {
		l->own_order[l->n++] = at;
		if (first[at] != FS_NO_ROW) {
			at = first[at];
			continue;
		}
		while (at != FS_NO_ROW && next[at] == FS_NO_ROW)
			at = fs_shares_row(d->eval.shares, at)->parent_row;
		at = at == FS_NO_ROW ? at : next[at];
	}
	free(first);
	free(next);
	return 0;
}

int tree_order_rows(struct list *l, const struct data *d, bool narrower)
{
	const size_t all = data_count_share_rows(d);
	bool *show = calloc(all + 1, sizeof(*show));
	uint32_t *rows = malloc((all + 1) * sizeof(*rows)), *arranged = NULL;
	size_t n = 0;
	int rc = -1;

	(void)narrower;
	if (!show || !rows || (!l->closed && close_branches_of_large_tree(l, d)))
		goto out;
	mark_visible_tree_rows(l, d, all, show);
	for (size_t i = 0; i < all; i++)
		if (show[i])
			rows[n++] = (uint32_t)i;
	if (arrange_list_rows(l, d, rows, n, &arranged))
		goto out;
	set_own_list_order(l, rows, 0);
	rows = NULL;
	rc = 0;
	if (l->is_flat) {
		set_own_list_order(l, arranged, n);
		arranged = NULL;
	} else {
		rc = list_tree_in_preorder(l, d, arranged, n);
	}
out:
	free(show);
	free(rows);
	free(arranged);
	return rc;
}

/* Returns the share row of `d` that corresponds to the row `old` of earlier data. Tries row `guess` first, because most
 * rows have the same index in the earlier and the new data. */
uint32_t tree_find_share(const struct data *d, const struct fs_share_row *old, size_t guess)
{
	if (guess < data_count_share_rows(d)) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, guess);

		if (!strcmp(row->account, old->account) && !strcmp(row->user, old->user) &&
		    !strcmp(row->partition, old->partition))
			return (uint32_t)guess;
	}
	return data_find_share_row(d, old->account, old->user, old->partition);
}

int tree_carry_closed_rows(struct list *l, const struct data *old, const struct data *d)
{
	const size_t n = data_count_share_rows(old);
	bool *closed = l->closed ? calloc(data_count_share_rows(d) + 1, sizeof(*closed)) : NULL;

	for (size_t i = 0, guess = 0; closed && i < n && d->eval.shares; i++, guess++) {
		const uint32_t at =
			l->closed[i] ? tree_find_share(d, fs_shares_row(old->eval.shares, i), guess) : FS_NO_ROW;

		if (at == FS_NO_ROW)
			continue;
		closed[at] = true;
		guess = at;
	}
	free(l->closed);
	/* if `closed` is NULL, tree_order_rows later makes an array with the default state of each row */
	l->closed = closed;
	return closed ? 0 : -1;
}
