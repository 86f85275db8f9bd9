#include "tool/source/moves/byte_lanes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace agentic::moves {
namespace {

using Bytes = std::vector<std::vector<BitId>>; ///< the bits of each byte that is written

const std::string kIrregular = "the values of a table are too irregular for comparisons with its bytes";

int operationsOf(const ByteFunction &function) {
  return function.steps ? function.steps->operations : function.shuffle->operations;
}

/// Decides how the bytes of a lane are computed: functions of the input bytes, bits that move, a function of the
/// result.
class LanePlanner {
public:
  LanePlanner(ByteLanes &plan, const std::vector<ByteNode> &nodes, const Bytes &bytes) : plan_(plan), nodes_(nodes) {
    for (const int most = std::max(plan.inputs, plan.outputs); plan.width < most;)
      plan.width *= 2;
    bytes_ = bytes;
  }

  std::string run() {
    std::optional<ByteLanes> best;
    int least = 0;
    for (const bool isAfter : {false, true}) {
      ByteLanes plan = plan_;
      const auto operations = isAfter ? tryAfter(plan) : tryBefore(plan, bytes_);
      if (operations && (!best || *operations < least)) {
        best = std::move(plan);
        least = *operations;
      }
    }
    if (!best)
      return reason_;
    plan_ = std::move(*best);
    return {};
  }

private:
  std::optional<int> failed(std::string reason) {
    if (reason_.empty())
      reason_ = std::move(reason);
    return std::nullopt;
  }

  /// Every byte is a bit pattern of functions of single input bytes.
  std::optional<int> tryBefore(ByteLanes &plan, const Bytes &bytes) {
    std::vector<ByteTable> tables;
    std::map<int, int> functionOf; // by node
    for (const std::vector<BitId> &byte : bytes)
      for (const BitId bit : byte) {
        if (bit < 0 || nodes_[static_cast<std::size_t>(bit / 8)].input >= 0 || functionOf.contains(bit / 8))
          continue;
        const auto table = tableOf(nodes_[static_cast<std::size_t>(bit / 8)], plan.stays);
        if (!table)
          return failed("a table is read at a place that several bytes decide, and its value is mixed with others");
        functionOf[bit / 8] = merged(*table, tables);
      }
    int operations = 0;
    for (const ByteTable &table : tables) {
      auto function = byteFunctionOf(table);
      if (!function)
        return failed(kIrregular);
      operations += operationsOf(*function);
      plan.functions.push_back(std::move(*function));
    }
    return operations + route(plan, bytes, tables, functionOf);
  }

  /// Every byte is the same function of a number that is gathered from the input's bits.
  std::optional<int> tryAfter(ByteLanes &plan) {
    Bytes numbers;
    ByteTable after(256, kNever);
    for (const std::vector<BitId> &byte : bytes_) {
      const auto first = std::ranges::find_if(byte, [](BitId bit) { return bit >= 0; });
      if (first == byte.end())
        return std::nullopt;
      const ByteNode &node = nodes_[static_cast<std::size_t>(*first / 8)];
      const bool isOther = std::ranges::any_of(byte, [&](BitId bit) { return bit >= 0 && bit / 8 != *first / 8; });
      if (node.input >= 0 || isOther)
        return std::nullopt;
      for (std::size_t number = 0; number < node.table.size(); ++number) {
        if (!node.occurs[number])
          continue;
        int value = 0;
        for (int place = 0; place < 8; ++place) {
          const BitId bit = byte[static_cast<std::size_t>(place)];
          value |= (bit >= 0 ? node.table[number] >> (bit % 8) & 1 : bit == kOneBit) << place;
        }
        if (after[number] != kNever && after[number] != value)
          return std::nullopt;
        after[number] = value;
      }
      numbers.push_back(node.source);
      numbers.back().resize(8, kZeroBit);
    }
    plan.after = byteFunctionOf(after);
    if (!plan.after)
      return failed(kIrregular);
    const auto operations = tryBefore(plan, numbers);
    return operations ? std::optional(*operations + operationsOf(*plan.after)) : std::nullopt;
  }

  /// Returns a node as a function of the one input byte that decides it.
  std::optional<ByteTable> tableOf(const ByteNode &node, const std::vector<bool> &stays) const {
    for (const BitId bit : node.source)
      if (bit / 8 != node.source[0] / 8 || nodes_[static_cast<std::size_t>(bit / 8)].input < 0)
        return std::nullopt;
    ByteTable table(256, kNever);
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (!stays[byte])
        continue;
      std::size_t number = 0;
      for (std::size_t i = 0; i < node.source.size(); ++i)
        number |= (byte >> (node.source[i] % 8) & 1) << i;
      table[byte] = node.table[number];
    }
    return table;
  }

  static int merged(const ByteTable &table, std::vector<ByteTable> &tables) {
    const auto found = std::ranges::find(tables, table);
    const auto index = static_cast<int>(found - tables.begin());
    if (found == tables.end())
      tables.push_back(table);
    return index;
  }

  /// Fills the terms for the places that need the fewest operations, and returns how many.
  int route(ByteLanes &plan, const Bytes &bytes, const std::vector<ByteTable> &tables,
            const std::map<int, int> &functionOf) const {
    std::vector<int> order(static_cast<std::size_t>(plan.width));
    std::iota(order.begin(), order.end(), 0);
    int least = 0;
    std::set<std::vector<int>> tried;
    do {
      const std::vector<int> places(order.begin(), order.begin() + plan.outputs);
      if (!tried.insert(places).second)
        continue;
      ByteLanes other = plan;
      other.places = places;
      other.terms.clear();
      other.ones = 0;
      const int operations = terms(other, bytes, tables, functionOf);
      if (plan.places.empty() || operations < least) {
        plan.places = places;
        plan.terms = std::move(other.terms);
        plan.ones = other.ones;
        least = operations;
      }
    } while (plan.outputs == 3 && std::ranges::next_permutation(order).found); // the others need no shuffle
    return least;
  }

  int terms(ByteLanes &plan, const Bytes &bytes, const std::vector<ByteTable> &tables,
            const std::map<int, int> &functionOf) const {
    std::map<std::pair<int, int>, std::uint32_t> masks; // by function and shift
    std::uint32_t cared = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (int place = 0; place < 8; ++place) {
        const BitId bit = bytes[at][static_cast<std::size_t>(place)];
        const int to = 8 * plan.places[at] + place;
        cared |= 1U << to;
        if (bit == kOneBit)
          plan.ones |= 1U << to;
        if (bit < 0)
          continue;
        const ByteNode &node = nodes_[static_cast<std::size_t>(bit / 8)];
        const int input = node.input >= 0 ? node.input : nodes_[static_cast<std::size_t>(node.source[0] / 8)].input;
        const int function = node.input >= 0 ? -1 : functionOf.at(bit / 8);
        masks[{function, to - (8 * input + bit % 8)}] |= 1U << to;
      }
    int operations = 0;
    for (const auto &[key, mask] : masks) {
      const auto &[function, shift] = key;
      const std::uint32_t set = settable(plan, function < 0 ? nullptr : &tables[static_cast<std::size_t>(function)]);
      const std::uint32_t moved = shift < 0 ? set >> -shift : set << shift;
      const bool needsMask = (moved & cared & ~mask) != 0;
      plan.terms.push_back({function, shift, mask, needsMask});
      operations += 1 + (shift != 0) + needsMask;
    }
    return operations;
  }

  /// Returns the bits of a lane that the values of a function may have.
  static std::uint32_t settable(const ByteLanes &plan, const ByteTable *table) {
    int byte = 0;
    for (std::size_t value = 0; value < 256; ++value)
      if (plan.stays[value])
        byte |= table ? (*table)[value] : static_cast<int>(value);
    std::uint32_t set = 0;
    for (int place = 0; place < plan.width; ++place) {
      const bool isRead = place < plan.inputs || plan.inputs == 3; // else 0
      set |= static_cast<std::uint32_t>(isRead ? byte : table ? 255 : 0) << (8 * place);
    }
    return set;
  }

  ByteLanes &plan_;
  const std::vector<ByteNode> &nodes_;
  Bytes bytes_;
  std::string reason_;
};

} // namespace

std::string fillLane(ByteLanes &plan, const std::vector<ByteNode> &nodes,
                     const std::vector<std::vector<BitId>> &bytes) {
  if (plan.leaves && plan.inputs < std::max(plan.inputs, plan.outputs) && plan.inputs != 3)
    return "an 'if' ends it, and it writes more bytes than it reads";
  LanePlanner planner(plan, nodes, bytes);
  return bytes.empty() ? "" : planner.run();
}

} // namespace agentic::moves
