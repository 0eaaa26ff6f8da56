# SPDX-License-Identifier: MIT
# Options of a build, and the flags that all of our own code is compiled with.
option(VOXELASTIC_TESTS "Build the tests" ON)
option(VOXELASTIC_WARNINGS_ARE_ERRORS "Treat warnings as errors" OFF)
option(VOXELASTIC_COVERAGE "Count executed lines" OFF)
option(VOXELASTIC_MPI "Searches over several processes (MPI)" OFF)
option(VOXELASTIC_PYTHON "The Python package (Python 3.11 or later with its headers; NumPy)" OFF)
option(VOXELASTIC_FUZZ "Fuzz targets of the readers (clang)" OFF)
option(VOXELASTIC_DOUBLE "Voxels in double precision, and the laws of other simulators, which need it; OFF makes a small library" ON)
option(VOXELASTIC_ASSERTS "Check VXE_ASSERT (common/assert_internal.h)" OFF)
set(VOXELASTIC_ISAS "x86_64;x86_64_v3;x86_64_v4" CACHE STRING "Instruction sets of the inner loops on x86-64; the newest that a machine has is used")
set(VOXELASTIC_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")

add_library(vxe_flags INTERFACE)
target_compile_options(
  vxe_flags
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wdouble-promotion
            -Wcast-qual
            -Wstrict-prototypes
            -Wmissing-prototypes
            -Wvla
            -Wundef
            -Wformat=2
            -Wwrite-strings
            # no contraction: every fma is written out, so that all compilers give the same bits
            -ffp-contract=off
            # loops over lanes are marked with omp simd
            -fopenmp-simd
            # clang warns of marked loops that stay scalar, as in unoptimised builds and with the oldest instruction set
            $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(VOXELASTIC_WARNINGS_ARE_ERRORS)
  target_compile_options(vxe_flags INTERFACE -Werror)
endif()
if(NOT VOXELASTIC_DOUBLE)
  target_compile_definitions(vxe_flags INTERFACE VXE_WITHOUT_DOUBLE)
endif()
if(VOXELASTIC_ASSERTS)
  target_compile_definitions(vxe_flags INTERFACE VXE_ASSERTS)
endif()
if(VOXELASTIC_SANITIZE)
  target_compile_options(vxe_flags INTERFACE -fsanitize=${VOXELASTIC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(vxe_flags INTERFACE -fsanitize=${VOXELASTIC_SANITIZE})
endif()
if(VOXELASTIC_FUZZ)
  target_compile_options(vxe_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(VOXELASTIC_COVERAGE)
  target_compile_options(vxe_flags INTERFACE --coverage)
  target_link_options(vxe_flags INTERFACE --coverage)
endif()

# Adds a module: an object library of our own sources.
function(vxe_module name)
  add_library(vxe_${name} OBJECT ${ARGN})
  target_include_directories(vxe_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(vxe_${name} PRIVATE vxe_flags)
  set_property(GLOBAL APPEND PROPERTY VXE_OBJECT_LIBRARIES vxe_${name})
endfunction()
