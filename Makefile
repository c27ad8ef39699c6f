# SPDX-License-Identifier: ISC
# GNU make, one file, no recursion; everything built lands in $(O).
# make [all] static debug deps demo test check-all faults starts fuzz torture audit attack sampling cover bench cliffs errors lint completions html install uninstall deb proof reproducible dist release clean
# SAN=address,undefined builds with sanitizers into build-san.  config.mk may override.
O        = build
CC       = cc
CXX      = c++
CFLAGS   = -O3 -g1
# No contraction: a product and a sum in one instruction round once, and plans would differ by processor
WARN     = -std=c11 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla \
    -Wno-missing-field-initializers -Wno-format-zero-length
CPPFLAGS = -D_GNU_SOURCE -Ilib
# What an error in memory can do, kept small; a function is a section, so that a program has those that it
# calls; and no name of a folder in what is built (make reproducible)
HARDEN   = -ffunction-sections -fdata-sections -fstack-protector-strong $(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
# One compilation for programs and the shared library, which has no other names than its own
PIC      = -fPIC -fvisibility=hidden
MAPPED   = '-ffile-prefix-map=$(CURDIR)=.'
BIND     = -pie -Wl,-z,relro,-z,now,-z,noexecstack,-z,noseparate-code,--gc-sections$(PACKED)
# Relocations are packed where the C library unpacks them: glibc from 2.36 on
PACKED   = $(if $(shell grep -ls GLIBC_ABI_DT_RELR "$$($(CC) -print-file-name=libc.so.6)"),$(COMMA)-z$(COMMA)pack-relative-relocs)
COMMA    = ,
DRIVEN   = -DREPLAY
OBJCOPY  = objcopy
CLANG    = clang
MUSL_CC  = musl-gcc
MUSL_PREFIX = build-musl
# Of a test: the library takes its time, not its own code; nothing for a debugger (make debug has it)
EASY     = -O1
BARE     = -Wl,-S
# The C library is searched first: most names are its own.
FIRST    = -Wl,--no-as-needed -lc -Wl,--as-needed
LDLIBS   = -lcsv -lpcre2-8 -ljson-c -lsodium -ldl -lm
PREFIX   = /usr/local
DESTDIR  =
BINDIR   = $(DESTDIR)$(PREFIX)/bin
LIBDIR   = $(PREFIX)/lib
LIBS     = $(DESTDIR)$(LIBDIR)
INCLUDE  = $(DESTDIR)$(PREFIX)/include
SHARE    = $(DESTDIR)$(PREFIX)/share
MANDIR   = $(SHARE)/man
BASHDIR  = $(SHARE)/bash-completion/completions
ZSHDIR   = $(SHARE)/zsh/site-functions
FISHDIR  = $(SHARE)/fish/vendor_completions.d
DOCDIR   = $(SHARE)/doc/dputils
VERSION := $(shell sed -n 's/^.define DP_VERSION "\(.*\)"$$/\1/p' lib/base/dp.h)
MAKEFLAGS += --no-print-directory
-include config.mk
# A command is a line with its name and the file it makes; V=1: the whole command
V        =
SAY      = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '%-7s %s\n' $(1) $(2);))
ifdef SAN
O       := build-san
CFLAGS  += -fsanitize=$(SAN) -fno-sanitize-recover=all
HARDEN   =
BARE     =
endif

# Targets that a fuzzer drives, and the tools that one of them runs
ifdef FUZZING
override O := $(O)/fuzz
override CC = $(CLANG)
override CFLAGS = -O2 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
    -fno-sanitize-coverage=trace-cmp,stack-depth
# Branches of the library lead the fuzzer: comparisons of numbers, and what a target itself looks at, take time
BARE     =
EASY     =
DRIVEN   = -fsanitize=fuzzer -fno-sanitize-coverage=inline-8bit-counters,pc-table,trace-cmp,indirect-calls,stack-depth
HARDEN   =
endif

# Without optimisation and copies of functions: branches are then those of the source.
ifdef COVER
O       := build-cover
CFLAGS   = -O0 -g --coverage -DCOVER '-DDP_INLINE=static inline'
HARDEN   =
EASY     =
endif

# So is what a debugger steps through
ifdef DEBUG
O       := build-debug
CFLAGS   = -O0 -g3 '-DDP_INLINE=static inline'
EASY     =
BARE     =
endif

# Both are untested
SYSTEM  := $(shell uname -s)
ifeq ($(SYSTEM),Darwin)
BREW    := $(shell brew --prefix 2>/dev/null)
CPPFLAGS += -D_DARWIN_C_SOURCE -I$(BREW)/include
LDFLAGS += -L$(BREW)/lib
BIND     = -Wl,-dead_strip
FIRST    =
NOSHARED = 1
else ifeq ($(SYSTEM),FreeBSD)
CPPFLAGS += -I/usr/local/include
LDFLAGS += -L/usr/local/lib
endif

# One program under all names, with all libraries in it, of musl: make static
ifdef STATIC
O       := build-static
override CC = $(MUSL_CC)
CFLAGS  += -fno-asynchronous-unwind-tables
CPPFLAGS += -DDP_STATIC -isystem $(MUSL_PREFIX)/include
LDFLAGS += -L$(MUSL_PREFIX)/lib
LDLIBS += -lmpfr -lgmp -lsqlite3
PACKED   =
# musl-gcc does not know -static-pie: what gcc makes of it, said in full
ifeq ($(MUSL_CC),musl-gcc)
MUSL    := /usr/lib/$(shell uname -m)-linux-musl
BEGIN   := $(MUSL)/rcrt1.o $(MUSL)/crti.o $(shell gcc -print-file-name=crtbeginS.o)
END     := $(shell gcc -print-file-name=crtendS.o) $(MUSL)/crtn.o
BIND    := -static -nostartfiles -s -Wl,-pie,--no-dynamic-linker,-z,text$(BIND:-pie%=%)
else
BIND    := -static-pie -s $(BIND:-pie%=%)
endif
endif

# What knows options or a run may print, exit and read the clock; the rest may not (make lint).
LIB   = $(O)/libdp.a
LOBJ  = $(patsubst %.c,$(O)/%.o,$(filter-out lib/run/named.c,$(wildcard lib/*/*.c)))
SAYS  = api/charge job/check job/complete job/wrap job/parse job/relation job/table job/user input/event input/terms input/partial input/spawn \
    chart/plot chart/replace store/session store/job store/charge store/cap store/names explain/% run/%
PURE  = $(filter-out $(SAYS:%=$(O)/lib/%.o),$(LOBJ))
# The library for programs: of libdp.a what lib/api calls
FUNCTIONS = $(shell sed -n "s/^	\(dputils_[a-z]*\);/\1/p" lib/api/libdputils.map)
ABI   = 1
SO    = $(O)/libdputils.so.$(ABI)
API   = $(patsubst %.c,$(O)/%.o,$(wildcard lib/api/*.c))
SHARED = $(if $(SAN)$(COVER)$(FUZZING)$(STATIC)$(NOSHARED),,$(SO) $(O)/libdputils.so $(O)/libdputils.a)
BIN   = $(patsubst cmd/%.c,$(O)/bin/%,$(wildcard cmd/*.c))
TOOLS = $(notdir $(BIN))
TEST  = $(patsubst tests/%.c,$(O)/tests/%,$(wildcard tests/unit/t_*.c tests/law/s_*.c))
FUZZ  = $(patsubst tests/%.c,$(O)/tests/%,$(wildcard tests/fuzz/f_*.c))
# Programs of their own, which load other libraries; all other tools are one, under its names.
ALONE = $(if $(STATIC),,dpaudit dpbudget dpplot)
ASKED = $(filter-out $(ALONE),$(TOOLS))
NAMED = $(ASKED:%=$(O)/named/%.o)
TOY   = $(patsubst tests/%.c,$(O)/tests/%,$(wildcard tests/toys/*.c))
TOOL  = $(patsubst tests/%.c,$(O)/tests/%,$(wildcard tests/bench/bench_*.c) tests/unit/registry.c tests/unit/sweep.c) $(TOY)
MAN   = $(wildcard man/*.[1-9])
SAMPLE = $(wildcard man/examples/*)
DATA  = $(O)/share/dputils/sample
# What a library that neither prints nor exits nor reads clock or environment cannot call
BADSYM = exit|_exit|quick_exit|abort|perror|v?(err|warn)x?|v?f?printf|v?dprintf|puts|fputs|putchar|fwrite|s?rand(om)?|drand48|getenv|secure_getenv|setlocale|localeconv|atof|strto(d|f|ld)|time|clock_gettime|gettimeofday|std(out|err)

all: $(BIN) $(SHARED) $(DATA)/access.log

# GNU make before 3.81 has no $(or)
$(if $(filter 3.7% 3.80,$(MAKE_VERSION)),$(error make $(MAKE_VERSION) is too old: GNU make 3.81 or newer is needed))
# The first line of a build that cannot be: which packages are missing (once a folder)
$(O)/headers:
	@mkdir -p $(@D)
	@sh tests/deps.sh --headers $(CC) $(CPPFLAGS) && touch $@

$(O)/%.o: %.c | $(O)/headers
	@mkdir -p $(@D)
	$(call SAY,CC,$<)$(CC) $(WARN) $(CFLAGS) $(PIC) $(HARDEN) $(MAPPED) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# q: rooms have files of one name
$(LIB): $(LOBJ)
	@rm -f $@
	$(call SAY,AR,$@)$(AR) qcs $@ $^

# The checker of plans computes with GMP and MPFR; no tool that prints an estimate does
$(O)/bin/dpaudit: LDLIBS += -lmpfr -lgmp

$(ALONE:%=$(O)/bin/%): $(O)/bin/%: $(O)/cmd/%.o $(LIB)
	@mkdir -p $(@D)
	$(call SAY,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) $(BIND) -o $@ $^ $(LDLIBS)

$(SO): $(API) $(LIB) lib/api/libdputils.map
	$(call SAY,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F),-z,defs,-z,relro,-z,now,-z,noexecstack,--gc-sections \
	    -Wl,--version-script=lib/api/libdputils.map -o $@ $(API) $(LIB) -lsodium -ldl -lm

$(O)/libdputils.so: $(SO)
	@ln -sf $(<F) $@

# One object, whose other names are its own
$(O)/libdputils.a: $(API) $(LIB)
	@rm -f $@
	$(call SAY,AR,$@)$(CC) -r -nostdlib -o $(O)/libdputils.o $(API) $(LIB) && \
	    $(OBJCOPY) -w --keep-global-symbol='dputils_*' $(O)/libdputils.o && $(AR) qcs $@ $(O)/libdputils.o

$(O)/dputils: $(O)/lib/run/named.o $(NAMED) $(LIB)
	$(call SAY,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) $(BIND) -o $@ $(BEGIN) $^ $(FIRST) $(LDLIBS) $(END)

# A new tool makes it anew, so that its name is known
$(O)/lib/run/named.o: $(ASKED:%=cmd/%.c)
$(O)/lib/run/named.o: CPPFLAGS += '-DTOOLS=$(foreach t,$(ASKED),TOOL($t))'

$(ASKED:%=$(O)/bin/%): $(O)/dputils
	@mkdir -p $(@D)
	$(call SAY,LN,$@)ln -f $< $@

# A tool that is one of many, so that its main() is not the program's
$(O)/named/%.o: cmd/%.c
	@mkdir -p $(@D)
	$(call SAY,CC,$<)$(CC) $(WARN) $(CFLAGS) $(HARDEN) $(MAPPED) $(CPPFLAGS) -Dmain=$*_main -MMD -MP -c -o $@ $<

$(TEST) $(TOOL): $(O)/tests/%: $(O)/tests/%.o $(LIB)
	$(call SAY,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) $(BARE) -o $@ $(filter-out $(LIB),$^) $(LIB) $(LDLIBS) -lmpfr -lgmp

$(FUZZ): $(O)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(call SAY,CC,$<)$(CC) $(WARN) $(CFLAGS) $(CPPFLAGS) $(DRIVEN) $(LDFLAGS) $(BARE) -o $@ $(filter-out $(LIB),$^) $(LIB) $(LDLIBS) -lmpfr -lgmp

# Their command lines are those of all tools that run by the driver
$(O)/tests/fuzz/f_options $(O)/tests/fuzz/f_job $(O)/tests/fuzz/f_additive $(O)/tests/fuzz/f_forge $(O)/tests/fuzz/f_numbers $(O)/tests/unit/sweep: \
    $(NAMED)

$(O)/tests/fuzz/f_ledger: LDFLAGS += -Wl,--wrap=dp_zcdp_rho

$(patsubst %,%.o,$(filter-out $(O)/tests/bench/%,$(TEST) $(TOOL))): CFLAGS += $(EASY)
# Functions that stand in the place of the C library's are seen by other libraries
$(O)/tests/%.o: PIC = -fPIC

# It runs the tools
$(O)/tests/fuzz/f_state: | $(BIN)

# PCG64 as its author's C++ headers compute it
$(O)/tests/pcg_reference: tests/unit/pcg_reference.cc
	@mkdir -p $(@D)
	$(call SAY,CXX,$<)$(CXX) -O2 -o $@ $<

# For any Linux of this processor.  MUSL_PREFIX: static libraries for musl, fetched and built if they
# are not there; MUSL_CC: the compiler (cc, where the system's C library is musl)
.PHONY: static
static:
	@[ -e $(MUSL_PREFIX)/lib/libmpfr.a ] || CC="$(MUSL_CC)" sh tests/static.sh $(MUSL_PREFIX)
	$(MAKE) STATIC=1 all

deps:
	sh tests/deps.sh

debug:
	$(MAKE) DEBUG=1 all

demo: deps
	$(MAKE) all
	sh tests/demo.sh $(O)/bin $(if $(LOG),'$(LOG)')

# All tests but those of the tests; what needs a package that is not there is skipped
test:
	sh tests/deps.sh --test
	$(MAKE) check SKIP='faults*'

# Before a release: daemons, a browser, proofs, clean systems, a fuzzer too, and what these need
check-all:
	sh tests/deps.sh --all
	HEAVY=1 $(MAKE) check SKIP='faults*'

# Whether the tests see what they are for: faults are planted, one at a time, and must be caught
faults:
	sh tests/deps.sh --test
	$(MAKE) check ONLY='$(or $(FAULTS),faults*)'

# How many processes each test starts, and which tests start the most; ONLY=PATTERN
starts: $(BIN) $(ASKED:%=$(O)/cmd/%.o) $(TEST) $(FUZZ) $(TOOL) $(O)/tests/pcg_reference
	@DP_BUILD="$(CURDIR)/$(O)" PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/starts.sh $(O)/starts \
	    $(filter $(if $(ONLY),$(patsubst %,tests/%,$(ONLY)) $(O)/tests/$(ONLY),%),$(wildcard tests/all/*.bats tests/tool/*.bats) $(TEST) $(FUZZ))

check: $(BIN) $(ASKED:%=$(O)/cmd/%.o) $(TEST) $(FUZZ) $(TOOL) $(O)/tests/pcg_reference
	DP_BUILD="$(CURDIR)/$(O)" PATH="$(CURDIR)/$(O)/bin:$$PATH" CC="$(CC)" \
	    $(if $(SKIP),SKIP='$(SKIP)') $(if $(ONLY),ONLY='$(ONLY)') sh tests/run.sh

# TIME=600: so many seconds for each target in turn; ONLY=f_json: for that one
fuzz:
	@sh tests/fuzz.sh --needs "$(CLANG)"
	@$(MAKE) -s FUZZING=1 fuzz-build
	@PATH="$(CURDIR)/$(O)/fuzz/bin:$$PATH" sh tests/fuzz.sh $(O)/fuzz $(or $(TIME),600) $(ONLY)

# Without a fuzzer: N=1000000 inputs that are those of a target's corpus with some changes; SAN=..; ONLY=f_json
mutants: $(if $(ONLY),$(ONLY:%=$(O)/tests/fuzz/%),$(FUZZ))
	@for t in $(^F); do printf '%s: ' $$t; $(O)/tests/fuzz/$$t --mutants=$(or $(N),1000000) tests/fuzz/corpus/$$t/* || exit 1; done

fuzz-build: $(if $(ONLY),$(ONLY:%=$(O)/tests/fuzz/%),$(FUZZ))

# Kills, failing calls, lost power, damage, races and looks into memory, MOST=1000 of each for each
# tool: a table; then logs that are rotated at each system call.  ONLY='dpcount power': of this tool, and this kind, alone
torture: $(BIN)
	@sh tests/torture.sh $(O)/bin $(or $(MOST),1000) 1 $(ONLY)
	@$(if $(ONLY),:,sh tests/torture.sh $(O)/bin rotate)

# What runs of each mechanism lose, from below by RUNS=2000 of each and from above by its plan: a table
audit: $(BIN)
	@sh tests/audit.sh $(O)/bin $(or $(RUNS),2000)

# Names that nobody declared: joint outputs of neighbours, by so many runs each; minutes.
attack: $(O)/tests/law/s_top
	@for of in 'gated-normtree names' 'gated-laplace step-names' \
	    'gated-window window-names' 'gated-blt names'; do \
		ATTACK_RUNS=$(or $(RUNS),10000000) $(O)/tests/law/s_top $$of neighbour || exit 1; \
	done

# Intervals of what events are a sample of: which part of RUNS=100000 holds the mean; some minutes
sampling: $(O)/tests/law/s_sampling
	@SAMPLING_RUNS=$(or $(RUNS),100000) $(O)/tests/law/s_sampling

# Branches of lib/ that the suite takes, and the lines where one was not; faults run other code, and are left out
cover:
	@command -v gcovr >/dev/null || sh tests/deps.sh gcovr
	$(MAKE) COVER=1 cover-run

cover-run: $(BIN) $(TEST) $(FUZZ) $(TOOL) $(O)/tests/pcg_reference
	find $(O) -name '*.gcda' -delete
	-DP_BUILD="$(CURDIR)/$(O)" PATH="$(CURDIR)/$(O)/bin:$$PATH" SKIP='faults*' sh tests/run.sh
	sh tests/cover.sh $(O)

# BASE=DIR: against the build at DIR (an absolute path) instead of mawk
bench: $(BIN) $(TOOL)
	PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/bench.sh $(O) $(BASE)
	PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/scale.sh

# What options cost beside the main road; ONLY=PATTERN: rows whose names match
cliffs: $(BIN) $(TOOL)
	PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/cliffs.sh "$(CURDIR)/$(O)" $(if $(ONLY),'$(ONLY)')

# Which mechanism wins where, and which never does: some ten minutes; N=40: every 40th setting
choices: $(BIN)
	@PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/choices.sh $(N)

errors: $(BIN)
	@PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/errors.sh
	@PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/quantiles.sh
	@PATH="$(CURDIR)/$(O)/bin:$$PATH" sh tests/bench/names.sh

lint: lint-library lint-compile lint-pages lint-scripts lint-flow
	sh tests/lint.sh rooms open words columns lengths structs top

lint-library: $(PURE)
	! nm -A $(PURE) | grep -E ' U (__)?($(BADSYM))(_chk)?(@|$$)'
	! objdump -t $(PURE) | grep -E ' O \.(data|bss)[^.]' # no mutable file-level data

# No warning, and each header by itself
lint-compile:
	printf '%s\n' lib/*/*.c cmd/*.c | xargs -n 40 $(CC) $(WARN) -Werror $(CPPFLAGS) -fsyntax-only
	for d in lib/*; do $(CC) $(WARN) -Wno-pedantic -D_GNU_SOURCE -I. -Ilib -I$$d -fsyntax-only -x c $$d/*.h || exit 1; done

# These, where they are installed
lint-pages:
	$(call IF,mandoc) -Tlint -W warning $(MAN)

lint-scripts:
	$(call IF,shellcheck) -x tests/*.sh tests/bench/*.sh man/*.sh man/examples/*.sh man/sample/*.sh .ci/run

lint-flow:
	$(call IF,cppcheck) -q --std=c11 --error-exitcode=1 --enable=warning,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=nullPointerArithmeticRedundantCheck --suppress=nullPointerRedundantCheck --suppress=arrayIndexThenCheck -Ilib lib cmd

IF = command -v $(1) >/dev/null || { echo "no $(1): not checked"; exit 0; }; $(1)

# For bash, zsh and fish, from the tools' own tables of options
completions: $(O)/completions/_dputils

$(O)/completions/_dputils: $(BIN) tests/completions.sh
	sh tests/completions.sh $(O)/bin $(@D)

# The manual as a folder for a web server; installed where mandoc(1) is there to make it
WEB = $(O)/html/index.html
html: $(WEB)
	@echo "$(WEB)"

$(WEB): man/html.sh man/sample/requests.svg $(MAN)
	$(call SAY,HTML,$(@D))sh $< $(@D)

# A made-up shop's log and tables, which the documents' commands are about
$(DATA)/access.log: man/sample/make.sh
	$(call SAY,DATA,$(@D))sh $< $(@D)

install: $(BIN) $(SHARED) $(DATA)/access.log $(if $(shell command -v mandoc 2>/dev/null),$(WEB)) completions
	install -d "$(BINDIR)" "$(MANDIR)/man1" "$(MANDIR)/man3" "$(MANDIR)/man5" "$(MANDIR)/man7" "$(BASHDIR)" "$(ZSHDIR)" \
	    "$(FISHDIR)" "$(DOCDIR)/examples" "$(SHARE)/dputils/sample" "$(INCLUDE)" "$(LIBS)/pkgconfig"
	install -s -m 755 $(ALONE:%=$(O)/bin/%) $(O)/dputils "$(BINDIR)"
	for t in $(ASKED); do ln -f "$(BINDIR)/dputils" "$(BINDIR)/$$t" || exit 1; done
	rm "$(BINDIR)/dputils"
	for m in $(MAN); do install -m 644 $$m "$(MANDIR)/man$${m##*.}/" || exit 1; done
	for t in $(TOOLS); do install -m 644 $(O)/completions/dputils.bash "$(BASHDIR)/$$t" || exit 1; done
	install -m 644 $(O)/completions/_dputils "$(ZSHDIR)"
	install -m 644 $(TOOLS:%=$(O)/completions/%.fish) "$(FISHDIR)"
	install -m 644 $(SAMPLE) "$(DOCDIR)/examples"
	install -m 644 $(DATA)/* "$(SHARE)/dputils/sample"
	[ ! -e $(WEB) ] || { install -d "$(DOCDIR)/html" && install -m 644 $(O)/html/* "$(DOCDIR)/html"; }
	[ -z "$(SHARED)" ] || $(MAKE) install-library

install-library:
	install -m 644 lib/api/dputils.h "$(INCLUDE)"
	install -s -m 644 $(SO) "$(LIBS)"
	ln -sf $(notdir $(SO)) "$(LIBS)/libdputils.so"
	$(OBJCOPY) -g $(O)/libdputils.a "$(LIBS)/libdputils.a"
	sed 's,@PREFIX@,$(PREFIX),;s,@LIBDIR@,$(LIBDIR),;s,@VERSION@,$(VERSION),' lib/api/dputils.pc \
	    >"$(LIBS)/pkgconfig/dputils.pc"
	for f in $(FUNCTIONS); do ln -sf dputils.3 "$(MANDIR)/man3/$$f.3" || exit 1; done
	@# The loader of programs learns of it
	@[ -n "$(DESTDIR)" ] || [ "$(SYSTEM)" != Linux ] || [ "$$(id -u)" != 0 ] || \
	    ! command -v ldconfig >/dev/null || ldconfig

uninstall:
	for t in $(TOOLS); do rm -f "$(BINDIR)/$$t" "$(BASHDIR)/$$t" "$(FISHDIR)/$$t.fish" || exit 1; done
	rm -rf "$(DOCDIR)" "$(SHARE)/dputils" "$(ZSHDIR)/_dputils"
	for m in $(MAN); do rm -f "$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	for f in $(FUNCTIONS); do rm -f "$(MANDIR)/man3/$$f.3"; done
	for f in $(notdir $(SO)) libdputils.so libdputils.a pkgconfig/dputils.pc; do rm -f "$(LIBS)/$$f"; done
	rm -f "$(INCLUDE)/dputils.h"

# A Debian package; who builds it needs dpkg-dev
deb: $(BIN) $(SHARED) $(DATA)/access.log completions
	rm -rf $(O)/deb
	@$(MAKE) -s install DESTDIR=$(O)/deb PREFIX=/usr LIBDIR=/usr/lib/$$($(CC) -print-multiarch) ZSHDIR=$(O)/deb/usr/share/zsh/vendor-completions
	@sh tests/deb.sh $(O)/deb $(VERSION) $(O)

# The theorems of tests/proof, by Coq
proof:
	sh tests/proof.sh $(O)/proof

# Two builds in two folders have the same bytes
reproducible:
	sh tests/reproducible.sh

dist:
	@mkdir -p $(O)
	git archive --prefix=dputils-$(VERSION)/ -o $(O)/dputils-$(VERSION).tar.gz HEAD

# The changelog's heading, a commit and a tag; the source, Debian's source package, static programs
# where there is make static (PROGRAMS=no: none), and checksums.  Nothing leaves the machine
release:
	@sh tests/release.sh $(O)/release $(VERSION) $(if $(filter no,$(PROGRAMS)),,$(MAKE))

clean:
	rm -rf build build-san build-cover build-debug build-static

.PHONY: all debug deps demo test check-all faults starts check torture audit attack sampling fuzz fuzz-build mutants cover cover-run bench choices cliffs errors lint lint-library lint-compile lint-pages lint-scripts lint-flow completions html install install-library uninstall deb proof reproducible dist release clean
.SECONDARY:
-include $(shell find $(O) -name '*.d' -type f 2>/dev/null)
