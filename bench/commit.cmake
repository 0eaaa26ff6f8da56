# SPDX-License-Identifier: MIT
# cmake -DOUTPUT=FILE -DSOURCE=DIR -P commit.cmake: a header that names the commit being built, rewritten only when that changes.
cmake_minimum_required(VERSION 3.25)
find_package(Git QUIET)
set(commit "")
if(Git_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} --no-optional-locks describe --always --dirty --abbrev=12 "--exclude=*"
    WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define BENCH_COMMIT \"@commit@\"\n" @ONLY)
