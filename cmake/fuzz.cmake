# One libFuzzer program per tests/fuzz/*_fuzz.cpp; `make fuzz` runs them all. The library is built
# with the same sanitizers by the fuzz preset.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "coppice: COPPICE_FUZZ needs clang; use `cmake --preset fuzz`.")
endif()

add_custom_target(fuzz_targets DEPENDS coppice_cli)  # which makes the first inputs
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_fuzz_program(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz_targets ${name})
endforeach()
