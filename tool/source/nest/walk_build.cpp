#include "tool/source/nest/walk.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using namespace clang;

class WalkReader {
public:
  WalkReader(const WalkContext &known, const WalkScene &scene, std::size_t index, const Nest &nest)
      : known_(known), scene_(scene), index_(index), nest_(nest), source_(*scene.loops[index].loop) {}

  /// Returns nothing for a loop that counts, and in which nothing else walks.
  std::optional<Walk> run(std::set<std::string> &names) {
    iteration_ = iterationOf(source_, known_.context);
    if (iteration_.test && iteration_.testBegin == iteration_.testEnd && isa<DoStmt>(source_))
      return std::nullopt; // do … while (0)
    const Loop *counted = nullptr;
    setRange();
    for (const Loop *loop : nest_.loops)
      if (loop->range.begin == walk_.range.begin && isa<ForStmt>(source_))
        counted = loop;
    walk_.isCounted = counted && counted->problem.empty() && !beginsLater(*counted);
    findWalked();
    if (walk_.isCounted && variables_.empty())
      return std::nullopt;
    walk_.name = counted ? counted->name : nameOf(names);
    fill(counted);
    return std::move(walk_);
  }

private:
  void problem(std::string text) {
    if (walk_.problem.empty())
      walk_.problem = std::move(text);
  }

  void setRange() {
    const auto range = known_.map.range(source_.getSourceRange());
    if (!range || source_.getBeginLoc().isMacroID() || source_.getEndLoc().isMacroID())
      problem("the loop comes from a macro");
    if (!range)
      return;
    walk_.range = *range;
    const std::size_t next = nest_.text.find_first_not_of(" \t\n", range->end);
    if (next != std::string::npos && nest_.text[next] == ';' &&
        (isa<DoStmt>(source_) || (nest_.text[range->end - 1] != '}' && nest_.text[range->end - 1] != ';')))
      walk_.range.end = next + 1;
  }

  bool mayWalk(const VarDecl *variable) const {
    const QualType type = variable->getType();
    const bool isNumber = type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() &&
                          known_.context.getTypeSize(type) <= 64;
    const bool isPointer = type->isObjectPointerType() && !type->getPointeeType()->isIncompleteType() &&
                           !type->getPointeeType()->isVoidType();
    const auto place = known_.map.range(variable->getSourceRange());
    const auto body = known_.map.range(iteration_.body->getSourceRange());
    return (isNumber || isPointer) && !type.isVolatileQualified() && !type->isAtomicType() &&
           variable->hasLocalStorage() && (variable->isLocalVarDecl() || isa<ParmVarDecl>(variable)) &&
           !known_.uses.escaping.contains(variable) && place && !(body && body->contains(*place));
  }

  bool stepsOnce(const VarDecl *variable) const {
    const auto &events = iteration_.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].isUpdate || events[i].variable != variable)
        continue;
      const bool isInTest = i >= iteration_.testBegin && i < iteration_.testEnd;
      const bool isSkipped = iteration_.continueAt && i >= *iteration_.continueAt && !events[i].isInHeader &&
                             (!isInTest || iteration_.testStatement);
      const auto inSame = std::ranges::count_if(
          events, [&](const WalkEvent &other) { return other.variable == variable && other.full == events[i].full; });
      if (!events[i].isKnown || events[i].isConditional || isSkipped || inSame != 1)
        return false;
    }
    return true;
  }

  /// Returns whether a loop of a nest counts from another number than 0, from which blocks of iterations are counted.
  static bool beginsLater(const Loop &loop) {
    return loop.lowerConstant.value_or(0) != 0 && (loop.parent || containsLoop(loop));
  }

  void findWalked() {
    const auto *header = dyn_cast<ForStmt>(&source_);
    const auto *declaration = header ? dyn_cast_or_null<DeclStmt>(header->getInit()) : nullptr;
    const VarDecl *own = walk_.isCounted && declaration && declaration->isSingleDecl()
                             ? dyn_cast<VarDecl>(declaration->getSingleDecl())
                             : nullptr;
    for (const WalkEvent &event : iteration_.events) {
      const VarDecl *variable = event.variable;
      if (!event.isUpdate || std::ranges::find(variables_, variable) != variables_.end() ||
          (own && own->getCanonicalDecl() == variable) || !mayWalk(variable) || !stepsOnce(variable))
        continue;
      std::int64_t step = 0, atEnd = 0;
      for (std::size_t i = 0; i < iteration_.events.size(); ++i)
        if (iteration_.events[i].isUpdate && iteration_.events[i].variable == variable) {
          step += iteration_.events[i].delta;
          if (i >= iteration_.testBegin && i < iteration_.testEnd && !iteration_.isBottom)
            atEnd += iteration_.events[i].delta;
        }
      if (step == 0)
        continue;
      variables_.push_back(variable);
      walk_.walked.push_back(described(variable, step, atEnd));
    }
  }

  WalkedVariable described(const VarDecl *variable, std::int64_t step, std::int64_t atEnd) const {
    WalkedVariable walked;
    const QualType type = variable->getType();
    walked.variable = known_.symbols.id(variable);
    walked.name = variable->getNameAsString();
    walked.type = plainType(type).getAsString(known_.symbols.policy());
    walked.isPointer = type->isPointerType();
    walked.isSigned = type->isSignedIntegerType();
    walked.bits = static_cast<unsigned>(known_.context.getTypeSize(type));
    const auto own = std::ranges::count_if(
        iteration_.events, [&](const WalkEvent &event) { return event.isUpdate && event.variable == variable; });
    const auto all = known_.uses.changes.find(variable);
    walked.isOnlyHere = all != known_.uses.changes.end() && all->second == own;
    walked.step = step;
    walked.atEnd = atEnd;
    return walked;
  }

  std::string nameOf(std::set<std::string> &names) const {
    std::string name = "loop";
    for (std::size_t i = iteration_.testEnd; i-- > iteration_.testBegin;)
      name = iteration_.events[i].variable->getNameAsString();
    for (std::size_t i = iteration_.testEnd; i-- > iteration_.testBegin;)
      if (std::ranges::find(variables_, iteration_.events[i].variable) != variables_.end())
        name = iteration_.events[i].variable->getNameAsString();
    const std::string first = name;
    const auto isTaken = [&] { return nest_.find(name) || names.contains(name); };
    for (int number = 2; isTaken(); ++number)
      name = first + "#" + std::to_string(number);
    names.insert(name);
    return name;
  }

  void fill(const Loop *counted) {
    const PrintingPolicy &policy = known_.symbols.policy();
    walk_.differenceType = known_.context.getPointerDiffType().getCanonicalType().getAsString(policy);
    walk_.sizeType = QualType(known_.context.getSizeType()).getAsString(policy);
    // In C a loop without a condition in its head may go on for ever.
    walk_.mayLeave = iteration_.mayLeave || (iteration_.testStatement && !known_.context.getLangOpts().CPlusPlus);
    noteBreaks();
    walk_.hasContinue = iteration_.continueAt.has_value();
    if (!iteration_.problem.empty())
      problem("the loop '" + walk_.name + "': " + iteration_.problem);
    if (scene_.jumps)
      problem("the function jumps: a 'goto', a label, a 'try' or assembly");
    if (counted && !counted->tiedDown.empty())
      problem(counted->tiedDown);
    else if (hasDirective())
      problem("preprocessor directives stand in the loop '" + walk_.name + "'");
    const auto body = known_.map.range(iteration_.body->getSourceRange());
    if (!body || iteration_.body->getBeginLoc().isMacroID())
      return problem("the loop '" + walk_.name + "' comes from a macro");
    walk_.body = {body->begin, body->end};
    if (!isa<CompoundStmt>(iteration_.body) && nest_.text[body->end - 1] != ';' && nest_.text[body->end - 1] != '}')
      walk_.body.end = nest_.text.find(';', body->end) + 1;
    walk_.statements = statementsOf(known_, *iteration_.body, nest_.text);
    if (iteration_.start) {
      if (const auto start = known_.map.range(iteration_.start->getSourceRange()))
        walk_.start = *start;
      else
        problem("the header of the loop '" + walk_.name + "' comes from a macro");
      walk_.startDeclares = isa<DeclStmt>(iteration_.start);
    }
    if (walk_.isCounted)
      fillCounted(*counted);
    else if (walk_.problem.empty())
      problem(readTest(known_, iteration_, variables_, walk_));
    checkHeader();
    for (std::size_t i = 0; i < iteration_.events.size() && walk_.problem.empty(); ++i)
      addUse(i);
    checkUses();
    if (walk_.problem.empty())
      readSurroundings(known_, scene_, index_, iteration_, variables_, walk_);
    if (walk_.isCounted)
      walk_.isStartNeeded = false;
    noteTestStatement();
  }

  void noteBreaks() {
    walk_.hasBreak = !iteration_.breaks.empty();
    for (const Expr *condition : iteration_.conditions)
      if (const auto range = known_.map.range(condition->getSourceRange()))
        walk_.conditions.push_back(*range);
      else
        problem("the condition of the loop '" + walk_.name + "' comes from a macro");
    if (!iteration_.conditions.empty() && iteration_.writesMemory) // as a sort by insertion does: it has another move
      problem("the loop '" + walk_.name + "' writes memory, and may end by more than its count");
    for (const Iteration::Break &exit : iteration_.breaks) {
      for (std::size_t i = 0; i < variables_.size(); ++i)
        walk_.walked[i].isSteppedAtBreak |= !isUnchangedAt(iteration_, exit, variables_[i]);
      if (!exit.statement)
        continue;
      const auto range = known_.map.range(exit.statement->getSourceRange());
      const std::size_t end = range ? nest_.text.find_first_not_of(" \t\n", range->end) : std::string::npos;
      walk_.breaks.push_back(end != std::string::npos && nest_.text[end] == ';' &&
                                     !exit.statement->getBeginLoc().isMacroID()
                                 ? Range{range->begin, end + 1}
                                 : Range{});
    }
  }

  void fillCounted(const Loop &loop) {
    walk_.counter = nest_.variable(loop.variable).name;
    const auto *header = cast<ForStmt>(&source_);
    const QualType type = cast<VarDecl>(cast<DeclStmt>(header->getInit())->getSingleDecl())->getType();
    walk_.counterType = plainType(type).getAsString(known_.symbols.policy());
    walk_.isCounterSigned = type->isSignedIntegerType();
    walk_.counterBits = static_cast<unsigned>(known_.context.getTypeSize(type));
    if (!loop.lowerConstant || *loop.lowerConstant < 0 || *loop.lowerConstant > (1 << 20))
      return problem("the loop '" + loop.name + "' starts at no constant");
    walk_.counterStart = *loop.lowerConstant;
    walk_.test.bound = loop.upper;
  }

  bool hasDirective() const {
    const std::string_view text = nest_.slice(walk_.range);
    for (std::size_t line = text.find('\n'); line != std::string_view::npos; line = text.find('\n', line + 1)) {
      const std::size_t first = text.find_first_not_of(" \t", line + 1);
      if (first != std::string_view::npos && text[first] == '#')
        return true;
    }
    return false;
  }

  /// The third part of the header disappears: it must do nothing but step.
  void checkHeader() {
    if (walk_.isCounted || !iteration_.step)
      return;
    std::vector<const Expr *> parts = {iteration_.step->IgnoreParens()};
    while (!parts.empty()) {
      const Expr *part = parts.back()->IgnoreParens();
      parts.pop_back();
      if (const auto *comma = dyn_cast<BinaryOperator>(part); comma && comma->isCommaOp()) {
        parts.push_back(comma->getLHS());
        parts.push_back(comma->getRHS());
        continue;
      }
      const bool isStep = std::ranges::any_of(iteration_.events, [&](const WalkEvent &event) {
        return event.node == part && event.isUpdate &&
               std::ranges::find(variables_, event.variable) != variables_.end();
      });
      if (!isStep)
        problem("the header of the loop '" + walk_.name + "' does more than step by constants");
    }
  }

  void addUse(std::size_t at) {
    const WalkEvent &event = iteration_.events[at];
    const auto which = std::ranges::find(variables_, event.variable);
    const bool isTest = !walk_.isCounted && at >= iteration_.testBegin && at < iteration_.testEnd;
    if (which == variables_.end() || isTest || (event.isInHeader && !walk_.isCounted))
      return;
    const WalkedVariable &walked = walk_.walked[static_cast<std::size_t>(which - variables_.begin())];
    WalkUse use;
    use.walked = static_cast<std::size_t>(which - variables_.begin());
    use.offset = valueAt(iteration_, at);
    use.form = event.form;
    use.isSubscript = event.isSubscript;
    use.isAlone = event.isAlone;
    use.added = event.added;
    const auto isWritten = [](const Expr *source) {
      return !source->getBeginLoc().isMacroID() && !source->getEndLoc().isMacroID();
    };
    const Expr *replaced = isWritten(event.outer) ? event.outer : event.node;
    bool isInArgument = false;
    if (!isWritten(event.node)) {
      const auto offset = known_.map.offset(event.node->getBeginLoc());
      if (event.isUpdate || !offset || !isa<DeclRefExpr>(event.node))
        return problem("a macro names '" + walked.name + "', which walks in the loop '" + walk_.name + "'");
      use.range = elementInArgument(event).value_or(Range{*offset, *offset + walked.name.size()});
      isInArgument = use.range.end > *offset + walked.name.size();
    } else if (const auto range = known_.map.range(replaced->getSourceRange())) {
      use.range = *range;
    } else {
      return problem("a macro names '" + walked.name + "', which walks in the loop '" + walk_.name + "'");
    }
    if (replaced == event.node && event.form != WalkUse::Form::Arrow && !isInArgument)
      use.form = WalkUse::Form::Value;
    if (!isWritten(event.node) && !isInArgument)
      use.isSubscript = use.isAlone = false, use.form = WalkUse::Form::Value;
    if (event.index && use.form == WalkUse::Form::Element) {
      if (const auto index = known_.map.range(event.index->getSourceRange()))
        use.index = *index;
      Expr::EvalResult value;
      if (!event.index->isValueDependent() && event.index->EvaluateAsInt(value, known_.context))
        use.indexConstant = value.Val.getInt().tryExtValue();
    }
    const bool isElement =
        walked.isPointer ? event.form != WalkUse::Form::Value : event.isSubscript && walked.bits == 64;
    walk_.readsEachIteration |=
        isElement && !event.isConditional && (!iteration_.continueAt || at < *iteration_.continueAt);
    const auto isWalked = [&](const WalkEvent &other) {
      return other.statement != event.statement || std::ranges::find(variables_, other.variable) != variables_.end();
    };
    if (event.isUpdate && event.statement && std::ranges::all_of(iteration_.events, isWalked))
      return removeStatement(event);
    walk_.uses.push_back(use);
  }

  /// Returns the place of `name[constant]` that is a part of a macro's argument.
  std::optional<Range> elementInArgument(const WalkEvent &event) const {
    const auto *element = dyn_cast<ArraySubscriptExpr>(event.outer);
    const auto begin = element ? known_.map.offset(element->getBeginLoc()) : std::nullopt;
    const auto end = element ? known_.map.offset(element->getRBracketLoc()) : std::nullopt;
    const bool isOne = begin && end && begin == known_.map.offset(event.node->getBeginLoc()) && *begin < *end;
    return isOne && constantOf(event.index, known_.context, 30) ? std::optional(Range{*begin, *end + 1}) : std::nullopt;
  }

  void removeStatement(const WalkEvent &event) {
    auto range = known_.map.range(event.statement->getSourceRange());
    const std::size_t next = range ? nest_.text.find_first_not_of(" \t\n", range->end) : std::string::npos;
    if (next == std::string::npos || nest_.text[next] != ';')
      return problem("a macro names '" + event.variable->getNameAsString() + "'");
    if (event.isInBlock)
      range->end = next + 1; // else the semicolon stays: it is the whole body of something
    if (std::ranges::find(walk_.removed, *range) == walk_.removed.end())
      walk_.removed.push_back(*range);
  }

  void noteTestStatement() {
    if (!iteration_.testStatement || walk_.isCounted)
      return;
    auto range = known_.map.range(iteration_.testStatement->getSourceRange());
    if (!range || iteration_.testStatement->getBeginLoc().isMacroID() ||
        iteration_.testStatement->getEndLoc().isMacroID())
      return problem("the test of the loop '" + walk_.name + "' comes from a macro");
    const std::size_t next = nest_.text.find_first_not_of(" \t\n", range->end);
    if (next != std::string::npos && nest_.text[next] == ';' && nest_.text[range->end - 1] != '}')
      range->end = next + 1;
    walk_.removed.push_back(*range);
    if (iteration_.isBottom && iteration_.continueAt)
      problem("a 'continue' passes the test of the loop '" + walk_.name + "'");
  }

  /// A macro may use its argument several times: all must have one value.
  void checkUses() {
    std::ranges::sort(walk_.uses, {}, [](const WalkUse &use) { return use.range.begin; });
    std::vector<WalkUse> kept;
    for (const WalkUse &use : walk_.uses) {
      if (kept.empty() || use.range.begin >= kept.back().range.end) {
        kept.push_back(use);
      } else if (use.range != kept.back().range || use.offset != kept.back().offset ||
                 use.walked != kept.back().walked) {
        return problem("a macro names '" + walk_.walked[use.walked].name + "' where it has several values");
      }
    }
    walk_.uses = std::move(kept);
  }

  const WalkContext &known_;
  const WalkScene &scene_;
  std::size_t index_;
  const Nest &nest_;
  const Stmt &source_;
  Iteration iteration_;
  std::vector<const VarDecl *> variables_;
  Walk walk_;
};

} // namespace

std::vector<Walk> findWalks(const FunctionDecl &function, const WalkContext &known, const Nest &nest) {
  std::vector<Walk> walks;
  if (function.isDependentContext())
    return walks;
  const WalkScene scene = sceneOf(function);
  std::set<std::string> names;
  for (std::size_t i = 0; i < scene.loops.size(); ++i)
    if (!isa<CXXForRangeStmt>(scene.loops[i].loop))
      if (auto walk = WalkReader(known, scene, i, nest).run(names))
        walks.push_back(std::move(*walk));
  return walks;
}

} // namespace agentic::moves
