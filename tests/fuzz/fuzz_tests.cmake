# The tests fuzz.*: the targets of this folder, built by clang in build/fuzz, run for half a minute each from the kept
# corpus. Without clang and its fuzzing library they are left out.
find_program(FUZZ_CXX clang++-19)
set(fuzzer)
if(FUZZ_CXX)
  execute_process(COMMAND ${FUZZ_CXX} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(GLOB_RECURSE fuzzer ${resources}/lib/*libclang_rt.fuzzer*)
endif()
if(NOT fuzzer)
  message(STATUS "Fuzzing: clang++-19 with libFuzzer not found, fuzz tests left out")
  return()
endif()
message(STATUS "Fuzzing: found ${FUZZ_CXX}, fuzz tests enabled")

set(fuzz_source ${PROJECT_SOURCE_DIR}/tests/fuzz)
set(fuzz_build ${PROJECT_BINARY_DIR}/fuzz)
add_test(NAME fuzz.configure
  COMMAND ${CMAKE_COMMAND} -S ${fuzz_source} -B ${fuzz_build} -G ${CMAKE_GENERATOR} -D CMAKE_CXX_COMPILER=${FUZZ_CXX})
add_test(NAME fuzz.build COMMAND ${CMAKE_COMMAND} --build ${fuzz_build} --parallel 2)
set_tests_properties(fuzz.configure fuzz.build PROPERTIES LABELS fuzz FIXTURES_SETUP fuzz)
set_tests_properties(fuzz.build PROPERTIES DEPENDS fuzz.configure PROCESSORS 2 TIMEOUT 900)

# Each input may take 5 seconds of the processor (fuzz.hpp); the timeout here is for what never ends.
set(targets expression model checkpoint)
if(HDF5_FOUND)
  list(APPEND targets trajectory)
endif()
foreach(target IN LISTS targets)
  add_test(NAME fuzz.${target}
    COMMAND ${fuzz_build}/fuzz_${target} -max_total_time=30 -timeout=120 -rss_limit_mb=512 -max_len=4096 -seed=1
      -print_final_stats=1 -dict=${fuzz_source}/words.dict -artifact_prefix=${fuzz_build}/${target}-
      ${fuzz_build}/corpus/${target} ${fuzz_source}/corpus/${target})
  set_tests_properties(fuzz.${target} PROPERTIES LABELS fuzz FIXTURES_REQUIRED fuzz TIMEOUT 300
    ENVIRONMENT ASAN_OPTIONS=quarantine_size_mb=32)
endforeach()
