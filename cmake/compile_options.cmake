# How everything is compiled. Results are the same bits for every compiler and optimisation level:
# no contraction to fused multiply-add, no fast-math.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(CMAKE_CXX_FLAGS MATCHES "fast-math|-Ofast")
  message(FATAL_ERROR "coppice: fast-math changes results; remove it from CMAKE_CXX_FLAGS.")
endif()

# Every x86-64 processor since 2009 counts bits and multiplies vectors of integers (x86-64-v2);
# COPPICE_BASELINE=x86-64 gives that up. Wider vectors are chosen at run time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(COPPICE_BASELINE "x86-64-v2" CACHE STRING "The oldest processor that will run the program")
  add_compile_options(-march=${COPPICE_BASELINE})
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
# GCC 12 warns of overlapping copies inside std::string operator+, wrongly (GCC bug 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  # Kernels are raised to -O3 below; the rest compiles faster at -O2 and runs no slower.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  find_program(CCACHE ccache)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # The cache can keep what was compiled with precompiled headers only if it is told to.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  endif()
endif()

# Per-sample loops live in these folders; GCC 12 vectorises none of them at -O2.
set(coppice_kernel_folders "split|objective|leaf|grow|infer|data|refine|affinity")

function(optimise_kernels target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "/src/(${coppice_kernel_folders})/")
  set_property(SOURCE ${sources} APPEND PROPERTY
    COMPILE_OPTIONS $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
endfunction()

# Reads large headers of others once per target instead of once per source.
function(precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
