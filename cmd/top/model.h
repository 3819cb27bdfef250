/* The state of the screen. model_update is its only way to change: (state, event) -> state and what the caller
 * must do; view_draw turns it into cells. Neither knows of files, clocks or terminals. */
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

/* A row of the queue, so that it is found again in the next snapshot. Strings are copies. */
struct job_key {
	uint64_t job;
	char partition[128], qos[128];
};

enum { TAGS = 2, MAX_COLUMNS = 96, PROMPT_SIZE = FILTER_SIZE };

struct search {
	char text[PROMPT_SIZE];
	size_t at, left; /* next row to look at, rows still to look at */
	size_t from;	 /* where Esc returns to */
	bool backwards;
	bool missed;	 /* no row has the text */
};

/* Commands that are supposed to have been given, in their order. They do not change while new data are being
 * computed. */
enum { WHAT_IFS = 32 };
struct what_ifs {
	char text[WHAT_IFS][PROMPT_SIZE];
	size_t n;
	size_t recalled; /* which command the prompt shows again; n: none */
	bool added;	 /* the last one has not been computed yet */
};

struct model {
	struct data *data;
	struct data *retired; /* see model_retired */
	unsigned cols, rows;
	bool utf8, writes_utf8; /* on the screen, in files */
	enum theme theme;
	bool can_block; /* the screen has colours and UTF-8 */
	bool blocks; /* and the theme colours: the screen has colours and UTF-8: bars need no letters */
	char source[256]; /* what is shown: a file's name, "demo", "live" */
	int64_t now;	  /* FS_UNKNOWN: nobody looks at a clock */
	bool loading, follow;

	enum view view;
	struct list list[VIEWS];
	signed char chosen[VIEWS][MAX_COLUMNS]; /* 1 shown, -1 not, 0 by width */
	unsigned zoom; /* of the timeline: how often its span is halved */
	unsigned scroll[VIEWS];			 /* columns scrolled away */
	struct job_key tag[TAGS];
	uint32_t tag_row[TAGS]; /* FS_NO_ROW: not here now */
	unsigned tags;

	enum mode mode, under; /* under: the mode beneath a prompt */
	struct lines pane;
	uint32_t pane_row;
	enum view pane_view;
	unsigned pane_width;
	struct lines text; /* of MODE_TEXT */
	enum text_kind text_kind;
	bool has_words; /* of fs-explain, as far as it has any */
	bool over_menu; /* the text is help that was asked for in a menu */
	char title[160];
	size_t text_top;
	enum prompt_kind prompt_kind;
	char prompt[PROMPT_SIZE];
	struct search search;
	struct what_ifs what_if;
	enum menu_kind menu_kind;
	size_t menu_sel, menu_top;
	char message[400]; /* until the next key */
	bool warns;
	bool starved; /* at some time memory was out, and something was not shown */
	char trouble[400]; /* why the newest snapshot is not the one shown; "" it is */
};

enum event_kind {
	EV_KEY,
	EV_MOUSE,   /* x, y; key CODE_ENTER: pressed, CODE_UP, CODE_DOWN: wheel */
	EV_RESIZE,  /* x, y */
	EV_CLOCK,   /* time */
	EV_LOADING, /* a new snapshot is being read */
	EV_DATA,    /* data: new, becomes the model's */
	EV_PLANNED, /* chart: of the data there are, becomes theirs; NULL: no memory */
	EV_FAILED,  /* text: why there is no new data */
	EV_WORDS,   /* words: what fs-explain says, of `request` */
	EV_SAID,    /* text: something was done */
	EV_WARNED   /* text: why something was not done */
};

struct event {
	enum event_kind kind;
	int key;
	unsigned x, y;
	int64_t time;
	struct data *data;
	struct chart *chart;
	const struct words_request *request;
	const struct lines *words;
	const char *text;
};

/* What the caller must do; bits. */
enum {
	REACT_QUIT = 1,
	REACT_RELOAD = 2,    /* read the snapshot again, with what_if if it is a file or the demo */
	REACT_ALGORITHM = 4, /* the one after data->algorithm */
	REACT_WRITE = 8,     /* the explanation to the file named by prompt */
	REACT_REDRAW = 16,
	REACT_PLAN = 64,     /* EV_PLANNED when it is there */
	REACT_WORDS = 32     /* model_words_wanted: EV_WORDS when they are there */
};

/* data becomes the model's. -1 without memory: lists are empty, and are made at the next choice of rows or order. */
int model_init(struct model *m, struct data *data, unsigned cols, unsigned rows);
void model_free(struct model *m);

/* Returns the data that EV_DATA has replaced, for the caller to free, which may take long; NULL if there are none.
 * If they are not asked for they are freed with the next, or with the model. */
struct data *model_retired(struct model *m);

unsigned model_update(struct model *m, const struct event *e);

/* Draws the model into g, which gets the size of the model. Returns -1 if out of memory. */
int view_draw(const struct model *m, struct grid *g);

/* Goes on filtering and searching for a while; true if there is more to do. */
bool model_work(struct model *m);

/* Where things are on the screen. */
struct layout {
	unsigned list_top, list_rows, pane_top, pane_rows; /* pane_rows 0: none; its first is the title */
};
void model_layout(const struct model *m, struct layout *out);

/* Is the column shown at this width? */
bool model_shows(const struct model *m, size_t column); /* of the view shown */

/* Explanation of the selected row, of any kind, in lines. */
void model_explain(const struct model *m, struct lines *l, unsigned width);

/* What fs-explain is to be asked for the text on the screen, or for the file of what is selected or compared; false:
 * nothing. */
bool model_words_wanted(const struct model *m, struct words_request *out);
bool model_words_to_write(const struct model *m, struct words_request *out);

/* "812064 bob", "physics", ... : the selected row in the titles of panes and names of files. */
void model_subject(const struct model *m, char *buf, size_t size);

/* Names that continue what is typed in a prompt, up to max; how many there are. */
size_t model_names(const struct model *m, const char **names, size_t max);

bool model_tagged(const struct model *m, uint32_t row);

/* ---- for the update */
void model_refresh(struct model *m);
void model_say(struct model *m, bool warns, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Memory is out: says so, and remembers it. */
void model_starve(struct model *m);
int model_adopt(struct model *m, struct data *data);
void model_tag(struct model *m, uint32_t row);
void model_open_text(struct model *m, enum text_kind kind);
void model_take_words(struct model *m, const struct words_request *q, const struct lines *words);

/* Bars of block elements, where the screen shows them and colours. */
void model_use_blocks(struct model *m, bool can);
void model_use_theme(struct model *m, enum theme t);

/* Where columns, tabs, entries of menus and the keys of the last line stand: for drawing them, and for telling what was
 * clicked on. */

enum { PLACE_MARKS = 2, PLACE_TABS = 1, PLACE_HEADINGS = 2, PLACE_MENU = 3 }; /* a column, and rows of the screen */
enum { PLACE_MENU_WIDTH = 30, MIN_COLS = 20, MIN_ROWS = 5 };

struct place {
	struct view_column column;
	unsigned x, width;
	size_t index;
};

struct places {
	struct place place[MAX_COLUMNS];
	size_t n;
};

/* Of the view shown, those from left to right that fit. */
void place_columns(const struct model *m, struct places *out);

/* Column in which the tab of a view begins; VIEWS: that behind the last. */
unsigned place_tab(const struct model *m, enum view v);

/* The i-th key of the last line; false if there is none, or no room for it. */
struct key_place {
	const struct binding *binding;
	unsigned x, width;
};
bool place_key(unsigned cols, size_t i, struct key_place *out);

/* How many entries the menu has, and the first that is on the screen. */
size_t place_menu_entries(const struct model *m);
size_t place_menu_top(const struct model *m);

/* What stands there; VIEWS, SIZE_MAX and ACT_NONE: nothing. */
enum view place_tab_at(const struct model *m, unsigned x);
size_t place_column_at(const struct model *m, unsigned x);
enum action place_action_at(const struct model *m, unsigned x);

#endif
