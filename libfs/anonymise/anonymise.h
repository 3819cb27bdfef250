/* Anonymised snapshots: which text of a record is a name, and the new name that it gets. */
#ifndef FSI_ANONYMISE_ANONYMISE_H
#define FSI_ANONYMISE_ANONYMISE_H

#include "model/tables.h"
#include <stddef.h>

/* What becomes of each text of a record, and of a name. */

enum fsi_role {
	FSI_ROLE_KEEP,	/* a word of the scheduler's, or of the hardware */
	FSI_ROLE_LEAVE, /* free text: left out */
	FSI_ROLE_CLUSTER,
	FSI_ROLE_USER,
	FSI_ROLE_GROUP,
	FSI_ROLE_ACCOUNT,
	FSI_ROLE_QOS,
	FSI_ROLE_PARTITION,
	FSI_ROLE_PROJECT,
	FSI_ROLE_RESERVATION,
	FSI_ROLE_JOB,
	FSI_ROLE_NODES,	 /* names or a list of them: the letters outside brackets */
	FSI_ROLE_REASON, /* a known one, without the nodes behind it */
	FSI_ROLE_BY_KIND /* Maui's credential: as the record's `kind` says */
};

/* The role of a field of texts (STR, LIST) in records of that type. A field that no table names is left out. */
enum fsi_role fsi_role_of(const char *type, const char *key);
/* The role of a credential's name. */
enum fsi_role fsi_role_of_kind(const char *kind);
/* May the text of this parameter of the scheduler stay? */
bool fsi_config_stays(const char *name);

/* SipHash-2-4 of the bytes under a key of 16 bytes (Aumasson and Bernstein, 2012). */
uint64_t fsi_siphash(const unsigned char key[16], const void *bytes, size_t n);

#endif
