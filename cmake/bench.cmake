# One benchmark program per file of bench/; `make bench` runs them all, tests run each of them for
# an instant.
find_package(benchmark REQUIRED)

file(GLOB benchmarks CONFIGURE_DEPENDS bench/*.cpp)
list(FILTER benchmarks EXCLUDE REGEX "/peer_[^/]*$")
add_custom_target(benchmarks)
foreach(source IN LISTS benchmarks)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${source})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_include_directories(bench_${name} PRIVATE src ${PROJECT_SOURCE_DIR})
  target_link_libraries(bench_${name} PRIVATE
    coppice fmt::fmt benchmark::benchmark benchmark::benchmark_main)
  add_dependencies(benchmarks bench_${name})
  if(COPPICE_TESTS)
    add_test(NAME bench/${name} COMMAND bench_${name} --benchmark_min_time=0.001)
    set_tests_properties(bench/${name} PROPERTIES LABELS bench TIMEOUT ${test_seconds})
  endif()
endforeach()
