# SPDX-License-Identifier: MIT
# The studio: the module, built by web/CMakeLists.txt with clang for WebAssembly, and all of web/studio/ in one page, studio.html in the build folder.
# Where something is missing, one line says what, and all else is built.
set(VXE_WEB_SOURCES "" CACHE PATH "Sources of expat, jansson and zlib for the studio, which web/sources.sh downloads")
find_program(VXE_WASM_COMPILER NAMES clang clang-14)
find_program(VXE_WASM_LINKER NAMES wasm-ld wasm-ld-14)
find_file(VXE_WASM_LIBRARY libc.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
file(GLOB VXE_WASM_RUNTIME /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a)

set(VXE_STUDIO_PAGE ${PROJECT_BINARY_DIR}/studio.html)
set(VXE_WEB_BUILD ${PROJECT_BINARY_DIR}/web)
set(missing)
foreach(part IN ITEMS VXE_WASM_COMPILER:clang VXE_WASM_LINKER:lld VXE_WASM_LIBRARY:wasi-libc VXE_WASM_RUNTIME:libclang-rt-dev-wasm32)
  string(REPLACE ":" ";" part ${part})
  list(GET part 0 found)
  list(GET part 1 package)
  if(NOT ${found})
    list(APPEND missing ${package})
  endif()
endforeach()
if(NOT EXISTS "${VXE_WEB_SOURCES}/complete")
  list(APPEND missing "the folder that web/sources.sh fills as VXE_WEB_SOURCES")
endif()
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "no studio: it needs ${missing}")
  return()
endif()

include(ExternalProject)
ExternalProject_Add(
  vxe_web
  SOURCE_DIR ${CMAKE_CURRENT_LIST_DIR}
  BINARY_DIR ${VXE_WEB_BUILD}
  CMAKE_GENERATOR ${CMAKE_GENERATOR}
  CMAKE_ARGS --toolchain ${CMAKE_CURRENT_LIST_DIR}/wasm.cmake -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_C_FLAGS_MINSIZEREL=-Oz -DVXE_WEB_SOURCES=${VXE_WEB_SOURCES}
             -DVOXELASTIC_WARNINGS_ARE_ERRORS=${VOXELASTIC_WARNINGS_ARE_ERRORS} -DRANDOM123_FOLDER=${RANDOM123_INCLUDE_DIR}/Random123
  BUILD_ALWAYS ON # its own build knows what has changed
  BUILD_BYPRODUCTS ${VXE_WEB_BUILD}/voxelastic.wasm
  INSTALL_COMMAND "")

add_executable(pack ${CMAKE_CURRENT_LIST_DIR}/pack.c)
target_link_libraries(pack PRIVATE vxe_flags ZLIB::ZLIB)

# vxe_web_page(TARGET OUT PAGE): packs a page with the module, the engine, three.js, and what else the page names.
function(vxe_web_page target out page)
  get_filename_component(three ${VXE_THREE_LIBRARY} DIRECTORY)
  get_filename_component(controls ${VXE_THREE_CONTROLS} DIRECTORY)
  get_filename_component(own ${page} DIRECTORY)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(folders ${own} ${web}/module ${PROJECT_SOURCE_DIR}/output/page ${three} ${controls})
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${own}/*.js ${own}/*.css ${web}/module/*.js ${PROJECT_SOURCE_DIR}/output/page/*.js)
  add_custom_command(
    OUTPUT ${out}
    COMMAND pack ${out} ${page} ${VXE_WEB_BUILD}/voxelastic.wasm ${web}/module/boot.js ${folders}
    DEPENDS pack vxe_web ${VXE_WEB_BUILD}/voxelastic.wasm ${page} ${parts}
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${out})
endfunction()

vxe_web_page(studio ${VXE_STUDIO_PAGE} ${CMAKE_CURRENT_LIST_DIR}/studio/studio.html)
install(FILES ${VXE_STUDIO_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/voxelastic)
