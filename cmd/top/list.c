#include "top/list.h"

#include "dialect/dialect.h"
#include "fs/queue.h"
#include "picture/picture.h"
#include "render/format.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sorter_free(struct sorter *s);

/* ---- cells and bar letters */

void duration_text(double s, char *buf, size_t size)
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

static void move_text(double n, char *buf, size_t size)
{
	if (isnan(n) || n == 0)
		*buf = '\0';
	else if (isinf(n))
		snprintf(buf, size, "new");
	else
		format_text(buf, size, "%c%.0f", n > 0 ? '^' : 'v', fabs(n));
}

void cell_format(const struct view_column *c, const struct value *v, char *buf, size_t size)
{
	const double number = value_number(v);

	if (v->type == VALUE_TEXT)
		snprintf(buf, size, "%s", v->text);
	else if (c->kind == CELL_MOVE)
		move_text(number, buf, size);
	else if (c->kind == CELL_SECONDS)
		duration_text(number, buf, size);
	else if (isnan(number))
		*buf = '\0';
	else if (c->kind == CELL_FRACTION)
		format_text(buf, size, number < 1e5 || isinf(number) ? "%.4f" : "%.2e", number);
	else
		format_text(buf, size, "%.0f", number);
}

/* ---- letters */

static size_t kind_length(const char *term)
{
	return strcspn(term, "/");
}

static bool same_kind(const char *a, const char *b)
{
	return kind_length(a) == kind_length(b) && !strncmp(a, b, kind_length(a));
}

/* Returns the first letter of the name that is not among the first n letters; '*' if all are used. */
static char free_letter(const char *name, const char *letters, size_t n)
{
	for (size_t k = 0; k < kind_length(name); k++) {
		const char upper = (char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 'a' + 'A' : name[k]);

		if (!memchr(letters, upper, n))
			return upper;
	}
	return '*';
}

size_t term_letters(const struct data *d, char *letters, size_t max)
{
	const struct fs_prio_term *terms = d->eval.prios ? fs_prios_weights(d->eval.prios) : NULL;
	const size_t n = !d->eval.prios                        ? 0
			 : fs_prios_terms(d->eval.prios) < max ? fs_prios_terms(d->eval.prios)
							  : max;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (!same_kind(terms[first].name, terms[i].name))
			first++;
		letters[i] = first < i ? letters[first] : free_letter(terms[i].name, letters, i);
	}
	return n;
}

enum attr term_attr(const struct fs_prio_term *t)
{
	const size_t colour = factor_colour(t->name);

	return colour < FACTOR_ATTRS ? (enum attr)(ATTR_FACTOR + colour) : ATTR_PLAIN;
}

size_t view_columns(const struct view_ops *ops, const struct data *d)
{
	return ops->columns + (ops->terms && d->eval.prios ? fs_prios_terms(d->eval.prios) : 0);
}

void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out)
{
	const struct nouns *nouns = &dialect_of(d->snapshot)->nouns;
	const size_t term = i - ops->columns;

	if (i < ops->columns) {
		*out = ops->column[i];
		if (out->noun)
			out->name = *(const char *const *)(const void *)((const char *)nouns + out->noun);
		out->name = out->name ? out->name : out->of->name;
		out->help = out->help ? out->help : out->of->help;
		return;
	}
	*out = (struct view_column){ .name = fs_prios_weights(d->eval.prios)[term].name,
				     .kind = CELL_WHOLE,
				     .width = 10,
				     .from_cols = UINT_MAX,
				     .help = "what this factor adds to the priority",
				     .term = term + 1 };
}

unsigned view_column_from(const struct data *d, const struct view_column *c)
{
	enum { BESIDE_RANGES = 130 };
	const bool ranges = d->eval.shares && fs_shares_has_ranges(d->eval.shares);

	return c->yields && ranges ? BESIDE_RANGES : c->from_cols;
}

enum { RUN = 8192, MERGED_AT_ONCE = 4 * RUN };

struct key {
	const char *text;
	double number;
	uint32_t row;
};

/* Merge sort in steps: first runs of RUN rows are read and sorted, then pairs of runs are merged from one array into
 * the other. */
struct sorter {
	const struct view_ops *ops;
	const struct data *d;
	struct view_column column;
	const uint32_t *rows;
	size_t n;
	struct key *key, *other;
	size_t filled;
	size_t width;	  /* length of the runs being merged */
	size_t left, right, out; /* next key of each run of the current pair, and the next output position */
	bool failed;
};

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int compare_keys(const void *x, const void *y, const void *ctx)
{
	const struct key *a = x, *b = y;

	(void)ctx;
	if (a->text && b->text)
		return compare_text(a->text, b->text);
	if (a->text || b->text)
		return a->text ? 1 : -1;
	if (isnan(a->number) || isnan(b->number))
		return !!isnan(a->number) - !!isnan(b->number);
	return (b->number > a->number) - (b->number < a->number);
}

static bool no_value(const struct key *k)
{
	return k->text ? !*k->text : isnan(k->number);
}

/* Starts sorting rows of the view, which are borrowed until the end. Texts are sorted in ascending order, numbers in
 * descending order. The sort is stable; rows without a value come last. Returns NULL if out of memory. */
static struct sorter *sorter_begin(const struct view_ops *ops, const struct data *d, size_t column,
				   const uint32_t *rows, size_t n)
{
	struct sorter *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct sorter){ .ops = ops, .d = d, .rows = rows, .n = n, .width = RUN };
	view_column_get(ops, d, column, &s->column);
	s->key = malloc((n + 1) * sizeof(*s->key));
	s->other = malloc((n + 1) * sizeof(*s->other));
	if (s->key && s->other)
		return s;
	sorter_free(s);
	return NULL;
}

/* Frees the sorter, which may be NULL. */
static void sorter_free(struct sorter *s)
{
	if (!s)
		return;
	free(s->key);
	free(s->other);
	free(s);
}

static void fill_run(struct sorter *s)
{
	const size_t start = s->filled, end = s->n - start > RUN ? start + RUN : s->n;
	struct value v;

	for (; s->filled < end; s->filled++) {
		s->ops->value(s->d, s->rows[s->filled], &s->column, &v);
		s->key[s->filled] =
			(struct key){ v.type == VALUE_TEXT ? v.text : NULL, value_number(&v), s->rows[s->filled] };
	}
	s->failed = fs_sort(s->key + start, end - start, sizeof(*s->key), compare_keys, NULL) != 0;
	if (end == s->n)
		s->right = s->width < s->n ? s->width : s->n;
}

static size_t at_most(size_t i, size_t n)
{
	return i < n ? i : n;
}

/* Advances to the next pair of runs, or to the first pair of twice the length. */
static void next_pair(struct sorter *s)
{
	struct key *merged = s->other;

	if (s->out == s->n) {
		s->other = s->key;
		s->key = merged;
		s->width *= 2;
		s->out = 0;
	}
	s->left = s->out;
	s->right = at_most(s->left + s->width, s->n);
}

static void merge(struct sorter *s)
{
	const size_t first = s->out / (2 * s->width) * 2 * s->width;
	const size_t middle = at_most(first + s->width, s->n),
		     end = at_most(middle + s->width, s->n);
	const size_t until = at_most(s->out + MERGED_AT_ONCE, end);

	for (; s->out < until; s->out++) {
		const bool left = s->right == end ||
				  (s->left < middle && compare_keys(&s->key[s->left], &s->key[s->right], NULL) <= 0);

		s->other[s->out] = s->key[left ? s->left++ : s->right++];
	}
	if (s->out == end)
		next_pair(s);
}

/* Sorts for a few milliseconds. Returns true if there is more to do. After running out of memory returns false, and
 * sorter_take then fails. */
static bool sorter_work(struct sorter *s)
{
	if (s->failed)
		return false;
	if (s->filled < s->n)
		fill_run(s);
	else if (s->width < s->n)
		merge(s);
	return !s->failed && (s->filled < s->n || s->width < s->n);
}

/* Ends the sort and frees the sorter. The caller frees out->row. Returns -1 if out of memory. */
static int sorter_take(struct sorter *s, struct sorted *out)
{
	uint32_t *row = s->failed ? NULL : malloc((s->n + 1) * sizeof(*row));
	size_t unknown = 0;

	for (size_t i = 0; row && i < s->n; i++)
		row[i] = s->key[i].row;
	while (row && unknown < s->n && no_value(&s->key[s->n - 1 - unknown]))
		unknown++;
	*out = (struct sorted){ row, unknown, false };
	sorter_free(s);
	return row ? 0 : -1;
}

int sort_rows(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
	      struct sorted *out)
{
	struct sorter *s = sorter_begin(ops, d, column, rows, n);

	if (!s)
		return -1;
	while (sorter_work(s))
		;
	return sorter_take(s, out);
}

/* ---- lists of few rows, computed as a whole */

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool text_contains(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t i = 0;

		while (word[i] && lower(text[i]) == lower(word[i]))
			i++;
		if (!word[i])
			return true;
	}
	return !*word;
}

bool filter_active(const struct filter *f)
{
	return *f->text || *f->user || *f->account || *f->partition;
}

static void reverse(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint32_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* Sets *out to the rows sorted, and reversed if the list is inverted. The caller frees *out. Returns -1 if out of
 * memory. */
static int list_arrange(const struct list *l, const struct data *d, const uint32_t *rows, size_t n, uint32_t **out)
{
	struct sorted sorted = { 0 };

	if (l->sort != SIZE_MAX) {
		if (sort_rows(l->ops, d, l->sort, rows, n, &sorted))
			return -1;
	} else {
		sorted.row = malloc((n + 1) * sizeof(*rows));
		if (!sorted.row)
			return -1;
		memcpy(sorted.row, rows, n * sizeof(*rows));
	}
	if (l->inverted)
		reverse(sorted.row, n - sorted.unknown);
	*out = sorted.row;
	return 0;
}

/* Replaces the rows of the list, which then owns `rows`. */
static void list_take(struct list *l, uint32_t *rows, size_t n)
{
	free(l->own);
	l->own = rows;
	l->order = rows;
	l->n = n;
	l->unknown = 0;
}

/* Returns true if the row passes the list's filter. */
static bool list_passes(const struct list *l, const struct data *d, uint32_t row)
{
	if (l->ops->passes)
		return l->ops->passes(l, d, row);
	return !*l->filter.text || l->ops->contains(d, row, l->filter.text);
}

/* Fills the list with the rows of the view that pass the filter, in order. Returns -1 if out of memory. */
static int list_order_passing(struct list *l, const struct data *d)
{
	const uint32_t count = l->ops->trouble(d) ? 0 : l->ops->count(d);
	uint32_t *rows = malloc(((size_t)count + 1) * sizeof(*rows)), *arranged;
	size_t n = 0;
	int rc;

	if (!rows)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (list_passes(l, d, i))
			rows[n++] = i;
	rc = list_arrange(l, d, rows, n, &arranged);
	free(rows);
	if (!rc)
		list_take(l, arranged, n);
	return rc;
}

enum { SLICE = 4096, AT_ONCE = 16384 };

size_t list_count(const struct list *l)
{
	return l->filtered ? l->nkept : l->n;
}

/* Returns the k-th row of the unfiltered list. Orders of small views are stored inverted, those of jobs are not. */
static uint32_t at_place(const struct list *l, size_t k)
{
	const size_t turned = l->n - l->unknown;

	return l->order[l->ops->jobs && l->inverted && k < turned ? turned - 1 - k : k];
}

uint32_t list_row(const struct list *l, size_t k)
{
	return l->filtered ? l->kept[k] : at_place(l, k);
}

uint32_t list_selected(const struct list *l)
{
	return l->sel < list_count(l) ? list_row(l, l->sel) : FS_NO_ROW;
}

void list_select(struct list *l, uint32_t row)
{
	const size_t n = list_count(l);

	l->wanted = FS_NO_ROW;
	for (size_t k = 0; k < n; k++)
		if (list_row(l, k) == row) {
			l->sel = k;
			return;
		}
	l->wanted = row;
}

/* ---- the order of many rows */

static void use_order(struct list *l, const uint32_t *order, size_t n, size_t unknown)
{
	l->order = order;
	l->n = n;
	l->unknown = unknown;
}

static void stop_sorting(struct list *l)
{
	sorter_free(l->sorter);
	l->sorter = NULL;
}

/* Sorts at once if there are few rows. Otherwise starts a sort; the old order is shown until list_work has finished it.
 */
static int begin_sorting(struct list *l, const struct data *d)
{
	if (l->sorter && l->sorting == l->sort)
		return 0;
	stop_sorting(l);
	l->sorting = l->sort;
	if (d->njobs <= AT_ONCE)
		return sort_rows(l->ops, d, l->sort, d->jobs, d->njobs, &l->sorted[l->sort]);
	l->sorter = sorter_begin(l->ops, d, l->sort, d->jobs, d->njobs);
	return l->sorter ? 0 : -1;
}

static int order_all(struct list *l, const struct data *d)
{
	if (l->sort != SIZE_MAX && !l->sorted[l->sort].row && begin_sorting(l, d)) {
		l->sort = SIZE_MAX;
		return -1;
	}
	if (l->sort == SIZE_MAX || l->sorted[l->sort].row)
		stop_sorting(l);
	if (l->sort != SIZE_MAX && l->sorted[l->sort].row)
		use_order(l, l->sorted[l->sort].row, d->njobs, l->sorted[l->sort].unknown);
	else if (l->sort == SIZE_MAX || !l->order)
		use_order(l, d->jobs, d->njobs, 0);
	return 0;
}

bool list_sorting(const struct list *l)
{
	return l->sorter;
}

/* Continues the running sort. A complete order is stored until there is new data. */
static void go_on_sorting(struct list *l, const struct data *d)
{
	struct sorter *s = l->sorter;

	if (sorter_work(s))
		return;
	l->sorter = NULL;
	if (sorter_take(s, &l->sorted[l->sorting])) {
		l->sort = SIZE_MAX;
		l->failed = true;
	}
	if (list_refresh(l, d, false))
		l->failed = true;
}

/* ---- filtering */

static bool go_on_filtering(struct list *l, const struct data *d)
{
	const size_t end = l->n - l->scanned > SLICE ? l->scanned + SLICE : l->n;

	if (!l->filtered || l->scanned == l->n)
		return false;
	for (; l->scanned < end; l->scanned++) {
		const uint32_t row = at_place(l, l->scanned);

		if (!list_passes(l, d, row))
			continue;
		if (row == l->wanted) {
			l->sel = l->nkept;
			l->wanted = FS_NO_ROW;
		}
		l->kept[l->nkept++] = row;
	}
	return l->scanned < l->n;
}

/* Filters only the rows that have passed so far, because the filter has become stricter. */
static void narrow(struct list *l, const struct data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nkept; i++)
		if (list_passes(l, d, l->kept[i]))
			l->kept[n++] = l->kept[i];
	l->nkept = n;
}

static int refilter(struct list *l, const struct data *d, bool narrower)
{
	const bool was = l->filtered;

	l->filtered = filter_active(&l->filter);
	if (!l->filtered)
		return 0;
	if (!l->kept)
		l->kept = malloc((l->n + 1) * sizeof(*l->kept));
	if (!l->kept) {
		l->filtered = false;
		return -1;
	}
	if (was && narrower && l->nkept <= SLICE) {
		narrow(l, d);
	} else {
		l->nkept = 0;
		l->scanned = 0;
	}
	go_on_filtering(l, d);
	return 0;
}

/* ---- entry points */

bool list_work(struct list *l, const struct data *d)
{
	if (l->sorter) {
		go_on_sorting(l, d);
		return true;
	}
	return go_on_filtering(l, d);
}

int list_order_large(struct list *l, const struct data *d, bool narrower)
{
	return order_all(l, d) || refilter(l, d, narrower) ? -1 : 0;
}

/* Allocates the table of orders if there is none: after new data, or after memory ran out. */
static int prepare(struct list *l, const struct data *d)
{
	if (!l->sorted) {
		const size_t n = view_columns(l->ops, d);

		l->sorted = calloc(n + 1, sizeof(*l->sorted));
		if (!l->sorted)
			return -1;
		l->columns = n;
		if (l->sort != SIZE_MAX && l->sort >= n)
			l->sort = SIZE_MAX;
		if (l->ops->jobs && l->sort != SIZE_MAX && l->sort == d->sorted_by)
			l->sorted[l->sort] = (struct sorted){ d->sorted.row, d->sorted.unknown, true };
	}
	return 0;
}

int list_refresh(struct list *l, const struct data *d, bool narrower)
{
	const uint32_t row = l->wanted != FS_NO_ROW ? l->wanted : list_selected(l);

	if (prepare(l, d) || (l->ops->order ? l->ops->order(l, d, narrower) : list_order_passing(l, d)))
		return -1;
	list_select(l, row);
	return 0;
}

int list_invert(struct list *l, const struct data *d)
{
	if (l->wanted == FS_NO_ROW)
		l->wanted = list_selected(l);
	l->inverted = !l->inverted;
	return list_refresh(l, d, false);
}

static void forget_sorted(struct list *l)
{
	stop_sorting(l);
	for (size_t i = 0; i < l->columns; i++)
		if (!l->sorted[i].borrowed)
			free(l->sorted[i].row);
	free(l->sorted);
	l->sorted = NULL;
	l->columns = 0;
}

int list_adopt(struct list *l, const struct data *d)
{
	forget_sorted(l);
	free(l->kept);
	l->kept = NULL;
	l->filtered = false;
	l->order = NULL;
	l->n = 0;
	l->nkept = 0;
	return list_refresh(l, d, false);
}

void list_free(struct list *l)
{
	forget_sorted(l);
	free(l->own);
	free(l->closed);
	free(l->kept);
	*l = (struct list){ 0 };
}

/* ---- lookup of jobs and shares */

bool data_prio(const struct data *d, const struct fs_queue_row *row, struct fs_prio_row *out)
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

size_t data_shares(const struct data *d)
{
	return d->eval.shares ? fs_shares_count(d->eval.shares) : 0;
}

uint32_t data_find_share(const struct data *d, const char *account, const char *user, const char *partition)
{
	const size_t n = data_shares(d);
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

/* ---- the tree of shares: which accounts are open, in which order rows are shown, and where they are in new data */

enum { MAX_OPEN = 200 };

/* Initialises the tree: a large one shows only its first level. */
static int close_tree(struct list *l, const struct data *d)
{
	const size_t n = data_shares(d);

	l->closed = calloc(n + 1, sizeof(*l->closed));
	for (size_t i = 0; l->closed && i < n; i++)
		l->closed[i] = n > MAX_OPEN && fs_shares_row(d->eval.shares, i)->depth >= 1;
	return l->closed ? 0 : -1;
}

/* Marks the rows to show: rows that pass the filter and, in a tree, their ancestors. Without a filter, hides the
 * children of closed rows. */
static void mark_rows(const struct list *l, const struct data *d, size_t n, bool *show)
{
	const bool all = !*l->filter.text;

	for (size_t i = n; i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, i);

		if (!row->visible || (l->flat && !*row->user))
			continue;
		show[i] = show[i] || all || list_passes(l, d, (uint32_t)i);
		if (show[i] && !l->flat && row->parent_row != FS_NO_ROW)
			show[row->parent_row] = true;
	}
	for (size_t i = 0; i < n && all && !l->flat; i++) {
		const uint32_t parent = fs_shares_row(d->eval.shares, i)->parent_row;

		if (parent != FS_NO_ROW && (l->closed[parent] || !show[parent]))
			show[i] = false;
	}
}

/* Fills the list with the rows of the tree in preorder. Siblings keep their order in `rows`. */
static int walk_tree(struct list *l, const struct data *d, const uint32_t *rows, size_t n)
{
	const size_t all = data_shares(d);
	uint32_t *first = malloc((all + 1) * sizeof(*first)),
		 *next = malloc((all + 1) * sizeof(*next));
	uint32_t at = FS_NO_ROW;

	if (!first || !next) {
		free(first);
		free(next);
		return -1;
	}
	memset(first, 0xff, (all + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) { /* the last element is the list of roots */
		const uint32_t parent = fs_shares_row(d->eval.shares, rows[i])->parent_row;
		uint32_t *head = &first[parent == FS_NO_ROW ? all : parent];

		next[rows[i]] = *head;
		*head = rows[i];
	}
	for (at = first[all]; at != FS_NO_ROW;) {
		l->own[l->n++] = at;
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

int tree_order(struct list *l, const struct data *d, bool narrower)
{
	const size_t all = data_shares(d);
	bool *show = calloc(all + 1, sizeof(*show));
	uint32_t *rows = malloc((all + 1) * sizeof(*rows)), *arranged = NULL;
	size_t n = 0;
	int rc = -1;

	(void)narrower;
	if (!show || !rows || (!l->closed && close_tree(l, d)))
		goto out;
	mark_rows(l, d, all, show);
	for (size_t i = 0; i < all; i++)
		if (show[i])
			rows[n++] = (uint32_t)i;
	if (list_arrange(l, d, rows, n, &arranged))
		goto out;
	list_take(l, rows, 0);
	rows = NULL;
	rc = 0;
	if (l->flat) {
		list_take(l, arranged, n);
		arranged = NULL;
	} else {
		rc = walk_tree(l, d, arranged, n);
	}
out:
	free(show);
	free(rows);
	free(arranged);
	return rc;
}

/* Tries `guess` first, because rows only move by the number of rows added or removed before them. */
uint32_t tree_find(const struct data *d, const struct fs_share_row *old, size_t guess)
{
	if (guess < data_shares(d)) {
		const struct fs_share_row *row = fs_shares_row(d->eval.shares, guess);

		if (!strcmp(row->account, old->account) && !strcmp(row->user, old->user) &&
		    !strcmp(row->partition, old->partition))
			return (uint32_t)guess;
	}
	return data_find_share(d, old->account, old->user, old->partition);
}

int tree_carry(struct list *l, const struct data *old, const struct data *d)
{
	const size_t n = data_shares(old);
	bool *closed = l->closed ? calloc(data_shares(d) + 1, sizeof(*closed)) : NULL;

	for (size_t i = 0, guess = 0; closed && i < n && d->eval.shares; i++, guess++) {
		const uint32_t at = l->closed[i] ? tree_find(d, fs_shares_row(old->eval.shares, i), guess) : FS_NO_ROW;

		if (at == FS_NO_ROW)
			continue;
		closed[at] = true;
		guess = at;
	}
	free(l->closed);
	l->closed = closed; /* NULL: all branches are open */
	return closed ? 0 : -1;
}
