#include "tool/source/extract/member_layout.h"

#include "tool/source/parse/kernel_parse.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"

#include <optional>

namespace agentic {
namespace {

constexpr std::size_t kMostMembers = 64;

/// Returns the struct that the elements behind an argument of this type are.
const clang::RecordDecl *elementOf(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType() || type->isArrayType())
    type = type->getPointeeOrArrayElementType()->getCanonicalTypeInternal();
  const clang::RecordDecl *record = type->getAsRecordDecl();
  const auto *range = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  const bool isOfTypes = range && range->getTemplateArgs().size() > 0 &&
                         range->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type;
  if (isOfTypes && range->isInStdNamespace())
    record = range->getTemplateArgs()[0].getAsType()->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  return record && !record->isUnion() && !record->isDependentType() && !record->isInvalidDecl() ? record : nullptr;
}

std::optional<ScalarMember::Kind> kindOf(clang::QualType type) {
  if (type->isRealFloatingType())
    return ScalarMember::Kind::Floating;
  if (type->isBooleanType() || !type->isIntegerType() || type->isEnumeralType())
    return std::nullopt;
  return type->isSignedIntegerType() ? ScalarMember::Kind::Signed : ScalarMember::Kind::Unsigned;
}

void addMembers(const clang::ASTContext &context, const clang::RecordDecl &record, const std::string &prefix,
                std::size_t offset, std::vector<ScalarMember> &members) {
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  for (const clang::FieldDecl *field : record.fields()) {
    if (field->isBitField() || members.size() == kMostMembers)
      continue;
    const std::size_t place =
        offset +
        std::size_t(
            context.toCharUnitsFromBits(std::int64_t(layout.getFieldOffset(field->getFieldIndex()))).getQuantity());
    clang::QualType type = field->getType();
    std::size_t count = 1;
    while (const auto *array = context.getAsConstantArrayType(type)) {
      count *= array->getSize().getZExtValue();
      type = array->getElementType();
    }
    const std::string name = prefix + field->getNameAsString();
    if (const std::optional<ScalarMember::Kind> kind = kindOf(type); kind && count > 0)
      members.push_back({name, *kind, place, std::size_t(context.getTypeSizeInChars(type).getQuantity()), count});
    else if (const clang::RecordDecl *inner = type->getAsRecordDecl(); inner && count == 1 && !inner->isUnion())
      addMembers(context, *inner, name + ".", place, members);
  }
}

} // namespace

Result<std::map<std::string, std::vector<ScalarMember>>> memberLayouts(const KernelSpec &spec) {
  std::map<std::string, std::vector<ScalarMember>> layouts;
  TRY(parseKernel(spec, spec.text, "contents of structs", [&](const ParsedKernel &kernel) {
    for (const clang::ParmVarDecl *parameter : kernel.function.parameters())
      if (const clang::RecordDecl *record = elementOf(parameter->getType())) {
        std::vector<ScalarMember> members;
        addMembers(kernel.context, *record, "", 0, members);
        if (!members.empty())
          layouts.emplace(parameter->getNameAsString(), std::move(members));
      }
  }));
  return layouts;
}

} // namespace agentic
