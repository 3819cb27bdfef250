#%Module1.0
proc ModulesHelp { } {
    puts stderr "fs-tools @VERSION@: why a job is still pending, and what would change it. See fs-tools(1)."
}
module-whatis "shares, usage, priorities and starts of Slurm, Flux and Maui jobs, explained"
prepend-path PATH "@BINDIR@"
prepend-path MANPATH "@PREFIX@/share/man"
prepend-path LD_LIBRARY_PATH "@LIBDIR@"
prepend-path PKG_CONFIG_PATH "@LIBDIR@/pkgconfig"
