/* Roles of the texts in a snapshot, and the hash from which pseudonyms are made (fs_snapshot_anonymise).
 *
 * Each text field of a record has one role (enum fsi_role, model/records/records.h). A name is replaced by a pseudonym,
 * which depends on the key, the role and the name. If the options keep the order of names, the pseudonym also depends
 * on the name's alphabetical rank. The same name in another role gets another pseudonym. The functions here have no
 * state and do not fail. */
#ifndef FSI_ANONYMISE_ANONYMISE_H
#define FSI_ANONYMISE_ANONYMISE_H

#include "model/tables.h"
#include <stddef.h>

/* Returns the role of the name of a Maui credential of the given kind ("user", "acct", ...). */
enum fsi_role fsi_anonymise_kind_role(const char *kind);
/* Returns true if an anonymised snapshot contains the value of this scheduler parameter unchanged. */
bool fsi_anonymise_keeps_config(const char *name);

/* Returns SipHash-2-4 of the n bytes with a key of 16 bytes (Aumasson and Bernstein, 2012). */
uint64_t fsi_anonymise_siphash(const unsigned char key[16], const void *bytes, size_t n);

#endif
