# Gets the exact compile commands at the first configure: CMake knows them only after it has generated. So the project
# is configured once more, with the same settings, in <build>/_agentic/probe; there add_agentic_kernel only asks for
# compile_commands.json. The settings come from memory: on a first configure no CMakeCache.txt exists yet.
include_guard(GLOBAL)

# `out`: the probe's folder, or empty if it failed (one warning then). Runs at most once per configure.
function(_agentic_kernel_probe out)
  get_property(done GLOBAL PROPERTY _AGENTIC_KERNEL_PROBE_DONE)
  if(done)
    get_property(directory GLOBAL PROPERTY _AGENTIC_KERNEL_PROBE_DIR)
    set(${out} "${directory}" PARENT_SCOPE)
    return()
  endif()
  set(directory "${CMAKE_BINARY_DIR}/_agentic/probe")
  _agentic_kernel_dump_cache("${CMAKE_BINARY_DIR}/_agentic/probe-cache.cmake")
  set(generator -G "${CMAKE_GENERATOR}")
  if(CMAKE_GENERATOR_PLATFORM)
    list(APPEND generator -A "${CMAKE_GENERATOR_PLATFORM}")
  endif()
  if(CMAKE_GENERATOR_TOOLSET)
    list(APPEND generator -T "${CMAKE_GENERATOR_TOOLSET}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -S "${CMAKE_SOURCE_DIR}" -B "${directory}" ${generator} -C
                          "${CMAKE_BINARY_DIR}/_agentic/probe-cache.cmake"
                  RESULT_VARIABLE status OUTPUT_FILE "${CMAKE_BINARY_DIR}/_agentic/probe.log"
                  ERROR_FILE "${CMAKE_BINARY_DIR}/_agentic/probe.log")
  if(NOT status STREQUAL "0")
    message(WARNING "agentic kernels: this project could not be configured a second time to learn its compile flags "
                    "(${CMAKE_BINARY_DIR}/_agentic/probe.log); kernels are checked when they are built instead.")
    set(directory "")
  endif()
  set_property(GLOBAL PROPERTY _AGENTIC_KERNEL_PROBE_DONE ON)
  set_property(GLOBAL PROPERTY _AGENTIC_KERNEL_PROBE_DIR "${directory}")
  set(${out} "${directory}" PARENT_SCOPE)
endfunction()

function(_agentic_kernel_dump_cache file)
  set(text "set(AGENTIC_KERNEL_PROBE ON CACHE BOOL \"\" FORCE)\nset(FETCHCONTENT_FULLY_DISCONNECTED ON CACHE BOOL \"\" FORCE)\n")
  get_cmake_property(variables CACHE_VARIABLES)
  foreach(variable IN LISTS variables)
    get_property(type CACHE ${variable} PROPERTY TYPE)
    get_property(value CACHE ${variable} PROPERTY VALUE)
    # These belong to this very tree: CMake's own notes, the projects' folders, and where downloads are unpacked.
    if(variable MATCHES "^CMAKE_(HOME_DIRECTORY|CACHE.*|GENERATOR.*|COMMAND|ROOT|.*_COMMAND)$|_(BINARY|SOURCE)_DIR$|_IS_TOP_LEVEL$"
       OR variable MATCHES "^(FETCHCONTENT_BASE_DIR|FETCHCONTENT_FULLY_DISCONNECTED|AGENTIC_KERNEL_PROBE)$"
       OR variable MATCHES "[^A-Za-z0-9_./+-]" OR type STREQUAL "STATIC")
      continue()
    endif()
    if(variable MATCHES "^FETCHCONTENT_SOURCE_DIR_(.+)$" AND value STREQUAL "")
      string(TOLOWER "${CMAKE_MATCH_1}" content)
      set(value "${FETCHCONTENT_BASE_DIR}/${content}-src")
      if(NOT EXISTS "${value}")
        continue()
      endif()
    endif()
    if(NOT type MATCHES "^(BOOL|PATH|FILEPATH|INTERNAL)$")
      set(type STRING)
    endif()
    string(APPEND text "set(${variable} [====[${value}]====] CACHE ${type} \"\" FORCE)\n")
  endforeach()
  file(WRITE "${file}" "${text}")
endfunction()
