# make run        builds datactl and does its main job once, on a store in a temporary folder
# make test       runs every test
# make bench      measures datactl beside the sqlite3 shell and sqlite-utils, for several minutes;
#                 PART=starts, bulk, shapes or finding, SIZES="10000 10000000"
# make documents  writes man and completions anew
# make install    PREFIX=/usr/local; DESTDIR is respected
# make uninstall
#
# What is missing of the Debian packages is installed; nothing else is touched.

PREFIX ?= /usr/local
SWIFT ?= $(firstword $(shell command -v swift) /opt/swift/usr/bin/swift)
JOBS ?= $(shell nproc)
export PATH := $(dir $(SWIFT)):$(PATH)

RELEASE := .build/release
BINARY := $(RELEASE)/datactl

BUILD_PACKAGES := binutils libc6-dev libstdc++-12-dev libsqlite3-dev
RUN_PACKAGES := $(BUILD_PACKAGES) jq
TEST_PACKAGES := $(RUN_PACKAGES) libsodium23 libpq5 postgresql pgbouncer openssl sqlite3 strace valgrind mandoc groff zsh fish util-linux \
	python3 python3-jsonschema graphviz iso-codes distro-info-data ieee-data

# The Swift runtime is linked statically, and so are libstdc++ and libgcc: the loader's work would be
# most of what a short command takes. The linker finds only the static libstdc++ in `.build/static`.
STATIC := .build/static
# Nothing looks for names in the program either, and no library stands beside it.
LINK := --static-swift-stdlib --disable-local-rpath -Xlinker -L$(STATIC) \
	-Xlinker --no-export-dynamic \
	$(foreach flag,-static-libgcc -no-pie,-Xswiftc -Xclang-linker -Xswiftc $(flag))

.PHONY: run test bench documents install uninstall release packages-run packages-test packages-build lint clean

run: packages-run release
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && here=$$PWD && cd "$$folder" && \
	PATH="$$here/$(RELEASE):$$PATH" sh "$$here/Tests/CommandTests/Examples/session.sh" "$$here/README.md"

test: packages-test lint release
	$(SWIFT) build --build-tests -j $(JOBS)
	DATACTL_BINARY="$$PWD/$(BINARY)" $(SWIFT) test --skip-build

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift

documents:
	DATACTL_RECORD=1 $(SWIFT) test -j $(JOBS) --filter WrittenDocumentTests

bench: packages-test release
	$(SWIFT) build -c release -j $(JOBS) --product Benchmarks $(LINK)
	$(RELEASE)/Benchmarks $(BINARY) $(PART) $(SIZES)

# The program is copied without its symbols: a file that was written in one go is mapped in larger
# pieces than one that a linker wrote, which takes a fifth off the time of a get.
release: $(STATIC)/libstdc++.a
	$(SWIFT) build -c release -j $(JOBS) --product datactl $(LINK)
	@strip -o $(BINARY).whole $(BINARY) && mv $(BINARY).whole $(BINARY)

$(STATIC)/libstdc++.a:
	@mkdir -p $(STATIC)
	@ln -sf "$$($(dir $(SWIFT))clang -print-file-name=libstdc++.a)" $@

install: packages-build release
	install -D -s -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/datactl"
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
