# What is needed and how to get it. Missing Debian packages are installed when that is possible (root, or
# sudo that asks nothing); otherwise the list is printed.
DEB_BUILD := gcc make pkg-config libc6-dev libcjson-dev libncurses-dev
DEB_TEST := clang libclang-rt-14-dev libcmocka-dev bats valgrind python3-jsonschema mandoc shellcheck xz-utils tmux

.PHONY: deps-quiet deps-test-quiet

deps:
	@tests/deps.sh $(DEB_BUILD) $(DEB_TEST)

deps-quiet:
	@tests/deps.sh $(DEB_BUILD)

deps-test-quiet:
	@tests/deps.sh $(DEB_BUILD) $(DEB_TEST)
