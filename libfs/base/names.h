/* The words of a public list of enumerators, as the elements of an array: { FS_FATES(FSI_NAME) }. */
#ifndef FSI_BASE_NAMES_H
#define FSI_BASE_NAMES_H

#define FSI_NAME(tag, name) name,

#endif
