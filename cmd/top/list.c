#include "top/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 8192 };

/* ---- what a row contains */

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool contains(const char *text, const char *word)
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

static bool job_contains(const struct data *d, const struct fs_queue_row *row, const char *word)
{
	struct fs_job job;
	char id[ID_TEXT];

	if (contains(row->user, word) || contains(row->account, word) || contains(row->partition, word) ||
	    contains(row->qos, word))
		return true;
	fs_snapshot_job(d->snapshot, row->job_row, &job);
	if (contains(job.reason, word) || contains(job.name, word))
		return true;
	return contains(data_job_id(d, row->job, id), word);
}

bool list_matches(enum view view, const struct data *d, uint32_t i, const char *text)
{
	const struct fs_share_row *share;
	struct fs_queue_row row;

	switch (view) {
	case VIEW_QUEUE:
		fs_queue_row(d->queue, i, &row);
		return job_contains(d, &row, text);
	case VIEW_SHARES:
		share = fs_shares_row(d->shares, i);
		return contains(share->user, text) || (!*share->user && contains(share->account, text));
	default:
		return contains(d->partition[i].name, text);
	}
}

bool filter_active(const struct filter *f)
{
	return *f->text || *f->user || *f->account || *f->partition;
}

static bool passes(const struct list *l, const struct data *d, uint32_t i)
{
	const struct filter *f = &l->filter;
	struct fs_queue_row row;

	if (l->view != VIEW_QUEUE)
		return !*f->text || list_matches(l->view, d, i, f->text);
	fs_queue_row(d->queue, i, &row);
	return (!*f->user || !strcmp(row.user, f->user)) && (!*f->partition || !strcmp(row.partition, f->partition)) &&
	       (!*f->account || fs_snapshot_account_within(d->snapshot, row.account, f->account)) &&
	       (!*f->text || job_contains(d, &row, f->text));
}

/* ---- sorting */

struct key {
	const char *text;
	double number;
	uint32_t row;
};

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* Texts rise, numbers fall; what has no value comes last. */
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

/* Rows sorted by a column; equal ones stay as they are. */
static int sort_rows(const struct list *l, const struct data *d, const uint32_t *rows, size_t n,
		     struct sorted *out)
{
	struct key *keys = malloc((n + 1) * sizeof(*keys));
	struct column c;
	struct value v;

	out->row = malloc((n + 1) * sizeof(*out->row));
	if (!keys || !out->row) {
		free(keys);
		return -1;
	}
	column_get(l->view, d, l->sort, &c);
	for (size_t i = 0; i < n; i++) {
		column_value(l->view, d, rows[i], &c, &v);
		keys[i] = (struct key){ v.text, v.number, rows[i] };
	}
	if (fs_sort(keys, n, sizeof(*keys), compare_keys, NULL)) {
		free(keys);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		out->row[i] = keys[i].row;
	while (out->unknown < n && no_value(&keys[n - 1 - out->unknown]))
		out->unknown++;
	free(keys);
	return 0;
}

/* ---- the order of each view */

static int order_queue(struct list *l, const struct data *d)
{
	l->order = d->jobs;
	l->n = d->njobs;
	l->unknown = 0;
	if (l->sort == SIZE_MAX)
		return 0;
	if (!l->sorted[l->sort].row && sort_rows(l, d, d->jobs, d->njobs, &l->sorted[l->sort]))
		return -1;
	l->order = l->sorted[l->sort].row;
	l->unknown = l->sorted[l->sort].unknown;
	return 0;
}

/* Marks the rows to show: those that pass, in a tree also what is above them. */
static void mark_rows(const struct list *l, const struct data *d, size_t n, bool *show)
{
	const bool all = !*l->filter.text;

	for (size_t i = n; i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(d->shares, i);

		if (!row->visible || (l->flat && !*row->user))
			continue;
		show[i] = show[i] || all || passes(l, d, (uint32_t)i);
		if (show[i] && !l->flat && row->parent_row != UINT32_MAX)
			show[row->parent_row] = true;
	}
	for (size_t i = 0; i < n && all && !l->flat; i++) {
		const uint32_t parent = fs_shares_row(d->shares, i)->parent_row;

		if (parent != UINT32_MAX && (l->closed[parent] || !show[parent]))
			show[i] = false;
	}
}

/* Preorder over `rows`, in which siblings stand as they are to be shown. */
static int walk_tree(struct list *l, const struct data *d, const uint32_t *rows, size_t n)
{
	const size_t all = data_shares(d);
	uint32_t *first = malloc((all + 1) * sizeof(*first)), *next = malloc((all + 1) * sizeof(*next));
	uint32_t at = UINT32_MAX;

	if (!first || !next) {
		free(first);
		free(next);
		return -1;
	}
	memset(first, 0xff, (all + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) { /* slot `all` is the roots' */
		const uint32_t parent = fs_shares_row(d->shares, rows[i])->parent_row;
		uint32_t *head = &first[parent == UINT32_MAX ? all : parent];

		next[rows[i]] = *head;
		*head = rows[i];
	}
	for (at = first[all]; at != UINT32_MAX;) {
		l->own[l->n++] = at;
		if (first[at] != UINT32_MAX) {
			at = first[at];
			continue;
		}
		while (at != UINT32_MAX && next[at] == UINT32_MAX)
			at = fs_shares_row(d->shares, at)->parent_row;
		at = at == UINT32_MAX ? at : next[at];
	}
	free(first);
	free(next);
	return 0;
}

static void reverse(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const uint32_t t = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* The rows in `rows`, sorted and turned round as asked for, into *out (yours). */
static int arrange(const struct list *l, const struct data *d, const uint32_t *rows, size_t n, uint32_t **out)
{
	struct sorted sorted = { 0 };

	if (l->sort != SIZE_MAX) {
		if (sort_rows(l, d, rows, n, &sorted)) {
			free(sorted.row);
			return -1;
		}
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

static int take_own(struct list *l, uint32_t *rows, size_t n)
{
	free(l->own);
	l->own = rows;
	l->order = rows;
	l->n = n;
	l->unknown = 0;
	return 0;
}

static int order_shares(struct list *l, const struct data *d)
{
	const size_t all = data_shares(d);
	bool *show = calloc(all + 1, sizeof(*show));
	uint32_t *rows = malloc((all + 1) * sizeof(*rows)), *arranged = NULL;
	size_t n = 0;
	int rc = -1;

	if (!show || !rows)
		goto out;
	mark_rows(l, d, all, show);
	for (size_t i = 0; i < all; i++)
		if (show[i])
			rows[n++] = (uint32_t)i;
	if (arrange(l, d, rows, n, &arranged))
		goto out;
	take_own(l, rows, 0);
	rows = NULL;
	rc = 0;
	if (l->flat) {
		take_own(l, arranged, n);
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

static int order_partitions(struct list *l, const struct data *d)
{
	uint32_t *rows = malloc((d->partitions + 1) * sizeof(*rows)), *arranged;
	size_t n = 0;
	int rc;

	if (!rows)
		return -1;
	for (uint32_t i = 0; i < d->partitions; i++)
		if (passes(l, d, i))
			rows[n++] = i;
	rc = arrange(l, d, rows, n, &arranged);
	free(rows);
	return rc ? rc : take_own(l, arranged, n);
}

/* ---- the list */

size_t list_count(const struct list *l)
{
	return l->filtered ? l->nkept : l->n;
}

/* The small views are turned round already. */
static uint32_t at_place(const struct list *l, size_t k)
{
	const size_t turned = l->n - l->unknown;

	return l->order[l->view == VIEW_QUEUE && l->inverted && k < turned ? turned - 1 - k : k];
}

uint32_t list_row(const struct list *l, size_t k)
{
	return l->filtered ? l->kept[k] : at_place(l, k);
}

uint32_t list_selected(const struct list *l)
{
	return l->sel < list_count(l) ? list_row(l, l->sel) : UINT32_MAX;
}

void list_select(struct list *l, uint32_t row)
{
	const size_t n = list_count(l);

	l->wanted = UINT32_MAX;
	for (size_t k = 0; k < n; k++)
		if (list_row(l, k) == row) {
			l->sel = k;
			return;
		}
	l->wanted = row;
}

bool list_work(struct list *l, const struct data *d)
{
	const size_t end = l->n - l->scanned > SLICE ? l->scanned + SLICE : l->n;

	if (!l->filtered || l->scanned == l->n)
		return false;
	for (; l->scanned < end; l->scanned++) {
		const uint32_t row = at_place(l, l->scanned);

		if (!passes(l, d, row))
			continue;
		if (row == l->wanted) {
			l->sel = l->nkept;
			l->wanted = UINT32_MAX;
		}
		l->kept[l->nkept++] = row;
	}
	return l->scanned < l->n;
}

/* What has passed so far is looked at again; there may be as many as there are jobs, but they only shrink. */
static void narrow(struct list *l, const struct data *d)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nkept; i++)
		if (passes(l, d, l->kept[i]))
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
	list_work(l, d);
	return 0;
}

int list_refresh(struct list *l, const struct data *d, bool narrower)
{
	const uint32_t row = l->wanted != UINT32_MAX ? l->wanted : list_selected(l);
	int rc;

	if (l->view == VIEW_QUEUE)
		rc = order_queue(l, d) || refilter(l, d, narrower);
	else
		rc = l->view == VIEW_SHARES ? order_shares(l, d) : order_partitions(l, d);
	if (rc)
		return -1;
	list_select(l, row);
	return 0;
}

int list_invert(struct list *l, const struct data *d)
{
	if (l->wanted == UINT32_MAX)
		l->wanted = list_selected(l);
	l->inverted = !l->inverted;
	return list_refresh(l, d, false);
}

static void forget_sorted(struct list *l)
{
	for (size_t i = 0; i < l->columns; i++)
		free(l->sorted[i].row);
	free(l->sorted);
	l->sorted = NULL;
	l->columns = 0;
}

enum { OPEN_MOST = 200 };

/* A small tree is open, of a large one the first level. */
static int close_tree(struct list *l, const struct data *d)
{
	const size_t n = data_shares(d);

	l->closed = calloc(n + 1, sizeof(*l->closed));
	for (size_t i = 0; l->closed && i < n; i++)
		l->closed[i] = n > OPEN_MOST && fs_shares_row(d->shares, i)->depth >= 1;
	return l->closed ? 0 : -1;
}

int list_adopt(struct list *l, const struct data *d)
{
	forget_sorted(l);
	free(l->kept);
	l->kept = NULL;
	l->filtered = false;
	l->columns = columns_count(l->view, d);
	l->sorted = calloc(l->columns + 1, sizeof(*l->sorted));
	if (!l->sorted)
		return -1;
	if (l->sort != SIZE_MAX && l->sort >= l->columns)
		l->sort = SIZE_MAX;
	if (l->view == VIEW_SHARES && !l->closed && close_tree(l, d))
		return -1;
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
