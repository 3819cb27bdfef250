/* Import: captured output of a scheduler's commands becomes a snapshot. */
#ifndef FS_IMPORT_H
#define FS_IMPORT_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* A folder of captured files, accessed by file name. */
struct fs_source {
	void *ctx; /* first argument of `open` and `list` */
	const char *name; /* name of the folder, for messages */
	/* Opens a file of the folder and sets *stream. Returns 0; or 1 if there is no such file; or a negative number
	 * on failure. */
	int (*open)(void *ctx, const char *file, void **stream);
	fs_read_fn read; /* reads from a stream that `open` returned */
	void (*close)(void *stream); /* closes a stream that `open` returned; called once for each stream */
	/* Calls `each` for every file of the subfolder `dir` ("": the folder itself), in any order. Stops when `each`
	 * returns a nonzero value. Returns the last return value of `each`, 1 if there is no such subfolder, or
	 * FS_ENOMEM or FS_EIO on failure. `list` is NULL if files cannot be listed. Some importers need the list. */
	int (*list)(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx);
};

/* Table that a capture was made for. Data that only other tables need is not captured, and is unknown in the
 * snapshot. */
enum fs_import_asked {
	FS_IMPORT_ALL,
	/* table of shares, from scontrol show assoc_mgr and sshare; only for Fair Tree without PrivateData */
	FS_IMPORT_SHARES,
	/* table of priorities, with the numbers that sprio printed; only without PrivateData */
	FS_IMPORT_PRIORITIES,
};

/* Options of fs_import_slurm, for information that the captured files lack. */
struct fs_import_options {
	size_t size; /* size of this struct in bytes; FS_IMPORT_OPTIONS_INIT sets it */
	/* Usage with all digits, from the controller's state file. Lines are `association id|usage in TRES
	 * seconds[|tres id=seconds,...[|wall seconds]]`; # starts a comment. NULL: not available. */
	fs_read_fn exact_usage;
	void *exact_usage_ctx; /* passed to the callback `exact_usage` as its first argument */
	const char *exact_usage_name; /* name of the input exact_usage, for messages */
	/* UTC offsets of the local times in the files, sorted by `since`, earliest first. The first offset also applies
	 * to earlier times. NULL: one offset, read from the files. */
	const struct fs_utc_offset *offsets;
	size_t noffsets; /* number of UTC offsets in `offsets` */
	bool partial; /* true: the files may be incomplete; every record type is marked as hidden */
	enum fs_import_asked asked; /* table for which the files were captured; FS_IMPORT_ALL: for all tables */
};
#define FS_IMPORT_OPTIONS_INIT FS_INIT(struct fs_import_options)

/* Imports output of scontrol, sacctmgr, squeue, sshare and sprio (file names: fs-snap(1)). Every file is optional.
 * Missing data is unknown, and its record type is marked hidden. Errors: FS_EDATA, FS_EIO; FS_ENODATA if none of the
 * files exists. Additional errors if `asked` is a single table:
 *   FS_EUSAGE   the cluster's settings make the table depend on data that only FS_IMPORT_ALL reads
 *   FS_ENODATA  PrivateData is set */
FS_API int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err);

/* Infers values that the scheduler's commands do not print, such as further digits of usage, from the `recorded`
 * records of a newly imported snapshot. Errors: FS_ENOMEM. */
FS_API int fs_import_infer(fs_snapshot *s, struct fs_error *err);

/* Imports output of `flux account ...` and `flux jobs` (file names: fs-snap(1)). Every file is optional. Errors as for
 * fs_import_slurm. */
FS_API int fs_import_flux(fs_snapshot **out, const struct fs_source *source, struct fs_error *err);

/* Imports one file with a tree of banks and users, as written by `flux account export-db -F` and read by
 * flux-accounting's fair-share emulator. Errors as for fs_import_slurm. */
FS_API int fs_import_flux_tree(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Options of fs_import_maui, for information that the captured files lack. */
struct fs_maui_import_options {
	size_t size; /* size of the struct in bytes; set by FS_MAUI_IMPORT_OPTIONS_INIT */
	int64_t time;                 /* time of the capture, seconds since the epoch; 0: read from the files */
	bool includes_anywhere;       /* true: maui.cfg may include files outside its own folder (`../`) */
	/* UTC offsets as in fs_import_options; NULL: read from the files, or else UTC */
	const struct fs_utc_offset *offsets;
	size_t noffsets; /* number of elements of `offsets` */
};
#define FS_MAUI_IMPORT_OPTIONS_INIT FS_INIT(struct fs_maui_import_options)

/* Imports maui.cfg, window files FS.<epoch>, traces, and output of showq and checkjob (file names: fs-snap(1)). Missing
 * data is unknown. Errors: FS_EDATA, FS_EIO; FS_ENODATA if there is no maui.cfg, or if no file contains the time of the
 * capture. */
FS_API int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err);

/* Options of fs_import_text, for information that the pasted text lacks. */
struct fs_text_options {
	size_t size; /* size of this struct in bytes; FS_TEXT_OPTIONS_INIT sets it */
	/* time at which the text was printed; ignored if `scontrol show config` in the text shows the time. 0: use the
	 * time of printing that the text shows, or else the newest time in the text */
	int64_t time;
	/* time to use if `time` is 0 and the text contains no time; 0: a text without a time is an error */
	int64_t otherwise;
	/* receives sentences about what was read, and about other output that would be useful; NULL: no callback */
	fs_note_fn note;
	void *note_ctx; /* passed to the callbacks as their first argument */
	/* unread: receives a noun phrase for each group of lines or values that were not read: "line 6 (squeue)". next:
	 * receives the command line whose output is the most useful addition, and its use: "`sprio -l`, which shows the
	 * points of each factor"; not called if nothing is missing. NULL: no callback */
	fs_note_fn unread, next;
	/* a job whose state the text does not show is pending, with a warning; false: its state is unknown */
	bool assume_pending;
};
#define FS_TEXT_OPTIONS_INIT FS_INIT(struct fs_text_options)

/* How fs-snap capture makes a file of a capture. */
enum fs_output_kind {
	FS_OUTPUT_COMMAND, /* stores the output of a command */
	FS_OUTPUT_CONFIG,  /* the same; the command prints the configuration and the version of the scheduler */
	/* the same; the command prints past jobs. Its argument FS_OUTPUT_SINCE is replaced by the time from which jobs
	 * are printed. */
	FS_OUTPUT_RECORDS,
	FS_OUTPUT_CLOCK,  /* stores the time */
	FS_OUTPUT_FLAGS,  /* stores PriorityFlags of slurm.conf */
	FS_OUTPUT_CALLER, /* stores the login name of the user */
	FS_OUTPUT_ZONE,   /* stores the UTC offsets of the user's time zone */
	FS_OUTPUT_NOT_CAPTURED /* does not make the file; the import reads the file if it exists */
};
#define FS_OUTPUT_SINCE "%since%" /* argument of a command of kind FS_OUTPUT_RECORDS; replaced by a time */

/* A file of a capture, and the command whose output is stored in it. */
struct fs_output {
	const char *file; /* name of the file, without folders */
	/* type of the records that the import reads from the file; NULL: the file does not count as a source of
	 * records */
	const char *type;
	/* values that are unknown if the file is missing although other files have records of this type; NULL: none */
	const char *without;
	enum fs_output_kind kind; /* how fs-snap capture makes the file */
	bool parallel_with_previous; /* the command runs in parallel with the previous command */
	bool of_jobs; /* the output is about jobs; a capture for a table without jobs does not need it */
	unsigned short_for; /* bit 1 << a: a capture for the table `a` (enum fs_import_asked) includes the file */
	/* since: argv[0] is the command for scheduler versions that have this feature. from: a version that lacks this
	 * feature has no such command. */
	enum fs_slurm_feature since, from;
	/* argv[0]: arguments of the command, ended by NULL; argv[1]: arguments for versions without the feature
	 * `since`. If the scheduler refuses the command for its version, the other command is run. */
	const char *argv[2][10];
};

/* Returns the file number `i` of a capture of the scheduler, in the order in which the commands are run; NULL if there
 * is none. Files with records of several types have several numbers; only the first of them is captured. */
FS_API const struct fs_output *fs_output_get(const char *scheduler, size_t i);

/* Imports a folder of captured files with default options. The first word of `scheduler` is the name of the scheduler,
 * such as "slurm"; further words are ignored. Errors as for fs_import_slurm; FS_EUSAGE if there is no importer for that
 * name. */
FS_API int fs_import_folder(fs_snapshot **out, const char *scheduler, const struct fs_source *source,
		     struct fs_error *err);

/* Imports pasted output of a scheduler's commands. The outputs may be in any order, cut, folded, or mixed with other
 * text. Only data that can be read with certainty becomes part of the snapshot; all other data is unknown. Errors:
 * FS_EDATA, FS_EIO, FS_ENOMEM; FS_ENODATA if the text contains no known output. */
FS_API int fs_import_text(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			  const struct fs_text_options *o, struct fs_error *err);

FS_END_DECLS

#endif
