# Finds LLVM and Clang 19 … 16 and defines agentic_clang (headers + libclang-cpp + libLLVM).
#
# find_package(Clang 19) fails on Debian: the package accepts only its exact version (19.1.7). So search the folders
# that distributions use, newest first, then test LLVM_VERSION_MAJOR.
if(NOT Clang_DIR)
  foreach(version 19 18 17 16)
    find_package(Clang CONFIG QUIET NO_DEFAULT_PATH PATHS /usr/lib/llvm-${version} /usr/local/opt/llvm@${version})
    if(Clang_FOUND)
      break()
    endif()
  endforeach()
endif()
find_package(Clang CONFIG QUIET)
if(NOT Clang_FOUND OR LLVM_VERSION_MAJOR LESS 16)
  message(FATAL_ERROR "Agentic Kernel's tool needs the Clang libraries, version 16 or newer (found: '${LLVM_VERSION_MAJOR}').\n"
                      "  Debian and Ubuntu: apt-get install libclang-19-dev llvm-19-dev\n"
                      "  or give the folder of ClangConfig.cmake: -DClang_DIR=…/lib/cmake/clang")
endif()
if(LLVM_VERSION_MAJOR LESS 17 AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "LLVM ${LLVM_VERSION_MAJOR}'s headers use std::unique_ptr of an incomplete class, which clang refuses in C++23 mode: "
                      "build with g++ (-DCMAKE_CXX_COMPILER=g++), or with newer Clang libraries.")
endif()
message(STATUS "Clang libraries ${LLVM_VERSION} in ${Clang_DIR}")

add_library(agentic_clang INTERFACE)
target_include_directories(agentic_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(agentic_clang INTERFACE -fno-rtti)
endif()
# g++ 12 inlines CXXRecordDecl::bases() into our code and warns there, wrongly, about a null 'this'.
target_compile_options(agentic_clang INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>)
target_link_libraries(agentic_clang INTERFACE clang-cpp LLVM)
# Clang's own headers (stddef.h, immintrin.h): tools outside Clang's tree often fail to find them.
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/clang -print-resource-dir
                OUTPUT_VARIABLE AGENTIC_CLANG_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT AGENTIC_CLANG_RESOURCE_DIR)
  set(AGENTIC_CLANG_RESOURCE_DIR ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR})
endif()
if(CMAKE_SYSROOT) # its place on the machine that the tool runs on
  string(REGEX REPLACE "^${CMAKE_SYSROOT}/" "/" AGENTIC_CLANG_RESOURCE_DIR ${AGENTIC_CLANG_RESOURCE_DIR})
endif()
