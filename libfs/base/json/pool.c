#include "base/json/pool.h"

#include <stdlib.h>
#include <string.h>

/* A pool that grew larger gives its memory back before the next line. */
enum { POOL_KEPT = 16384 };

struct fsi_json *fsi_json_pool_add(struct fsi_json_pool *p, enum fsi_json_type type)
{
	if (p->n == p->cap) {
		const size_t cap = p->cap ? p->cap * 2 : 256;
		struct fsi_json *v = realloc(p->v, cap * sizeof(*v));

		if (!v)
			return NULL;
		p->v = v;
		p->cap = cap;
	}
	p->v[p->n] = (struct fsi_json){ .type = (uint8_t)type };
	return &p->v[p->n++];
}

void fsi_json_pool_release(struct fsi_json_pool *p)
{
	free(p->v);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

char *fsi_json_pool_text(struct fsi_json_pool *p, size_t len)
{
	if (!p->text_used && p->text_cap <= len) {
		free(p->text);
		p->text_cap = 0;
		p->text = malloc(len + 1);
		if (!p->text)
			return NULL;
		p->text_cap = len + 1;
	}
	return p->text + p->text_used;
}

void fsi_json_pool_reset(struct fsi_json_pool *p)
{
	if (p->cap > POOL_KEPT)
		fsi_json_pool_release(p);
	p->n = p->text_used = 0;
}
