/* What the parts of the update share. */
#ifndef TOP_UPDATE_H
#define TOP_UPDATE_H

#include "top/model/model.h"
#include "top/update/keys.h"

/* ---- moves.c
 * The list of the view shown. */
struct list *update_list(struct model *m);
/* That view; where the selected job is planned to start is then selected in the timeline. */
void update_show(struct model *m, enum view v);
void update_refresh(struct model *m, struct list *l, bool narrower);
void update_sort(struct model *m, size_t column);
void update_partition(struct model *m, const char *name); /* the queue of this one alone; "" of all */

/* at moved by the action within n rows; false if it is no movement. */
bool update_moved(const struct model *m, enum action a, size_t n, size_t *at);

/* ---- lists.c: keys in the lists */
unsigned list_key(struct model *m, int key);

/* ---- prompt.c: what is typed in the last line */
void prompt_open(struct model *m, enum prompt_kind kind);
unsigned prompt_key(struct model *m, int key);
void search_next(struct model *m, bool backwards);

/* ---- menu.c: columns to sort by or to show */
void menu_open(struct model *m, enum menu_kind kind);
unsigned menu_key(struct model *m, int key);

/* ---- what_if.c: `begin` fills the prompt, `recall` puts an earlier or later command into it, `add` takes it and
 * `undo` the last one back (bits of reactions); `done` when the data of them are there, `failed` when they cannot be:
 * true if that was for the sake of the last one, which is then gone and why said. `typed`: what `begin` filled in gives
 * way as soon as the word behind it begins another command or a line of configuration. */
void what_if_begin(struct model *m);
void what_if_typed(struct model *m);
void what_if_recall(struct model *m, bool earlier);
unsigned what_if_add(struct model *m);
unsigned what_if_undo(struct model *m);
void what_if_done(struct model *m);
bool what_if_failed(struct model *m, const char *why);

#endif
