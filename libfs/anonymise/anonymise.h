/* Roles of the texts in a snapshot, and the hash from which pseudonyms are made (fs_snapshot_anonymise).
 *
 * Each text field of a record has one role, which a table in anonymise.c defines. A name is replaced by a pseudonym,
 * which depends on the key, the role and the name. If the options keep the order of names, the pseudonym also depends
 * on the name's alphabetical rank. The same name in another role gets another pseudonym. The functions here have no
 * state and do not fail. */
#ifndef FSI_ANONYMISE_ANONYMISE_H
#define FSI_ANONYMISE_ANONYMISE_H

#include "model/tables.h"
#include <stddef.h>

/* Role of a text, which decides how the text is replaced. */

enum fsi_role {
	FSI_ROLE_KEEP,   /* not replaced: a word that the scheduler or the hardware defines */
	FSI_ROLE_REMOVE, /* removed: free text */
	FSI_ROLE_CLUSTER,
	FSI_ROLE_USER,
	FSI_ROLE_GROUP,
	FSI_ROLE_ACCOUNT,
	FSI_ROLE_QOS,
	FSI_ROLE_PARTITION,
	FSI_ROLE_PROJECT,
	FSI_ROLE_RESERVATION,
	FSI_ROLE_JOB,
	FSI_ROLE_NODES,  /* node names or a hostlist: only letters outside brackets are replaced */
	/* wait reason: a known reason is kept, without the node list after its colon; any other reason is replaced */
	FSI_ROLE_REASON,
	/* name of a Maui credential; the member `kind` of the record determines the role of the name */
	FSI_ROLE_BY_KIND
};

/* Returns the role of a text field (FSI_STR or FSI_LIST) of a record type; FSI_ROLE_REMOVE if the field is not in the
 * table of roles. */
enum fsi_role fsi_anonymise_field_role(const char *type, const char *key);
/* Returns the role of the name of a Maui credential of the given kind ("user", "acct", ...). */
enum fsi_role fsi_anonymise_kind_role(const char *kind);
/* Returns true if an anonymised snapshot contains the value of this scheduler parameter unchanged. */
bool fsi_anonymise_keeps_config(const char *name);

/* Returns SipHash-2-4 of the n bytes with a key of 16 bytes (Aumasson and Bernstein, 2012). */
uint64_t fsi_anonymise_siphash(const unsigned char key[16], const void *bytes, size_t n);

#endif
