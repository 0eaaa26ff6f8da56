# SPDX-License-Identifier: MIT
# The gallery of the example designs, site/gallery/ in the build folder (studio.html beside it is a page of the docs): part of the target `docs` where the studio is built here or given.
set(VXE_STUDIO "" CACHE FILEPATH "A studio.html that was built elsewhere, for the gallery of the documentation")
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT TARGET docs OR NOT Python3_FOUND)
  return()
endif()
if(VXE_STUDIO)
  set(page ${VXE_STUDIO})
elseif(TARGET studio)
  set(page ${VXE_STUDIO_PAGE})
  add_dependencies(docs studio)
else()
  return()
endif()
add_dependencies(docs voxelastic)
add_custom_command(
  TARGET docs
  POST_BUILD
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/gallery.py $<TARGET_FILE:voxelastic> ${page} ${PROJECT_SOURCE_DIR}/assets ${PROJECT_BINARY_DIR}/site/gallery
  VERBATIM)
