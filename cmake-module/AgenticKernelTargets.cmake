# Build targets around the tool; none of them is part of `all`, except that a kernel's target waits for its check.
include_guard(GLOBAL)

function(_agentic_kernel_add_targets names)
  get_property(module GLOBAL PROPERTY _AGENTIC_KERNEL_MODULE_DIR)
  set(run ${CMAKE_COMMAND} "-DTOOL=${AGENTIC_KERNEL_TOOL}" "-DBUILD_DIR=${CMAKE_BINARY_DIR}")
  if(CMAKE_CONFIGURATION_TYPES)
    list(APPEND run "-DCONFIG=$<CONFIG>")
  endif()
  foreach(name IN LISTS names)
    if(NOT TARGET optimize-${name})
      add_custom_target(optimize-${name} COMMAND ${run} -DKERNELS=${name} -P "${module}/AgenticKernelOptimize.cmake"
                        USES_TERMINAL VERBATIM)
    endif()
    _agentic_kernel_add_build_check(${name})
  endforeach()
  set(optimize optimize)
  if(TARGET optimize)
    set(optimize agentic-kernel-optimize)
  endif()
  foreach(command check verify) # findings fail the first, though no build
    add_custom_target(agentic-kernel-${command} COMMAND "${AGENTIC_KERNEL_TOOL}" ${command} --build-dir "${CMAKE_BINARY_DIR}"
                                                        "$<$<BOOL:${CMAKE_CONFIGURATION_TYPES}>:--config;$<CONFIG>>"
                      COMMAND_EXPAND_LISTS USES_TERMINAL VERBATIM)
  endforeach()
  list(JOIN names "," joined)
  add_custom_target(${optimize} COMMAND ${run} -DKERNELS=${joined} -P "${module}/AgenticKernelOptimize.cmake" USES_TERMINAL
                    VERBATIM)
endfunction()

# ctest -L agentic-kernel: one test per variant, without the tool. They are in the top directory, where the project must
# call enable_testing() as for its own tests.
function(_agentic_kernel_add_forced_tests name)
  foreach(field state levels TESTS TEST_FILTER TEST_ARGS RUNNER)
    get_property(${field} GLOBAL PROPERTY _AGENTIC_KERNEL_${name}_${field})
  endforeach()
  if(NOT state STREQUAL "active" OR NOT TESTS)
    return()
  endif()
  get_property(module GLOBAL PROPERTY _AGENTIC_KERNEL_MODULE_DIR)
  set(programs "")
  foreach(test IN LISTS TESTS)
    get_target_property(folder ${test} BINARY_DIR)
    string(APPEND programs " [==[$<TARGET_FILE:${test}>|${folder}]==]")
  endforeach()
  set(options "")
  foreach(option IN LISTS TEST_ARGS)
    string(APPEND options " [==[${option}]==]")
  endforeach()
  set(runner "")
  foreach(word IN LISTS RUNNER)
    string(APPEND runner " [==[${word}]==]")
  endforeach()
  set(file "${CMAKE_BINARY_DIR}/_agentic/forced/${name}-$<CONFIG>")
  file(GENERATE OUTPUT "${file}.cmake" CONTENT "set(kernel ${name})
set(programs${programs})
set(filter [==[${TEST_FILTER}]==])
set(options${options})
set(runner${runner})
set(trace [==[${file}-trace]==])
set(ctest [==[${CMAKE_CTEST_COMMAND}]==])
set(build_dir [==[${CMAKE_BINARY_DIR}]==])
set(config $<CONFIG>)
")
  foreach(level IN LISTS levels)
    add_test(NAME agentic-kernel.${name}.${level}
             COMMAND ${CMAKE_COMMAND} "-DARGUMENTS=${file}.cmake" "-DCHOICE=${level}" -P "${module}/AgenticKernelForced.cmake")
    set_tests_properties(agentic-kernel.${name}.${level} PROPERTIES LABELS agentic-kernel
                         SKIP_REGULAR_EXPRESSION "agentic-kernel: skipped")
  endforeach()
endfunction()

# The authority on the baseline: runs with the flags of this very build, again when SOURCE, a header it names or the
# policy changes. (The next configure checks a change of only the flags: compile_commands.json is new after every
# configure, so with a dependency on it no build would be up to date.)
function(_agentic_kernel_add_build_check name)
  foreach(field SOURCE mode TARGET)
    get_property(${field} GLOBAL PROPERTY _AGENTIC_KERNEL_${name}_${field})
  endforeach()
  if(mode STREQUAL "BASELINE" OR AGENTIC_KERNEL_CONFIGURE_CHECK STREQUAL "OFF" OR NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    return()
  endif()
  get_property(module GLOBAL PROPERTY _AGENTIC_KERNEL_MODULE_DIR)
  set(directory "${CMAKE_BINARY_DIR}/_agentic/checks/${name}")
  add_custom_command(OUTPUT "${directory}/built"
                     COMMAND ${CMAKE_COMMAND} "-DARGUMENTS=${directory}/arguments.cmake" -P "${module}/AgenticKernelBuildCheck.cmake"
                     DEPENDS "${SOURCE}" "${AGENTIC_KERNEL_TOOL}"
                     DEPFILE "${directory}/built.d" COMMENT "Checking kernel ${name}" VERBATIM)
  add_custom_target(agentic-kernel-check-${name} DEPENDS "${directory}/built")
  foreach(target IN LISTS TARGET)
    add_dependencies(${target} agentic-kernel-check-${name})
  endforeach()
endfunction()
