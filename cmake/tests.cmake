# Every kind of test as a ctest label: unit, property, reference, golden, claims, faults, cli,
# example, style, install. A test that lacks something it may do without says so: GTEST_SKIP(), or
# exit code 77.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

# Seconds that a test may take; sanitizers make it several times as long.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(test_seconds 1800)
else()
  set(test_seconds 300)
endif()

# One program per folder. Tests run in the repository, so that files beside them are found.
function(add_test_program label folder name)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_test ${sources} ${ARGN})
  set_target_properties(${name}_test PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${name}_test PRIVATE src ${PROJECT_SOURCE_DIR})
  # What a test does is the library's work, which is optimised as users run it.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  precompile(${name}_test <gtest/gtest.h> <fmt/format.h>)
  target_link_libraries(${name}_test PRIVATE coppice GTest::gtest_main ZLIB::ZLIB fmt::fmt
    nlohmann_json::nlohmann_json FastFloat::fast_float)
  gtest_discover_tests(${name}_test
    TEST_PREFIX ${name}/
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} TIMEOUT ${test_seconds})
endfunction()

# A shell or Python script; more arguments go to the script.
function(add_script_test label script)
  cmake_path(GET script STEM name)
  cmake_path(GET script EXTENSION kind)
  if(kind STREQUAL ".py")
    set(interpreter ${Python3_EXECUTABLE} -B)
  else()
    set(interpreter bash)
  endif()
  add_test(NAME ${label}/${name} COMMAND ${interpreter} ${script} ${ARGN}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${label}/${name} PROPERTIES
    LABELS ${label} TIMEOUT ${test_seconds} SKIP_RETURN_CODE 77
    ENVIRONMENT "COPPICE=$<TARGET_FILE:coppice_cli>;PYTHON=${Python3_EXECUTABLE}")
endfunction()

file(GLOB_RECURSE unit_tests CONFIGURE_DEPENDS src/*_test.cpp)
set(unit_folders)
foreach(test IN LISTS unit_tests)
  cmake_path(GET test PARENT_PATH folder)
  list(APPEND unit_folders ${folder})
endforeach()
list(REMOVE_DUPLICATES unit_folders)
foreach(folder IN LISTS unit_folders)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE name)
  string(REPLACE "/" "_" name ${name})
  add_test_program(unit ${folder} ${name})
endforeach()

# The solvers of src/refine are compared with LIBLINEAR where it is installed.
find_path(LIBLINEAR_INCLUDE linear.h)
find_library(LIBLINEAR_LIBRARY linear)
if(LIBLINEAR_INCLUDE AND LIBLINEAR_LIBRARY AND TARGET refine_test)
  target_compile_definitions(refine_test PRIVATE COPPICE_LIBLINEAR)
  target_include_directories(refine_test SYSTEM PRIVATE ${LIBLINEAR_INCLUDE})
  target_link_libraries(refine_test PRIVATE ${LIBLINEAR_LIBRARY})
endif()

# The eigen-solver of src/affinity is compared with Spectra where it is installed.
find_path(SPECTRA_INCLUDE Spectra/SymEigsSolver.h)
find_path(EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3)
if(SPECTRA_INCLUDE AND EIGEN_INCLUDE AND TARGET affinity_test)
  target_compile_definitions(affinity_test PRIVATE COPPICE_SPECTRA)
  target_include_directories(affinity_test SYSTEM PRIVATE ${SPECTRA_INCLUDE} ${EIGEN_INCLUDE})
endif()

# Sources beside them that are not tests serve all tests of the folder; make_*.cpp are tools.
foreach(label property reference golden claims faults)
  file(GLOB support CONFIGURE_DEPENDS tests/${label}/*.cpp)
  list(FILTER support EXCLUDE REGEX "(_test|/make_[a-z_]*)\\.cpp$")
  add_test_program(${label} ${PROJECT_SOURCE_DIR}/tests/${label} ${label} ${support})
endforeach()

# Writes the golden models anew; see tests/golden/README.md.
add_executable(make_golden EXCLUDE_FROM_ALL tests/golden/make_golden.cpp)
set_target_properties(make_golden PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_include_directories(make_golden PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(make_golden PRIVATE coppice fmt::fmt)

foreach(folder cli cli/draw)
  cmake_path(GET folder STEM name)
  add_test_program(unit ${PROJECT_SOURCE_DIR}/${folder} ${name})
  if(TARGET ${name}_test)
    target_link_libraries(${name}_test PRIVATE coppice_verbs)
  endif()
endforeach()

enable_language(C)
file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp examples/*.c)
foreach(example IN LISTS examples)
  cmake_path(GET example STEM name)
  add_executable(example_${name} ${example})
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  # Extending the library (04) needs the headers of its parts.
  target_include_directories(example_${name} PRIVATE src)
  target_link_libraries(example_${name} PRIVATE coppice::coppice)
  add_test(NAME example/${name} COMMAND example_${name})
  set_tests_properties(example/${name} PROPERTIES LABELS example TIMEOUT ${test_seconds})
endforeach()

file(GLOB cli_scripts CONFIGURE_DEPENDS tests/cli/*.sh tests/cli/*.py)
foreach(script IN LISTS cli_scripts)
  add_script_test(cli ${script})
endforeach()

# Fuzz targets on the inputs that fuzzing begins with, and on every input that ever failed.
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_fuzz_program(replay_${name} ${source} tests/fuzz/replay.cpp)
  set_target_properties(replay_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()
add_script_test(faults ${PROJECT_SOURCE_DIR}/tests/faults/bad_data_test.py)
add_script_test(faults ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_test.sh ${PROJECT_BINARY_DIR}/tests)

# The checks of the sources, and the checks of these checks.
file(GLOB style_scripts CONFIGURE_DEPENDS tools/check_*.py tests/style/*_test.py)
foreach(script IN LISTS style_scripts)
  add_script_test(style ${script})
endforeach()

add_script_test(install ${PROJECT_SOURCE_DIR}/tests/install/install_test.sh
  ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR}
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
  -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE})
