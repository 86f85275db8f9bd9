# cmake -DFROM=<sources> -DTO=<folder> -DNPM_COMMAND=<ci or install> -P install_peers.cmake: the npm packages that
# FROM/package-lock.json lists, exactly as locked, and FROM's programs, into the build tree. Does nothing if they are there
# already. Prints SKIPPED where there is no npm.
file(READ ${FROM}/package-lock.json lock)
file(GLOB programs ${FROM}/*.mjs)
file(COPY ${programs} DESTINATION ${TO}) # beside the packages: there Node.js finds what they import
set(stamp ${TO}/installed)
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
  if(installed STREQUAL lock)
    return()
  endif()
endif()
find_program(npm npm)
if(NOT npm)
  message(STATUS "SKIPPED: npm is not installed (apt-get install npm); the tests that need ${FROM} will be skipped")
  return()
endif()
file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${TO})
execute_process(COMMAND ${npm} ${NPM_COMMAND} --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${TO} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "npm could not install what ${FROM}/package-lock.json lists: it needs a package registry once")
endif()
file(WRITE ${stamp} "${lock}")
