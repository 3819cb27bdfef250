/* The model as a screen. */
#ifndef TOP_VIEWS_VIEW_H
#define TOP_VIEWS_VIEW_H

#include "top/model/model.h"

/* Draws into g, which gets the model's size. -1 without memory. */
int view_draw(const struct model *m, struct grid *g);

/* ---- list.c: headings and rows of the current view */
void view_list(const struct model *m, struct grid *g);

#endif
