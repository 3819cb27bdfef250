#ifndef VERSION_H
#define VERSION_H

#define FS_TOOLS_VERSION "0.1.0"

#endif
