/* The state of the screen. Only model_update_on_event changes the state in response to an event; the function returns
 * the actions that the caller must run. view_draw_screen turns the state into cells. Neither function uses files,
 * clocks or terminals. The model owns its data: model_init_with_data and EV_DATA transfer the ownership to it. */
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

/* Identifies a queue row, so that it can be found in later snapshots. `partition` and `qos` are copies. */
struct job_key {
	uint64_t job;
	char partition[128], qos[128];
};

enum { TAGS = 2, MAX_COLUMNS = 96, PROMPT_SIZE = FILTER_SIZE };

struct search {
	char text[PROMPT_SIZE];
	/* `next_row`: position in the list of the row that the search checks next. `rows_left`: number of rows not yet
	 * checked */
	size_t next_row, rows_left;
	/* list position of the row that was selected before the search; Esc selects this row again */
	size_t start_row;
	bool backwards;
	bool no_match;	 /* true: no row contains the searched text */
};

/* Hypothetical commands that the user typed, in the order in which they are applied. The commands must not change while
 * new data is loaded. */
enum { WHAT_IFS = 32 };
struct what_ifs {
	char text[WHAT_IFS][PROMPT_SIZE];
	size_t n;
	size_t recalled; /* index of the earlier command that is shown in the prompt for editing; `n`: none */
	bool is_last_new;	 /* the last command is not yet applied to the data on the screen */
};

struct model_screen {
	unsigned cols, rows;
	bool utf8, writes_utf8; /* `utf8`: the screen shows UTF-8; `writes_utf8`: written files are in UTF-8 */
	enum theme theme;
	bool can_show_blocks; /* the screen has colors and UTF-8 */
	/* draw bars with block elements instead of letters; true if can_show_blocks is set and the theme has colors */
	bool blocks;
};

/* Tagged jobs, which the user can compare. */
struct model_tags {
	struct job_key key[TAGS];
	uint32_t row[TAGS]; /* queue rows of the jobs; FS_NO_ROW: the snapshot does not contain the job */
	unsigned n;
};

/* The pane below the list: the short explanation of the selected row. */
struct model_pane {
	/* summary of the selected job by fs-explain: why the job waits, when it starts, which jobs are ahead and what
	 * the user can do; empty until has_summary is set, and in views whose rows are not jobs */
	struct lines summary;
	size_t nsummary; /* number of lines of the summary; the following lines are shown only if rows are free */
	bool has_summary;
	unsigned summary_width; /* width to which the summary is wrapped, in columns; 0: the pane is not shown */
	struct lines lines; /* numbers below or beside the summary */
	uint32_t row;	/* row of the list whose explanation is in `lines` */
	enum view view; /* view to which `row` belongs */
	unsigned width; /* width of the screen for which the lines were made; 0: the lines must be made again */
	/* largest number of lines, and of summary lines, that the pane had since the view, the width or the data
	 * changed; the pane does not become smaller, so that the list does not jump */
	unsigned most_rows, most_summary;
};

/* The full-screen text of MODE_TEXT. */
struct model_text {
	struct lines lines;
	enum text_kind kind;
	/* the explanation by fs-explain has been inserted, or this kind of text needs no explanation */
	bool has_explanation;
	bool over_menu; /* the text is the help, opened from a menu */
	char title[160];
	size_t first_shown; /* index of the first line shown on the screen */
};

/* The prompt in which the user types, in the mode MODE_PROMPT. */
struct model_prompt {
	enum prompt_kind kind;
	enum mode mode_below; /* mode to which fs-top returns when the prompt is closed */
	char text[PROMPT_SIZE];
};

/* The open menu; used only in the mode MODE_MENU. */
struct model_menu {
	enum menu_kind kind;
	size_t selected; /* index of the selected entry of the menu */
};

/* Messages for the last screen line. */
struct model_status {
	char message[400]; /* message shown until the next key; "": none */
	bool is_warning;
	bool out_of_memory;	   /* memory ran out, so some part of the screen may be missing */
	/* error message that says why the newest snapshot could not be loaded; "": the newest snapshot is shown */
	char load_error[400];
};

struct model {
	struct data *data;
	struct data *retired; /* data that new data has replaced; NULL after model_take_retired_data */
	struct model_screen screen;
	/* current time, seconds since the epoch; FS_UNKNOWN: unknown, so the age of the snapshot is not shown */
	int64_t now;
	bool loading; /* new data is being loaded */
	bool follow;  /* when new data is adopted, the selected job remains selected, even if its row has moved */

	enum mode mode;
	enum view view; /* view that the screen shows */
	struct list list[VIEWS];
	/* 1: the user shows the column; -1: the user hides the column; 0: the column is shown if the screen is wide
	 * enough */
	signed char column_choice[VIEWS][MAX_COLUMNS];
	unsigned scroll[VIEWS]; /* number of columns scrolled out of the screen at the left */
	unsigned zoom; /* zoom level of the timeline; each level halves the time span shown; 0: the whole span */

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
	EV_MOUSE,   /* `x`, `y`: position; `key`: CODE_ENTER for a click, CODE_UP or CODE_DOWN for the mouse wheel */
	EV_RESIZE,  /* `x`, `y`: new width and height of the screen, in character cells */
	EV_CLOCK,   /* `time`: current time */
	EV_LOADING, /* the caller has started to load new data */
	EV_DATA,    /* `data`: new data; the model takes ownership */
	EV_PLANNED, /* `chart`: the chart of the current data; the data takes ownership; NULL: out of memory */
	EV_FAILED,  /* `text`: error message that says why the new data could not be loaded */
	EV_WORDS,   /* `words`: the explanation that answers `request` */
	EV_REPORTED,    /* `text`: report of a completed action */
	EV_WARNED   /* `text`: warning that says why a requested action was not done */
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

/* What the caller must do, as a bit set returned by model_update_on_event. */
enum {
	REACT_QUIT = 1,
	/* load the snapshot again; if the source is a file or the demo, apply the commands in what_if */
	REACT_RELOAD = 2,
	/* compute the data again with the next fair-share algorithm (source_load_next_algorithm) */
	REACT_ALGORITHM = 4,
	REACT_WRITE = 8,     /* write the explanation to the file named in the prompt */
	REACT_REDRAW = 16,
	REACT_PLAN = 64,     /* compute the chart of planned starts and send EV_PLANNED */
	/* create the explanation that model_needs_explanation requests, and send its text with EV_WORDS */
	REACT_WORDS = 32
};

/* Initializes the model, which takes ownership of the data. Returns -1 if out of memory. The lists are then empty until
 * the user changes the filter or the sort order. */
int model_init_with_data(struct model *m, struct data *data, unsigned cols, unsigned rows);
void model_free_data(struct model *m);

/* Returns the data that EV_DATA replaced, or NULL. The caller frees the data, possibly in another thread, because
 * freeing may take long. If the caller does not take the data, it is freed when data is replaced again or when the
 * model is freed. */
struct data *model_take_retired_data(struct model *m);

unsigned model_update_on_event(struct model *m, const struct event *e);

/* Draws the model into g, and resizes g to the size of the model's screen. Returns -1 if out of memory. */
int view_draw_screen(const struct model *m, struct grid *g);

/* Continues sorting, filtering and searching for some milliseconds. Returns true if some of this work remains. */
bool model_continue_work(struct model *m);

/* Rows of the screen. The title is in the first row, the key hints are in the last row. */
struct layout {
	/* rows of the meters of resources and of the commands of what-ifs; 0: there is no such row */
	unsigned meters_row, what_if_row;
	unsigned tabs_row, headings_row;
	/* `list_top`, `pane_top`: first screen row; `list_rows`, `pane_rows`: number of screen rows. The pane includes
	 * the row of its title. `pane_rows` is 0 if there is no pane */
	unsigned list_top, list_rows, pane_top, pane_rows;
};

/* Columns of the pane. On a wide screen, the numbers are beside the summary. */
struct pane_columns {
	unsigned summary_width, lines_x, lines_width; /* `lines_x`: first screen column of the numbers */
	bool beside;
};
struct pane_columns model_get_pane_columns(const struct model *m);
void model_get_row_layout(const struct model *m, struct layout *out);

/* Returns true if the column of the current view is shown at the current screen width. */
bool model_shows_column(const struct model *m, size_t column);

/* Appends the short explanation of the selected row, wrapped to `width`, to l. */
void model_explain_selected(const struct model *m, struct lines *l, unsigned width);

/* Both functions set *out to a request for an explanation. model_needs_explanation requests the explanation that the
 * text on the screen or the pane lacks. model_needs_explanation returns false if no explanation is missing.
 * model_get_file_request requests an explanation that will be written to a file. This explanation is about the selected
 * row, or compares the tagged jobs. model_get_file_request returns false if there is nothing to explain. */
bool model_needs_explanation(const struct model *m, struct explanation_request *out);
bool model_get_file_request(const struct model *m, struct explanation_request *out);

/* Formats the name of the selected row for titles and file names: "812064 bob", "physics". */
void model_format_subject(const struct model *m, char *buf, size_t size);

/* Sets `names` to the names that start with the text in the prompt, at most `max` names. Returns the number of
 * names. */
size_t model_list_prompt_names(const struct model *m, const char **names, size_t max);

bool model_is_row_tagged(const struct model_tags *t, uint32_t row);

/* ---- functions for the files that implement model_update_on_event */
void model_refresh_screen(struct model *m);
void model_set_message(struct model_status *s, bool is_warning, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Shows that memory ran out, and sets s->out_of_memory. */
void model_report_no_memory(struct model_status *s);
int model_adopt_data(struct model *m, struct data *data);
void model_toggle_row_tag(struct model *m, uint32_t row);
void model_open_text(struct model *m, enum text_kind kind);
/* Returns true if the pane of the current view begins with the summary of a job. */
bool model_has_summaries(const struct model *m);
/* Returns true if the current view lacks the chart of planned starts that it shows. */
bool model_lacks_chart(const struct model *m);
void model_take_words(struct model *m, const struct explanation_request *q, const struct lines *words);

/* Sets s->can_show_blocks to `can`. Bars use block elements if `can` is true and the theme has colors. */
void model_use_blocks(struct model *m, bool can);
void model_use_theme(struct model *m, enum theme t);

/* ---- layout: positions of columns, tabs, menu entries and the key hints of the last line, for drawing and for mouse
 * clicks */

/* LAYOUT_MARK_COLUMNS: number of columns for marks at the left */
enum { LAYOUT_MARK_COLUMNS = 2, LAYOUT_MENU_WIDTH = 30, MIN_COLS = 20, MIN_ROWS = 5 };

struct column_slot {
	struct view_column column;
	unsigned x, width;
	size_t index;
};

struct column_slots {
	struct column_slot place[MAX_COLUMNS];
	size_t n;
};

/* Sets *out to the columns of the current view that fit on the screen, from left to right, with their positions on the
 * screen. */
void layout_place_visible_columns(const struct model *m, struct column_slots *out);

/* Returns the screen column at which the tab of view `v` begins. If `v` is VIEWS, returns the first column after all
 * tabs. */
unsigned layout_get_tab_column(const struct model *m, enum view v);

/* Sets *out to the i-th key hint of the last line. Returns false if there is no such hint or it does not fit. */
struct key_slot {
	const struct binding *binding;
	unsigned x, width;
};
bool layout_get_bar_key(unsigned cols, size_t i, struct key_slot *out);

/* layout_count_menu_entries returns the number of entries of the menu. layout_get_menu_top returns the index of the
 * first entry on the screen. */
size_t layout_count_menu_entries(const struct model *m);
size_t layout_get_menu_top(const struct model *m);

/* Return the tab, the column of the list or the action of the key hint at screen column x. Return VIEWS, SIZE_MAX or
 * ACT_NONE if there is none. */
enum view layout_find_tab_at(const struct model *m, unsigned x);
size_t layout_find_column_at(const struct model *m, unsigned x);
enum action layout_find_action_at(const struct model *m, unsigned x);

#endif
