#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/byte_lanes.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t kMostPerRound = 4; // bytes of an iteration

/// Neighbouring bytes of one array that an iteration reads or writes.
struct Group {
  VariableId base{};
  Polynomial first; ///< the subscript of the first, without its constant
  std::int64_t constant = 0, count = 0;
  const Expression *place = nullptr; ///< the first
};

struct Place {
  const Expression *element;
  VariableId base{};
  Polynomial subscript;
  bool isSure = true;        ///< every iteration reads or writes it that does not end the loop
  std::int64_t constant = 0; ///< in the subscript
};

class LanesPlanner {
public:
  LanesPlanner(const MoveContext &context, const Loop &loop) : context_(context), nest_(context.nest), loop_(loop) {}

  ByteLanes run() {
    plan_.problem = whyNot();
    return std::move(plan_);
  }

private:
  std::string whyNot() {
    if (!loop_.problem.empty())
      return loop_.problem;
    if (std::string reason = findPlaces(); !reason.empty())
      return reason;
    if (std::string reason = hiddenAlias(nest_, loop_); !reason.empty())
      return reason;
    if (std::string reason = fillGroup(reads_, input_); !reason.empty())
      return reason;
    if (std::string reason = writes_.empty() ? "" : fillGroup(writes_, output_); !reason.empty())
      return reason;
    if (std::string reason = writes_.empty() ? "" : whyNotApart(); !reason.empty())
      return reason;
    stays_.assign(static_cast<std::size_t>(input_.count), std::vector<bool>(256, true));
    if (std::string reason = follow(true); !reason.empty())
      return reason;
    if (std::string reason = plan_.leaves ? whyNotAhead() : whyNotSure(); !reason.empty())
      return reason;
    if (!plan_.leaves && writes_.empty())
      return "it writes no bytes, and no 'if' ends it";
    if (std::string reason = follow(false); !reason.empty())
      return reason;
    if (!plan_.leaves && !hasTable_ && input_.count == 1 && output_.count == 1)
      return "a compiler vectorizes it: it has no table, no 'if' that ends it, and no groups of bytes";
    plan_.input = input_.place;
    plan_.output = output_.place;
    plan_.inputs = static_cast<int>(input_.count);
    plan_.outputs = static_cast<int>(output_.count);
    plan_.stays = stays_[0];
    return fillLane(plan_, nodes_, bytes_);
  }

  std::string text(const Expression &expression) const {
    return "'" + std::string(nest_.slice(expression.range)) + "'";
  }

  /// Finds the bytes that are read and written. What stands behind a condition that ends the loop stays as it is.
  std::string findPlaces() {
    for (const Statement &statement : loop_.body) {
      if (statement.loop || (statement.kind != Statement::Kind::Simple && !statement.branch))
        return "a statement of it is not understood";
      if (!statement.branch && !statement.problem.empty())
        return statement.problem;
      if (statement.declares)
        declared_.insert(*statement.declares);
      std::string reason;
      forEachRoot(statement, [&](const Expression &root) {
        const bool isStore = root.kind == Kind::Assign && root.operands[0].kind == Kind::Element;
        if (reason.empty())
          reason = addPlaces(root, statement, true, isStore ? &root.operands[0] : nullptr);
        if (isStore && root.op != "=" && reason.empty())
          reason = text(root) + " is not just assigned";
      });
      if (!reason.empty())
        return reason;
    }
    return reads_.empty() ? "it reads no bytes" : "";
  }

  bool isTable(const Expression &element) const {
    const Expression *base = &element.operands[0].plain();
    while (base->kind == Kind::Element)
      base = &base->operands[0].plain();
    return base->kind == Kind::Variable && !nest_.variable(*base->variable).values.empty();
  }

  std::string addPlaces(const Expression &part, const Statement &statement, bool isSure, const Expression *stored) {
    const bool isChoice =
        part.kind == Kind::Conditional || (part.kind == Kind::Binary && (part.op == "&&" || part.op == "||"));
    std::string reason;
    if (part.kind == Kind::Element && !isTable(part))
      reason = addPlace(part, statement, isSure, &part == stored ? writes_ : reads_);
    for (const Expression &operand : part.operands)
      if (reason.empty())
        reason = addPlaces(operand, statement, isSure && (!isChoice || &operand == &part.operands[0]), stored);
    return reason;
  }

  std::string addPlace(const Expression &element, const Statement &statement, bool isSure, std::vector<Place> &places) {
    if (!element.isInteger || element.bits != 8 || element.type == "bool")
      return text(element) + " is no byte";
    const auto access = std::ranges::find(statement.accesses, element.range, &Access::range);
    std::optional<Place> place;
    if (access != statement.accesses.end() && access->base && access->subscript)
      place = Place{&element, *access->base, *access->subscript, isSure};
    else if (statement.branch && statement.accesses.empty())
      place = placeInCondition(element, isSure);
    if (element.range.isEmpty() || !place)
      return "the place of " + text(element) + " is not known";
    bool isLocal = false;
    forEachExpression(element, [&](const Expression &part) {
      isLocal |= part.kind == Kind::Variable && declared_.contains(*part.variable);
      return !isLocal;
    });
    if (isLocal)
      return "the place of " + text(element) + " is computed in the iteration";
    places.push_back(std::move(*place));
    return {};
  }

  /// What leaves the loop has no list of accesses: its subscripts are sums of the loop's variable and constants.
  std::optional<Place> placeInCondition(const Expression &element, bool isSure) const {
    const Expression &base = element.operands[0].plain();
    if (element.operands.size() != 2 || base.kind != Kind::Variable)
      return std::nullopt;
    const Variable &array = nest_.variable(*base.variable);
    const bool isOwn = array.extent > 0 || (array.kind == Variable::Kind::Pointer && array.isParameter);
    const auto subscript = linear(element.operands[1]);
    if (!isOwn || array.changes != 0 || array.isGlobal || !subscript)
      return std::nullopt;
    return Place{&element, *base.variable, *subscript, isSure};
  }

  std::optional<Polynomial> linear(const Expression &expression) const {
    const Expression &plain = expression.plain();
    if (plain.value)
      return Polynomial::constant(*plain.value);
    if (plain.kind == Kind::Variable)
      return plain.variable == loop_.variable ? std::optional(Polynomial::symbol(loop_.variable)) : std::nullopt;
    if (plain.kind != Kind::Binary || !plain.isInteger || (!plain.isSigned && plain.bits < 64))
      return std::nullopt; // a sum of 32 bits may wrap around
    const auto left = linear(plain.operands[0]), right = linear(plain.operands[1]);
    if (!left || !right)
      return std::nullopt;
    return plain.op == "+"   ? Polynomial::add(*left, *right)
           : plain.op == "-" ? Polynomial::subtract(*left, *right)
           : plain.op == "*" ? Polynomial::multiply(*left, *right)
                             : std::nullopt;
  }

  /// All places of a group are neighbours, and the next iteration has the next group.
  std::string fillGroup(std::vector<Place> &places, Group &group) {
    const std::string reason = text(*places[0].element) + " and " + text(*places.back().element) +
                               " are not the bytes of a group, one group an iteration";
    group.base = places[0].base;
    std::set<std::int64_t> constants;
    for (Place &place : places) {
      const Polynomial &subscript = place.subscript;
      place.constant = subscript.constantTerm();
      const auto first = Polynomial::subtract(subscript, Polynomial::constant(place.constant));
      if (!first || place.base != group.base || (&place != &places[0] && *first != group.first))
        return reason;
      group.first = *first;
      if (constants.empty() || place.constant < *constants.begin())
        group.place = place.element;
      constants.insert(place.constant);
    }
    const auto linear = group.first.linearIn(loop_.variable);
    const auto stride = linear ? linear->coefficient.asConstant() : std::nullopt;
    for (const Symbol symbol : group.first.symbols())
      if (symbol != loop_.variable && nest_.symbolDependsOn(symbol, loop_.variable))
        return reason;
    if (linear)
      for (const Symbol symbol : linear->rest.symbols())
        if (symbol < Nest::kFirstOpaque && declared_.contains(symbol))
          return reason;
    group.constant = *constants.begin();
    group.count = static_cast<std::int64_t>(constants.size());
    if (stride != group.count || *constants.rbegin() - *constants.begin() + 1 != group.count)
      return reason;
    return constants.size() <= kMostPerRound ? std::string()
                                             : "an iteration has more than " + std::to_string(kMostPerRound) + " bytes";
  }

  /// A block is read before it is written.
  std::string whyNotApart() const {
    if (!mayBeSameArray(nest_, input_.base, output_.base))
      return {};
    const std::string reason = text(*input_.place) + " may be a byte that another iteration writes";
    if (input_.base != output_.base || input_.first != output_.first || input_.constant != output_.constant ||
        input_.count != output_.count)
      return reason;
    const auto store = std::ranges::find_if(
        loop_.body, [&](const Statement &statement) { return statement.range.contains(writes_[0].element->range); });
    const bool isBefore = std::ranges::all_of(reads_, [&](const Place &read) {
      return read.element->range.begin < store->range.end; // a value is read before it is assigned
    });
    return isBefore && writes_.size() == 1 ? "" : text(*input_.place) + " may be read after it is written";
  }

  std::optional<int> inputOf(const Expression &expression) const {
    if (expression.kind != Kind::Element)
      return std::nullopt;
    for (const Place &read : reads_)
      if (read.element->range == expression.range)
        return static_cast<int>(read.constant - input_.constant);
    return std::nullopt;
  }

  /// Runs an iteration on bits: first for what ends the loop, then, for the bytes that do not, for what it writes.
  std::string follow(bool isFirst) {
    ByteValues values(nest_, [this](const Expression &expression) { return inputOf(expression); }, stays_);
    std::map<std::int64_t, std::vector<BitId>> stored;
    for (const Statement &statement : loop_.body) {
      if (statement.branch) {
        if (std::string reason = isFirst ? readExit(*statement.branch, values) : std::string(); !reason.empty())
          return reason;
        continue;
      }
      if (statement.declares) {
        const Variable &variable = nest_.variable(*statement.declares);
        if (variable.kind != Variable::Kind::Scalar || variable.isFloating || variable.escapes)
          return "'" + variable.name + "' is no plain local integer";
        values.set(*statement.declares, statement.value ? values.of(*statement.value) : std::nullopt);
        continue;
      }
      const Expression *assign = statement.expression ? &*statement.expression : nullptr;
      if (!assign || assign->kind != Kind::Assign || assign->op != "=")
        return "'" + std::string(nest_.slice(statement.range)) + "' is not understood";
      const Expression &target = assign->operands[0];
      if (target.kind == Kind::Variable) {
        if (!declared_.contains(*target.variable))
          return text(target) + " lives on between iterations";
        values.set(*target.variable, values.of(assign->operands[1]));
        continue;
      }
      const auto place = std::ranges::find(writes_, &target, &Place::element);
      if (place == writes_.end())
        return text(target) + " is not understood";
      const auto value = values.of(assign->operands[1]);
      if (isFirst)
        continue;
      if (!value || !value->anyOf.empty() || value->bits != 8)
        return value ? text(assign->operands[1]) + " depends on several bytes" : values.problem;
      if (!stored.emplace(place->constant, value->of).second)
        return text(target) + " is written twice";
    }
    bytes_.clear();
    for (const auto &[place, bits] : stored)
      bytes_.push_back(bits);
    nodes_ = values.nodes();
    hasTable_ = values.hasTable();
    return {};
  }

  std::string readExit(const Branch &branch, ByteValues &values) {
    if (!branch.problem.empty())
      return branch.problem;
    const auto exit = branch.thenBody.empty() ? Statement::Exit::None : branch.thenBody.back().exit;
    if (branch.hasElse || (exit != Statement::Exit::Return && exit != Statement::Exit::Break))
      return "an 'if' does not end it";
    plan_.leaves = true;
    return readCondition(branch.condition, values);
  }

  /// Notes the bytes for which a condition holds: each side of a `||` alone ends the loop.
  std::string readCondition(const Expression &expression, ByteValues &values) {
    const Expression &plain = expression.plain();
    if (plain.kind == Kind::Binary && plain.op == "||") {
      std::string reason = readCondition(plain.operands[0], values);
      return reason.empty() ? readCondition(plain.operands[1], values) : reason;
    }
    values.problem.clear();
    const auto condition = values.of(expression);
    if (!condition)
      return values.problem;
    for (const BitNumber &part : condition->anyOf.empty() ? std::vector{*condition} : condition->anyOf) {
      if (std::ranges::all_of(part.of, [](BitId bit) { return bit == kZeroBit; }))
        continue;
      if (std::ranges::find(part.of, kOneBit) != part.of.end())
        return "the loop ends in its first iteration";
      const auto truth = values.truthOf(part);
      if (!truth)
        return text(expression) + " is not decided by single bytes";
      std::vector<bool> &stays = stays_[static_cast<std::size_t>(truth->first)];
      for (std::size_t byte = 0; byte < stays.size(); ++byte)
        stays[byte] = stays[byte] && !truth->second[byte];
      values.setOccurring(truth->first, stays);
    }
    return {};
  }

  std::string whyNotSure() const {
    for (const Place &read : reads_)
      if (std::ranges::none_of(reads_,
                               [&](const Place &other) { return other.isSure && other.constant == read.constant; }))
        return text(*read.element) + " is not read in each iteration";
    return {};
  }

  /// Requires that the bytes of a block are there although the loop may end before it reads them.
  std::string whyNotAhead() const {
    for (const std::vector<bool> &stays : stays_)
      if (stays != stays_[0])
        return "the bytes of a group are not all tested alike";
    const auto staying = static_cast<std::size_t>(std::ranges::count(stays_[0], true));
    if (staying == 0 || staying == stays_[0].size())
      return staying == 0 ? "the loop ends in its first iteration" : "nothing ends the loop early";
    const Variable &array = nest_.variable(input_.base);
    const std::string reason = text(*input_.place) + " would be read in an iteration behind the one that leaves the " +
                               "loop, and nothing says that '" + array.name + "' is that long";
    const bool isUnsigned = loop_.lowerValue.isInteger && !loop_.lowerValue.isSigned;
    if (array.changes != 0 || array.escapes || !input_.first.linearIn(loop_.variable)->rest.isZero() ||
        loop_.lowerConstant.value_or(isUnsigned ? 0 : -1) < 0 || input_.constant < 0 || loop_.mayTruncateBound)
      return reason;
    const auto bound = loop_.upperValue.plain().value;
    if (array.extent > 0)
      return bound && *bound <= array.extent && *bound * input_.count + input_.constant <= array.extent ? "" : reason;
    const Extent *extent = context_.contract ? extentOf(*context_.contract, array.name) : nullptr;
    if (!extent || extent->direction == Direction::Out || input_.constant != 0)
      return reason + (!extent && array.isParameter ? "; AGENTIC_IN(" + array.name + ", …) would say so" : "");
    const std::string declared = withoutBlanks(extent->text), count = std::to_string(input_.count);
    const std::string upper = withoutBlanks(nest_.slice(loop_.upper));
    const bool isProduct = declared == count + "*" + upper || declared == upper + "*" + count;
    const bool isWhole = input_.count == 1 && declared == upper;
    return isWhole || isProduct || isPartOf(loop_.upperValue.plain(), declared) ? "" : reason;
  }

  static std::string withoutBlanks(std::string_view text) {
    std::string result(text);
    std::erase_if(result, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    return result;
  }

  /// Returns whether a bound is `declared / d`, so that d groups of at most d bytes fit: itself, or a variable of that
  /// value.
  bool isPartOf(const Expression &bound, const std::string &declared) const {
    if (bound.kind == Kind::Binary && bound.op == "/") {
      const Expression &whole = bound.operands[0].plain();
      const auto divisor = bound.operands[1].value;
      return divisor && *divisor >= input_.count && whole.kind == Kind::Variable &&
             nest_.variable(*whole.variable).name == declared && isFixed(*whole.variable);
    }
    if (bound.kind != Kind::Variable || !isFixed(*bound.variable))
      return false;
    const Expression *value = initialValue(nest_, *bound.variable);
    return value && value->plain().kind == Kind::Binary && isPartOf(value->plain(), declared);
  }

  bool isFixed(VariableId id) const {
    const Variable &variable = nest_.variable(id);
    return variable.kind == Variable::Kind::Scalar && variable.changes == 0 && !variable.isMutated &&
           !variable.escapes && !variable.isGlobal;
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  ByteLanes plan_;
  std::set<VariableId> declared_;
  std::vector<Place> reads_, writes_;
  Group input_, output_;
  std::vector<std::vector<bool>> stays_; ///< for each input byte: its values that do not end the loop
  std::vector<ByteNode> nodes_;
  std::vector<std::vector<BitId>> bytes_; ///< what is written
  bool hasTable_ = false;
};

} // namespace

ByteLanes planByteLanes(const MoveContext &context, const Loop &loop) {
  return LanesPlanner(context, loop).run();
}

} // namespace agentic::moves
