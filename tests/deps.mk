# Dependencies. `make` and `make install` only check them; `make deps`, `make demo` and `make check` install the Debian
# packages of missing ones, unless NO_INSTALL is set.
export CC CURSES ZSTD NO_INSTALL PKG_CONFIG

.PHONY: deps look-build get-build get-test get-packages

deps: get-test

look-build:
	@tests/deps.sh build

get-build:
	@INSTALL=1 tests/deps.sh build

get-test:
	@INSTALL=1 tests/deps.sh test

get-packages:
	@INSTALL=1 tests/deps.sh packages
