// Reads the contract macros in front of the kernel: the tool's parse sees them as annotations.
#include "tool/model/contract_clauses.h"
#include "tool/source/extract/extract_unit.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

using Kind = ContractParameter::Kind;

/// Returns whether it is a class of the standard library whose size() counts contiguous elements.
bool carriesSize(clang::QualType type) {
  constexpr auto kNames =
      std::to_array<llvm::StringRef>({"vector", "span", "array", "basic_string", "basic_string_view"});
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         std::ranges::find(kNames, record->getName()) != kNames.end();
}

ContractParameter describe(const clang::ParmVarDecl &parameter) {
  ContractParameter result{parameter.getNameAsString(), Kind::Other, false};
  const clang::QualType type = parameter.getType().getNonReferenceType();
  const bool isReference = parameter.getType()->isReferenceType();
  if (type->isPointerType()) {
    const clang::QualType element = type->getPointeeType();
    const bool isCounted = element->isVoidType() || (element->isObjectType() && !element->isIncompleteType());
    result.kind = isCounted ? Kind::Pointer : Kind::Opaque; // bytes are what a pointer to void points to
    result.isConst = element.isConstQualified();
  } else if (carriesSize(type)) {
    result.kind = Kind::Sized;
  } else if (isReference && !(type.isConstQualified() && type->isArithmeticType())) {
    result.kind = Kind::Memory;
  } else if (type->isBooleanType()) {
    result.kind = Kind::Boolean;
  } else if (type->isIntegerType() && !type->isEnumeralType()) {
    result.kind = Kind::Integer;
  } else if (type->isRealFloatingType()) {
    result.kind = Kind::Floating;
  }
  return result;
}

const ContractMacro *macroOf(llvm::StringRef annotation) {
  const std::span<const ContractMacro> macros = contractMacros();
  const std::string_view name(annotation.data(), std::min(annotation.find(':'), annotation.size()));
  const auto found = std::ranges::find(macros, name, &ContractMacro::annotation);
  return found == macros.end() ? nullptr : &*found;
}

} // namespace

Result<Contract> extractContract(const ParsedUnit &unit, const clang::FunctionDecl &kernel) {
  std::vector<const clang::AnnotateAttr *> annotations;
  for (const clang::AnnotateAttr *attribute : kernel.specific_attrs<clang::AnnotateAttr>())
    if (macroOf(attribute->getAnnotation()))
      annotations.push_back(attribute);
  std::ranges::sort(annotations, [&](const clang::AnnotateAttr *a, const clang::AnnotateAttr *b) {
    return unit.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });

  std::vector<ContractClause> clauses;
  for (const clang::AnnotateAttr *attribute : annotations) {
    const ContractMacro &macro = *macroOf(attribute->getAnnotation());
    const std::string position = unit.position(attribute->getLocation());
    // The variants are tied to the definition's text; a declaration elsewhere could change unnoticed.
    if (attribute->isInherited())
      return userError(position + "kernel '" + kernel.getNameAsString() + "': " + std::string(macro.name) +
                           " stands on a declaration of the function, not on its definition",
                       "write it in front of the definition, beside AGENTIC_KERNEL");
    const llvm::StringRef arguments = attribute->getAnnotation().split(':').second;
    clauses.push_back({macro.name, arguments.str(), position});
  }
  std::vector<ContractParameter> parameters;
  for (const clang::ParmVarDecl *parameter : kernel.parameters())
    parameters.push_back(describe(*parameter));
  return parseContract(kernel.getNameAsString(), clauses, parameters);
}

} // namespace agentic
