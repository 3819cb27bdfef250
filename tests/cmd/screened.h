/* Helpers for tests of fs-top: make a model from the text of a snapshot, press keys, and check what must be true of
 * every screen. */
#ifndef SCREENED_H
#define SCREENED_H

#define _XOPEN_SOURCE 700 /* declares wcwidth */

#include "fstest.h"
#include "top/ops.h"
#include "top/model.h"

#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#define SLURM_HEAD \
	"{'type':'snapshot','format':1,'time':5000,'priority_time':5000,'cluster':'c','scheduler':'slurm 26.05.0'}\n" \
	"{'type':'config','PriorityType':'priority/multifactor','PriorityWeightAge':1000,'PriorityMaxAge':10000," \
	"'PriorityWeightPartition':500}\n" REC("partition", "'name':'short','tier':1,'job_factor':3") \
	REC("partition", "'name':'long','tier':1,'job_factor':1") \
	REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0") \
	REC("association", "'id':2,'account':'lab','parent':'root','shares':1,'usage_tres_s':30") \
	REC("association", "'id':3,'account':'lab','user':'anna','shares':1,'usage_tres_s':10") \
	REC("association", "'id':4,'account':'lab','user':'bob','shares':1,'usage_tres_s':20") \
	REC("association", "'id':5,'account':'shop','parent':'root','shares':1,'usage_tres_s':0")

static inline struct data *screened_data(fs_snapshot *s, const struct data *old, size_t sorted_by)
{
	const struct data_options o = { .view.viewer = "root", .queue = &view_queue, .sorted_by = sorted_by };
	struct data *d;
	struct fs_error err;

	fst_no_error(data_make_from_snapshot(&d, s, NULL, &o, old, &err), &err);
	return d;
}

static inline void screened_open(struct model *m, const char *text, unsigned cols, unsigned rows)
{
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	assert_int_equal(model_init_with_data(m, screened_data(fst_snapshot(text), NULL, SIZE_MAX), cols, rows), 0);
	m->screen.utf8 = true;
}

/* Returns a snapshot with the pending jobs `first` to `last`, but without the job `gone`. The jobs belong alternately
 * to anna and bob. Each job has a lower priority than the job before it. The caller frees the text. */
static inline char *screened_jobs(unsigned first, unsigned last, unsigned gone)
{
	struct fst_sink s = { 0 };

	fst_put(&s, "%s", SLURM_HEAD);
	for (unsigned i = first; i <= last; i++)
		if (i != gone)
			fst_put(&s, "{'type':'job','id':%u,'state':'PENDING','user':'%s','account':'lab','name':'run%u',"
				    "'partitions':['%s'],'priority':%u,'submit_time':100,'eligible_time':100,"
				    "'accrue_time':100,'cpus':%u,'reason':'Priority'}\n", i, i % 2 ? "anna" : "bob", i,
				i % 3 ? "short" : "long", 1000000 - i, i * 7919 % 10007);
	return s.data;
}

static inline void screened_open_jobs(struct model *m, unsigned jobs, unsigned cols, unsigned rows)
{
	char *text = screened_jobs(1, jobs, 0);

	screened_open(m, text, cols, rows);
	free(text);
}

/* Sends an event and completes the work that the event causes. Returns the reaction without this work. */
static inline unsigned screened_event(struct model *m, const struct event *e)
{
	unsigned reaction = model_update_on_event(m, e);
	struct explanation_request q;
	struct lines words = { 0 };

	while (model_continue_work(m))
		;
	if (reaction & REACT_PLAN)
		reaction |= model_update_on_event(
			m, &(struct event){ .kind = EV_PLANNED, .chart = chart_make_planned(m->data) });
	if (reaction & REACT_WORDS) {
		assert_true(model_needs_explanation(m, &q));
		words_make_explanation(&words, m->data, &q);
		model_update_on_event(m, &(struct event){ .kind = EV_WORDS, .request = &q, .words = &words });
		lines_free_all(&words);
	}
	return reaction & ~(unsigned)(REACT_PLAN | REACT_WORDS);
}

static inline unsigned screened_key(struct model *m, int key)
{
	return screened_event(m, &(struct event){ .kind = EV_KEY, .key = key });
}

/* Presses keys given by their names, such as "j j Down /". */
static inline unsigned screened_keys(struct model *m, const char *names)
{
	char name[32];
	unsigned reaction = 0;

	for (size_t n; *names; names += n + strspn(names + n, " ")) {
		n = strcspn(names, " ");
		assert_in_range(n, 1, sizeof(name) - 1);
		memcpy(name, names, n);
		name[n] = '\0';
		assert_int_not_equal(key_find_by_name(name), 0);
		reaction = screened_key(m, key_find_by_name(name));
	}
	return reaction;
}

static inline void screened_reload(struct model *m, const char *text)
{
	struct data *d = screened_data(fst_snapshot(text), m->data, m->list[VIEW_QUEUE].sort);

	screened_event(m, &(struct event){ .kind = EV_DATA, .data = d });
}

static inline uint64_t screened_job(const struct model *m)
{
	const uint32_t row = list_get_selected_row(&m->list[VIEW_QUEUE]);
	struct fs_queue_row job;

	assert_int_not_equal(row, UINT32_MAX);
	fs_queue_row(m->data->eval.queue, row, &job);
	return job.job;
}

/* ---- checks of a screen */

static inline bool screened_steers(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || (c >= 0xfe00 && c <= 0xfe0f) ||
	       c == 0xfeff || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff || (c >= 0xe0000 && c < 0xe1000);
}

/* Checks that each row is as wide as the screen and that no cell moves the cursor or reverses the text. */
static inline void screened_check(const struct model *m)
{
	struct grid g = { 0 };

	assert_int_equal(view_draw_screen(m, &g), 0);
	assert_int_equal(g.cols, m->screen.cols);
	assert_int_equal(g.rows, m->screen.rows);
	assert_true(g.cursor_x < g.cols && g.cursor_y < g.rows);
	for (unsigned y = 0; y < g.rows; y++) {
		const struct cell *row = g.cell + (size_t)y * g.cols;

		for (unsigned x = 0, width; x < g.cols; x += width) {
			const int wide = row[x].ch < 0x80 ? 1 : wcwidth((wchar_t)row[x].ch);

			assert_false(screened_steers(row[x].ch));
			assert_true(wide == 1 || wide == 2);
			assert_true(row[x].attr < ATTR_COUNT);
			assert_true(m->screen.utf8 || (row[x].ch < 0x80 && !row[x].mark));
			assert_false(row[x].mark && screened_steers(row[x].mark));
			assert_int_equal(row[x].mark ? wcwidth((wchar_t)row[x].mark) : 0, 0);
			width = (unsigned)wide;
			assert_true(x + width <= g.cols);
			assert_true(width == 1 || !row[x + 1].ch);
		}
	}
	grid_free_cells(&g);
}

/* Writes row y of the screen to buf as text, without trailing blanks. A character that is not ASCII becomes a question
 * mark. */
static inline const char *screened_row(const struct model *m, unsigned y, char *buf, size_t size)
{
	struct grid g = { 0 };
	size_t n = 0;

	assert_int_equal(view_draw_screen(m, &g), 0);
	assert_true(y < g.rows);
	for (unsigned x = 0; x < g.cols && n + 1 < size; x++)
		buf[n++] = (char)(g.cell[(size_t)y * g.cols + x].ch < 0x80 ? g.cell[(size_t)y * g.cols + x].ch : '?');
	while (n && buf[n - 1] == ' ')
		n--;
	buf[n] = '\0';
	grid_free_cells(&g);
	return buf;
}

static inline bool screened_shows(const struct model *m, const char *text)
{
	char row[1000];

	for (unsigned y = 0; y < m->screen.rows; y++)
		if (strstr(screened_row(m, y, row, sizeof(row)), text))
			return true;
	return false;
}

#endif
