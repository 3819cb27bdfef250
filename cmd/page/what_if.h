/* The line that text of a hypothetical state begins with: "WHAT IF: COMMAND; COMMAND". Nothing is printed if no command was
 * given to the snapshot. */
#ifndef PAGE_WHAT_IF_H
#define PAGE_WHAT_IF_H

#include "fs.h"

struct page;

/* On standard output. */
void what_if_print(const fs_snapshot *s);

/* Before a table: on standard output if that is a terminal. Scripts read the table alone. */
void what_if_table(const fs_snapshot *s);

/* As the first lines of a page. */
void what_if_page(struct page *p, const fs_snapshot *s);

#endif
