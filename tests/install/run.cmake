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
run(${CMAKE_COMMAND} --build ${work}/build)

execute_process(COMMAND ${work}/build/outside OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "printed: ${printed}")
if(NOT printed MATCHES "cos\\(q\\)")
  message(FATAL_ERROR "expected the Lagrangian of a pendulum")
endif()
