/* The model as a screen. */
#ifndef TOP_VIEWS_H
#define TOP_VIEWS_H

#include "top/model.h"

/* Draws into g, which gets the model's size. -1 without memory. */
int view_draw(const struct model *m, struct grid *g);

#endif
