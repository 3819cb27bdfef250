/* A pasted text, cleaned and split into pieces, for the tests of import/text/page. */
#ifndef FSPASTE_H
#define FSPASTE_H

#include "fstest.h"

#include "import/text/text.h"

struct paste {
	struct fs_error err;
	struct fs_text_options options;
	struct fsi_text t;
};

static inline void paste_begin(struct paste *p, const char *text)
{
	*p = (struct paste){ .t = { .name = "paste", .clock = FS_UNKNOWN, .newest_time = FS_UNKNOWN } };
	p->t.err = &p->err;
	p->t.o = &p->options;
	assert_int_equal(fsi_text_clean_paste(&p->t, text, strlen(text)), 0);
	assert_int_equal(fsi_text_find_pieces(&p->t), 0);
}

static inline void paste_end(struct paste *p)
{
	for (size_t i = 0; i < p->t.files.n; i++) {
		FSI_VEC_FREE(&p->t.files.v[i].lines);
		FSI_VEC_FREE(&p->t.files.v[i].key_lines);
		fsi_intern_release(&p->t.files.v[i].keys);
	}
	FSI_VEC_FREE(&p->t.files);
	FSI_VEC_FREE(&p->t.pieces);
	FSI_VEC_FREE(&p->t.lines);
	FSI_VEC_FREE(&p->t.warnings);
	fsi_arena_release(&p->t.arena);
}

static inline void assert_span(struct fsi_span got, const char *want)
{
	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.s ? got.s : "", want, got.len);
}

#endif
