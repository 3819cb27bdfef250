/* Captured outputs of a scheduler's own commands, made into a snapshot. */
#ifndef FS_IMPORT_H
#define FS_IMPORT_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* A folder of captured files, by name. */
struct fs_source {
	void *ctx; /* first argument of open and list */
	const char *name; /* for messages */
	/* 0 and *stream set, 1 when there is no such file, negative on failure */
	int (*open)(void *ctx, const char *file, void **stream);
	fs_read_fn read; /* on the stream */
	void (*close)(void *stream); /* of what open gave; called once for each */
	/* Calls each for every file of the folder `dir` below this one ("" for itself), in any order, until it
	 * returns other than 0, which is then returned. 1 when there is no such folder. NULL: files cannot be
	 * listed, which an importer may need. */
	int (*list)(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx);
};

/* What a capture was made for: who asked for no more than this finds the rest unknown. */
enum fs_import_asked {
	FS_IMPORT_ALL,
	FS_IMPORT_SHARES,     /* the table of shares, Fair Tree, nothing private: scontrol show assoc_mgr, sshare */
	FS_IMPORT_PRIORITIES, /* the table of priorities, likewise: sprio, whose numbers are taken as printed */
};

/* What the files themselves do not say. */
struct fs_import_options {
	size_t size; /* FS_IMPORT_OPTIONS_INIT */
	/* Lines `association id|usage in TRES seconds[|tres id=seconds,...[|wall seconds]]`, # begins a
	 * comment: usage with all its digits, from the controller's state file. NULL: not available. */
	fs_read_fn exact_usage;
	void *exact_usage_ctx; /* first argument of exact_usage */
	const char *exact_usage_name; /* for messages */
	/* The zone that the files' local times are of, by rising `since`; the first holds before its own too. NULL: an
	 * offset for all, told by the files. */
	const struct fs_utc_offset *offsets;
	size_t noffsets; /* of offsets */
	bool partial; /* nothing says that the files are complete: every type of record counts as hidden in part */
	enum fs_import_asked asked; /* FS_IMPORT_ALL unless the capture was for one table */
};
#define FS_IMPORT_OPTIONS_INIT FS_INIT(struct fs_import_options)

/* Outputs of scontrol, sacctmgr, squeue, sshare and sprio (file names: man/fs-snap.1). Every file is
 * optional; what is missing becomes unknown and is marked hidden. Errors: FS_EDATA, FS_EIO, FS_ENODATA
 * when no file is there at all. Of a capture that asked for little FS_EUSAGE where settings bring in more,
 * FS_ENODATA where PrivateData is set. */
FS_API int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err);

/* Uses, for a snapshot that was just imported, what the scheduler printed (`recorded`) to tell what its inputs leave
 * open, such as the digits of usage that its commands do not print. Error: FS_ENOMEM. */
FS_API int fs_import_infer(fs_snapshot *s, struct fs_error *err);

/* Outputs of `flux account ...` and `flux jobs` (file names: man/fs-snap.1), all optional likewise. */
FS_API int fs_import_flux(fs_snapshot **out, const struct fs_source *source, struct fs_error *err);

/* One file with a tree of banks and users, as `flux account export-db -F` writes and the fair-share emulator
 * reads it. Errors as above. */
FS_API int fs_import_flux_tree(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* What the files themselves do not say. */
struct fs_maui_import_options {
	size_t size; /* FS_MAUI_IMPORT_OPTIONS_INIT */
	int64_t time;                 /* of the capture; 0: told by the files */
	bool includes_anywhere;       /* files that maui.cfg includes may lie outside its folder: `../` */
	const struct fs_utc_offset *offsets; /* as in fs_import_options; NULL: told by the files, else UTC */
	size_t noffsets; /* of offsets */
};
#define FS_MAUI_IMPORT_OPTIONS_INIT FS_INIT(struct fs_maui_import_options)

/* maui.cfg, windows FS.<epoch>, traces, showq and checkjob (names: man/fs-snap.1). What is missing becomes unknown.
 * Errors: FS_EDATA, FS_EIO, FS_ENODATA without maui.cfg or when nothing tells the time. */
FS_API int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err);

/* What the text itself does not say. */
struct fs_text_options {
	size_t size; /* FS_TEXT_OPTIONS_INIT */
	int64_t time; /* when it was pasted, of a text that does not tell; 0: the newest time in it */
	int64_t otherwise; /* where there is no time in it either; 0: that is an error */
	fs_note_fn note; /* what was taken from where, and what to ask for, a sentence each; NULL: not told */
	void *note_ctx; /* first argument of note */
};
#define FS_TEXT_OPTIONS_INIT FS_INIT(struct fs_text_options)

/* Pasted outputs of a scheduler's commands, in any order, cut or folded, among other text: what can be read of them for
 * certain becomes a snapshot, and the rest unknown. Errors as above; FS_ENODATA when nothing in it is known. */
FS_API int fs_import_text(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			  const struct fs_text_options *o, struct fs_error *err);

FS_END_DECLS

#endif
