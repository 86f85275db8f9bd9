// Makes names as users know them: qualified, without template arguments and inline namespaces.
#pragma once

#include <string>
#include <string_view>

namespace clang {
class NamedDecl;
class QualType;
class CXXRecordDecl;
} // namespace clang

namespace agentic::checks {

/// Returns "std::vector::size" for any specialisation; constructors are named like their class ("std::vector::vector").
std::string qualifiedName(const clang::NamedDecl &declaration);

/// Converts a name that was printed elsewhere to the same form: "std::vector<float>::size" → "std::vector::size".
std::string plainName(std::string_view printed);

/// Returns the class of a type, also below references; pointers stay. Null if it is none.
const clang::CXXRecordDecl *recordOf(clang::QualType type);

/// Equal but for white space and the spelling of bool.
bool sameTypeText(std::string_view a, std::string_view b);

} // namespace agentic::checks
