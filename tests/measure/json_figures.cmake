# cmake -DFILE=… -DKEYS=key;… [-DROWS=key;…] -P json_figures.cmake: prints figures of the last line of FILE, a JSON
# object, one per line: figure, tab, value. KEYS are the object's; ROWS are those of each of its "kernels".
# "speedup/low" is a key within a key.
cmake_minimum_required(VERSION 3.22)
file(STRINGS ${FILE} lines)
list(POP_BACK lines object)

function(figure object name key)
  string(REPLACE "/" ";" path "${key}")
  string(JSON value ERROR_VARIABLE missing GET "${object}" ${path})
  if(NOT missing AND NOT value STREQUAL "")
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${name}\t${value}") # message() would write to stderr
  endif()
endfunction()

foreach(key IN LISTS KEYS)
  figure("${object}" ${key} ${key})
endforeach()
if(ROWS)
  string(JSON count LENGTH "${object}" kernels)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON row GET "${object}" kernels ${i})
    string(JSON kernel GET "${row}" kernel)
    foreach(key IN LISTS ROWS)
      figure("${row}" "${kernel} ${key}" ${key})
    endforeach()
  endforeach()
endif()
