# One libFuzzer program per tests/fuzz/*_fuzz.cpp; `make fuzz` runs them all. The library is built
# with the same sanitizers by the fuzz preset.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "coppice: COPPICE_FUZZ needs clang; use `cmake --preset fuzz`.")
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*_fuzz.cpp)
add_custom_target(fuzz_targets)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_include_directories(${name} PRIVATE src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE
    coppice ZLIB::ZLIB fmt::fmt nlohmann_json::nlohmann_json FastFloat::fast_float)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz_targets ${name})
endforeach()
