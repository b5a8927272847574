# anon_seq: a PGXS extension, plus the goals a newcomer needs. `make help` lists them.
# setup, demo, test, fuzz, unit, format and help need no PostgreSQL; every other goal is PGXS and needs a pg_config with server headers.
# `make -f /somewhere/Makefile`, with or without VPATH=/somewhere, builds the extension where one stands and leaves the sources alone.
SOURCE     := $(patsubst %/,%,$(or $(VPATH),$(dir $(lastword $(MAKEFILE_LIST)))))
HOME_GOALS := help setup demo test test-long fuzz bench unit build/unit_tests format format-check
ifneq ($(and $(filter-out .,$(SOURCE)),$(filter $(HOME_GOALS),$(MAKECMDGOALS))),)
# These are about the sources: go there first.
.PHONY: $(MAKECMDGOALS)
$(MAKECMDGOALS): ; @$(MAKE) --no-print-directory -C $(SOURCE) -f Makefile VPATH= $@
else
# What matches, as seen from the folder of the sources.
sources = $(sort $(patsubst $(SOURCE)/%,%,$(wildcard $(addprefix $(SOURCE)/,$1))))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all unit client format format-check setup demo test test-long fuzz bench help

# --- the extension ---
EXTENSION  = anon_seq
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(SOURCE)/anon_seq.control)
MODULE_big = $(EXTENSION)
# SELFTEST=1: with functions and a method for the project's own tests, which no release has.
SRCS       := $(call sources,src/*/*.cpp src/core/*/*.cpp $(if $(SELFTEST),test/module/*.cpp))
OBJS       = $(SRCS:.cpp=.o)
SQL_PARTS  := $(addprefix $(SOURCE)/,$(call sources,sql/[0-9][0-9]_*.sql))
DATA       := $(call sources,sql/*--*--*.sql)
DATA_built = sql/$(EXTENSION)--$(EXTVERSION).sql
DOCS       := README.md CHANGELOG.md $(call sources,doc/*.md)
PG_CPPFLAGS = -I$(srcdir)/src $(if $(SELFTEST),-DANON_SEQ_SELFTEST -I$(srcdir)/test/module)
# clang does not know all of gcc's flags, which come from the server's build. EXTRA_CXXFLAGS: a packager's.
PG_CXXFLAGS = -std=c++20 -Wall -Wextra -Wno-register $(if $(BY_CLANG),-Wno-unknown-warning-option -Wno-ignored-attributes) \
              $(if $(WERROR),-Werror) $(DEBUG_INFO) -MMD -MP $(EXTRA_CXXFLAGS)
BY_CLANG    = $(findstring clang,$(CXX))
SHLIB_LINK  = -lstdc++ -lcrypto
# What the server may see. No -fvisibility=hidden instead: before 16, PG_FUNCTION_INFO_V1 does not export the function itself.
SHLIB_EXPORTS = src/exports.txt
EXTRA_CLEAN = $(OBJS:.o=.d) src/exports.list $(addprefix build/,pch client unit anon_client unit_tests)
# Debug data is not installed, but for a package (DESTDIR): its tools split it off. INSTALL_STRIP_FLAG= keeps it.
INSTALL_STRIP_FLAG ?= $(if $(DESTDIR),,-s)

# --- its tests, against a running server: make installcheck ---
# PostgreSQL looks for sql/NAME.sql before test/sql/NAME.sql, so the two folders must not share a name.
TWICE := $(filter $(notdir $(call sources,sql/*.sql)),$(notdir $(call sources,test/sql/*.sql)))
ifneq ($(TWICE),)
$(error these tests have the name of a file in sql/: $(TWICE))
endif
# What was released stays, and its taxonomies with it: tests that list the whole catalog come before those that publish.
PUBLISHING     := policy_% publish% release_% untrusted_% watch_%
REGRESS_NAMES  := $(patsubst test/sql/%.sql,%,$(call sources,test/sql/*.sql))
# Those that call functions of SELFTEST=1.
SELFTESTS      := $(patsubst $(SOURCE)/test/sql/%.sql,%,$(shell grep -ls anon_seq_selftest $(SOURCE)/test/sql/*.sql))
REGRESS_NAMES  := $(filter-out $(if $(SELFTEST),,$(SELFTESTS)),$(REGRESS_NAMES))
REGRESS        := $(filter-out $(PUBLISHING),$(REGRESS_NAMES)) $(filter $(PUBLISHING),$(REGRESS_NAMES))
REGRESS_OPTS   = --inputdir=$(SOURCE)/test --load-extension=$(EXTENSION)
ISOLATION      := $(patsubst test/specs/%.spec,%,$(call sources,test/specs/*.spec))
ISOLATION_OPTS = --inputdir=$(SOURCE)/test --outputdir=. --load-extension=$(EXTENSION)
PROVE_TESTS    := $(call sources,test/t/*.pl)
TAP_TESTS      := $(if $(PROVE_TESTS),1)
ENCODING       = UTF8
NO_LOCALE      = 1
export ANON_SEQ_CLIENT ?= $(CURDIR)/build/anon_client

# --- goals without a server ---
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
	@printf '  %-17s %s\n' make 'build the extension (PG_CONFIG=... picks a server, WERROR=1 is strict)' \
	  'make install' 'install it into that server' 'make installcheck' 'run test/ against your running server' \
	  'make clean' 'remove what was built'
setup: ## install what building and testing needs
	@scripts/setup
demo: ## everything, from nothing to seven screens of results (PAUSE=1 waits between them); leaves nothing behind
	@scripts/sandbox scripts/demo
test: ## all tests on a private throwaway server (ONLY="meta unit regress isolation tap format house" picks)
	@scripts/sandbox scripts/test
test-long: ## the same, with every grid in full in place of a seeded sample (at most 90 minutes)
	@scripts/sandbox env ANON_SEQ_GRID=full scripts/test
fuzz: ## call, damage and set at random for MINUTES (5), in the same way
	@scripts/fuzz
bench: ## measure, in the same way
	@$(if $(wildcard bench/run),scripts/sandbox bench/run,echo 'nothing in bench/ yet')

# For functions and lines in a backtrace; where a debugger is to show variables too (a third more to compile): DEBUG_INFO=-g
DEBUG_INFO = -g1

# --- precompiled headers ---
# Half of a compilation is reading standard headers and PostgreSQL's, so those in use are compiled once, in the order that holds in
# every file: the standard ones, then PostgreSQL's. `make PCH=` goes without, as clang does: only that shows an include that a file
# lacks. With flags other than those of the precompiled header, g++ quietly reads the plain one beside it. Three warnings are lost,
# which libstdc++ silences for its strings by pragmas: g++ does not keep these in precompiled headers.
PCH = $(if $(BY_CLANG),,yes)
pch = $(if $(PCH),build/pch/$1.h.gch)
use_pch = $(if $(PCH),-include build/pch/$1.h -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
pch_sources = $(wildcard $(addprefix $(SOURCE)/,$1))
build/pch/unit/core.h build/pch/module/core.h: $(call pch_sources,src/core/*/*.h src/core/*/*.cpp)
build/pch/unit/test.h: $(call pch_sources,src/core/*/*.h test/unit/*.h test/unit/*.cpp)
build/pch/module/pg.h: $(call pch_sources,src/*/*.h src/*/*.cpp src/core/*/*.h src/core/*/*.cpp)
build/pch/%.h: # every change of a source leads here, few change the list
	@mkdir -p $(@D)
	@{ grep -h '^#include <' $^ | sort -u; $(if $(filter %/pg,$*),echo '#include "pg/pg_headers.h"';) } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The core and its tests see neither server headers nor the flags of the extension: what needs PostgreSQL fails here.
UNIT_OBJS  := $(patsubst %.cpp,build/unit/%.o,$(call sources,src/core/*/*.cpp test/unit/*.cpp))
# -Og: all checks as with -O1, which compiles three times as long for tests that are a fifth faster.
# What AddressSanitizer sees by itself (NULL, the size of an object) is not asked a second time: a quarter less to compile.
UNIT_FLAGS = -std=c++20 $(DEBUG_INFO) -Og -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined \
             -fno-sanitize=null,alignment,object-size,nonnull-attribute,returns-nonnull-attribute,vptr \
             -D_GLIBCXX_ASSERTIONS -Isrc -Wall -Wextra -Werror
unit: build/unit_tests ## the core's unit tests under AddressSanitizer and UBSan
	build/unit_tests
build/unit_tests: $(UNIT_OBJS)
	$(CXX) $(UNIT_FLAGS) $^ -lgtest -lgtest_main -pthread -o $@
$(filter build/unit/src/%,$(UNIT_OBJS)): $(call pch,unit/core)
$(filter build/unit/test/%,$(UNIT_OBJS)): $(call pch,unit/test)
build/unit/src/%.o: src/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(UNIT_FLAGS) $(call use_pch,unit/core) -MMD -MP -c $< -o $@
build/unit/test/%.o: test/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(UNIT_FLAGS) $(call use_pch,unit/test) -MMD -MP -c $< -o $@
build/pch/unit/%.h.gch: build/pch/unit/%.h
	$(CXX) $(UNIT_FLAGS) -MMD -MP -x c++-header $< -o $@

# One version of clang-format, as they disagree with each other.
CLANG_FORMAT := $(firstword $(foreach c,clang-format-14 clang-format,\
                  $(if $(findstring version 14.,$(shell $c --version 2>/dev/null)),$c)))
FORMAT_FILES := $(sort $(wildcard $(foreach d,src src/* src/core/* test/unit test/module test/client bench,$d/*.h $d/*.cpp)))
format: ## lay out the C++ files with clang-format 14
	$(if $(CLANG_FORMAT),$(CLANG_FORMAT) -i $(FORMAT_FILES),$(error clang-format 14 is not installed))
format-check: ## only look
	$(if $(CLANG_FORMAT),$(CLANG_FORMAT) --dry-run --Werror $(FORMAT_FILES),$(error clang-format 14 is not installed))

# --- goals with a server ---
ifneq ($(filter-out $(HOME_GOALS),$(or $(MAKECMDGOALS),all)),)
override with_llvm = no
PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
ifeq ($(and $(wildcard $(PGXS)),$(wildcard $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h)),)
$(error no PostgreSQL server headers found by "$(PG_CONFIG)": run "make setup", or name another with PG_CONFIG=/path/to/pg_config)
endif
include $(PGXS)
docmoduledir := extension/$(EXTENSION)
uninstall: uninstall-docs
uninstall-docs:
	rm -rf '$(DESTDIR)$(docdir)/$(docmoduledir)'

# Only sources are looked for among the sources: what was built there may be for another server.
override VPATH :=
override srcdir := $(SOURCE)
vpath %.cpp $(SOURCE)
vpath %.txt $(SOURCE)
vpath %.control $(SOURCE)
ifneq ($(SOURCE),.)
$(shell mkdir -p sql $(sort $(dir $(OBJS))))
# pg_regress looks for these where one stands.
installcheck: expected
expected:
	ln -s $(abspath $(SOURCE))/expected $@
endif

# private: not for the precompiled headers themselves.
CORE_OBJS := $(filter src/core/%,$(OBJS))
PG_OBJS   := $(filter-out src/core/%,$(OBJS))
$(CORE_OBJS): $(call pch,module/core)
$(CORE_OBJS): private override CPPFLAGS += $(call use_pch,module/core)
$(PG_OBJS): $(call pch,module/pg)
$(PG_OBJS): private override CPPFLAGS += $(call use_pch,module/pg)
# Since 18 a library tells its version.
src/api/module.o: private override CPPFLAGS += -DANON_SEQ_VERSION='"$(EXTVERSION)"'
src/api/module.o: $(SOURCE)/anon_seq.control
build/pch/module/%.h.gch: build/pch/module/%.h
	$(COMPILE.cc) -x c++-header $< -o $@

sql/$(EXTENSION)--$(EXTVERSION).sql: $(SQL_PARTS) $(SOURCE)/anon_seq.control
	@{ printf '%s\n' '\echo Use "CREATE EXTENSION anon_seq" to load this file. \quit'; cat $(SQL_PARTS) /dev/null; } > $@

# The libpq client some TAP tests drive; without libpq's headers those tests skip themselves.
CLIENT_OBJS := $(patsubst %.cpp,build/client/%.o,$(call sources,test/client/*.cpp))
client: build/anon_client ## build the test client into build/
build/anon_client: $(CLIENT_OBJS)
	$(CXX) $^ -L$(libdir) -Wl,-rpath,$(libdir) -lpq -o $@
build/client/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -g -O1 -Wall -Wextra $(if $(WERROR),-Werror) -I$(includedir) -MMD -MP -c $< -o $@
ifneq ($(wildcard $(includedir)/libpq-fe.h),)
installcheck: $(if $(TAP_TESTS),client)
endif
endif

-include $(OBJS:.o=.d) $(UNIT_OBJS:.o=.d) $(CLIENT_OBJS:.o=.d) $(wildcard build/pch/*/*.d)
endif
