# cmake -DARGUMENTS=<arguments.cmake> -P: checks one kernel during the build, with the flags that the build uses. Writes
# `built` (its time stamp marks the check) and `built.d` (the files that trigger a new check) beside the arguments.
cmake_policy(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/AgenticKernelText.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/AgenticKernelCheck.cmake)
include(${ARGUMENTS})
get_filename_component(directory "${ARGUMENTS}" DIRECTORY)

_agentic_kernel_command("${AK_BUILD_DIR}/compile_commands.json" entry)
if(entry)
  _agentic_kernel_run_check("${entry}")
  _agentic_kernel_report_check()
else()
  message(STATUS "kernel ${AK_NAME}: ${AK_BUILD_DIR}/compile_commands.json has no command for ${AK_SOURCE}; not checked")
endif()

# A policy that does not exist yet cannot be named: ninja would check in every build. Its folder can, unless builds
# write there themselves.
_agentic_kernel_policy("${AK_PROJECT_ROOT}" policy rules)
# The arguments are named here and not by the custom command: a project of CMake before 3.3 (CMP0058) would get a warning.
set(files "${ARGUMENTS}")
if(NOT AK_PROJECT_ROOT STREQUAL AK_BUILD_DIR)
  list(APPEND files "${AK_PROJECT_ROOT}")
endif()
if(EXISTS "${policy}")
  list(APPEND files "${policy}")
endif()
if(EXISTS "${directory}/stamp.json")
  _agentic_kernel_stamp_files("${directory}/stamp.json" stamped hashes)
  list(APPEND files ${stamped})
else() # it could not be checked: the next build tries again where SOURCE was mended
  list(APPEND files "${AK_SOURCE}")
endif()
set(dependencies "")
foreach(file IN LISTS files)
  string(REPLACE " " "\\ " file "${file}")
  string(APPEND dependencies " ${file}")
endforeach()
string(REPLACE " " "\\ " output "${directory}/built")
file(WRITE "${directory}/built.d" "${output}:${dependencies}\n")
file(WRITE "${directory}/built" "")
