#include "ast-checks/names.h"

#include "ast-checks/context.h"
#include "tool/base/text.h"

#include <cctype>

namespace agentic::checks {
namespace {

std::string ownName(const clang::NamedDecl &declaration) {
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&declaration))
    return constructor->getParent()->getNameAsString();
  if (const auto *destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(&declaration))
    return "~" + destructor->getParent()->getNameAsString();
  if (llvm::isa<clang::CXXConversionDecl>(declaration))
    return "operator";
  return declaration.getNameAsString();
}

std::string withoutWhiteSpace(std::string_view text) {
  std::string result;
  for (char c : replaceAll(std::string(text), "_Bool", "bool"))
    if (!std::isspace(static_cast<unsigned char>(c)))
      result += c;
  return result;
}

} // namespace

std::string qualifiedName(const clang::NamedDecl &declaration) {
  std::string name = ownName(declaration);
  for (const clang::DeclContext *context = declaration.getDeclContext(); context; context = context->getParent()) {
    const auto *outer = llvm::dyn_cast<clang::NamedDecl>(context);
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context); space && space->isInline())
      continue;
    if (outer && !outer->getNameAsString().empty())
      name.insert(0, outer->getNameAsString() + "::");
  }
  return name;
}

std::string plainName(std::string_view printed) {
  std::string result;
  int depth = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (depth == 0 && printed.substr(i).starts_with("operator") && (i == 0 || printed[i - 1] == ':'))
      return replaceAll(result + std::string(printed.substr(i)), "__cxx11::", "");
    if (printed[i] == '<')
      ++depth;
    else if (printed[i] == '>')
      --depth;
    else if (depth == 0)
      result += printed[i];
  }
  for (std::string_view part : {"__cxx11::", "__1::", "(anonymous namespace)::", "(anonymous)::"})
    result = replaceAll(std::move(result), part, "");
  return result;
}

const clang::CXXRecordDecl *recordOf(clang::QualType type) {
  if (type.isNull())
    return nullptr;
  type = type.getNonReferenceType();
  while (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl())
    return record;
  // This is `std::vector<T>` in a template that nobody instantiates.
  if (const auto *specialization = type->getAs<clang::TemplateSpecializationType>())
    if (const clang::TemplateDecl *decl = specialization->getTemplateName().getAsTemplateDecl())
      return llvm::dyn_cast_or_null<clang::CXXRecordDecl>(decl->getTemplatedDecl());
  return nullptr;
}

bool sameTypeText(std::string_view a, std::string_view b) {
  return withoutWhiteSpace(a) == withoutWhiteSpace(b);
}

} // namespace agentic::checks
