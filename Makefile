# SPDX-License-Identifier: MIT
#
#   make                        commands into bin/
#   make check                  every test; the last line is "N passed, N failed, N skipped"
#   make check SAN=address,undefined
#   make check-headers check-includes check-banned check-live
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
VERSION := 0.6
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

FOLDERS := base fileformat symbols unwind machine session record report fold
COMMANDS := report/pscript report/pevlist report/prep report/pann record/prec fold/pfold

OPT := $(if $(SAN),-O1 -fno-omit-frame-pointer,-O2)
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wwrite-strings -Wundef -Wvla -Wpointer-arith -Wno-missing-field-initializers \
	$(if $(DEV),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all)
CFLAGS ?=
LDFLAGS ?=
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE $(OPT) -g -I. $(WARN) $(SANFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(SANFLAGS) -Wl,--as-needed $(if $(STATIC),-static) $(LDFLAGS)
# An optional library is one source, or the one that stands in for it. It is there when its header
# is, and its archive where that is needed.
has_archive = $(or $(if $(STATIC),,1),$(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)))
has_header = $(shell printf '\043include <$(1)>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1)
ifndef CAPSTONE
CAPSTONE := $(and $(call has_archive,capstone),$(call has_header,capstone/capstone.h))
endif
# There to compare with: a static command does without.
ifndef LIBUNWIND
LIBUNWIND := $(if $(STATIC),0,$(call has_header,libunwind-x86_64.h))
endif
WITHOUT := $(if $(filter 1,$(CAPSTONE)),report/disasm_none.c,report/disasm.c report/disasm_code.c \
	report/disasm_x86.c report/disasm_x86_parse.c report/disasm_mask.c \
	report/disasm_arm.c) \
	unwind/oracle_libunwind$(if $(filter 1,$(LIBUNWIND)),_none).c \
	$(if $(STATIC),symbols/debuginfod_lib.c record/user_id_nss.c,\
	symbols/debuginfod_lib_none.c record/user_id_passwd.c symbols/libdw_search_tree.c)

LIBS := $(if $(filter 1,$(CAPSTONE)),-lcapstone) $(if $(filter 1,$(LIBUNWIND)),-lunwind-x86_64) \
	-lelf -ldw -lzstd -ltraceevent -liberty -llzma \
	-ldeflate -lz -lstdc++ -lpthread
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
	-DBUILD_CAPSTONE=$(if $(filter 1,$(CAPSTONE)),1,0) \
	-DBUILD_LIBUNWIND=$(if $(filter 1,$(LIBUNWIND)),1,0)

cmd_src := $(wildcard $(addsuffix .c,$(COMMANDS)))
cmd_names := $(notdir $(cmd_src:.c=))
lib_src := $(filter-out $(addsuffix .c,$(COMMANDS)) $(WITHOUT),\
	$(wildcard $(addsuffix /*.c,$(FOLDERS))))
test_src := $(wildcard tests/t_*.c)
test_help_src := $(filter-out $(test_src),$(wildcard tests/*.c))
tool_src := $(wildcard tests/tools/*.c)
fuzz_src := $(wildcard fuzz/fuzz_*.c)

LIB := $(O)/libhouse.a
lib_obj := $(lib_src:%.c=$(O)/%.o)
cmd_bin := $(addprefix $(O)/bin/,$(cmd_names))
test_bin := $(test_src:%.c=$(O)/%)
test_help_obj := $(test_help_src:%.c=$(O)/%.o)
tool_bin := $(tool_src:%.c=$(O)/%)
bench_bin := $(patsubst %.c,$(O)/%,$(wildcard bench/*.c))
replay_bin := $(fuzz_src:fuzz/%.c=$(O)/replay/%)
fuzz_bin := $(fuzz_src:fuzz/%.c=$(BUILD)/fuzz/%)
all_obj := $(lib_obj) $(cmd_src:%.c=$(O)/%.o) $(test_src:%.c=$(O)/%.o) $(test_help_obj) \
	$(fuzz_src:%.c=$(O)/%.o) $(tool_src:%.c=$(O)/%.o) $(O)/fuzz/replay_main.o $(patsubst %.c,$(O)/%.o,$(wildcard bench/*.c))

.PHONY: all check check-headers check-includes check-banned check-live bench fuzz fuzz-programs install \
	uninstall print-commands print-commit static static-commands deb dist clean test-programs format FORCE
.SECONDARY:
.DELETE_ON_ERROR:

# bin/ holds the last build without instrumentation; tests use $(O)/bin.
all: $(cmd_bin)
ifeq ($(SAN)$(STATIC),)
	$(Q)mkdir -p bin; for b in $(cmd_names); do \
		cmp -s $(O)/bin/$$b bin/$$b || install -m 755 $(O)/bin/$$b bin/$$b || exit 1; done
endif

$(O)/%.o: %.c
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $<")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

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

# The list of members is a file of its own, so that a source that goes away leaves the library.
$(O)/members: FORCE
	@mkdir -p $(@D)
	@echo '$(lib_obj)' | cmp -s - $@ || echo '$(lib_obj)' > $@

$(LIB): $(lib_obj) $(O)/members
	@$(if $(V),,echo "  AR      $@")
	$(Q)rm -f $@.new && $(AR) qcs $@.new $(lib_obj) && mv $@.new $@

define link
	@mkdir -p $(@D)
	@$(if $(V),,echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)
endef

define command_rule
$(O)/bin/$(notdir $(1)): $(O)/$(1).o $(cmd_info) $(LIB)
	$$(link)
endef
$(foreach c,$(cmd_src:.c=),$(eval $(call command_rule,$(c))))

$(O)/tests/t_%: $(O)/tests/t_%.o $(test_help_obj) $(LIB)
	$(link)

$(O)/replay/fuzz_%: $(O)/fuzz/fuzz_%.o $(O)/fuzz/replay_main.o $(LIB)
	$(link)

$(O)/tests/tools/%: $(O)/tests/tools/%.o $(LIB)
	$(link)

test-programs: $(test_bin) $(replay_bin) $(tool_bin) $(bench_bin)

check: all test-programs
	$(Q)O='$(O)' BIN='$(abspath $(O)/bin)' CC='$(CC)' SAN='$(SAN)' JOBS='$(JOBS)' \
		tests/run-checks

check-headers:
	$(Q)CC='$(CC)' tests/check_headers.sh

check-includes:
	$(Q)tests/check_includes.sh

check-banned:
	$(Q)tests/check_banned.sh

# Recordings made here and now, against the stock perf that is installed; needs permission to record.
check-live: all
	$(Q)BIN='$(abspath $(O)/bin)' tests/check_live.sh $(LIVE)

bench: all $(O)/bench/gen_perfdata $(O)/bench/measure
	$(Q)BIN='$(abspath $(O)/bin)' TOOLS='$(abspath $(O)/bench)' bench/script_speed.sh

$(O)/bench/%: $(O)/bench/%.o $(LIB)
	$(link)

# libFuzzer programs; objects of their own, since every source is instrumented for coverage.
FUZZ_CC ?= clang
FUZZ_CFLAGS := -std=gnu17 -D_GNU_SOURCE -O1 -g -I. $(WARN) -fsanitize=address,undefined \
	-fno-sanitize-recover=all
fuzz_lib_obj := $(lib_src:%.c=$(BUILD)/fuzz/obj/%.o)

$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $< (fuzz)")
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/libhouse.a: $(fuzz_lib_obj) $(O)/members
	$(Q)rm -f $@.new && $(AR) qcs $@.new $(fuzz_lib_obj) && mv $@.new $@

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

man_pages := $(wildcard $(addsuffix .1,$(cmd_src:.c=)))
man7_pages := $(wildcard $(addsuffix /*.7,$(FOLDERS)))
bin_dir = $(DESTDIR)$(PREFIX)/bin
man_dir = $(DESTDIR)$(PREFIX)/share/man
bash_dir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_dir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
# bash and zsh look for a file of the command's name
first_cmd := $(firstword $(cmd_names))
other_cmds := $(filter-out $(first_cmd),$(cmd_names))

install: $(cmd_bin)
	install -d '$(bin_dir)' '$(man_dir)/man1' '$(bash_dir)' '$(zsh_dir)'
	install -m 755 $(cmd_bin) '$(bin_dir)'
	install -m 644 $(man_pages) '$(man_dir)/man1'
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
uninstall:
	$(call remove,$(bin_dir),$(cmd_names))
	$(call remove,$(man_dir)/man1,$(notdir $(man_pages)))
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
	clang-format -i $(wildcard $(addsuffix /*.[ch],$(FOLDERS) tests tests/tools fuzz bench))

clean:
	rm -rf $(BUILD) bin

-include $(all_obj:.o=.d) $(wildcard $(BUILD)/fuzz/obj/*/*.d)
