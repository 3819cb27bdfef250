/* A snapshot as an index: everything is put twice, once for the checksum in the head and once to its place. */
#include "snapshot/index.h"

#include <string.h>

struct sink {
	fs_write_fn write; /* NULL: for the checksum alone */
	void *ctx;
	struct fsi_checksum sum;
	uint64_t at; /* bytes put, from the index's beginning */
	bool failed;
	size_t len;
	_Alignas(FSI_CHECKSUM_STEP) unsigned char buf[16384];
};

static void flush(struct sink *s)
{
	fsi_checksum_add(&s->sum, s->buf, s->len);
	if (s->write && !s->failed && s->write(s->ctx, s->buf, s->len))
		s->failed = true;
	s->len = 0;
}

static void put_bytes(struct sink *s, const void *data, size_t size)
{
	const unsigned char *from = data;

	s->at += size;
	while (size) {
		const size_t room = sizeof(s->buf) - s->len, n = size < room ? size : room;

		memcpy(s->buf + s->len, from, n);
		s->len += n;
		from += n;
		size -= n;
		if (s->len == sizeof(s->buf))
			flush(s);
	}
}

static void pad(struct sink *s, uint64_t align)
{
	static const unsigned char zeros[FSI_INDEX_ALIGN] = { 0 };

	put_bytes(s, zeros, (size_t)(fsi_index_up(s->at, align) - s->at));
}

static void put_part(struct sink *s, struct fsi_index_part *part, const void *data, size_t n, size_t size)
{
	pad(s, FSI_INDEX_ALIGN);
	*part = (struct fsi_index_part){ s->at, n };
	if (n)
		put_bytes(s, data, n * size);
}

static void put_interned(struct sink *s, struct fsi_index_part *sizes, struct fsi_index_part *bytes,
			 const struct fsi_intern *t)
{
	put_part(s, sizes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++, sizes->n++)
		put_bytes(s, &t->entries[id].len, sizeof(t->entries[id].len));
	put_part(s, bytes, NULL, 0, 1);
	for (uint32_t id = 1; id < t->count; id++) {
		put_bytes(s, t->entries[id].bytes, (size_t)t->entries[id].len + 1);
		pad(s, FSI_INDEX_TEXT);
	}
	bytes->n = s->at - bytes->at;
}

static void put_config(struct sink *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	put_part(s, part, NULL, 0, 1);
	for (; part->n < m->config.n; part->n++) {
		const struct fsi_config_entry *e = &m->config.v[part->n];
		const struct fsi_index_config c = { e->name, e->kind, e->line, e->i, e->d };

		put_bytes(s, &c, sizeof(c));
	}
}

static void put_warnings(struct sink *s, struct fsi_index_part *part, const fs_snapshot *m)
{
	put_part(s, part, NULL, 0, 1);
	for (size_t i = 0; i < m->read_warnings; i++)
		put_bytes(s, m->warnings.v[i], strlen(m->warnings.v[i]) + 1);
	part->n = s->at - part->at;
}

#define PUT_TABLE(TAG, name, json)                                                                                     \
	if (fsi_index_apart(FSI_RECORD_##TAG) == apart)                                                                \
		put_part(s, &h->table[FSI_RECORD_##TAG], m->name.v, m->name.n, sizeof(*m->name.v));

static void put_tables(struct sink *s, struct fsi_index_head *h, const fs_snapshot *m, bool apart)
{
	FSI_RECORD_TYPES(PUT_TABLE)
}

static uint64_t end_sum(struct sink *s)
{
	pad(s, FSI_INDEX_ALIGN);
	flush(s);
	return fsi_checksum_end(&s->sum);
}

static void put_all(struct sink *s, struct fsi_index_head *h, const fs_snapshot *m, const struct fs_index_kept *kept)
{
	fsi_checksum_init(&s->sum);
	s->at = FSI_INDEX_START;
	put_interned(s, &h->name_sizes, &h->name_bytes, &m->names);
	put_interned(s, &h->set_sizes, &h->set_bytes, &m->sets);
	put_config(s, &h->config, m);
	put_part(s, &h->file, m->file, strlen(m->file) + 1, 1);
	put_warnings(s, &h->warnings, m);
	put_tables(s, h, m, false);
	put_part(s, &h->job_rare, m->job_rare.v, m->job_rare.n, sizeof(*m->job_rare.v));
	put_part(s, &h->kept, kept->bytes, kept->size, 1);
	h->checksum = end_sum(s);
	h->apart = s->at;
	fsi_checksum_init(&s->sum);
	put_tables(s, h, m, true);
	h->apart_checksum = end_sum(s);
	h->size = s->at;
}

static int put_head(const struct fsi_index_head *h, fs_write_fn write, void *ctx)
{
	unsigned char start[FSI_INDEX_START] = { 0 };

	memcpy(start, h, sizeof(*h));
	return write(ctx, start, sizeof(start));
}

uint64_t fs_index_checksum(const void *data, size_t size)
{
	return fsi_checksum(data, size);
}

int fs_index_write(const fs_snapshot *m, const struct fs_index_key *key, const struct fs_index_kept *kept,
		   fs_write_fn write, void *ctx, struct fs_error *err)
{
	static const struct fs_index_kept nothing = { 0 };
	struct sink s = { 0 };
	struct fsi_index_head h;

	memset(&h, 0, sizeof(h));
	memcpy(h.magic, FSI_INDEX_MAGIC, sizeof(h.magic));
	h.format = FSI_INDEX_FORMAT;
	h.build = fsi_index_build();
	h.key = *key;
	h.usage_records = m->info.usage_records;
	memcpy(&h.header, &m->head, sizeof(h.header));
	put_all(&s, &h, m, kept ? kept : &nothing);
	h.head_checksum = fsi_checksum(&h, offsetof(struct fsi_index_head, head_checksum));
	s.write = write;
	s.ctx = ctx;
	s.failed = put_head(&h, write, ctx) != 0;
	put_all(&s, &h, m, kept ? kept : &nothing);
	return s.failed ? fsi_fail(err, FS_EIO, "the index cannot be written") : 0;
}
