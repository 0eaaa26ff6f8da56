# SPDX-License-Identifier: MIT
# Kernels (inner loops): each source is compiled once per instruction set and, where a module asks for it, once per precision. A program chooses
# among these variants when it starts (engine/core/dispatch.c).

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(VXE_ISAS ${VOXELASTIC_ISAS})
  set(known x86_64 x86_64_v3 x86_64_v4)
  if(NOT VXE_ISAS OR NOT "${VXE_ISAS};${known}" MATCHES "^((x86_64|x86_64_v3|x86_64_v4);)+x86_64;x86_64_v3;x86_64_v4$")
    message(FATAL_ERROR "VOXELASTIC_ISAS is \"${VXE_ISAS}\"; expected some of ${known}")
  endif()
else()
  set(VXE_ISAS portable)
endif()
list(TRANSFORM VXE_ISAS PREPEND VXE_BUILDS_ OUTPUT_VARIABLE VXE_ISA_DEFINITIONS)
target_compile_definitions(vxe_flags INTERFACE ${VXE_ISA_DEFINITIONS}) # for the tables of engine/core/dispatch.h

# Adds the kernels of a module in one variant: an object library whose tables carry the variant's name.
function(vxe_kernel_variant module variant isa)
  set(target vxe_${module}_${variant})
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE vxe_flags)
  target_compile_definitions(${target} PRIVATE VXE_VARIANT_NAME=${variant})
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math) # with errno and traps, sqrt and division would keep loops scalar
  if(NOT isa STREQUAL "portable")
    string(REPLACE "_v" "-v" march "${isa}")
    string(REPLACE "x86_64" "x86-64" march "${march}")
    target_compile_options(${target} PRIVATE -march=${march})
  endif()
  if(isa STREQUAL "x86_64_v4")
    # Allows gather instructions, which are cheap on the servers that have this instruction set: colliding voxels are scattered in memory.
    target_compile_options(${target} PRIVATE -mprefer-vector-width=512 -mtune=icelake-server)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
    target_compile_options(${target} PRIVATE -O2 -fno-unroll-loops)
  elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O3)
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # A bond is a chain of some 200 operations. Scheduling before register allocation overlaps several bonds; the other two options keep registers
    # from spilling then.
    target_compile_options(${target} PRIVATE -fschedule-insns -fsched-pressure -flive-range-shrinkage)
  endif()
  if(VOXELASTIC_SANITIZE MATCHES undefined)
    # Left out because the address sanitizer sees accesses through bad pointers anyway, and because these checks make kernels compile half as long
    # again. Options of a source come last, after those that switch the sanitizers on.
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-sanitize=null,object-size,pointer-overflow)
  endif()
  set_property(GLOBAL APPEND PROPERTY VXE_OBJECT_LIBRARIES ${target})
endfunction()

# vxe_kernels(MODULE MIXED source... DOUBLE source... EITHER source...): adds the kernels of a module, by sources that are built in mixed precision,
# in double precision, and once for both.
function(vxe_kernels module)
  cmake_parse_arguments(PARSE_ARGV 1 SOURCES "" "" "MIXED;DOUBLE;EITHER")
  foreach(isa IN LISTS VXE_ISAS)
    if(SOURCES_EITHER)
      vxe_kernel_variant(${module} ${isa} ${isa} ${SOURCES_EITHER})
      target_compile_definitions(vxe_${module}_${isa} PRIVATE VXE_MIXED)
    endif()
    if(SOURCES_MIXED)
      vxe_kernel_variant(${module} ${isa}_mixed ${isa} ${SOURCES_MIXED})
      target_compile_definitions(vxe_${module}_${isa}_mixed PRIVATE VXE_MIXED)
    endif()
    if(SOURCES_DOUBLE AND VOXELASTIC_DOUBLE)
      vxe_kernel_variant(${module} ${isa}_double ${isa} ${SOURCES_DOUBLE})
    endif()
  endforeach()
endfunction()
