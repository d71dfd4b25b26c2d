# What `cmake --install` puts where, and the package that find_package(coppice) finds.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/coppice)

install(TARGETS coppice EXPORT coppice FILE_SET HEADERS)
install(TARGETS coppice_cli)
install(EXPORT coppice NAMESPACE coppice:: FILE coppice-targets.cmake DESTINATION ${package_folder})

configure_package_config_file(cmake/coppice-config.cmake.in coppice-config.cmake
  INSTALL_DESTINATION ${package_folder}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(coppice-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/coppice-config.cmake
  ${PROJECT_BINARY_DIR}/coppice-config-version.cmake
  DESTINATION ${package_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
