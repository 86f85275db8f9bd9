#include "tool/memory/change_words.h"

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace agentic {
namespace {

/// What is counted in a source. Only the differences of two counts mean something.
struct SourceCounts {
  int vectors = 0, widestVector = 0, shuffles = 0, bitCounts = 0, fusedProducts = 0, tables = 0, loops = 0, depth = 0;
  int unrolls = 0, prefetches = 0, branches = 0, restricts = 0, divisions = 0, narrow = 0, copies = 0, exits = 0;
  int accumulations = 0, scratch = 0, openConstants = 0;
};

struct ChangeRow {
  ChangeWord text;
  bool (*holds)(const SourceCounts &before, const SourceCounts &after);
};

template <int SourceCounts::*Count> bool appears(const SourceCounts &before, const SourceCounts &after) {
  return before.*Count == 0 && after.*Count > 0;
}
template <int SourceCounts::*Count> bool grows(const SourceCounts &before, const SourceCounts &after) {
  return after.*Count > before.*Count;
}
template <int SourceCounts::*Count> bool shrinks(const SourceCounts &before, const SourceCounts &after) {
  return after.*Count < before.*Count;
}

constexpr ChangeRow kRows[] = {
    {{"bit-counting", "instructions that count or move bits"}, appears<&SourceCounts::bitCounts>},
    {{"block-copies", "memory copied or set as a block"}, appears<&SourceCounts::copies>},
    {{"deeper-loops", "one more level of loops, as blocks have"}, grows<&SourceCounts::depth>},
    {{"early-exits", "more ways out of a loop"}, grows<&SourceCounts::exits>},
    {{"fewer-branches", "fewer branches"}, shrinks<&SourceCounts::branches>},
    {{"fewer-divisions", "fewer divisions and remainders"}, shrinks<&SourceCounts::divisions>},
    {{"fewer-loops", "loops joined, or one less"}, shrinks<&SourceCounts::loops>},
    {{"flatter-loops", "one level of loops less"}, shrinks<&SourceCounts::depth>},
    {{"fused-products", "products and sums in one instruction"}, appears<&SourceCounts::fusedProducts>},
    {{"lookup-table", "a table of constants"}, grows<&SourceCounts::tables>},
    {{"more-accumulators", "more sums at a time"},
     [](const SourceCounts &before, const SourceCounts &after) {
       return after.accumulations >= before.accumulations + 2;
     }},
    {{"more-branches", "more branches"}, grows<&SourceCounts::branches>},
    {{"more-loops", "a loop split, or one more"}, grows<&SourceCounts::loops>},
    {{"narrow-types", "narrower types"}, appears<&SourceCounts::narrow>},
    {{"open-constants", "constants whose values were searched"}, appears<&SourceCounts::openConstants>},
    {{"prefetching", "prefetches"}, appears<&SourceCounts::prefetches>},
    {{"restrict-pointers", "pointers declared not to overlap"}, grows<&SourceCounts::restricts>},
    {{"scratch-array", "an array of its own for what lies between"}, appears<&SourceCounts::scratch>},
    {{"shuffles", "shuffles or permutations of lanes"}, appears<&SourceCounts::shuffles>},
    {{"unrolling", "an unrolled loop"}, grows<&SourceCounts::unrolls>},
    {{"vector-instructions", "vector instructions by hand"}, appears<&SourceCounts::vectors>},
    {{"wider-vectors", "wider vectors"},
     [](const SourceCounts &before, const SourceCounts &after) {
       return before.widestVector > 0 && after.widestVector > before.widestVector;
     }},
};

bool isWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Splits into words, numbers and single signs; "+=" and the like are one. Comments and literals are left out.
std::vector<std::string_view> tokensOf(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else if (c == '"' || (c == '\'' && (at == 0 || !isWordByte(text[at - 1])))) {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      at = std::min(end + 1, text.size());
    } else if (isWordByte(c)) {
      std::size_t end = at;
      while (end < text.size() && isWordByte(text[end]))
        ++end;
      tokens.push_back(text.substr(at, end - at));
      at = end;
    } else {
      const bool isAssignment = rest.size() > 1 && rest[1] == '=' && std::string_view("+-*/%&|^").contains(c);
      if (std::isspace(static_cast<unsigned char>(c)) == 0)
        tokens.push_back(text.substr(at, isAssignment ? 2 : 1));
      at += isAssignment ? 2 : 1;
    }
  }
  return tokens;
}

int vectorBits(std::string_view word) {
  if (word.starts_with("__m512") || word.starts_with("_mm512_") || word.starts_with("__mmask"))
    return 512;
  if (word.starts_with("__m256") || word.starts_with("_mm256_"))
    return 256;
  const bool isOther = word.starts_with("__m128") || word.starts_with("_mm_") || word.starts_with("vld1") ||
                       word.starts_with("svld") || word.starts_with("__riscv_v") || word == "vector_size" ||
                       word == "__builtin_shufflevector";
  return isOther ? 128 : 0;
}

bool holds(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return word.contains(part); });
}

void countWord(std::string_view word, SourceCounts &counts) {
  if (const int bits = vectorBits(word); bits > 0) {
    ++counts.vectors;
    counts.widestVector = std::max(counts.widestVector, bits);
  }
  counts.shuffles += holds(word, {"shuffle", "permute", "vtbl", "vqtbl"}) ? 1 : 0;
  counts.bitCounts += holds(word, {"popcount", "popcnt", "countr_", "countl_", "ctz", "clz", "pext", "pdep"}) ? 1 : 0;
  counts.fusedProducts += word == "fma" || word == "fmaf" || holds(word, {"fmadd", "fmsub", "vfma"}) ? 1 : 0;
  counts.unrolls += holds(word, {"unroll"}) ? 1 : 0;
  counts.prefetches += holds(word, {"prefetch"}) ? 1 : 0;
  counts.branches += word == "if" || word == "switch" ? 1 : 0;
  counts.restricts += word == "__restrict" || word == "__restrict__" || word == "restrict" ? 1 : 0;
  counts.narrow += isOneOf(word, {"int8_t", "uint8_t", "int16_t", "uint16_t", "short", "_Float16"}) ? 1 : 0;
  counts.copies += isOneOf(word, {"memcpy", "memmove", "memset", "copy_n", "fill_n"}) ? 1 : 0;
  counts.exits += isOneOf(word, {"break", "return", "goto"}) ? 1 : 0;
  counts.openConstants += word == "AGENTIC_TUNE" ? 1 : 0;
}

/// Follows braces and heads of loops through the tokens of a source.
class SourceReader {
public:
  void read(std::string_view token, std::string_view before) {
    countWord(token, counts_);
    if (token == "for" || token == "while") {
      ++counts_.loops;
      loops_.push_back(braces_);
      counts_.depth = std::max(counts_.depth, static_cast<int>(loops_.size()));
    } else if (token == "(" || token == ")") {
      parentheses_ += token == "(" ? 1 : -1;
    } else if (token == "{") {
      if (isArray_ && before == "=") // "= {" behind "name[n]" fills an array
        ++(isConstant_ ? counts_.tables : counts_.scratch);
      else
        isConstant_ = isArray_ = false; // those of parameters
      ++braces_;
    } else if (token == "}" || token == ";") {
      end(token);
    } else {
      readOther(token, before);
    }
  }

  SourceCounts counts() const {
    SourceCounts all = counts_;
    all.accumulations = static_cast<int>(accumulated_.size());
    return all;
  }

private:
  /// A loop ends with its block, or without one at the end of its statement; not at the ";" of its head.
  void end(std::string_view token) {
    braces_ -= token == "}" ? 1 : 0;
    if (token == "}" || parentheses_ == 0)
      while (!loops_.empty() && loops_.back() >= braces_)
        loops_.pop_back();
    isConstant_ = isArray_ = false;
  }

  void readOther(std::string_view token, std::string_view before) {
    if (token == "const" || token == "constexpr")
      isConstant_ = true;
    else if (token == "]")
      isArray_ = true;
    else if (token == "+=" && !before.empty() && isWordByte(before.front()))
      accumulated_.insert(before);
    else if (isOneOf(token, {"/", "%", "/=", "%="}))
      ++counts_.divisions;
    else if (token == "?")
      ++counts_.branches;
  }

  SourceCounts counts_;
  std::set<std::string_view> accumulated_;
  std::vector<int> loops_; ///< the depth of braces at which each open one began
  int braces_ = 0, parentheses_ = 0;
  bool isConstant_ = false, isArray_ = false;
};

SourceCounts countsOf(std::string_view source) {
  const std::vector<std::string_view> tokens = tokensOf(source);
  SourceReader reader;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    reader.read(tokens[i], i > 0 ? tokens[i - 1] : std::string_view());
  return reader.counts();
}

} // namespace

std::span<const ChangeWord> changeWords() {
  static const std::vector<ChangeWord> words = [] {
    std::vector<ChangeWord> all;
    for (const ChangeRow &row : kRows)
      all.push_back(row.text);
    return all;
  }();
  return words;
}

std::vector<std::string> changeWordsOf(std::string_view before, std::string_view after) {
  const SourceCounts old = countsOf(before), now = countsOf(after);
  std::vector<std::string> words;
  for (const ChangeRow &row : kRows)
    if (row.holds(old, now))
      words.emplace_back(row.text.word);
  return words;
}

std::vector<std::string> moveNames(std::string_view recipe) {
  std::set<std::string> names;
  std::string name;
  int depth = 0; // what stands in parentheses is the kernel's
  for (const char c : recipe) {
    if (c == '(' && depth++ == 0 && name.size() >= 2)
      names.insert(name);
    depth -= c == ')' && depth > 0 ? 1 : 0;
    const bool isOfName = depth == 0 && ((c >= 'a' && c <= 'z') || c == '-');
    name = isOfName ? name + c : "";
  }
  return {names.begin(), names.end()};
}

std::string changeText(std::span<const std::string> words) {
  std::vector<std::string> parts;
  for (const std::string &word : words) {
    const auto row = std::ranges::find(kRows, std::string_view(word), [](const ChangeRow &r) { return r.text.word; });
    parts.emplace_back(row == std::end(kRows) ? std::string_view(word) : row->text.meaning);
  }
  return join(parts, "; ");
}

ChangedLines changedLines(std::string_view before, std::string_view after) {
  const std::vector<std::string> old = split(before, '\n'), now = split(after, '\n');
  std::size_t begin = 0, end = 0;
  const std::size_t shorter = std::min(old.size(), now.size());
  while (begin < shorter && old[begin] == now[begin])
    ++begin;
  while (end < shorter - begin && old[old.size() - 1 - end] == now[now.size() - 1 - end])
    ++end;
  const auto middle = [&](const std::vector<std::string> &lines) {
    return join(std::span(lines).subspan(begin, lines.size() - begin - end), "\n");
  };
  return {middle(old), middle(now)};
}

} // namespace agentic
