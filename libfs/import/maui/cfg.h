/* maui.cfg as the lines Maui sees, before anything is made of them. */
#ifndef FSI_MAUI_CFG_H
#define FSI_MAUI_CFG_H

#include "import/maui/maui.h"

/* A line after comments, continuations and '=' are dealt with. */
struct fsi_cfg_line {
	const char *file;
	uint64_t line;
	bool indented;
	struct fsi_span name, index, value; /* NAME[index] value; index.s NULL: none */
};

struct fsi_cfg {
	struct fsi_arena arena;
	FSI_VEC(struct fsi_cfg_line) line;
};

/* Everything that is read from maui.cfg, in parts: libfs/import/maui/params.c, creds.c, old_limits.c,
 * nodecfg.c. */
struct fsi_maui_config {
	struct fsi_maui_import *x;
	struct fsi_cfg cfg;
};

int fsi_maui_parameters(struct fsi_maui_config *c);
int fsi_maui_credentials(struct fsi_maui_config *c);
int fsi_maui_node_settings(struct fsi_maui_config *c);
/* Those of USERCFG[DEFAULT] and its like in their older form, before any in the new one. */
int fsi_maui_old_limits(struct fsi_maui_config *c);

/* Lets warnings tell of this line from now on. */
void fsi_cfg_set_location(struct fsi_maui_config *c, const struct fsi_cfg_line *l);

bool fsi_cfg_is(struct fsi_span s, const char *word); /* capitals matter */
bool fsi_cfg_is_true(const char *word);
struct fsi_span fsi_cfg_first_word(struct fsi_span v);

/* A copy for strtol and the like; it is cut where it is unreasonably long. */
const char *fsi_cfg_text(struct fsi_span v, char *buf, size_t size);

/* Reads maui.cfg and what it includes, whose text comes last. Error: FS_ENODATA when there is no maui.cfg. */
int fsi_cfg_read(struct fsi_maui_import *x, struct fsi_cfg *cfg);
void fsi_cfg_release(struct fsi_cfg *cfg);

#endif
