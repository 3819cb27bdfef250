-- Lmod
help([[fs-tools @VERSION@: why a job is still pending, and what would change it. See fs-tools(1).]])
whatis("Name: fs-tools")
whatis("Version: @VERSION@")
whatis("Description: shares, usage, priorities and starts of Slurm, Flux and Maui jobs, explained")
prepend_path("PATH", "@BINDIR@")
prepend_path("MANPATH", "@PREFIX@/share/man")
prepend_path("LD_LIBRARY_PATH", "@LIBDIR@")
prepend_path("PKG_CONFIG_PATH", "@LIBDIR@/pkgconfig")
