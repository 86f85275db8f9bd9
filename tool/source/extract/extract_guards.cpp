// Collects the facts that no text of SOURCE shows: macros that the command line decides, sizes of the signature's
// types, values of the constants that the kernel uses. The lock ties everything else that variants rely on to text.
#include "tool/source/extract/extract_unit.h"

#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"
#include "tool/source/parse/macro_expansion.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace agentic {
namespace {

constexpr const char *kMeaningOfArithmetic[] = {"__FAST_MATH__", "__FINITE_MATH_ONLY__"}; // defined by both compilers
constexpr const char *kMeaningOfLibrary[] = {"_GLIBCXX_ASSERTIONS", "_GLIBCXX_DEBUG"};
constexpr int kMostNesting = 16; // depth of object-like macros
constexpr std::size_t kMostDefinitions = 64, kLongestText = 2000;
constexpr std::size_t kMostGuards = 64; // nobody reads a kernel that depends on more

std::string quotedText(std::string_view text) {
  return "\"" + replaceAll(replaceAll(std::string(text), "\\", "\\\\"), "\"", "\\\"") + "\"";
}

class GuardCollector {
public:
  GuardCollector(const ParsedUnit &unit, const clang::FunctionDecl &kernel, const ByteRange &range)
      : unit_(unit), kernel_(kernel), range_(range) {}

  std::vector<Guard> collect(const std::set<std::string> &expanded, bool usesLibrary,
                             const std::set<const clang::ValueDecl *> &constants) {
    for (const char *name : kMeaningOfArithmetic)
      addMacro(name);
    if (usesLibrary)
      for (const char *name : kMeaningOfLibrary)
        addMacro(name);
    for (const std::string &name : expanded)
      if (!isPredefined(name))
        addMacro(name);
    for (const std::string &name : testedNames())
      addMacro(name);
    addTypes();
    for (const clang::ValueDecl *constant : constants)
      addConstant(*constant);
    // The set above is ordered by address.
    std::ranges::sort(guards_, {}, &Guard::what);
    if (guards_.size() > kMostGuards)
      guards_.resize(kMostGuards);
    return std::move(guards_);
  }

private:
  /// Returns the names in SOURCE's own conditionals, without those of compilers and libraries: `#if FAST` expands
  /// nothing while FAST is undefined.
  std::set<std::string> testedNames() const {
    std::set<std::string> names;
    for (const LexDirective &directive : unit_.lexed.directives) {
      if (!isConditionalDirective(directive.keyword) || directive.begin >= range_.end)
        continue;
      const std::string text(unit_.lexed.text.substr(directive.begin, directive.end - directive.begin));
      for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_'))
          ++i;
        const std::string name = text.substr(begin, i - begin);
        const bool isOurs = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '_';
        if (isOurs && name != directive.keyword && name != "defined" && !isMarkerMacro(name) &&
            !unit_.context.Idents.get(name).isKeyword(unit_.context.getLangOpts()))
          names.insert(name);
        i = std::max(i, begin + 1);
      }
    }
    return names;
  }

  const clang::MacroInfo *definitionOf(const clang::IdentifierInfo *name) const {
    return unit_.preprocessor.getMacroDefinitionAtLoc(name, kernel_.getBeginLoc()).getMacroInfo();
  }

  /// Returns whether the compiler predefines it for the target and its features: variants are for a level, whatever the
  /// rest is built for.
  bool isPredefined(const std::string &name) const {
    const clang::MacroInfo *macro = definitionOf(&unit_.context.Idents.get(name));
    return macro && unit_.sources().isWrittenInBuiltinFile(macro->getDefinitionLoc());
  }

  /// Returns the macro's expansion, spelt as stringification spells it; nullopt: it takes arguments, or nests too
  /// deeply.
  std::optional<std::vector<clang::Token>> expansionOf(const clang::MacroInfo &macro, int nesting) const {
    if (!macro.isObjectLike() || macro.isBuiltinMacro() || nesting > kMostNesting)
      return std::nullopt;
    std::vector<clang::Token> tokens;
    for (const clang::Token &token : macro.tokens()) {
      if (token.is(clang::tok::hashhash))
        return std::nullopt;
      const clang::MacroInfo *inner = token.getIdentifierInfo() ? definitionOf(token.getIdentifierInfo()) : nullptr;
      if (!inner || inner == &macro) {
        tokens.push_back(token);
        continue;
      }
      auto nested = expansionOf(*inner, nesting + 1);
      if (!nested)
        return std::nullopt;
      if (!nested->empty())
        nested->front().setFlagValue(clang::Token::LeadingSpace, token.hasLeadingSpace());
      tokens.insert(tokens.end(), nested->begin(), nested->end());
    }
    return tokens;
  }

  void addMacro(const std::string &name) {
    clang::IdentifierInfo &identifier = unit_.context.Idents.get(name);
    const clang::MacroInfo *macro = definitionOf(&identifier);
    std::string value = name; // the value of an undefined one
    if (macro) {
      // The system's own macros differ between libraries and mean the same.
      const clang::SourceLocation place = macro->getDefinitionLoc();
      if (unit_.sources().isInSystemHeader(place) && !unit_.sources().isWrittenInBuiltinFile(place))
        return;
      const auto tokens = expansionOf(*macro, 0);
      if (!tokens)
        return addCall(name, *macro);
      value.clear();
      int open = 0;
      for (const clang::Token &token : *tokens) {
        if (token.hasLeadingSpace() && !value.empty())
          value += ' ';
        value += unit_.preprocessor.getSpelling(token);
        open += token.is(clang::tok::l_paren) ? 1 : token.is(clang::tok::r_paren) ? -1 : 0;
        if (open < 0)
          return;
      }
      if (open != 0 || value.size() > 200)
        return;
    }
    const std::string what = "macro " + name;
    if (std::ranges::count(guards_, what, &Guard::what) == 0)
      guards_.push_back({what, fmt::format("ak_equal(AGENTIC_KERNEL_TEXT({}), {})", name, quotedText(value)),
                         macro ? value : "undefined"});
  }

  /// Returns whether the file of a definition asks which compiler reads it: Clang reads it here, and others may get
  /// another text that means the same.
  bool asksForCompiler(clang::SourceLocation place) const {
    const llvm::StringRef text = unit_.sources().getBufferData(unit_.sources().getFileID(place));
    return text.contains("__clang") || text.contains("__GNUC") || text.contains("__has_") || text.contains("_MSC_VER");
  }

  /// Writes the macro's definition, and those of the macros in its text. Returns false if one is the system's, which
  /// differ between libraries, hangs on the compiler, or is of a kind that is not expanded here.
  bool addDefinition(const std::string &name, const clang::MacroInfo &macro,
                     std::map<std::string, std::string> &definitions) const {
    if (macro.isBuiltinMacro() || macro.isGNUVarargs() || definitions.size() >= kMostDefinitions ||
        unit_.sources().isInSystemHeader(macro.getDefinitionLoc()) || asksForCompiler(macro.getDefinitionLoc()))
      return false;
    std::vector<std::string> parameters;
    for (const clang::IdentifierInfo *parameter : macro.params())
      parameters.push_back(parameter->isStr("__VA_ARGS__") ? "..." : parameter->getName().str());
    std::string &text = definitions[name];
    text = "#define " + name + (macro.isFunctionLike() ? "(" + join(parameters, ", ") + ")" : "") + " ";
    for (const clang::Token &token : macro.tokens())
      text += (token.hasLeadingSpace() ? " " : "") + unit_.preprocessor.getSpelling(token);
    return std::ranges::all_of(macro.tokens(), [&](const clang::Token &token) {
      const clang::MacroInfo *inner = token.getIdentifierInfo() ? definitionOf(token.getIdentifierInfo()) : nullptr;
      const std::string word = inner ? token.getIdentifierInfo()->getName().str() : std::string();
      return !inner || definitions.contains(word) || addDefinition(word, *inner, definitions);
    });
  }

  /// Guards a macro with arguments, or one whose text has such: by the text of a use.
  void addCall(const std::string &name, const clang::MacroInfo &macro) {
    std::map<std::string, std::string> definitions;
    if (unit_.isC() || !addDefinition(name, macro, definitions))
      return;
    std::vector<std::string> arguments;
    for (unsigned i = 0; i < macro.getNumParams(); ++i)
      arguments.push_back(fmt::format("ak_{}", i + 1));
    const std::string use = name + (macro.isFunctionLike() ? "(" + join(arguments, ", ") + ")" : "");
    std::string text;
    for (const auto &[other, definition] : definitions)
      text += definition + "\n";
    text += use;
    const std::optional<std::string> value = expandedUse(text);
    const std::string what = "macro " + name;
    if (!value || value->size() > kLongestText || std::ranges::count(guards_, what, &Guard::what) > 0)
      return;
    guards_.push_back({what, fmt::format("ak_same_words(AGENTIC_KERNEL_TEXT({}), {})", use, quotedText(*value)),
                       value->size() <= 80 ? *value : "another"});
  }

  /// Expands the one use behind the definitions; nullopt if its text is not known, or would end the guard's
  /// parenthesis.
  static std::optional<std::string> expandedUse(const std::string &text) {
    const LexedText lexed = lexText(text);
    std::map<std::string_view, Macro> macros;
    for (const LexDirective &directive : lexed.directives) {
      std::optional<Macro> macro = macroOf(lexed, directive);
      if (!macro)
        return std::nullopt;
      macros[lexed.spelling(directive.tokens.front())] = std::move(*macro);
    }
    const std::set<std::string_view> none;
    std::size_t next = 0;
    const std::optional<Pieces> pieces = MacroExpander(lexed, macros, none).expandAt(next, lexed.tokens.size());
    int open = 0;
    for (const Piece &piece : pieces ? *pieces : Pieces()) {
      open += piece.text == "(" ? 1 : piece.text == ")" ? -1 : 0;
      if (open < 0)
        return std::nullopt;
    }
    return pieces && open == 0 && next == lexed.tokens.size() ? std::optional(spelled(*pieces)) : std::nullopt;
  }

  void addTypes() {
    addType("the returned type", kernel_.getReturnType());
    for (const clang::ParmVarDecl *parameter : kernel_.parameters())
      addType("parameter '" + parameter->getNameAsString() + "'", parameter->getOriginalType());
  }

  void addType(const std::string &what, clang::QualType type) {
    const clang::PrintingPolicy policy(unit_.context.getLangOpts());
    const std::string written = type.getAsString(policy), canonical = type.getCanonicalType().getAsString(policy);
    clang::QualType bare = type.getCanonicalType();
    while (bare->isAnyPointerType() || bare->isReferenceType() || bare->isArrayType())
      bare = bare->isArrayType() ? bare->castAsArrayTypeUnsafe()->getElementType() : bare->getPointeeType();
    if (unit_.isC())
      return addTypeOfC(what, type, bare.getUnqualifiedType());
    if (const auto *record = bare->getAsCXXRecordDecl();
        record && record->hasDefinition() && !record->isDependentType()) {
      const auto size = unit_.context.getTypeSizeInChars(bare).getQuantity();
      const auto alignment = unit_.context.getTypeAlignInChars(bare).getQuantity();
      guards_.push_back({"the layout of " + what,
                         fmt::format("sizeof(ak_bare<{0}>::ak_type) == {1} && alignof(ak_bare<{0}>::ak_type) == {2}",
                                     written, size, alignment),
                         fmt::format("{} bytes", size)});
    } else if (bare->isBuiltinType() && written != canonical) {
      guards_.push_back(
          {"the type of " + what, fmt::format("ak_same<{}, {}>::ak_value", written, canonical), canonical});
    }
  }

  /// C has no templates: `bare` is named itself, and types are compared by a builtin of both compilers.
  void addTypeOfC(const std::string &what, clang::QualType type, clang::QualType bare) {
    const clang::PrintingPolicy policy(unit_.context.getLangOpts());
    const std::string written = type.getAsString(policy), canonical = type.getCanonicalType().getAsString(policy);
    const std::string name = bare.getAsString(policy);
    if (const clang::RecordDecl *record = bare->getAsRecordDecl();
        record && record->getDefinition() && name.find('(') == std::string::npos) {
      const auto size = unit_.context.getTypeSizeInChars(bare).getQuantity();
      const auto alignment = unit_.context.getTypeAlignInChars(bare).getQuantity();
      guards_.push_back({"the layout of " + what,
                         fmt::format("sizeof({0}) == {1} && _Alignof({0}) == {2}", name, size, alignment),
                         fmt::format("{} bytes", size)});
    } else if (bare->isBuiltinType() && written != canonical && !type->isVariablyModifiedType()) {
      guards_.push_back(
          {"the type of " + what, fmt::format("__builtin_types_compatible_p({}, {})", written, canonical), canonical});
    }
  }

  /// Returns "::demo::kScale"; nullopt if the dispatcher could not name it.
  static std::optional<std::string> nameOf(const clang::ValueDecl &constant) {
    std::string name = constant.getNameAsString();
    for (const clang::DeclContext *context = constant.getDeclContext(); context && !context->isTranslationUnit();
         context = context->getParent()) {
      const auto *named = llvm::dyn_cast<clang::NamedDecl>(context);
      if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context))
        name = space->isAnonymousNamespace() || space->isInline() ? name : space->getNameAsString() + "::" + name;
      else if (const auto *tag = llvm::dyn_cast<clang::TagDecl>(context);
               tag && tag->getIdentifier() && !tag->isTemplated() &&
               !llvm::isa<clang::ClassTemplateSpecializationDecl>(tag) && tag->getAccess() != clang::AS_private &&
               tag->getAccess() != clang::AS_protected)
        name = named->getNameAsString() + "::" + name;
      else if (const auto *unnamed = llvm::dyn_cast<clang::EnumDecl>(context); unnamed && !unnamed->isScoped())
        continue;
      else if (!llvm::isa<clang::LinkageSpecDecl>(context))
        return std::nullopt;
    }
    if (constant.getAccess() == clang::AS_private || constant.getAccess() == clang::AS_protected || name.empty())
      return std::nullopt;
    return "::" + name;
  }

  void addConstant(const clang::ValueDecl &constant) {
    const auto name = nameOf(constant);
    if (!name || unit_.sources().isInSystemHeader(constant.getLocation()) || constant.getType()->isDependentType())
      return;
    std::string expression, value;
    if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&constant)) {
      value = integer(enumerator->getInitVal());
    } else {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(&constant);
      if (!variable || variable->isTemplated() || !variable->isUsableInConstantExpressions(unit_.context))
        return;
      const clang::APValue *evaluated = variable->evaluateValue();
      if (evaluated && evaluated->isInt())
        value = integer(evaluated->getInt());
      else if (evaluated && evaluated->isFloat() &&
               !variable->getType()->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
        value = floating(evaluated->getFloat());
    }
    if (value.empty())
      return;
    const char *type = value.ends_with("ull") ? "unsigned long long" : value.ends_with("ll") ? "long long" : "double";
    if (unit_.isC())
      return guards_.push_back(
          {"constant " + name->substr(2), fmt::format("({})({}) == {}", type, name->substr(2), value), value});
    guards_.push_back(
        {"constant " + name->substr(2), fmt::format("static_cast<{}>({}) == {}", type, *name, value), value});
  }

  static std::string integer(const llvm::APSInt &value) {
    if (value.getBitWidth() > 64 || (value.isSigned() && value.isMinSignedValue()))
      return {};
    llvm::SmallString<32> text;
    value.toString(text);
    return std::string(text) + (value.isSigned() ? "ll" : "ull");
  }

  /// Prints 17 digits, from which every double can be read back; a float is one of them.
  static std::string floating(const llvm::APFloat &value) {
    bool loses = false;
    llvm::APFloat wide = value;
    wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
    const double number = wide.convertToDouble();
    if (loses || !std::isfinite(number))
      return {};
    const std::string text = fmt::format("{:.17g}", number);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }

  const ParsedUnit &unit_;
  const clang::FunctionDecl &kernel_;
  const ByteRange range_;
  std::vector<Guard> guards_;
};

} // namespace

std::vector<Guard> collectGuards(const ParsedUnit &unit, const clang::FunctionDecl &kernel,
                                 const std::set<std::string> &macros, const Closure &closure) {
  const bool usesLibrary =
      kernel.getType().getCanonicalType().getAsString().find("std::") != std::string::npos ||
      std::ranges::any_of(closure.externals, [](const ExternalFunction &f) { return f.name.starts_with("std::"); });
  return GuardCollector(unit, kernel, unit.declarationRange(kernel)).collect(macros, usesLibrary, closure.constants);
}

long leastStandard(const clang::LangOptions &options) {
#if LLVM_VERSION_MAJOR >= 18
  const bool isC23 = options.C23;
#else
  const bool isC23 = options.C2x;
#endif
  if (!options.CPlusPlus) // 202000: compilers choose the numbers of an unfinished standard
    return isC23 ? 202000 : options.C17 ? 201710 : options.C11 ? 201112 : options.C99 ? 199901 : 0;
#if LLVM_VERSION_MAJOR >= 17
  const bool isLater = options.CPlusPlus23;
#else
  const bool isLater = options.CPlusPlus2b;
#endif
  if (isLater)
    return 202003; // later than C++20: compilers choose the numbers of unfinished ones
  if (options.CPlusPlus20)
    return 202002;
  if (options.CPlusPlus17)
    return 201703;
  return options.CPlusPlus14 ? 201402 : 201103;
}

} // namespace agentic
