/* A document of HTML that stands alone: no script, nothing fetched, light or dark as its reader is. */
#ifndef PICTURE_HTML_H
#define PICTURE_HTML_H

#include "page/page.h"
#include "picture/markup.h"

void html_begin(struct markup *v, const char *title);
/* The lines of a page of that form, from that one on; returns how many it has now. */
size_t html_page(struct markup *v, const struct page *p, size_t from);
/* Around a picture made inside; caption is a heading above it. */
void html_figure(struct markup *v, const char *caption);
void html_end_figure(struct markup *v);
void html_end(struct markup *v);

#endif
