# Installs actio into a folder of the build tree, then builds and runs a project that finds it there.
# Expects BUILD, CONFIG, GENERATOR, CXX and FLAGS.
set(work ${BUILD}/install_test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -D CMAKE_BUILD_TYPE=${CONFIG}
  -D CMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${FLAGS}" -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build --parallel)

function(expect program text)
  execute_process(COMMAND ${work}/build/${program} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "${program} printed: ${printed}")
  if(NOT printed MATCHES ${text})
    message(FATAL_ERROR "expected '${text}'")
  endif()
endfunction()
expect(outside "energy")
expect(with_problems "kepler: 100 steps, 4 papers")

# What is not public stays at home.
file(GLOB_RECURSE headers RELATIVE ${work}/prefix/include/actio ${work}/prefix/include/actio/*.hpp)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/public_headers.cmake)
set(listed ${actio_public_headers} ${actio_problems_public_headers})
list(SORT headers)
list(SORT listed)
if(NOT headers STREQUAL listed)
  message(FATAL_ERROR "installed are ${headers}, and not the public headers")
endif()
