/* Flux job ids in base 58, read; written by the public fs_f58_format. */
#ifndef FSI_BASE_NUMBER_F58_H
#define FSI_BASE_NUMBER_F58_H

#include <stdint.h>

/* "ƒ2dTAM4jKm", or in ASCII "f2dTAM4jKm". -1: the text is none. */
int fsi_f58_parse(const char *s, uint64_t *id);

#endif
