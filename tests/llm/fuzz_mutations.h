// Changes answers like broken or hostile servers. Deterministic for a seed, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace agentic {

/// SplitMix64: the standard library's distributions differ between implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }
  std::string bytes(std::size_t count);

private:
  std::uint64_t state_;
};

/// Makes one to four changes of `text`: of its bytes, of its JSON, of its framing; `other` lends pieces.
std::string mutated(std::string text, const std::string &other, Random &random);

/// Splits the text: into one, two, or many pieces of random sizes, some of them empty.
std::vector<std::string> split(const std::string &text, Random &random);

} // namespace agentic
