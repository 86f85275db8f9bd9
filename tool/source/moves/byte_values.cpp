#include "tool/source/moves/byte_values.h"
#include "tool/source/loops/evaluate.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
using Bits = std::vector<BitId>;

BitNumber constantNumber(std::int64_t value, const Expression &type) {
  BitNumber number{.bits = type.bits, .isSigned = type.isSigned, .of = {}, .anyOf = {}};
  for (unsigned place = 0; place < type.bits; ++place)
    number.of.push_back((value >> place & 1) != 0 ? kOneBit : kZeroBit);
  return number;
}

/// Converts a number to an integer type other than bool.
BitNumber converted(const BitNumber &number, const Expression &type) {
  BitNumber result{.bits = type.bits, .isSigned = type.isSigned, .of = number.of, .anyOf = {}};
  result.of.resize(type.bits, number.isSigned ? number.of.back() : kZeroBit);
  return result;
}

/// Returns `number << by`, or `number >> -by`.
Bits shifted(const BitNumber &number, std::int64_t by) {
  Bits result;
  for (std::int64_t place = 0; place < static_cast<std::int64_t>(number.bits); ++place) {
    const std::int64_t from = place - by;
    result.push_back(from < 0             ? kZeroBit
                     : from < number.bits ? number.of[static_cast<std::size_t>(from)]
                     : number.isSigned    ? number.of.back()
                                          : kZeroBit);
  }
  return result;
}

std::optional<BitId> joinedBit(std::string_view op, BitId left, BitId right) {
  if (op == "&") {
    if (left == kZeroBit || right == kZeroBit)
      return kZeroBit;
    return left == kOneBit || left == right ? std::optional(right)
           : right == kOneBit               ? std::optional(left)
                                            : std::nullopt;
  }
  if (left == kZeroBit || right == kZeroBit)
    return left == kZeroBit ? right : left;
  if (op == "|" && (left == kOneBit || right == kOneBit))
    return kOneBit;
  return op == "|" && left == right ? std::optional(left) : std::nullopt;
}

/// What only moves bits: nullopt for anything else.
std::optional<Bits> moved(const Expression &expression, const std::vector<BitNumber> &operands) {
  const std::string &op = expression.op;
  if (expression.kind != Kind::Binary || operands.size() != 2)
    return std::nullopt;
  const auto right = expression.operands[1].value;
  if (op == "<<" || op == ">>")
    return right && *right >= 0 && *right < static_cast<std::int64_t>(expression.bits) &&
                   operands[0].bits == expression.bits
               ? std::optional(shifted(operands[0], op == "<<" ? *right : -*right))
               : std::nullopt;
  if (operands[0].bits != expression.bits || operands[1].bits != expression.bits)
    return std::nullopt;
  if (op == "*" && right && *right > 0 && (*right & (*right - 1)) == 0)
    return shifted(operands[0], __builtin_ctzll(static_cast<unsigned long long>(*right)));
  if (op != "&" && op != "|" && op != "^" && op != "+")
    return std::nullopt;
  Bits result;
  for (unsigned place = 0; place < expression.bits; ++place) {
    const auto bit = joinedBit(op, operands[0].of[place], operands[1].of[place]);
    if (!bit)
      return std::nullopt;
    result.push_back(*bit);
  }
  return result;
}

bool isNeverNegative(const BitNumber &number) {
  return !number.isSigned || number.of.back() == kZeroBit;
}

/// Returns whether an operation gives for `a | b` the `or` of what it gives for a and b: as a condition, if it is one.
bool isDistributive(const Expression &expression, const BitNumber &operand) {
  if (expression.kind == Kind::Cast)
    return true;
  if (expression.kind != Kind::Binary || !expression.operands[1].value)
    return false;
  const std::string &op = expression.op;
  const std::int64_t right = *expression.operands[1].value;
  if (op == "&" || op == ">>" || op == "<<")
    return true;
  if (op == "!=" || op == "<")
    return right == 0;
  const std::int64_t least = op == ">" ? right + 1 : op == ">=" ? right : 0;
  return least > 0 && (least & (least - 1)) == 0 && std::ranges::all_of(operand.anyOf, isNeverNegative);
}

} // namespace

ByteValues::ByteValues(const Nest &nest, std::function<std::optional<int>(const Expression &)> inputOf,
                       std::vector<std::vector<bool>> occurring)
    : nest_(nest), inputOf_(std::move(inputOf)) {
  for (std::size_t input = 0; input < occurring.size(); ++input)
    nodes_.push_back(
        {.input = static_cast<int>(input), .source = {}, .table = {}, .occurs = std::move(occurring[input])});
}

void ByteValues::setOccurring(int input, std::vector<bool> occurring) {
  nodes_[static_cast<std::size_t>(input)].occurs = std::move(occurring);
}

std::optional<BitNumber> ByteValues::failed(std::string reason) {
  if (problem.empty())
    problem = std::move(reason);
  return std::nullopt;
}

std::optional<BitNumber> ByteValues::of(const Expression &expression) {
  const std::string text = "'" + std::string(nest_.slice(expression.range)) + "'";
  if (!expression.isInteger || expression.bits == 0 || expression.bits > 64)
    return failed(text + " is no integer of at most 64 bits");
  if (expression.value)
    return constantNumber(*expression.value, expression);
  if (const auto input = inputOf_(expression)) {
    BitNumber number{.bits = 8, .isSigned = expression.isSigned, .of = {}, .anyOf = {}};
    for (int place = 0; place < 8; ++place)
      number.of.push_back(8 * *input + place);
    return number;
  }
  if (expression.kind == Kind::Variable) {
    const auto found = variables_.find(*expression.variable);
    if (found == variables_.end())
      return failed(text + " is not computed from the bytes of an iteration");
    return found->second ? found->second : failed(text + " is not understood");
  }
  const bool isElement = expression.kind == Kind::Element && expression.operands.size() == 2;
  const bool isOperation = expression.kind == Kind::Cast || expression.kind == Kind::Unary ||
                           expression.kind == Kind::Binary || expression.kind == Kind::Conditional;
  if (!expression.isPure || (!isElement && !isOperation))
    return failed(text + " is not understood");
  std::vector<BitNumber> operands;
  for (std::size_t i = isElement ? 1 : 0; i < expression.operands.size(); ++i) {
    auto operand = of(expression.operands[i]);
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  hasTable_ |= isElement;
  return applied(expression, operands);
}

std::optional<BitNumber> ByteValues::applied(const Expression &expression, const std::vector<BitNumber> &operands) {
  const auto isJoin = [](const BitNumber &operand) { return !operand.anyOf.empty(); };
  const bool joins = expression.kind == Kind::Binary && (expression.op == "|" || expression.op == "||");
  if (std::ranges::any_of(operands, isJoin)) {
    if (joins)
      return joined(expression, operands);
    if (!isJoin(operands[0]) || std::ranges::count_if(operands, isJoin) != 1 ||
        !isDistributive(expression, operands[0]))
      return failed("'" + std::string(nest_.slice(expression.range)) + "' depends on several bytes");
    BitNumber result{.bits = expression.bits, .isSigned = expression.isSigned, .of = {}, .anyOf = {}};
    for (const BitNumber &part : operands[0].anyOf) {
      std::vector<BitNumber> alone = operands;
      alone[0] = part;
      auto value = applied(expression, alone);
      if (!value)
        return std::nullopt;
      result.anyOf.push_back(std::move(*value));
    }
    return result;
  }
  if (expression.kind == Kind::Cast && expression.type != "bool")
    return converted(operands[0], expression);
  if (auto bits = moved(expression, operands))
    return BitNumber{.bits = expression.bits, .isSigned = expression.isSigned, .of = std::move(*bits), .anyOf = {}};
  const std::size_t first = expression.kind == Kind::Element ? 1 : 0;
  const auto run = [&](const std::vector<std::int64_t> &values) {
    return evaluate(nest_, expression, [&](const Expression &part) -> std::optional<std::int64_t> {
      for (std::size_t i = first; i < expression.operands.size(); ++i)
        if (&part == &expression.operands[i])
          return values[i - first];
      return std::nullopt;
    });
  };
  if (auto value = tabulated(operands, run, expression))
    return value;
  if (!joins)
    return failed("'" + std::string(nest_.slice(expression.range)) +
                  "' depends on several bytes, or is not defined for some");
  return joined(expression, operands);
}

/// `a | b` and `a || b` of numbers that different bytes decide.
std::optional<BitNumber> ByteValues::joined(const Expression &expression, const std::vector<BitNumber> &operands) {
  BitNumber result{.bits = expression.bits, .isSigned = expression.isSigned, .of = {}, .anyOf = {}};
  for (const BitNumber &operand : operands)
    for (const BitNumber &part : operand.anyOf.empty() ? std::vector{operand} : operand.anyOf) {
      if (expression.op == "|") {
        result.anyOf.push_back(part);
        continue;
      }
      const auto truth =
          tabulated({part}, [](const auto &values) { return std::optional<std::int64_t>(values[0] != 0); }, expression);
      if (!truth)
        return failed("'" + std::string(nest_.slice(expression.range)) + "' depends on several bytes");
      result.anyOf.push_back(*truth);
    }
  return result;
}

void ByteValues::expand(BitId bit, Source &source) const {
  if (bit < 0)
    return;
  const ByteNode &node = nodes_[static_cast<std::size_t>(bit / 8)];
  if (node.input >= 0)
    source.push_back(bit);
  for (const BitId inner : node.source)
    expand(inner, source);
}

/// Returns the bits of the input that decide the operands, or the bits themselves if those are fewer: in the order of
/// the operands' places, so that the number that they make is a table's index.
std::optional<ByteValues::Source> ByteValues::sourceOf(const std::vector<BitNumber> &operands) const {
  Source direct, inputs;
  for (const BitNumber &operand : operands)
    for (const BitId bit : operand.of) {
      if (bit >= 0)
        direct.push_back(bit);
      expand(bit, inputs);
    }
  for (Source *source : {&inputs, &direct}) {
    Source once;
    for (const BitId bit : *source)
      if (std::ranges::find(once, bit) == once.end())
        once.push_back(bit);
    if (once.size() <= kMostBits)
      return once;
  }
  return std::nullopt;
}

/// Returns for each number that the bits can make whether they ever do.
std::vector<bool> ByteValues::occurring(const Source &source) const {
  std::vector<bool> result(std::size_t{1} << source.size(), true);
  std::set<int> nodes;
  for (const BitId bit : source)
    nodes.insert(bit / 8);
  for (const int index : nodes) {
    const ByteNode &node = nodes_[static_cast<std::size_t>(index)];
    std::size_t own = 0; // the bits of this node
    for (std::size_t i = 0; i < source.size(); ++i)
      own |= static_cast<std::size_t>(source[i] / 8 == index) << i;
    std::vector<bool> isPart(result.size());
    for (std::size_t value = 0; value < node.occurs.size(); ++value) {
      const unsigned byte = node.input >= 0 ? static_cast<unsigned>(value) : node.table[value];
      std::size_t part = 0;
      for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i] / 8 == index)
          part |= static_cast<std::size_t>(byte >> (source[i] % 8) & 1) << i;
      if (node.occurs[value])
        isPart[part] = true;
    }
    for (std::size_t number = 0; number < result.size(); ++number)
      result[number] = result[number] && isPart[number & own];
  }
  return result;
}

bool ByteValues::valueOf(BitId bit, const Source &source, std::size_t number) const {
  if (bit < 0)
    return bit == kOneBit;
  if (const auto found = std::ranges::find(source, bit); found != source.end())
    return (number >> (found - source.begin()) & 1) != 0;
  const ByteNode &node = nodes_[static_cast<std::size_t>(bit / 8)];
  std::size_t index = 0;
  for (std::size_t i = 0; i < node.source.size(); ++i)
    index |= static_cast<std::size_t>(valueOf(node.source[i], source, number)) << i;
  return (node.table[index] >> (bit % 8) & 1) != 0;
}

std::optional<std::int64_t> ByteValues::valueOf(const BitNumber &number, const Source &source, std::size_t at) const {
  std::uint64_t value = 0;
  for (unsigned place = 0; place < number.bits; ++place)
    value |= static_cast<std::uint64_t>(valueOf(number.of[place], source, at)) << place;
  const bool isNegative = (value >> (number.bits - 1) & 1) != 0;
  if (isNegative && number.isSigned && number.bits < 64)
    value |= ~std::uint64_t{0} << number.bits;
  if (isNegative && !number.isSigned && number.bits == 64)
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<BitNumber> ByteValues::tabulated(const std::vector<BitNumber> &operands, const Operation &operation,
                                               const Expression &type) {
  const auto source = sourceOf(operands);
  if (!source)
    return std::nullopt;
  const std::vector<bool> occurs = occurring(*source);
  std::vector<std::uint64_t> results(occurs.size());
  for (std::size_t number = 0; number < occurs.size(); ++number) {
    if (!occurs[number])
      continue;
    std::vector<std::int64_t> values;
    for (const BitNumber &operand : operands) {
      const auto value = valueOf(operand, *source, number);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    const auto result = operation(values);
    if (!result)
      return std::nullopt;
    results[number] = static_cast<std::uint64_t>(*result);
  }
  return numberOf(*source, results, occurs, type);
}

BitNumber ByteValues::numberOf(const Source &source, const std::vector<std::uint64_t> &results,
                               const std::vector<bool> &occurs, const Expression &type) {
  BitNumber number{.bits = type.bits, .isSigned = type.isSigned, .of = {}, .anyOf = {}};
  const auto isSame = [&](unsigned place, const auto &other) {
    for (std::size_t at = 0; at < results.size(); ++at)
      if (occurs[at] && (results[at] >> place & 1) != static_cast<std::uint64_t>(other(at)))
        return false;
    return true;
  };
  const auto known = [&](unsigned place, bool mayMove) -> std::optional<BitId> {
    for (const bool one : {false, true})
      if (isSame(place, [&](std::size_t) { return one; }))
        return one ? kOneBit : kZeroBit;
    for (std::size_t i = 0; mayMove && i < source.size(); ++i)
      if (isSame(place, [&](std::size_t at) { return (at >> i & 1) != 0; }))
        return source[i];
    return std::nullopt;
  };
  bool onlyMoves = true;
  for (unsigned place = 0; place < type.bits; ++place)
    onlyMoves &= known(place, true).has_value();
  for (unsigned place = 0; place < type.bits; ++place) {
    auto bit = known(place, onlyMoves);
    for (unsigned earlier = place; !bit && place >= 8 && earlier-- > 0;) // the sign is repeated
      if (isSame(place, [&](std::size_t at) { return (results[at] >> earlier & 1) != 0; }))
        bit = number.of[earlier];
    number.of.push_back(bit ? *bit : bitOf(source, results, occurs, place));
  }
  return number;
}

/// Returns the bit of a node whose table is this byte of the results.
BitId ByteValues::bitOf(const Source &source, const std::vector<std::uint64_t> &results,
                        const std::vector<bool> &occurs, unsigned place) {
  ByteNode node{.input = -1, .source = source, .table = {}, .occurs = occurs};
  for (const std::uint64_t result : results)
    node.table.push_back(static_cast<std::uint8_t>(result >> (place / 8 * 8)));
  const auto found = std::ranges::find_if(nodes_, [&](const ByteNode &other) {
    return other.input < 0 && other.source == node.source && other.table == node.table && other.occurs == node.occurs;
  });
  const auto index = static_cast<int>(found - nodes_.begin());
  if (found == nodes_.end())
    nodes_.push_back(std::move(node));
  return 8 * index + static_cast<int>(place % 8);
}

std::optional<std::pair<int, std::vector<bool>>> ByteValues::truthOf(const BitNumber &number) const {
  Source inputs;
  for (const BitId bit : number.of)
    expand(bit, inputs);
  if (inputs.empty() || std::ranges::any_of(inputs, [&](BitId bit) { return bit / 8 != inputs.front() / 8; }))
    return std::nullopt;
  const int input = inputs.front() / 8;
  Source all;
  for (int place = 0; place < 8; ++place)
    all.push_back(8 * input + place);
  std::vector<bool> result;
  for (std::size_t byte = 0; byte < 256; ++byte)
    result.push_back(std::ranges::any_of(number.of, [&](BitId bit) { return valueOf(bit, all, byte); }));
  return std::pair{input, std::move(result)};
}

} // namespace agentic::moves
