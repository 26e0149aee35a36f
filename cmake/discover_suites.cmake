# Read by ctest: one test for each suite of the GoogleTest program `program`. A process for each of its 1500 tests would
# spend more on starting than most of them on testing. Suites that take long start first: those whose tests share
# nothing have a test for each, the others a few shards.
cmake_policy(VERSION 3.25)
set(divided_suites reproduce choice)
set(sharded_suites catalogue/contract)
set(shards 4)

execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed ERROR_QUIET)
if(NOT failed EQUAL 0)
  add_test(actio_tests ${program} --gtest_list_tests)  # shows why
  return()
endif()
# What follows a name describes a parameter, with any text in it; brackets would hold lines of a list together.
string(REGEX REPLACE " +#[^\n]*" "" listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")

function(add_suite name filter cost)
  add_test(${name} ${program} --gtest_filter=${filter})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 COST ${cost})
endfunction()

foreach(line IN LISTS listed)
  if(line MATCHES "^([^ ].*)\\.$")
    set(suite ${CMAKE_MATCH_1})
    if(suite IN_LIST sharded_suites)
      foreach(shard RANGE 1 ${shards})
        add_suite(${suite}.${shard} ${suite}.* 100)
        math(EXPR index "${shard} - 1")
        set_tests_properties(${suite}.${shard} PROPERTIES
          ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
      endforeach()
    elseif(NOT suite IN_LIST divided_suites)
      add_suite(${suite} ${suite}.* 1)
    endif()
  elseif(line MATCHES "^  ([^ ]+)" AND suite IN_LIST divided_suites)
    add_suite(${suite}.${CMAKE_MATCH_1} ${suite}.${CMAKE_MATCH_1} 100)
  endif()
endforeach()
