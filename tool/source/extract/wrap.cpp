#include "tool/source/extract/wrap.h"

#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"
#include "tool/source/extract/class_use.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/source_edits.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace agentic {
namespace {

class Wrapper {
public:
  Wrapper(const ParsedUnit &unit, const clang::FunctionDecl &marked)
      : unit_(unit), written_(marked),
        range_(unit.isInSource(marked.getLocation()) ? unit.declarationRange(outermost(marked)) : ByteRange{}),
        uses_(unit, marked, edits_), policy_(unit.context.getLangOpts()) {}

  Result<Wrapping> run() {
    if (const std::string reason = whyNot(); !reason.empty())
      return refused(unit_.position(written_.getLocation()) + "it " + reason);
    if (!uses_.problem().empty())
      return refused(uses_.problem());
    const std::string parameters = ownParameters();
    if (!problem_.empty())
      return refused(problem_);
    const std::string markers = takeMarkers();
    std::string place = kernelText(markers, parameters) + "\n\n";
    if (isTemplate()) {
      edits_.insert(range_.end, "\n\n" + trimmed(std::move(place)) + "\n\ntemplate <>\n" +
                                    head(name() + instanceArguments()) + "(" + parameters + ") " + callingBody());
    } else {
      edits_.insert(range_.begin, std::move(place));
      edits_.replace(body(), callingBody());
    }
    edits_.settle();
    const std::string_view text = unit_.lexed.text;
    return Wrapping{edits_.applied(text, {0, text.size()}), kernelName(), written_.getQualifiedNameAsString(), note(),
                    lineColumn(text, unit_.offset(written_.getLocation())).line};
  }

private:
  /// An explicit specialization or a template is known by its pattern; a member's text may be inside its class.
  static const clang::Decl &outermost(const clang::FunctionDecl &function) {
    const clang::FunctionTemplateDecl *pattern = function.getDescribedFunctionTemplate();
    return pattern ? static_cast<const clang::Decl &>(*pattern) : function;
  }
  bool isTemplate() const { return written_.getDescribedFunctionTemplate() != nullptr; }

  std::string whyNot() {
    if (!unit_.isInSource(written_.getLocation()) || !written_.getBody())
      return "is not defined in SOURCE; put its definition into a .cpp file, and name that as SOURCE";
    if (written_.getLocation().isMacroID() || written_.getBody()->getBeginLoc().isMacroID() ||
        written_.getBody()->getEndLoc().isMacroID())
      return "is written by a macro";
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(written_))
      return "is a constructor, destructor or conversion; move its loops into a function";
    if (written_.isVariadic() || written_.isMain() || llvm::isa<clang::CoroutineBodyStmt>(written_.getBody()))
      return "is variadic, a coroutine or the main function; move its loops into a function";
    if (written_.isConstexprSpecified() || written_.isConsteval())
      return "is constexpr, and may be asked for while compiling; move the loops that are not into a function";
    if (written_.getLexicalDeclContext()->isRecord())
      return "is defined inside its class; define it outside: in a .cpp file, if it is not to be inline";
    if (written_.getDeclContext()->isDependentContext() || (isTemplate() && llvm::isa<clang::CXXMethodDecl>(written_)))
      return "is a member of a template; move its loops into a function template";
    const clang::FunctionTemplateDecl *pattern = written_.getDescribedFunctionTemplate();
    if (pattern && pattern->spec_begin() == pattern->spec_end())
      return "is a template of which this file uses no instance; use one here, or write the function for one type";
    if (pattern)
      instance_ = *pattern->spec_begin();
    if (pattern && pattern->getTemplateParameters()->hasParameterPack())
      return "is a template of any number of parameters; write the function for one instance";
    return {};
  }

  std::unexpected<Error> refused(const std::string &why) const {
    return userError("no wrapper can be written for '" + written_.getQualifiedNameAsString() + "': " + why,
                     "write a free function with the hot loops by hand, mark it, and call it");
  }

  const clang::FunctionDecl &types() const { return instance_ ? *instance_ : written_; }
  ByteRange body() const {
    return {unit_.offset(written_.getBody()->getBeginLoc()), unit_.offset(written_.getBody()->getEndLoc()) + 1};
  }
  std::string name() const {
    return written_.getDeclName().isIdentifier() ? written_.getNameAsString() : written_.getDeclName().getAsString();
  }
  std::string kernelName() const {
    std::string name = (written_.getDeclName().isIdentifier() ? written_.getNameAsString() : "hot") + "_kernel";
    while (unit_.lexed.text.find(name) != std::string_view::npos)
      name += "_";
    return name;
  }
  std::string printed(clang::QualType type, const std::string &name) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (isOfClass(type) ? type.getCanonicalType() : type).print(stream, policy_, name);
    return text;
  }
  /// Returns whether a type is written by a name that means nothing outside the class.
  static bool isOfClass(clang::QualType type) {
    type = type.getNonReferenceType();
    while (!type->getPointeeType().isNull())
      type = type->getPointeeType();
    const clang::NamedDecl *declaration = type->getAsTagDecl();
    if (const auto *alias = type->getAs<clang::TypedefType>())
      declaration = alias->getDecl();
    return declaration && declaration->getDeclContext()->isRecord();
  }
  /// Return type and name.
  std::string head(const std::string &name) const {
    clang::QualType result = types().getReturnType();
    if (const clang::DeducedType *deduced = result->getContainedDeducedType();
        deduced && !deduced->getDeducedType().isNull())
      result = result.getCanonicalType();
    return printed(result, name);
  }
  static std::string trimmed(std::string text) { return std::string(trim(text)); }

  /// The function's own parameters: as written, or of the instance.
  std::string ownParameters() {
    std::vector<std::string> parts;
    for (unsigned i = 0; i < written_.getNumParams(); ++i) {
      const clang::ParmVarDecl &parameter = *written_.getParamDecl(i);
      const std::string name = parameter.getNameAsString();
      if (name.empty()) {
        problem_ = unit_.position(parameter.getLocation()) + "a parameter has no name; give it one";
        return {};
      }
      arguments_.push_back(name);
      if (std::ranges::any_of(uses_.fields(), [&](const ClassUse::Field &field) {
            return field.declaration->getNameAsString() == name;
          }))
        problem_ = unit_.position(parameter.getLocation()) + "a parameter and a member are both called '" + name +
                   "'; rename one";
      parts.push_back(printed(types().getParamDecl(i)->getOriginalType(), name));
    }
    return join(parts, ", ");
  }

  std::vector<std::string> fieldParameters() const {
    std::vector<std::string> parts;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&written_);
    for (const ClassUse::Field &field : uses_.fields()) {
      const clang::QualType type = field.declaration->getType();
      const std::string name = field.declaration->getNameAsString();
      if (field.isOnlyRead && !field.mayChange && type->isScalarType()) {
        parts.push_back(printed(type.getUnqualifiedType(), name));
        continue;
      }
      const bool isConstant = (field.isOnlyRead && type->isScalarType()) ||
                              (method && method->isConst() && !field.declaration->isMutable());
      const clang::QualType object = isConstant ? unit_.context.getConstType(type) : type;
      parts.push_back(printed(type->isReferenceType() ? type : unit_.context.getLValueReferenceType(object), name));
    }
    return parts;
  }

  /// Takes marker and contract macros out of the function, and returns them.
  std::string takeMarkers() {
    std::string markers;
    for (const MacroExpansion &use : unit_.record.expansions) {
      if (!range_.contains(use.begin) || !isMarkerMacro(use.name))
        continue;
      markers += std::string(unit_.lexed.text.substr(use.begin, use.end - use.begin)) + "\n";
      std::size_t end = use.end;
      while (end < unit_.lexed.text.size() && unit_.lexed.text[end] == ' ')
        ++end;
      if (end < unit_.lexed.text.size() && unit_.lexed.text[end] == '\n')
        ++end;
      edits_.replace({use.begin, end}, "");
    }
    return markers;
  }

  std::string argumentText(const clang::TemplateArgument &argument) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    argument.print(policy_, stream, false);
    return text;
  }
  /// "<unsigned int, 2>": not all of them may follow from the parameters.
  std::string instanceArguments() const {
    std::vector<std::string> texts;
    for (const clang::TemplateArgument &argument : instance_->getTemplateSpecializationArgs()->asArray())
      texts.push_back(argumentText(argument));
    return "<" + join(texts, ", ") + ">";
  }

  /// What the instance's template parameters stand for, as far as the body names them.
  std::string aliases() const {
    const clang::FunctionTemplateDecl *pattern = written_.getDescribedFunctionTemplate();
    if (!pattern)
      return {};
    std::string text;
    const clang::TemplateArgumentList &arguments = *instance_->getTemplateSpecializationArgs();
    for (unsigned i = 0; i < pattern->getTemplateParameters()->size() && i < arguments.size(); ++i) {
      const clang::NamedDecl &parameter = *pattern->getTemplateParameters()->getParam(i);
      const std::string name = parameter.getNameAsString();
      if (!isNamedInBody(name))
        continue;
      const std::string value = argumentText(arguments[i]);
      text += llvm::isa<clang::TemplateTypeParmDecl>(parameter) ? "\n  using " + name + " = " + value + ";"
                                                                : "\n  constexpr auto " + name + " = " + value + ";";
    }
    return text;
  }
  bool isNamedInBody(const std::string &name) const {
    const ByteRange range = body();
    return std::ranges::any_of(unit_.lexed.tokens, [&](const LexToken &token) {
      return range.contains(token.begin) && unit_.lexed.spelling(token) == name;
    });
  }

  std::string kernelText(const std::string &markers, const std::string &parameters) {
    std::vector<std::string> all = fieldParameters();
    if (!parameters.empty())
      all.push_back(parameters);
    SourceEdits inside = edits_;
    inside.settle();
    const std::string text = inside.applied(unit_.lexed.text, body());
    const auto *prototype = types().getType()->getAs<clang::FunctionProtoType>();
    return markers + "static " + head(kernelName()) + "(" + join(all, ", ") + ")" +
           (prototype && prototype->isNothrow() ? " noexcept {" : " {") + aliases() + text.substr(1);
  }

  std::string callingBody() const {
    std::vector<std::string> arguments;
    for (const ClassUse::Field &field : uses_.fields())
      arguments.push_back(field.declaration->getNameAsString());
    arguments.insert(arguments.end(), arguments_.begin(), arguments_.end());
    const bool isVoid = types().getReturnType()->isVoidType();
    return std::string("{\n  ") + (isVoid ? "" : "return ") + kernelName() + "(" + join(arguments, ", ") + ");\n}";
  }

  std::string note() const {
    if (isTemplate())
      return "the kernel is the instance '" + name() + instanceArguments() + "'; others stay as they are";
    return written_.isInlined() ? "callers no longer get the loops of '" + name() + "' inline" : "";
  }

  const ParsedUnit &unit_;
  const clang::FunctionDecl &written_;
  const clang::FunctionDecl *instance_ = nullptr; ///< of a template
  const ByteRange range_;
  SourceEdits edits_;
  ClassUse uses_;
  clang::PrintingPolicy policy_;
  std::vector<std::string> arguments_;
  std::string problem_;
};

} // namespace

Result<Wrapping> wrapperOf(const ParsedUnit &unit, const clang::FunctionDecl &function) {
  return Wrapper(unit, function).run();
}

Result<Wrapping> wrapIn(const ParsedUnit &unit) {
  const clang::FunctionDecl *marked = TRY(markedFunction(unit));
  if (selectKernel(unit))
    return userError("'" + marked->getQualifiedNameAsString() + "' needs no wrapper: it can be a kernel as it is",
                     "build the target optimize-" + unit.request.kernel);
  return wrapperOf(unit, *marked);
}

} // namespace agentic
