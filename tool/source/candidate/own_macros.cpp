#include "tool/source/candidate/own_macros.h"

#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"
#include "tool/source/candidate/candidate_conditionals.h"
#include "tool/source/candidate/candidate_rules.h"
#include "tool/source/parse/macro_expansion.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace agentic {
namespace {

constexpr std::size_t kMostDirectives = 1000; // texts are hostile

class Expander {
public:
  Expander(const KernelSpec &spec, const Level *level, std::string_view text)
      : spec_(spec), level_(level), text_(text), lexed_(lexText(text)) {}

  ExpandedMacros run() {
    ExpandedMacros unchanged{std::string(text_), {}};
    if (lexed_.directives.size() > kMostDirectives)
      return unchanged;
    learnSource();
    findFunctions();
    findDecided();
    if (!findOwn() || !isWanted_ || !expandAll())
      return unchanged;
    std::string result;
    std::size_t from = 0;
    std::ranges::sort(edits_, {}, &Edit::begin);
    for (const Edit &edit : edits_) {
      result.append(text_, from, edit.begin - from);
      result += edit.text;
      result.append(static_cast<std::size_t>(std::ranges::count(text_.substr(edit.begin, edit.end - edit.begin), '\n')),
                    '\n');
      from = edit.end;
    }
    result.append(text_, from);
    return {std::move(result), {own_.begin(), own_.end()}};
  }

private:
  enum class Part { Open, Taken, Dead }; ///< of a conditional; Open: nothing decides here which branch is the text
  struct Branch {
    std::size_t id = 0; ///< that of the branch around it if the level decides
    bool isDead = false, isDecided = false;
  };
  struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
  };

  void learnSource() {
    macrosOfSource_.insert(spec_.macros.begin(), spec_.macros.end());
    for (const std::string &directive : spec_.prelude) {
      prelude_.insert(tokenText(directive));
      const LexedText lexed = lexText(directive);
      if (!lexed.directives.empty() && lexed.directives[0].keyword == "define" && !lexed.directives[0].tokens.empty())
        macrosOfSource_.emplace(lexed.spelling(lexed.directives[0].tokens[0]));
    }
  }

  bool isKnown(const LexDirective &directive) const {
    const std::string_view text = text_.substr(directive.begin, directive.end - directive.begin);
    return spec_.text.find(text) != std::string::npos || prelude_.contains(tokenText(text));
  }

  /// Fills own_; returns false if one of the candidate's macros cannot be expanded.
  bool findOwn() {
    for (const LexDirective &directive : lexed_.directives) {
      if (!isOneOf(directive.keyword, {"define", "undef"}) || isKnown(directive))
        continue;
      if (directive.tokens.empty() || directive.tokens[0].kind != LexToken::Kind::Identifier)
        return false;
      const std::string_view name = lexed_.spelling(directive.tokens[0]);
      if (isReservedMacro(name) || isKeyword(name) || macrosOfSource_.contains(std::string(name)))
        return false;
      own_.insert(std::string(name));
      if (directive.keyword == "undef")
        continue;
      const std::optional<Macro> macro = macroOf(lexed_, directive);
      if (!macro || !hasBalancedBrackets(text_.substr(directive.begin, directive.end - directive.begin)))
        return false;
      isWanted_ |= macro->takesArguments || !isInFunction(directive.nextToken);
    }
    const auto isOwn = [&](const LexToken &token) { return own_.contains(std::string(lexed_.spelling(token))); };
    return std::ranges::none_of(lexed_.directives, [&](const LexDirective &directive) {
      const bool defines = isOneOf(directive.keyword, {"define", "undef"});
      return !defines && std::ranges::any_of(directive.tokens, isOwn);
    });
  }

  /// Notes which tokens are in braces behind a parenthesis: those of a function, not of a namespace or class.
  void findFunctions() {
    std::vector<bool> open;
    std::size_t functions = 0;
    for (std::size_t i = 0; i < lexed_.tokens.size(); ++i) {
      inFunction_.push_back(functions > 0);
      if (lexed_.is(i, "{")) {
        open.push_back(functions > 0 || followsParameters(i));
        functions += open.back() ? 1 : 0;
      } else if (lexed_.is(i, "}") && !open.empty()) {
        functions -= open.back() ? 1 : 0;
        open.pop_back();
      }
    }
  }
  bool followsParameters(std::size_t brace) const {
    while (brace > 0 && isOneOf(lexed_.spelling(brace - 1), {"noexcept", "const", "override", "final"}))
      --brace;
    return brace > 0 && lexed_.is(brace - 1, ")");
  }

  bool isInFunction(std::size_t token) const { return token < inFunction_.size() && inFunction_[token]; }

  /// Finds the conditionals that the level decides: of them one branch is the text, and the others are left out.
  void findDecided() {
    parts_.resize(lexed_.directives.size(), Part::Open);
    for (const std::vector<std::size_t> &group : conditionalsOf(lexed_).groups)
      decide(group);
  }

  void decide(const std::vector<std::size_t> &group) {
    const std::vector<std::optional<long>> values = conditionValues(lexed_, group, level_);
    if (!std::ranges::all_of(values, [](const std::optional<long> &value) { return value.has_value(); }))
      return;
    bool taken = false;
    for (std::size_t part = 0; part < group.size(); ++part) {
      const bool isTaken = !taken && *values[part] != 0;
      parts_[group[part]] = isTaken ? Part::Taken : Part::Dead;
      taken |= isTaken;
    }
  }

  bool expandAll() {
    std::size_t directive = 0;
    for (next_ = 0; next_ <= lexed_.tokens.size();) {
      limit_ = lexed_.tokens.size();
      while (directive < lexed_.directives.size() && lexed_.directives[directive].nextToken <= next_)
        follow(directive++);
      if (directive < lexed_.directives.size())
        limit_ = lexed_.directives[directive].nextToken; // no use reaches over a directive
      if (next_ == lexed_.tokens.size())
        break;
      const std::size_t first = next_;
      if (!isUse(first)) {
        ++next_;
        continue;
      }
      const std::optional<Pieces> pieces = expander_.expandAt(next_, limit_);
      if (!pieces)
        return false;
      const std::size_t last = next_ - 1;
      std::string text = spelled(*pieces);
      if (last == first && text == lexed_.spelling(first))
        continue; // a macro with arguments, named without them
      addUse(lexed_.tokens[first].begin, lexed_.tokens[last].end, std::move(text));
    }
    return true;
  }

  /// In the text, too, two tokens must not become one: `-F(1)` with `#define F(x) -x`.
  void addUse(std::size_t begin, std::size_t end, std::string text) {
    if (text.empty())
      text = " ";
    if (begin > 0 && wouldJoin(text_[begin - 1], text.front()))
      text.insert(0, 1, ' ');
    if (end < text_.size() && wouldJoin(text.back(), text_[end]))
      text += ' ';
    edits_.push_back({begin, end, std::move(text)});
  }

  bool isDead() const { return std::ranges::any_of(branches_, &Branch::isDead); }

  bool isUse(std::size_t token) const {
    if (isDead())
      return false;
    const std::string_view name = lexed_.spelling(token);
    return lexed_.isIdentifier(token) && (active_.contains(name) || lost_.contains(name));
  }

  std::size_t currentBranch() const { return branches_.empty() ? 0 : branches_.back().id; }

  void follow(std::size_t index) {
    const LexDirective &directive = lexed_.directives[index];
    const std::string &keyword = directive.keyword;
    if (isConditionalDirective(keyword)) {
      if (!keyword.starts_with("if") && !branches_.empty())
        leaveBranch();
      if (keyword != "endif" && parts_[index] == Part::Open)
        branches_.push_back({++branchCount_});
      else if (keyword != "endif")
        branches_.push_back({currentBranch(), parts_[index] == Part::Dead, true});
    }
    if (!isOneOf(keyword, {"define", "undef"}) || isKnown(directive) || isDead())
      return;
    const std::string_view name = lexed_.spelling(directive.tokens[0]);
    const std::size_t branch = currentBranch();
    if (const auto before = active_.find(name); before != active_.end() && before->second.branch != branch)
      changed_[branch].insert(name); // behind the branch, either may hold
    if (keyword == "define") {
      Macro macro = *macroOf(lexed_, directive);
      macro.branch = branch;
      active_[name] = std::move(macro);
      lost_.erase(name);
    } else {
      active_.erase(name);
      if (branch == 0)
        lost_.erase(name);
      else
        changed_[branch].insert(name);
    }
    edits_.push_back({directive.begin, directive.end, {}});
  }

  /// What a branch defined holds there alone.
  void leaveBranch() {
    const auto [branch, isDead, isDecided] = branches_.back();
    branches_.pop_back();
    if (isDecided)
      return;
    std::erase_if(active_, [&, id = branch](const auto &entry) {
      const bool isGone = entry.second.branch == id || changed_[id].contains(entry.first);
      if (isGone)
        lost_.insert(entry.first);
      return isGone;
    });
    lost_.insert(changed_[branch].begin(), changed_[branch].end());
  }

  const KernelSpec &spec_;
  const Level *level_;
  const std::string_view text_;
  const LexedText lexed_;
  std::set<std::string> own_;
  std::set<std::string> prelude_, macrosOfSource_;
  std::vector<bool> inFunction_; ///< by token
  std::vector<Part> parts_;      ///< by directive
  bool isWanted_ = false;        ///< a macro is of a kind that is refused
  std::map<std::string_view, Macro> active_;
  std::set<std::string_view> lost_; ///< which definition holds hangs on a conditional
  std::vector<Branch> branches_;
  std::size_t branchCount_ = 0;
  std::map<std::size_t, std::set<std::string_view>> changed_; ///< macros of outer branches, by branch
  std::size_t next_ = 0, limit_ = 0;                          ///< tokens of the text
  MacroExpander expander_{lexed_, active_, lost_};
  std::vector<Edit> edits_;
};

} // namespace

ExpandedMacros expandOwnMacros(const KernelSpec &spec, const Level *level, std::string_view text) {
  return Expander(spec, level, text).run();
}

} // namespace agentic
