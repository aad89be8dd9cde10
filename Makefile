# SPDX-License-Identifier: MIT
#
#   make                        commands into bin/
#   make check                  every test; the last line is "N passed, N failed, N skipped"
#   make check SAN=address,undefined
#   make lint                   format, headers, includes, banned calls and words, sizes: seconds
#   make tidy                   clang-tidy: mistakes and too complex functions: half a minute
#   make compile_commands.json  for clangd and other tools
#   make check-live             recordings made here against stock perf's
#   make install uninstall PREFIX=/usr/local DESTDIR=
#   make static                 commands that need no shared library, into $(BUILD)/static
#   make deb                    a Debian package, into $(BUILD)/deb
#   make dist                   an archive of the committed sources, into $(BUILD)/dist
#   make bench fuzz
#   CC=clang, DEV=1 (warnings are errors), BUILD=DIR (default build), V=1 (show commands)

ifeq ($(origin CC),default)
CC := gcc
endif
AR ?= ar
BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := 0.7
PACKAGE := prec-tools
STATIC ?=
SAN ?=
DEV ?=
V ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 1)

Q := $(if $(V),,@)
comma := ,
empty :=
space := $(empty) $(empty)

# Builds that differ in compiler or instrumentation lie in different folders.
CONFIG := $(notdir $(firstword $(CC)))$(if $(DEV),-dev)$(if $(STATIC),-static)$(if $(SAN),-san-$(subst $(comma),+,$(SAN)))
O := $(BUILD)/$(CONFIG)
EMBEDDED := $(BUILD)/embedded

# Sources are found in every folder below these. A file's name is unique in the tree, so that a name
# alone stands for the file wherever it lies.
FOLDERS := base picture fileformat symbols unwind machine session count profile record report fold events
COMMANDS := pscript pevlist prep pann prec pfold plat

sources := $(sort $(shell find $(FOLDERS) tests fuzz bench -name '*.[ch]'))
headers := $(filter %.h,$(sources))
product_src := $(foreach f,$(FOLDERS),$(filter $(f)/%.c,$(sources)))
named = $(foreach n,$(1),$(filter %/$(n),$(product_src)))

OPT := $(if $(SAN),-O1 -fno-omit-frame-pointer,-O2)
# Unit tests run once for each time that they are compiled. DEV=1 wants the warnings of the optimizer.
TEST_OPT := $(if $(DEV),$(OPT),-O0)
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Werror=implicit-function-declaration -Werror=int-conversion -Wwrite-strings -Wundef -Wvla -Wpointer-arith -Wno-missing-field-initializers \
	$(if $(DEV),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
CFLAGS ?=
LDFLAGS ?=
# Profiles need the lines and inlined functions of debug information, not types and variables: leaving those
# out saves a tenth of the compiler's time and two thirds of an object. `make CFLAGS='-O0 -g'` to debug.
DEBUG_INFO := -g1 $(if $(findstring clang,$(CC)),,-fno-var-tracking-assignments)
ALL_CFLAGS = -std=gnu17 -D_GNU_SOURCE $(OPT) $(DEBUG_INFO) -I. -I$(EMBEDDED) $(WARN) $(SANFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(SANFLAGS) -Wl,--as-needed $(if $(STATIC),-static) $(LDFLAGS)
# An optional library is one source, or the one that stands in for it. It is there when its header
# is, and its archive where that is needed.
has_archive = $(or $(if $(STATIC),,1),$(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)))
has_header = $(shell printf '\043include <$(1)>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1)
ifndef CAPSTONE
CAPSTONE := $(and $(call has_archive,capstone),$(call has_header,capstone/capstone.h))
endif
# A static command has no interactive view: curses would read the terminal's description anyway.
ifndef CURSES
CURSES := $(if $(STATIC),0,$(call has_header,ncursesw/curses.h))
endif
# There to compare with: a static command does without.
ifndef LIBUNWIND
LIBUNWIND := $(if $(STATIC),0,$(call has_header,libunwind-x86_64.h))
endif
WITHOUT := $(if $(filter 1,$(CAPSTONE)),disasm_none.c,disasm.c disasm_code.c disasm_x86.c \
	disasm_x86_operands.c disasm_x86_parse.c disasm_mask.c disasm_arm.c) \
	screen_$(if $(filter 1,$(CURSES)),none,curses).c \
	oracle_libunwind$(if $(filter 1,$(LIBUNWIND)),_none).c \
	$(if $(STATIC),debuginfod_lib.c user_id_nss.c,\
	debuginfod_lib_none.c user_id_passwd.c libdw_search_tree.c)

LIBS := $(if $(filter 1,$(CURSES)),-lncursesw -ltinfo) $(if $(filter 1,$(CAPSTONE)),-lcapstone) $(if $(filter 1,$(LIBUNWIND)),-lunwind-x86_64) \
	-lelf -ldw -lzstd -ltraceevent -liberty -llzma \
	-ldeflate -lz -lstdc++ -lpthread -lm
ifneq ($(STATIC),)
LIBS := -Wl,--start-group $(LIBS) -lbz2 $(O)/libhouse.a -Wl,--end-group
endif
# --version prints this commit. In a checkout git names it; an archive of `make dist` has it in the
# file `commit`. Without .git here, git could only name the commit of some checkout around this tree.
ask_git = $(shell GIT_OPTIONAL_LOCKS=0 git describe --always --abbrev=12 --exclude='*' \
	--dirty=-modified 2>/dev/null)
COMMIT := $(or $(if $(wildcard .git),$(ask_git),$(if $(wildcard commit),$(file < commit))),unknown)
# What --version and --build-options print. Only base/build_info.c is compiled with these.
BUILD_INFO := -DBUILD_VERSION='"$(VERSION)"' -DBUILD_STATIC=$(if $(STATIC),1,0) \
	-DBUILD_CURSES=$(if $(filter 1,$(CURSES)),1,0) \
	-DBUILD_CAPSTONE=$(if $(filter 1,$(CAPSTONE)),1,0) \
	-DBUILD_LIBUNWIND=$(if $(filter 1,$(LIBUNWIND)),1,0)

cmd_src := $(call named,$(addsuffix .c,$(COMMANDS)))
cmd_names := $(notdir $(cmd_src:.c=))
lib_src := $(filter-out $(cmd_src) $(call named,$(WITHOUT)),$(product_src))
# A tool is a program in tests/tools itself; the folders below hold parts of some of them.
tool_c := $(filter tests/tools/%.c,$(sources))
tool_part_src := $(filter tests/tools/cfi/%.c tests/tools/hostile/%.c tests/tools/wide/%.c,$(tool_c))
tool_src := $(filter-out $(tool_part_src),$(tool_c))
test_c := $(filter-out $(tool_c),$(filter tests/%.c,$(sources)))
test_src := $(foreach t,$(test_c),$(if $(filter t_%,$(notdir $(t))),$(t)))
test_help_src := $(filter-out $(test_src),$(test_c))
fuzz_src := $(filter fuzz/fuzz_%.c,$(sources))
bench_src := $(filter bench/%.c,$(sources))

LIB := $(O)/libhouse.a
lib_obj := $(lib_src:%.c=$(O)/%.o)
cmd_bin := $(addprefix $(O)/bin/,$(cmd_names))
test_bin := $(test_src:%.c=$(O)/%)
test_help_obj := $(test_help_src:%.c=$(O)/%.o)
tool_bin := $(tool_src:%.c=$(O)/%)
bench_bin := $(bench_src:%.c=$(O)/%)
replay_bin := $(fuzz_src:fuzz/%.c=$(O)/replay/%)
fuzz_bin := $(fuzz_src:fuzz/%.c=$(BUILD)/fuzz/%)
all_obj := $(lib_obj) $(cmd_src:%.c=$(O)/%.o) $(test_src:%.c=$(O)/%.o) $(test_help_obj) \
	$(fuzz_src:%.c=$(O)/%.o) $(tool_c:%.c=$(O)/%.o) $(O)/fuzz/replay_main.o \
	$(bench_src:%.c=$(O)/%.o)

# A man page for each recipe of plat, in a folder of their own.
recipe_dir := $(BUILD)/man
recipe_pages := $(recipe_dir).made
recipe_sources := events/recipes/recipe_pages.awk events/recipes/own_recipes.c events/command/plat.1 \
	$(sort $(shell find events -name 'plat-*.1'))
$(recipe_pages): $(recipe_sources)
	$(Q)rm -rf '$(recipe_dir)' && mkdir -p '$(recipe_dir)' && awk -v dir='$(recipe_dir)' -f $(recipe_sources) && touch $@

.PHONY: all folders check lint lint-all tidy check-format check-headers check-includes check-banned check-words \
	check-sizes check-live bench fuzz fuzz-programs install \
	uninstall print-commands print-commit static static-commands deb dist clean objects test-objects test-programs format FORCE
.SECONDARY:
.DELETE_ON_ERROR:

# bin/ holds the last build without instrumentation; tests use $(O)/bin.
all: $(cmd_bin) $(recipe_pages)
ifeq ($(SAN)$(STATIC),)
	$(Q)mkdir -p bin; for b in $(cmd_names); do \
		cmp -s $(O)/bin/$$b bin/$$b || install -m 755 $(O)/bin/$$b bin/$$b || exit 1; done
endif

# The compiler's command for an object and its source; compile_commands.json has the same.
compile = $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $(1) $(2)

# $(info) and one mkdir for all folders: a process more for each object is a second more for all.
$(O)/%.o: %.c | folders
	$(Q)$(if $(V),,$(info $(space) CC      $<))$(call compile,$@,$<)
folders:
	@mkdir -p $(sort $(dir $(all_obj)))

# Scripts and style sheets of pictures are sources of their own; C files include their bytes.
$(EMBEDDED)/%.inc: % picture/embed.awk
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f picture/embed.awk $< > $@
$(O)/picture/svg.o $(BUILD)/fuzz/obj/picture/svg.o: $(EMBEDDED)/picture/svg.js.inc $(EMBEDDED)/picture/svg_labels.js.inc $(EMBEDDED)/picture/svg_paint.js.inc

$(test_src:%.c=$(O)/%.o) $(test_help_obj) $(fuzz_src:%.c=$(O)/%.o) $(O)/fuzz/replay_main.o: OPT := $(TEST_OPT)

# These files change with the options of the build and with the commit; then build_info.o is
# compiled again.
$(O)/build_info: FORCE
	@mkdir -p $(@D)
	@echo "$(BUILD_INFO)" | cmp -s - $@ || echo "$(BUILD_INFO)" > $@
$(O)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@

$(O)/base/build_info.o $(BUILD)/fuzz/obj/base/build_info.o: $(O)/build_info
$(O)/base/build_info.o: ALL_CFLAGS += $(BUILD_INFO)
$(BUILD)/fuzz/obj/base/build_info.o: FUZZ_CFLAGS += $(BUILD_INFO)

# The commands link a build_info.o that knows the commit. The library has one that does not, so that
# a new commit links the commands again, but none of the test programs.
cmd_info := $(O)/base/build_info_commit.o
$(cmd_info): base/build_info.c base/build_info.h $(O)/build_info $(O)/commit
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $< ($(COMMIT))")
	$(Q)$(CC) $(ALL_CFLAGS) $(BUILD_INFO) -DBUILD_COMMIT='"$(COMMIT)"' -c -o $@ $<

# What HTML pages hold: script, style and elements as files, which page_texts.c puts into its object.
page_parts := $(wildcard picture/page/*) picture/embed.awk
$(O)/picture/page/script $(BUILD)/fuzz/obj/picture/page/script: %/script: $(page_parts)
	$(Q)picture/page/bundle $*
page_texts := $(O)/picture/page_texts.o $(BUILD)/fuzz/obj/picture/page_texts.o
$(page_texts): %_texts.o: %/script
$(O)/picture/page_texts.o: ALL_CFLAGS += -DPAGE_DIR='"$(O)/picture/page"'
$(BUILD)/fuzz/obj/picture/page_texts.o: FUZZ_CFLAGS += -DPAGE_DIR='"$(BUILD)/fuzz/obj/picture/page"'

# The list of members is a file of its own, so that a source that goes away leaves the library.
$(O)/members: FORCE
	@mkdir -p $(@D)
	@echo '$(lib_obj)' | cmp -s - $@ || echo '$(lib_obj)' > $@

$(LIB): $(lib_obj) $(O)/members
	@$(if $(V),,echo "  AR      $@")
	$(Q)rm -f $@.new && $(AR) qcs $@.new $(lib_obj) && mv $@.new $@

# link's operand: options of the linker.
define link
	@mkdir -p $(@D)
	@$(if $(V),,echo "  LD      $@")
	$(Q)$(CC) $(1) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)
endef
# Test programs are many. gold, which is part of binutils, links one in a third of the time when it leaves
# out debug information. Sanitizers need that to name lines, and mold would leave out all symbols; `make TEST_LINK=` keeps it for a debugger.
ifndef TEST_LINK
TEST_LINK := $(if $(findstring -fuse-ld,$(LDFLAGS)),,$(if $(shell command -v ld.gold),-fuse-ld=gold) $(if $(SAN),,-Wl,-S))
endif
link_test = $(call link,$(TEST_LINK))

define command_rule
$(O)/bin/$(notdir $(1)): $(O)/$(1).o $(cmd_info) $(LIB)
	$$(link)
endef
$(foreach c,$(cmd_src:.c=),$(eval $(call command_rule,$(c))))

# The tests of a folder are one program, which runs those of the file whose name it is called by.
define tests_of_folder
$(O)/$(1)unit_tests: $(filter $(O)/$(1)t_%,$(test_src:%.c=$(O)/%.o)) $(test_help_obj) $(LIB)
	$$(link_test)
$(filter $(O)/$(1)t_%,$(test_bin)): $(O)/$(1)unit_tests
	$$(Q)ln -f $$< $$@
endef
$(foreach d,$(sort $(dir $(test_src))),$(eval $(call tests_of_folder,$(d))))

$(O)/replay/fuzz_screen: $(O)/tests/report/made_table.o
$(O)/replay/fuzz_%: $(O)/fuzz/fuzz_%.o $(O)/fuzz/replay_main.o $(LIB)
	$(link_test)

$(O)/tests/tools/cfi_compare: $(patsubst %.c,$(O)/%.o,$(filter tests/tools/cfi/%,$(tool_part_src)))
$(O)/tests/tools/wide_recording: $(patsubst %.c,$(O)/%.o,$(filter tests/tools/wide/%,$(tool_part_src))) \
	$(addprefix $(O)/tests/frame/,build_bytes.o build_elf.o build_file.o)
$(addprefix $(O)/tests/tools/,branch_recording odd_recording screen_recording sched_recording leak_recording func_recording \
	recipe_recording): $(addprefix $(O)/tests/frame/,build_bytes.o build_file.o)
$(O)/tests/tools/place_recording $(O)/tests/tools/name_recordings: $(addprefix $(O)/tests/frame/,build_bytes.o build_elf.o build_file.o)
$(O)/tests/tools/hostile_recording: $(patsubst %.c,$(O)/%.o,$(filter tests/tools/hostile/%,$(tool_part_src))) \
	$(addprefix $(O)/tests/frame/,build_bytes.o build_elf.o build_file.o)
$(O)/tests/tools/%: $(O)/tests/tools/%.o $(LIB)
	$(link_test)

# To see what the compiler says: .ci/run.
objects: $(all_obj)
test-objects: $(test_src:%.c=$(O)/%.o) $(test_help_obj) $(fuzz_src:%.c=$(O)/%.o) $(O)/fuzz/replay_main.o

test-programs: $(test_bin) $(replay_bin) $(tool_bin) $(bench_bin)

check: all test-programs
	$(Q)O='$(O)' BIN='$(abspath $(O)/bin)' CC='$(CC)' SAN='$(SAN)' JOBS='$(JOBS)' \
		tests/run-checks

# What must hold of the sources themselves; seconds, before every commit.
lint:
	$(Q)$(MAKE) --no-print-directory -k -Otarget $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS)) \
		lint-all && echo "lint: passed"
lint-all: check-format check-headers check-includes check-banned check-words check-sizes

# Only what changed is looked at again.
format_ok := $(O)/format.ok
check-format: $(format_ok)
$(format_ok): $(sources) .clang-format tests/checks/format.sh
	@mkdir -p $(@D)
	$(Q)JOBS='$(JOBS)' tests/checks/format.sh $(if $(filter-out %.c %.h,$?),,$?); \
		case $$? in 0) touch $@ ;; 77) ;; *) exit 1 ;; esac

# Each header compiles alone.
header_ok := $(headers:%.h=$(O)/%.h.ok)
check-headers: $(header_ok)
$(O)/%.h.ok: %.h
	$(Q)[ -d $(@D) ] || mkdir -p $(@D); \
	CCACHE_DISABLE=1 $(CC) -std=gnu17 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only \
		-MMD -MP -MF $(@:.ok=.d) -MT $@ -x c $< && : > $@

check-includes check-banned check-words check-sizes: check-%:
	$(Q)tests/checks/$*.sh

# For clangd and clang-tidy: how this build compiles each source.
define compile_entry
{"directory": "$(CURDIR)", "file": "$(1)", "command": "$(subst ",\",$(call compile,$(O)/$(1:.c=.o),$(1)) \
	$(if $(filter %/build_info.c,$(1)),$(BUILD_INFO)))"},

endef
built_src := $(lib_src) $(cmd_src)
compile_commands.json: FORCE
	$(file >$@.new,[$(foreach c,$(built_src) $(test_c) $(tool_c) $(fuzz_src) $(bench_src),$(call compile_entry,$(c))))
	@sed '$$s/,$$/]/' $@.new > $@.sed && rm $@.new; \
		if cmp -s $@.sed $@; then rm $@.sed; else mv $@.sed $@; fi

# clang-tidy with .clang-tidy: minutes; TIDY="FILE..." chooses sources.
TIDY ?= $(built_src)
tidy: compile_commands.json $(EMBEDDED)/picture/svg.js.inc $(EMBEDDED)/picture/svg_labels.js.inc $(EMBEDDED)/picture/svg_paint.js.inc
	$(Q)JOBS='$(JOBS)' tests/checks/tidy.sh $(TIDY); case $$? in 0|77) ;; *) exit 1 ;; esac

# Recordings made here and now, against the stock perf that is installed; needs permission to record.
check-live: all
	$(Q)BIN='$(abspath $(O)/bin)' tests/checks/live.sh $(LIVE)
	$(Q)BIN='$(abspath $(O)/bin)' tests/checks/perf_shell.sh

bench: all $(O)/bench/gen_perfdata $(O)/bench/measure
	$(Q)BIN='$(abspath $(O)/bin)' TOOLS='$(abspath $(O)/bench)' bench/script_speed.sh

$(O)/bench/reader_rings $(O)/bench/live_lanes: $(O)/tests/record/readers/fake_rings.o
$(O)/bench/%: $(O)/bench/%.o $(LIB)
	$(link_test)

# libFuzzer programs; objects of their own, since every source is instrumented for coverage.
FUZZ_CC ?= clang
FUZZ_CFLAGS := -std=gnu17 -D_GNU_SOURCE -O1 -g -I. -I$(EMBEDDED) $(WARN) -fsanitize=address,undefined \
	-fno-sanitize-recover=all
fuzz_lib_obj := $(lib_src:%.c=$(BUILD)/fuzz/obj/%.o)

$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $< (fuzz)")
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/libhouse.a: $(fuzz_lib_obj) $(O)/members
	$(Q)rm -f $@.new && $(AR) qcs $@.new $(fuzz_lib_obj) && mv $@.new $@

$(BUILD)/fuzz/fuzz_screen: $(BUILD)/fuzz/obj/tests/report/made_table.o
$(BUILD)/fuzz/fuzz_%: $(BUILD)/fuzz/obj/fuzz/fuzz_%.o $(BUILD)/fuzz/libhouse.a
	@$(if $(V),,echo "  LD      $@")
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -Wl,--as-needed -o $@ $^ $(LIBS)

fuzz-programs: $(fuzz_bin)
	@echo "$(words $(fuzz_bin)) fuzz programs in $(BUILD)/fuzz; see fuzz/README.md"

# Each for FUZZ_SECONDS (60), from the corpus of the runs before.
fuzz: fuzz-programs
	$(Q)BUILD='$(BUILD)' fuzz/run $(notdir $(fuzz_bin))

# The same commands without shared libraries: for containers and machines that have none of them.
static:
	$(Q)$(MAKE) STATIC=1 static-commands
static-commands: $(cmd_bin)
	$(Q)install -d $(BUILD)/static && install -m 755 $(cmd_bin) $(BUILD)/static
	@echo "$(words $(cmd_bin)) commands in $(BUILD)/static"

man_pages := $(wildcard $(addsuffix .1,$(cmd_src:.c=))) $(sort $(shell find events -name 'plat-*.1'))
man7_pages := $(sort $(shell find $(FOLDERS) -name '*.7'))
bin_dir = $(DESTDIR)$(PREFIX)/bin
man_dir = $(DESTDIR)$(PREFIX)/share/man
bash_dir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_dir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
# bash and zsh look for a file of the command's name
first_cmd := $(firstword $(cmd_names))
other_cmds := $(filter-out $(first_cmd),$(cmd_names))

install: $(cmd_bin) $(recipe_pages)
	install -d '$(bin_dir)' '$(man_dir)/man1' '$(bash_dir)' '$(zsh_dir)'
	install -m 755 $(cmd_bin) '$(bin_dir)'
	install -m 644 $(man_pages) '$(recipe_dir)'/*.1 '$(man_dir)/man1'
	$(if $(man7_pages),install -d '$(man_dir)/man7' && install -m 644 $(man7_pages) '$(man_dir)/man7')
	install -m 644 completion/prof.bash '$(bash_dir)/$(first_cmd)'
	set -e; for c in $(other_cmds); do ln -sfn $(first_cmd) '$(bash_dir)'/$$c; done
	install -m 644 completion/_prof '$(zsh_dir)/_$(first_cmd)'

# For scripts.
print-commands:
	@echo $(cmd_names)
print-commit:
	@echo '$(COMMIT)'

# Files only: the folders may be others' as well.
remove = [ ! -d '$(1)' ] || (cd '$(1)' && rm -f $(2))
uninstall: $(recipe_pages)
	$(call remove,$(bin_dir),$(cmd_names))
	recipes=$$(cd '$(recipe_dir)' && ls) && $(call remove,$(man_dir)/man1,$(notdir $(man_pages)) $$recipes)
	$(if $(man7_pages),$(call remove,$(man_dir)/man7,$(notdir $(man7_pages))))
	$(call remove,$(bash_dir),$(cmd_names))
	$(call remove,$(zsh_dir),_$(first_cmd))

# From a clean folder of its own, so that what an earlier build left cannot get in.
deb:
	$(Q)MAKE='$(MAKE)' CC='$(CC)' VERSION='$(VERSION)' PACKAGE='$(PACKAGE)' OUT='$(BUILD)/deb' \
		packaging/make-deb

# The sources as committed, and the file `commit`, from which a build without git takes its commit.
dist:
	$(Q)VERSION='$(VERSION)' PACKAGE='$(PACKAGE)' OUT='$(BUILD)/dist' packaging/make-dist

format:
	clang-format -i $(sources)

clean:
	rm -rf $(BUILD) bin

# what makes no object needs no headers' times
ifneq ($(filter-out print-% dist,$(or $(MAKECMDGOALS),all)),)
-include $(all_obj:.o=.d) $(wildcard $(fuzz_lib_obj:.o=.d) $(fuzz_src:%.c=$(BUILD)/fuzz/obj/%.d))
endif
ifneq ($(filter lint% check-headers,$(MAKECMDGOALS)),)
-include $(wildcard $(header_ok:.ok=.d))
endif
