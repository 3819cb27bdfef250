from spack.package import *


class FsTools(MakefilePackage):
    """Why a cluster's job is still pending, and what would change it: shares, usage,
    priorities and planned starts of Slurm, Flux and Maui, computed from a snapshot as the
    scheduler does, and explained."""

    license("MIT")

    # `spack dev-build fs-tools@main` in a checkout; a site adds its own mirror of releases.
    version("main", branch="main")

    variant("top", default=True, description="Build fs-top, which needs ncurses")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cjson")
    depends_on("ncurses", when="+top")
    depends_on("zstd")

    def options(self):
        chosen = [
            "NO_INSTALL=1",
            "PREFIX=" + self.prefix,
            "SYSTEMD_UNITS=" + join_path(self.prefix, "lib", "systemd", "system"),
        ]
        if self.spec.satisfies("~top"):
            chosen.append("CURSES=no")
        return chosen

    def build(self, spec, prefix):
        make(*self.options())

    def install(self, spec, prefix):
        make("install", *self.options())
