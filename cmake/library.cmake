# SPDX-License-Identifier: MIT
# The library, made of all modules: shared for users; static for our own programs and for tests of internal functions.
get_property(VXE_MODULES GLOBAL PROPERTY VXE_OBJECT_LIBRARIES)
foreach(kind IN ITEMS shared static)
  string(TOUPPER ${kind} KIND)
  add_library(vxe_${kind} ${KIND})
  foreach(module IN LISTS VXE_MODULES)
    target_sources(vxe_${kind} PRIVATE $<TARGET_OBJECTS:${module}>)
  endforeach()
  target_link_libraries(vxe_${kind} PRIVATE vxe_flags EXPAT::EXPAT PNG::PNG ZLIB::ZLIB PkgConfig::JANSSON ${CMAKE_DL_LIBS} m)
  if(OpenMP_C_FOUND)
    target_link_libraries(vxe_${kind} PRIVATE OpenMP::OpenMP_C)
  endif()
  if(VOXELASTIC_MPI)
    target_link_libraries(vxe_${kind} PRIVATE MPI::MPI_C)
  endif()
endforeach()
target_include_directories(
  vxe_static PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include)
target_include_directories(
  vxe_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/voxelastic>)
set_target_properties(
  vxe_shared PROPERTIES OUTPUT_NAME voxelastic EXPORT_NAME voxelastic VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                        LINKER_LANGUAGE C)
set_target_properties(vxe_static PROPERTIES OUTPUT_NAME voxelastic_inside LINKER_LANGUAGE C)

set(VXE_PUBLIC_HEADERS
    common/closest_name.h
    common/export.h
    common/file.h
    common/markup.h
    common/memory.h
    common/number.h
    common/parallel.h
    common/status.h
    materials/bond_constants.h
    materials/contact_law.h
    materials/material.h
    materials/poisson_law.h
    materials/yield_break_law.h
    lattice/affine.h
    lattice/controller.h
    lattice/design.h
    lattice/formats/format.h
    lattice/formats/job.h
    lattice/formats/json_memory.h
    lattice/formats/limits.h
    lattice/formats/task.h
    engine/batch.h
    engine/conventions.h
    engine/ensemble.h
    engine/gradient.h
    engine/network.h
    engine/precision.h
    engine/statics.h
    engine/step_error.h
    output/record/frame.h
    output/foreign/voxcraft_history_write.h
    output/foreign/voxcraft_history_read.h
    output/record/result.h
    output/foreign/simulator_results.h
    output/trace/trace.h
    output/record/vxr.h
    engine/surrogate.h
    engine/team.h
    engine/trial.h
    output/view/gltf.h
    output/page/page.h
    output/view/paraview.h
    output/view/picture.h
    output/view/recorder.h
    output/view/surface.h
    output/record/session.h
    output/view/surface_write.h
    engine/world.h
    evolution/analysis.h
    evolution/cluster.h
    evolution/elites.h
    evolution/fitness.h
    evolution/search.h
    evolution/tuning.h)
foreach(header IN LISTS VXE_PUBLIC_HEADERS)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/voxelastic/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/voxelastic/voxelastic.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/voxelastic)
install(TARGETS vxe_shared EXPORT voxelasticTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT voxelasticTargets NAMESPACE voxelastic:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/voxelastic)
configure_package_config_file(cmake/voxelasticConfig.cmake.in ${PROJECT_BINARY_DIR}/voxelasticConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/voxelastic)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/voxelasticConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/voxelasticConfig.cmake ${PROJECT_BINARY_DIR}/voxelasticConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/voxelastic)
# A relative prefix, so that an installed tree may be moved.
file(RELATIVE_PATH VXE_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/voxelastic.pc.in ${PROJECT_BINARY_DIR}/voxelastic.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/voxelastic.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The documentation as a site, where mkdocs and doxygen are: build/site, with the reference of the C interface in build/site/api.
find_package(Doxygen QUIET)
find_program(MKDOCS mkdocs)
if(DOXYGEN_FOUND)
  list(TRANSFORM VXE_PUBLIC_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE VXE_DOCUMENTED)
  list(JOIN VXE_DOCUMENTED " " VXE_DOCUMENTED)
  configure_file(cmake/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  set(pages)
  if(MKDOCS) # first: it empties its folder
    set(pages COMMAND ${MKDOCS} build --quiet --strict --site-dir ${PROJECT_BINARY_DIR}/site)
  endif()
  add_custom_target(docs ${pages} COMMAND Doxygen::doxygen ${PROJECT_BINARY_DIR}/Doxyfile WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY tests/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples FILES_MATCHING PATTERN "*.c" PATTERN "*.py")
