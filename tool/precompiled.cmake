# Precompiled headers. What most files of the targets that read and write JSON, or see Clang, include is parsed once for all
# of them: it is most of what they take to compile. None of ours: they change. With clang only: g++ gains nothing from
# Clang's, and g++ 12 warns there about the standard library's insides as if they were ours.

# agentic_header_code(<target> LIBRARY…): the code of the headers that the target precompiles is made once, not optimized,
# into <target>_code, and not again in every file that uses them: a third of what those take. Users link
# with it; it needs the LIBRARIES. Not where the code needs more flags than are in the precompiled header.
set(AGENTIC_KERNEL_HEADER_CODE OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_GENERATOR MATCHES Ninja AND AGENTIC_KERNEL_DEVELOPER
   AND NOT CMAKE_CROSSCOMPILING AND NOT AGENTIC_KERNEL_SANITIZE)
  set(AGENTIC_KERNEL_HEADER_CODE ON)
endif()
function(agentic_header_code target)
  add_library(${target}_code INTERFACE)
  if(NOT AGENTIC_KERNEL_HEADER_CODE)
    return()
  endif()
  # The second flag: the target's own empty file is compiled with the same options, to which the first means nothing.
  target_compile_options(${target} PRIVATE -fpch-codegen -Wno-unused-command-line-argument)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/${target}_code.o)
  add_custom_command(OUTPUT ${code} COMMAND ${CMAKE_CXX_COMPILER} -O0 -ffunction-sections -c ${header} -o ${code} DEPENDS ${header} VERBATIM
                     COMMENT "Compiling what ${target} precompiles")
  add_library(${target}_object STATIC ${code})
  set_target_properties(${target}_object PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target}_object PUBLIC ${ARGN})
  # Of what nobody calls, some calls functions that no library has.
  target_link_options(${target}_object INTERFACE LINKER:--gc-sections)
  target_link_libraries(${target}_code INTERFACE ${target}_object)
endfunction()

# A group is compiled as its targets are: json, json_clang (without RTTI, as Clang's libraries), ast.
set(agentic_json_headers ${PROJECT_SOURCE_DIR}/tool/precompiled_json.h <fmt/format.h>)
set(agentic_ast_headers
  <clang/AST/ASTContext.h> <clang/AST/Decl.h> <clang/AST/DeclCXX.h> <clang/AST/DeclTemplate.h> <clang/AST/Expr.h>
  <clang/AST/ExprCXX.h> <clang/AST/RecursiveASTVisitor.h> <clang/AST/StmtCXX.h> <clang/AST/TypeLoc.h>
  <clang/Basic/SourceManager.h> <clang/Lex/Token.h>)
function(agentic_header_group group headers)
  add_library(agentic_headers_${group} OBJECT ${PROJECT_SOURCE_DIR}/tool/precompiled.cpp)
  target_link_libraries(agentic_headers_${group} PRIVATE agentic_options ${ARGN})
  target_precompile_headers(agentic_headers_${group} PRIVATE ${headers})
  agentic_not_hot(agentic_headers_${group})
  agentic_header_code(agentic_headers_${group} ${ARGN})
endfunction()
set(agentic_precompiles ${AGENTIC_KERNEL_SYNTAX_ONLY})
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(agentic_precompiles ON)
endif()
if(agentic_precompiles)
  agentic_header_group(json "${agentic_json_headers}" nlohmann_json::nlohmann_json fmt::fmt)
  agentic_header_group(json_clang "${agentic_json_headers}" nlohmann_json::nlohmann_json fmt::fmt agentic_clang)
  agentic_header_group(ast "${agentic_ast_headers}" agentic_clang)
endif()
function(agentic_precompile target group)
  if(agentic_precompiles)
    target_precompile_headers(${target} REUSE_FROM agentic_headers_${group})
    target_link_libraries(${target} PUBLIC agentic_headers_${group}_code)
  endif()
endfunction()
