/* A view: one file with its columns and with what is its own in drawing, choosing and explaining rows. All else asks
 * these operations and knows of no view by name. */
#ifndef TOP_VIEWS_OPS_H
#define TOP_VIEWS_OPS_H

#include "top/data/data.h"
#include "top/screen/lines.h"
#include "top/update/keys.h"

enum view { VIEW_QUEUE, VIEW_SHARES, VIEW_PARTITIONS, VIEW_TIMELINE, VIEWS };

struct explain_view;
struct list;
struct model;
struct page;
struct value;
struct view_column;
struct words_request;

/* A bar to draw. */
struct bar {
	unsigned x, y, width;
	const char *letters; /* of the priority's terms */
	size_t terms;
};

struct view_ops {
	const char *name, *tab;
	const struct view_column *column;
	size_t columns;
	bool terms;	  /* it has columns of the priority's terms too */
	unsigned fixed;	  /* columns that stay when the others scroll */
	bool jobs;	  /* its rows are jobs: they can be tagged, and are sorted and filtered in slices */
	bool forecasts;	  /* of its rows there may be one */
	bool planned;	  /* its rows are of data->chart, which must be made for it */
	const char *none; /* when there is no row, whatever the filter */

	/* Why there can be none; NULL: nothing stands against it. */
	const char *(*trouble)(const struct data *d);
	void (*value)(const struct data *d, uint32_t row, const struct view_column *c, struct value *out);
	/* Changes a value to what is shown with the filter there is; NULL: nothing. */
	void (*shown)(const struct model *m, uint32_t row, const struct view_column *c, struct value *v);
	void (*bar)(const struct model *m, struct grid *g, const struct bar *b, uint32_t row);
	/* Above the bars in place of the column's name; NULL: the name. */
	void (*heading)(const struct model *m, struct grid *g, const struct bar *b);

	/* Does the row contain the text, and does it pass the list's filter? NULL: if it contains the filter's text. */
	bool (*contains)(const struct data *d, uint32_t row, const char *text);
	bool (*passes)(const struct list *l, const struct data *d, uint32_t row);
	/* The rows into the list, in its order; -1 without memory. NULL: the first `count` that pass. */
	int (*order)(struct list *l, const struct data *d, bool narrower);
	uint32_t (*count)(const struct data *d);
	/* The row of old in new data, or FS_NO_ROW (NULL: none is); and what a list keeps by row, carried over (NULL:
	 * nothing). */
	uint32_t (*find)(const struct data *d, const struct data *old, uint32_t row);
	int (*carry)(struct list *l, const struct data *old, const struct data *d);

	void (*pane)(struct lines *l, const struct data *d, uint32_t row, unsigned width);
	void (*subject)(const struct data *d, uint32_t row, char *buf, size_t size);
	/* What fs-explain says of a row; NULL: nothing. -1 without memory. */
	int (*page)(struct page *p, struct explain_view *v, const struct data *d, const struct words_request *q);
	/* What the action does in this view alone; false: what it does in every one. */
	bool (*act)(struct model *m, enum action a);
};

extern const struct view_ops view_queue, view_shares, view_partitions, view_timeline;

#endif
