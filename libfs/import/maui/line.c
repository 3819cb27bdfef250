/* One line of maui.cfg is read into a snapshot that is there, as the whole file is. */
#include "import/maui/line.h"

#include "import/maui/cfg.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const char *at;
};

static int open_text(void *ctx, const char *file, void **stream)
{
	*stream = ctx;
	return strcmp(file, "maui.cfg") != 0;
}

static ptrdiff_t read_text(void *stream, void *buf, size_t size)
{
	struct text *t = stream;
	const size_t n = strnlen(t->at, size);

	memcpy(buf, t->at, n);
	t->at += n;
	return (ptrdiff_t)n;
}

static void close_text(void *stream)
{
	(void)stream;
}

/* Tells the import the credentials that there are, as whoever read them knew them. */
static int know_credentials(struct fsi_maui_import *x)
{
	const fs_snapshot *m = x->imp->m;

	for (size_t i = 0; i < m->credential.n; i++) {
		const struct fsi_credential *c = &m->credential.v[i];
		const int kind = (int)fsi_cred_kind(fsi_str(m, c->kind));
		const uint32_t key[2] = { (uint32_t)kind, c->name };

		if (fsi_intern(&x->keys, key, sizeof(key)) == FSI_INTERN_FAILED)
			return fsi_nomem(x->imp->err);
		if (c->position >= x->positions[kind])
			x->positions[kind] = c->position + 1;
	}
	return 0;
}

/* Is it USERCFG or the like, or an old form such as QOSPRIORITY? */
static bool of_credentials(const struct fsi_cfg *cfg)
{
	const struct fsi_span name = cfg->line.n ? cfg->line.v[0].name : (struct fsi_span){ "", 0 };

	return name.len > 3 && (!memcmp(name.s + name.len - 3, "CFG", 3) || !memcmp(name.s, "QOS", 3));
}

static int take_line(struct fsi_maui_import *x)
{
	struct fsi_maui_config c = { .x = x };
	int rc = know_credentials(x);

	if (!rc)
		rc = fsi_cfg_read(x, &c.cfg);
	if (!rc)
		rc = fsi_maui_parameters(&c);
	if (!rc && of_credentials(&c.cfg))
		rc = fsi_maui_credentials(&c);
	fsi_cfg_release(&c.cfg);
	fsi_intern_release(&x->keys);
	fsi_intern_release(&x->told);
	return rc;
}

/* What a line can change, kept to be compared and put back. */
struct before {
	struct fsi_config_entry *config;
	struct fsi_credential *credential;
	size_t configs, credentials, warnings;
};

static bool keep(struct before *b, const fs_snapshot *m)
{
	*b = (struct before){ .configs = m->config.n, .credentials = m->credential.n, .warnings = m->warnings.n };
	b->config = malloc((b->configs + 1) * sizeof(*b->config));
	b->credential = malloc((b->credentials + 1) * sizeof(*b->credential));
	if (b->config && b->configs)
		memcpy(b->config, m->config.v, b->configs * sizeof(*b->config));
	if (b->credential && b->credentials)
		memcpy(b->credential, m->credential.v, b->credentials * sizeof(*b->credential));
	return b->config && b->credential;
}

static bool same(const struct before *b, const fs_snapshot *m)
{
	return m->config.n == b->configs && m->credential.n == b->credentials &&
	       (!b->configs || !memcmp(m->config.v, b->config, b->configs * sizeof(*b->config))) &&
	       (!b->credentials || !memcmp(m->credential.v, b->credential, b->credentials * sizeof(*b->credential)));
}

static void put_back(const struct before *b, fs_snapshot *m)
{
	m->config.n = b->configs;
	m->credential.n = b->credentials;
	if (b->configs)
		memcpy(m->config.v, b->config, b->configs * sizeof(*b->config));
	if (b->credentials)
		memcpy(m->credential.v, b->credential, b->credentials * sizeof(*b->credential));
}

/* The warning "maui.cfg:1: what is wrong" of the line, if there is one. */
static const char *complaint(const fs_snapshot *m, size_t i)
{
	const char *s = i < m->warnings.n ? strstr(m->warnings.v[i], ":1: ") : NULL;

	return s ? s + strlen(":1: ") : NULL;
}

int fsi_maui_line(fs_snapshot *m, const char *line, const char **wrong, bool *changed, struct fs_error *err)
{
	static const struct fsi_import_source none[] = { { NULL, NULL } };
	static const struct fs_maui_import_options options = FS_MAUI_IMPORT_OPTIONS_INIT;
	struct text text = { line };
	const struct fs_source source = { &text, "", open_text, read_text, close_text, NULL };
	struct fsi_import imp = { .m = m, .source = &source, .err = err, .sources = none };
	struct fsi_maui_import x = { .imp = &imp, .o = &options };
	struct before b;
	int rc = keep(&b, m) ? take_line(&x) : fsi_nomem(err);

	*wrong = rc ? NULL : complaint(m, b.warnings);
	*changed = !rc && !same(&b, m);
	m->warnings.n = b.warnings;
	if (rc || *wrong)
		put_back(&b, m);
	free(b.config);
	free(b.credential);
	return rc;
}
