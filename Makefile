# make run        builds datactl and runs the sessions of the README in a temporary folder
# make check      runs the fast tests, which need no server and no release build
# make test       runs the tests, except the slowest
# make test-all   runs every test; ITERATIONS=N sets the number of random cases
# make bench      compares datactl with the sqlite3 shell, sqlite-utils and psql, for several minutes;
#                 PART=starts, bulk, shapes, finding, trees, server, postgres or citus,
#                 SIZES="10000 10000000"
# make documents  regenerates man and completions
# make release    builds .build/release/datactl, unless it is up to date
# make install    PREFIX=/usr/local; DESTDIR is respected
# make uninstall
# make deb        builds .build/packages/datactl_VERSION_ARCH.deb
# make tarball    builds .build/packages/datactl-VERSION-linux-ARCH.tar.gz
#
# Missing Debian packages are installed; nothing else on the system is changed.

# The release target needs the option pipefail.
SHELL := /bin/bash

PREFIX ?= /usr/local
SWIFT ?= $(firstword $(shell command -v swift) /opt/swift/usr/bin/swift)
JOBS ?= $(shell nproc)
export PATH := $(dir $(SWIFT)):$(PATH)

# The release build has a folder of its own, so that it can run at the same time as the build of the
# tests. RELEASE is a link to its products.
PRODUCT := .build/product
RELEASE := .build/release
BINARY := $(RELEASE)/datactl

BUILD_PACKAGES := binutils libc6-dev libstdc++-12-dev libsqlite3-dev
RUN_PACKAGES := $(BUILD_PACKAGES) jq
TEST_PACKAGES := $(RUN_PACKAGES) libsodium23 libpq5 libxml2 libmicrohttpd12 libcurl4 curl postgresql pgbouncer openssl sqlite3 strace valgrind mandoc groff zsh fish util-linux \
	python3 python3-jsonschema graphviz iso-codes distro-info-data ieee-data

# The Swift runtime, libstdc++ and libgcc are linked statically, because loading shared libraries would
# take most of the time of a short command. `.build/static` has only the static libstdc++.
STATIC := .build/static
# The program exports no symbols, and no shared library is installed with it. It has no debug
# information, which would contain the path of the sources.
LINK := -debug-info-format none --static-swift-stdlib --disable-local-rpath -Xlinker -L$(STATIC) \
	-Xlinker --no-export-dynamic -Xlinker --build-id=none \
	$(foreach flag,-static-libgcc -no-pie,-Xswiftc -Xclang-linker -Xswiftc $(flag))
# Without this option, a generic type is looked up by its mangled name when it is first used, which
# costs 11,000 instructions for each of the 100 types that a short command uses.
OPTIMIZE := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The length of the folder's path must not be in the program.
OPTIMIZE += -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.

# Calls of these functions in static libraries are linked to functions of the program: `malloc` to say
# that memory is short, the others because older versions of glibc do not have them.
WRAP := malloc arc4random hypotf _dl_find_object

.PHONY: run check test test-all tests builds bench documents install install-files uninstall deb tarball release packages-run packages-test packages-build lint clean

run: packages-run release
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && here=$$PWD && cd "$$folder" && \
	TMPDIR="$$folder" PATH="$$here/$(RELEASE):$$PATH" \
	  sh "$$here/Tests/CommandTests/Examples/session.sh" "$$here/README.md"

check: packages-run lint tests
	Tests/run.sh check

test: packages-test lint builds
	DATACTL_BINARY="$$PWD/$(BINARY)" Tests/run.sh test

test-all: packages-test lint builds
	DATACTL_BINARY="$$PWD/$(BINARY)" Tests/run.sh all

tests:
	$(SWIFT) build --build-tests -j $(JOBS)

# Both builds at the same time: each has phases in which it uses one core.
builds: packages-test
	@$(MAKE) --no-print-directory -j 2 release tests

lint:
	$(SWIFT) format lint --strict --parallel -r Sources Tests Package.swift

documents:
	DATACTL_RECORD=1 $(SWIFT) test -j $(JOBS) --filter GeneratedDocumentTests

bench: packages-test release
	$(SWIFT) build -c release --scratch-path $(PRODUCT) -j $(JOBS) --product Benchmarks $(LINK)
	$(RELEASE)/Benchmarks $(BINARY) $(PART) $(SIZES)

release: $(BINARY)

# Folders are prerequisites too: their modification times change when a file is deleted or renamed.
$(BINARY): Package.swift $(shell find Sources) $(STATIC)/libstdc++.a
	@echo "Building datactl. The first build takes about four minutes."
	@set -o pipefail; $(SWIFT) build -c release --scratch-path $(PRODUCT) -j $(JOBS) \
	  --product datactl $(OPTIMIZE) $(LINK) -Xlinker -Map=$(PRODUCT)/datactl.map \
	  $(foreach function,$(WRAP),-Xlinker --wrap=$(function)) 2>&1 | \
	  sed -u '/warning: the use of .mktemp. is dangerous/d' # Foundation refers to it, datactl does not.
	@ln -sfn product/release $(RELEASE)
	@# The section has hashes that depend on the folder. A copy starts faster than the linker's output.
	@# The program `strip` would remove GNU_RELRO too, which makes relocated data read-only. A program
	@# that is position-independent, or binds all functions at its start, starts more slowly. Pages that
	@# llvm-objcopy has written through a mapping are mapped in larger units, which takes 7 MB of memory.
	@$(dir $(SWIFT))llvm-objcopy --strip-all -R .swift_modhash $@ $@.stripped && \
	  cp --reflink=never $@.stripped $@.copy && mv $@.copy $@ && rm $@.stripped

$(STATIC)/libstdc++.a:
	@mkdir -p $(STATIC)
	@ln -sf "$$($(dir $(SWIFT))clang -print-file-name=libstdc++.a)" $@

install: packages-build release
	@$(MAKE) --no-print-directory install-files

# Packages contain these files too.
install-files:
	install -D -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/datactl"
	for page in man/*.[1-8]; do \
	  install -D -m 644 "$$page" "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}"; done
	install -D -m 644 completions/datactl.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/datactl"
	install -D -m 644 completions/_datactl "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_datactl"
	install -D -m 644 completions/datactl.fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/datactl.fish"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/datactl"
	for page in man/*.[1-8]; do \
	  rm -f "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}"; done
	rm -f "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/datactl"
	rm -f "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_datactl"
	rm -f "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/datactl.fish"

deb tarball: packages-run release
	@BINARY=$(BINARY) Tests/Packaging/build.sh $@

packages-run: PACKAGES := $(RUN_PACKAGES)
packages-test: PACKAGES := $(TEST_PACKAGES)
packages-build: PACKAGES := $(BUILD_PACKAGES)

packages-run packages-test packages-build:
	@missing=; for package in $(PACKAGES); do \
	  case $$(dpkg-query -W -f '$${Status}' "$$package" 2>/dev/null) in \
	    "install ok installed") ;; *) missing="$$missing $$package" ;; esac; done; \
	[ -n "$$missing" ] || exit 0; \
	[ "$$(id -u)" = 0 ] && root= || root=sudo; \
	echo "installing$$missing"; \
	install="$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends"; \
	$$install $$missing >/dev/null 2>&1 || { $$root apt-get update && $$install $$missing; }

clean:
	rm -rf .build
