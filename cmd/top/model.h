/* The state of the screen. model_update_on_event is the only function that changes it in response to an event; it
 * returns what the caller must do. view_draw_screen turns the state into cells. Neither uses files, clocks or
 * terminals. The model owns its data, which model_init_with_data and EV_DATA hand over. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "top/data.h"
#include "top/list.h"
#include "top/screen.h"
#include "top/words.h"
#include "top/ops.h"

enum mode { MODE_LIST, MODE_TEXT, MODE_PROMPT, MODE_MENU };
enum text_kind { TEXT_EXPLAIN, TEXT_COMPARE, TEXT_FORECAST, TEXT_HELP };
enum prompt_kind {
	PROMPT_SEARCH, PROMPT_FILTER, PROMPT_USER, PROMPT_ACCOUNT, PROMPT_PARTITION, PROMPT_WRITE, PROMPT_IF
};
enum menu_kind { MENU_SORT, MENU_COLUMNS };

/* Identifies a queue row in later snapshots. The strings are copies. */
struct job_key {
	uint64_t job;
	char partition[128], qos[128];
};

enum { TAGS = 2, MAX_COLUMNS = 96, PROMPT_SIZE = FILTER_SIZE };

struct search {
	char text[PROMPT_SIZE];
	size_t next_row, rows_left; /* next row to check, and number of rows left to check */
	size_t start_row;	 /* selected row to which Esc returns */
	bool backwards;
	bool no_match;	 /* no row contains the text */
};

/* Hypothetical commands of the user, in order. They must not change while new data is being computed. */
enum { WHAT_IFS = 32 };
struct what_ifs {
	char text[WHAT_IFS][PROMPT_SIZE];
	size_t n;
	size_t recalled; /* index of the command recalled into the prompt; n: none */
	bool added;	 /* the data with the last command has not been computed yet */
};

/* Size of the screen and how it is drawn. */
struct model_screen {
	unsigned cols, rows;
	bool utf8, writes_utf8; /* UTF-8 on the screen, and in written files */
	enum theme theme;
	bool can_show_blocks; /* the screen has colours and UTF-8 */
	bool blocks; /* draw bars with block elements instead of letters: can_show_blocks, and the theme has colours */
};

/* Tagged jobs, for the comparison. */
struct model_tags {
	struct job_key key[TAGS];
	uint32_t row[TAGS]; /* queue rows of the jobs; FS_NO_ROW: not in this snapshot */
	unsigned n;
};

/* The pane below the list: the short explanation of the selected row. */
struct model_pane {
	struct lines lines;
	uint32_t row;	/* row that `lines` explains */
	enum view view; /* view of that row */
	unsigned width; /* width of the lines; 0: they must be made again */
};

/* The text of MODE_TEXT. */
struct model_text {
	struct lines lines;
	enum text_kind kind;
	bool has_explanation; /* the explanation of fs-explain is in the text, or there is none for it */
	bool over_menu; /* the text is help opened from a menu */
	char title[160];
	size_t top; /* first line on the screen */
};

/* The input line of MODE_PROMPT. */
struct model_prompt {
	enum prompt_kind kind;
	enum mode mode_below; /* mode to return to */
	char text[PROMPT_SIZE];
};

/* The menu of MODE_MENU. */
struct model_menu {
	enum menu_kind kind;
	size_t sel; /* selected entry */
};

/* What the last line of the screen reports. */
struct model_status {
	char message[400]; /* shown until the next key; "": none */
	bool is_warning;   /* the message is a warning */
	bool out_of_memory;	   /* memory ran out once, so something was not shown */
	char load_error[400]; /* why the newest snapshot could not be loaded; "": it is shown */
};

struct model {
	struct data *data;
	struct data *retired; /* data replaced by new data, until model_take_retired_data or the next replacement */
	struct model_screen screen;
	int64_t now; /* current time, seconds since the epoch; FS_UNKNOWN: the age of the snapshot is not shown */
	bool loading; /* new data is being loaded */
	bool follow;  /* the selection follows its job when the data is replaced */

	enum mode mode;
	enum view view; /* current view */
	struct list list[VIEWS];
	signed char column_choice[VIEWS][MAX_COLUMNS]; /* 1: shown, -1: hidden, 0: by screen width */
	unsigned scroll[VIEWS]; /* number of columns scrolled out at the left */
	unsigned zoom; /* zoom level of the timeline: each halves the time span shown */

	struct model_tags tags;
	struct model_pane pane;
	struct model_text text;
	struct model_prompt prompt;
	struct model_menu menu;
	struct model_status status;
	struct search search;
	struct what_ifs what_if;
};

enum event_kind {
	EV_KEY,
	EV_MOUSE,   /* x, y; key CODE_ENTER: button pressed, CODE_UP, CODE_DOWN: mouse wheel */
	EV_RESIZE,  /* x, y: new size */
	EV_CLOCK,   /* time: current time */
	EV_LOADING, /* loading new data has started */
	EV_DATA,    /* data: new data, which the model then owns */
	EV_PLANNED, /* chart: of the current data, which then owns it; NULL: out of memory */
	EV_FAILED,  /* text: why there is no new data */
	EV_WORDS,   /* words: the explanation for `request` */
	EV_SAID,    /* text: report of something done */
	EV_WARNED   /* text: warning that something was not done */
};

struct event {
	enum event_kind kind;
	int key;
	unsigned x, y;
	int64_t time;
	struct data *data;
	struct chart *chart;
	const struct explanation_request *request;
	const struct lines *words;
	const char *text;
};

/* What the caller must do, as bits. */
enum {
	REACT_QUIT = 1,
	REACT_RELOAD = 2,    /* load the snapshot again, with the commands in what_if if it is a file or the demo */
	REACT_ALGORITHM = 4, /* compute the data with the next algorithm */
	REACT_WRITE = 8,     /* write the explanation to the file named in the prompt */
	REACT_REDRAW = 16,
	REACT_PLAN = 64,     /* compute the chart and send EV_PLANNED */
	REACT_WORDS = 32     /* make the explanation of model_needs_explanation and send EV_WORDS */
};

/* Initialises the model, which then owns the data. Returns -1 if out of memory: lists are then empty until rows or
 * order are next changed. */
int model_init_with_data(struct model *m, struct data *data, unsigned cols, unsigned rows);
void model_free_data(struct model *m);

/* Returns the data that EV_DATA replaced, or NULL. The caller frees it, possibly in another thread, because that may
 * take long. If it is not fetched, it is freed with the next replacement or with the model. */
struct data *model_take_retired_data(struct model *m);

unsigned model_update_on_event(struct model *m, const struct event *e);

/* Draws the model into g, which is resized to the model's size. Returns -1 if out of memory. */
int view_draw_screen(const struct model *m, struct grid *g);

/* Continues sorting, filtering and searching for some milliseconds. Returns true if there is more to do. */
bool model_continue_work(struct model *m);

/* Rows of the screen used by the list and the pane. */
struct layout {
	unsigned list_top, list_rows, pane_top, pane_rows; /* pane_rows includes the title; 0: no pane */
};
void model_get_row_layout(const struct model *m, struct layout *out);

/* Returns true if the column is shown at the current screen width. */
bool model_shows_column(const struct model *m, size_t column); /* column: of the current view */

/* Appends the short explanation of the selected row to l. */
void model_explain_selected(const struct model *m, struct lines *l, unsigned width);

/* Set *out to the explanation that the text on the screen needs, or that is to be written to a file for the selected
 * row or the comparison. Return false if none is needed or possible. */
bool model_needs_explanation(const struct model *m, struct explanation_request *out);
bool model_get_file_request(const struct model *m, struct explanation_request *out);

/* Formats the selected row for titles and file names: "812064 bob", "physics". */
void model_format_subject(const struct model *m, char *buf, size_t size);

/* Lists the names that start with the text in the prompt, at most max. Returns their number. */
size_t model_list_prompt_names(const struct model *m, const char **names, size_t max);

bool model_is_row_tagged(const struct model_tags *t, uint32_t row);

/* ---- for model_update_on_event */
void model_refresh_screen(struct model *m);
void model_set_message(struct model_status *s, bool is_warning, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports and records that memory ran out. */
void model_report_no_memory(struct model_status *s);
int model_adopt_data(struct model *m, struct data *data);
void model_toggle_row_tag(struct model *m, uint32_t row);
void model_open_text(struct model *m, enum text_kind kind);
void model_take_words(struct model *m, const struct explanation_request *q, const struct lines *words);

/* Enables bars of block elements if the screen can show them and the theme has colours. */
void model_use_blocks(struct model *m, bool can);
void model_use_theme(struct model *m, enum theme t);

/* ---- layout: positions of columns, tabs, menu entries and the keys of the last line, for drawing and for mouse clicks
 */

enum {
	LAYOUT_MARK_COLUMNS = 2,
	LAYOUT_TABS_ROW = 1,
	LAYOUT_HEADINGS_ROW = 2,
	LAYOUT_MENU_ROW = 3
}; /* number of mark columns, and rows of the
									       * screen */
enum { LAYOUT_MENU_WIDTH = 30, MIN_COLS = 20, MIN_ROWS = 5 };

struct column_slot {
	struct view_column column;
	unsigned x, width;
	size_t index;
};

struct column_slots {
	struct column_slot place[MAX_COLUMNS];
	size_t n;
};

/* Lays out the columns of the current view that fit, from left to right. */
void layout_place_visible_columns(const struct model *m, struct column_slots *out);

/* Returns the screen column at which the tab of view v begins; VIEWS: the first column after the tabs. */
unsigned layout_get_tab_column(const struct model *m, enum view v);

/* Sets *out to the i-th key of the last line. Returns false if there is none or it does not fit. */
struct key_slot {
	const struct binding *binding;
	unsigned x, width;
};
bool layout_get_bar_key(unsigned cols, size_t i, struct key_slot *out);

/* Return the number of entries of the menu, and the first entry on the screen. */
size_t layout_count_menu_entries(const struct model *m);
size_t layout_get_menu_top(const struct model *m);

/* Return what is at a position; VIEWS, SIZE_MAX or ACT_NONE if nothing is. */
enum view layout_find_tab_at(const struct model *m, unsigned x);
size_t layout_find_column_at(const struct model *m, unsigned x);
enum action layout_find_action_at(const struct model *m, unsigned x);

#endif
