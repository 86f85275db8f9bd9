#include "tool/source/candidate/candidate_unit.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/model/allowed_headers.h"
#include "tool/source/candidate/candidate_closure.h"
#include "tool/source/candidate/candidate_conditionals.h"
#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/candidate/candidate_form.h"
#include "tool/source/candidate/candidate_parse.h"
#include "tool/source/candidate/candidate_rules.h"
#include "tool/source/candidate/candidate_unit_c.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace agentic {
namespace {

std::size_t endOf(const LexedText &lexed, const CandidateItem &item) {
  return lexed.tokens[item.last].end;
}
std::size_t beginOf(const LexedText &lexed, const CandidateItem &item) {
  return lexed.tokens[item.first].begin;
}

std::string textOf(const LexedText &lexed, const CandidateItem &item) {
  return std::string(lexed.text.substr(beginOf(lexed, item), endOf(lexed, item) - beginOf(lexed, item)));
}

class UnitBuilder {
public:
  UnitBuilder(const UnitRequest &request, const CandidateForm &form)
      : request_(request), spec_(request.spec), candidate_(form.text), lexed_(lexText(form.text)),
        repairs_(form.repairs) {}

  CandidateUnit build() {
    checkCharacters(spec_, candidate_, problems_);
    checkEnding(lexed_, problems_);
    resolveConditionals(spec_, request_.level, lexed_, edits_, problems_);
    checkTokens(spec_, lexed_, problems_);
    for (const TextSpan &macro : dropContractMacros(lexed_))
      edits_.remove(macro.begin, macro.end);
    hoistIncludes();
    shape_ = parseCandidate(lexed_, spec_, problems_);
    dropRepeated();
    const bool isUsable = problems_.empty() || request_.evenIfRefused;
    const CandidateItem *kernel = isUsable ? findKernel(lexed_, spec_, shape_, problems_) : nullptr;
    CandidateUnit result;
    result.symbol = variantSymbol(spec_.kernel, request_.level, request_.family);
    inner_ =
        "agentic_" + spec_.kernel + "_" + std::string(request_.level.identifier) + "_" + familyName(request_.family);
    for (const std::string &name : spec_.namespaces)
      result.scope += name + "::";
    result.scope += inner_;
    if (isC())
      result.scope.clear();
    if (kernel) {
      checkPlaces(lexed_, spec_, shape_, *kernel, problems_);
      if (kernel->foreign)
        repairs_.push_back("the namespace around the kernel is put right");
      moveUsings();
      editKernel(*kernel, result.symbol);
      if (isC())
        makeInternalC(lexed_, shape_, *kernel, edits_);
      assemble(*kernel);
      result.text = unit_.text();
      result.own = unit_.own();
    }
    result.findings = findings();
    result.repairs = std::move(repairs_);
    return result;
  }

private:
  bool isC() const { return spec_.language == Language::C; }

  void hoistIncludes() {
    for (const LexDirective &directive : lexed_.directives) {
      if (directive.keyword != "include")
        continue;
      const LineRange lines = wholeLines(candidate_, directive.begin, directive.end);
      edits_.remove(lines.begin, lines.end);
      const std::string header = includedHeader(candidate_, directive);
      if (std::ranges::find(spec_.includes, header) != spec_.includes.end() ||
          (!checkInclude(spec_, header, directive.begin, problems_) && !request_.evenIfRefused))
        continue;
      includes_.push_back({directive.begin, directive.end, directive.begin});
    }
  }

  /// A candidate may repeat text of SOURCE: then SOURCE's own text is used.
  void dropRepeated() {
    std::set<std::string> known;
    for (const Fragment &fragment : spec_.closure)
      for (const std::string *text : {&fragment.text, &copyOf(fragment)})
        known.insert(tokenText(*text));
    std::erase_if(shape_.items, [&](const CandidateItem &item) {
      const bool dropped = isRepeated(item, known) || isKernelPrototype(lexed_, spec_, item);
      if (dropped)
        edits_.remove(beginOf(lexed_, item), endOf(lexed_, item));
      return dropped;
    });
    for (const TextSpan &wrapper : shape_.wrappers)
      edits_.remove(wrapper.begin, wrapper.end);
    for (const LexToken &token : lexed_.tokens)
      if (lexed_.spelling(token) == "AGENTIC_KERNEL")
        edits_.remove(token.begin, token.end + (candidate_.substr(token.end).starts_with(' ') ? 1 : 0));
  }

  bool isRepeated(const CandidateItem &item, const std::set<std::string> &known) const {
    if (item.kind != CandidateItem::Kind::Namespace)
      return known.contains(tokenText(textOf(lexed_, item)));
    std::size_t open = item.first;
    while (open < item.last && !lexed_.is(open, "{"))
      ++open;
    for (std::size_t first = open + 1; first < item.last;) {
      const CandidateItem inner = parseItem(lexed_, first, item.last);
      if (!known.contains(tokenText(textOf(lexed_, inner))))
        return false;
      first = inner.last + 1;
    }
    return true;
  }

  /// The definition becomes the unit's one external function.
  void editKernel(const CandidateItem &kernel, const std::string &symbol) {
    std::size_t first = kernel.first;
    while (lexed_.is(first, "[") && lexed_.is(first + 1, "["))
      first = lexed_.closing(first) + 1;
    // A standard attribute comes first, GNU's after it.
    if (!isC())
      edits_.insert(beginOf(lexed_, kernel), "extern \"C\" ");
    edits_.insert(lexed_.tokens[first].begin, "__attribute__((visibility(\"hidden\"))) ");
    for (std::size_t i = first; i < kernel.qualifier; ++i) {
      if (lexed_.is(i, "(") || lexed_.is(i, "["))
        i = lexed_.closing(i);
      const bool isLinkage = lexed_.is(i, "extern");
      if (!isLinkage && !lexed_.is(i, "static") && !lexed_.is(i, "inline"))
        continue;
      const std::size_t last = isLinkage && lexed_.is(i + 1, "\"C\"") ? i + 1 : i;
      edits_.remove(lexed_.tokens[i].begin, lexed_.tokens[last + 1].begin);
      i = last;
    }
    edits_.replace(lexed_.tokens[kernel.qualifier].begin, lexed_.tokens[kernel.name].end, symbol);
    dropDefaults(kernel);
    matchNoexcept(kernel.close + 1);
  }

  /// `using namespace std;` reaches no further than the functions behind it if it is in each of them.
  void moveUsings() {
    constexpr std::string_view kUsing = "using namespace std;";
    bool isMoved = false;
    for (const CandidateItem &item : shape_.items) {
      if (tokenText(textOf(lexed_, item)) == "using namespace std ;") {
        edits_.remove(beginOf(lexed_, item), endOf(lexed_, item));
        isMoved = true;
      }
      if (!isMoved || item.kind != CandidateItem::Kind::Function || item.close == kNoToken)
        continue;
      std::size_t open = item.close + 1;
      while (open < item.last && !lexed_.is(open, "{"))
        ++open;
      if (open < item.last)
        edits_.insert(lexed_.tokens[open].end, " " + std::string(kUsing));
    }
    if (isMoved)
      repairs_.push_back("'" + std::string(kUsing) + "' is moved into the functions");
  }

  /// The type must be the kernel's; `after` is the token behind its parameters.
  void matchNoexcept(std::size_t after) {
    const bool isTrue = lexed_.is(after + 1, "(") && lexed_.is(after + 2, "true") && lexed_.is(after + 3, ")");
    const std::size_t brace = after + (isTrue ? 4 : 1);
    if (lexed_.is(after, "noexcept") && lexed_.is(brace, "{") && !spec_.isNoexcept) {
      edits_.remove(lexed_.tokens[after].begin, lexed_.tokens[brace].begin);
      repairs_.push_back("'noexcept' is left out, since the kernel has none");
    } else if (lexed_.is(after, "{") && spec_.isNoexcept) {
      edits_.insert(lexed_.tokens[after].begin, "noexcept ");
      repairs_.push_back("'noexcept' is added, since the kernel has it");
    }
  }

  void dropDefaults(const CandidateItem &kernel) {
    int angles = 0;
    std::size_t from = kNoToken;
    for (std::size_t i = kernel.open + 1; i <= kernel.close; ++i) {
      const std::string_view token = lexed_.spelling(i);
      angles += token == "<" ? 1 : token == ">" ? -1 : token == ">>" ? -2 : 0;
      if (from == kNoToken && token == "=" && angles <= 0) {
        from = i;
        angles = 0;
      } else if (from != kNoToken && (i == kernel.close || (token == "," && angles <= 0))) {
        edits_.remove(lexed_.tokens[from - 1].end, lexed_.tokens[i - 1].end);
        from = kNoToken;
        angles = 0;
      } else if (token == "(" || token == "[" || token == "{") {
        i = std::min(lexed_.closing(i), kernel.close);
      }
    }
  }

  void assemble(const CandidateItem &kernel) {
    unit_.add("// Kernel '" + spec_.kernel + "' (" + spec_.function + ") for " + std::string(request_.level.name) +
              " by " + familyName(request_.family) + ". This text is checked, compiled and emitted as it stands.\n");
    for (const std::string &directive : spec_.prelude)
      unit_.add(directive + "\n");
    for (const TextSpan &include : includes_) {
      unit_.addOwn(candidate_, include.begin, include.end);
      unit_.add("\n");
    }
    for (const std::string &header : missingHeaders(spec_, lexed_))
      if (isAllowedHeader(header, spec_.policy, spec_.language)) {
        unit_.add("#include " + header + "\n");
        repairs_.push_back("#include " + header + " is added");
      }
    openRegion();
    if (isC())
      addTextOfC();
    else
      addTextInNamespaces(kernel);
    closeRegion();
  }

  void addTextOfC() {
    addClosureC(spec_, inner_, unit_);
    hideCopiesC(spec_, shape_, inner_, unit_);
    edits_.apply(candidate_, 0, candidate_.size(), unit_);
    unit_.freshLine();
  }

  void addTextInNamespaces(const CandidateItem &kernel) {
    addSignatureTypes(spec_, unit_);
    if (hasCopies(spec_))
      unit_.add(reachQualified(spec_, inner_, candidate_));
    for (const std::string &name : spec_.namespaces)
      unit_.add("namespace " + name + " {\n");
    unit_.add("namespace " + inner_ + " {\n");
    addCopies(spec_, unit_);
    const bool hides = opensOwnScope();
    addBody(kernel);
    if (hides)
      unit_.add("} // namespace candidate\n");
    unit_.add("} // namespace " + inner_ + "\n");
    for (auto name = spec_.namespaces.rbegin(); name != spec_.namespaces.rend(); ++name)
      unit_.add("} // namespace " + *name + "\n");
  }

  void openRegion() {
    const std::string target(request_.level.target);
    if (request_.family == Family::Clang)
      unit_.add("#pragma clang attribute push(__attribute__((target(\"" + target + "\"))), apply_to = function)\n");
    else
      unit_.add("#pragma GCC push_options\n#pragma GCC target(\"" + target + "\")\n");
  }

  void closeRegion() {
    unit_.add(request_.family == Family::Clang ? "#pragma clang attribute pop\n" : "#pragma GCC pop_options\n");
  }

  /// A candidate's own version of something in the closure hides the copy, because it is one scope further in.
  /// Overloads of a copied function come with it.
  bool opensOwnScope() {
    const std::set<std::string> copied = copiedNames(spec_);
    std::set<std::string> overloaded;
    bool collides = false;
    for (const CandidateItem &item : shape_.items)
      for (const std::string &name : item.names)
        if (copied.contains(name)) {
          collides = true;
          if (item.kind == CandidateItem::Kind::Function && !redefinesCopy(lexed_, spec_, item))
            overloaded.insert(name);
        }
    if (!collides)
      return false;
    unit_.add("namespace candidate {\n");
    for (const CandidateItem &item : shape_.items)
      if (redefinesCopy(lexed_, spec_, item))
        overloaded.erase(item.names.front());
    for (const std::string &name : overloaded)
      unit_.add("namespace { using " + inner_ + "::" + name + "; }\n");
    return true;
  }

  void addBody(const CandidateItem &kernel) {
    const std::size_t begin = beginOf(lexed_, kernel), end = endOf(lexed_, kernel);
    addAround(0, begin);
    edits_.apply(candidate_, begin, end, unit_);
    unit_.freshLine();
    addAround(end, candidate_.size());
  }

  /// Gives helpers before or after the kernel internal linkage.
  void addAround(std::size_t begin, std::size_t end) {
    const bool hasHelpers = std::ranges::any_of(shape_.items, [&](const CandidateItem &item) {
      return begin <= beginOf(lexed_, item) && beginOf(lexed_, item) < end;
    });
    UnitText probe;
    edits_.apply(candidate_, begin, end, probe);
    if (trim(probe.text()).empty())
      return;
    unit_.freshLine();
    if (hasHelpers)
      unit_.add("namespace {\n");
    edits_.apply(candidate_, begin, end, unit_);
    unit_.freshLine();
    if (hasHelpers)
      unit_.add("} // namespace\n");
  }

  std::vector<Finding> findings() const {
    std::vector<CandidateProblem> sorted = problems_;
    std::ranges::sort(sorted, [](const CandidateProblem &a, const CandidateProblem &b) {
      return std::tie(a.offset, a.check, a.message) < std::tie(b.offset, b.check, b.message);
    });
    std::vector<Finding> result;
    for (const CandidateProblem &problem : sorted) {
      if (result.size() == 20)
        break;
      const LineColumn place = lineColumn(candidate_, std::min(problem.offset, candidate_.size()));
      result.push_back({problem.check, request_.candidateName, place.line, place.column, problem.message});
    }
    return result;
  }

  const UnitRequest &request_;
  const KernelSpec &spec_;
  const std::string_view candidate_;
  LexedText lexed_;
  EditList edits_;
  CandidateShape shape_;
  std::vector<CandidateProblem> problems_;
  std::vector<TextSpan> includes_;
  std::string inner_;
  std::vector<std::string> repairs_;
  UnitText unit_;
};

} // namespace

CandidateUnit buildCandidateUnit(const UnitRequest &request, std::string_view candidate) {
  CandidateForm form = repairForm(request.spec, &request.level, normalizeLineEnds(candidate));
  CandidateUnit unit = UnitBuilder(request, form).build();
  unit.candidate = std::move(form.text);
  return unit;
}

std::string baselineCandidate(const KernelSpec &spec) {
  return spec.text + "\n";
}

CandidatePosition candidatePosition(const CandidateUnit &unit, std::size_t unitOffset) {
  for (const TextSpan &span : unit.own)
    if (span.begin <= unitOffset && unitOffset < span.end) {
      const LineColumn place = lineColumn(unit.candidate, span.origin + (unitOffset - span.begin));
      return {place.line, place.column};
    }
  return {};
}

} // namespace agentic
