// Tells whether a text holds lines of another. Compares tokens: white space, comments, line breaks and braces do not
// matter. Renamed identifiers are not seen through. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace agentic {

/// So many consecutive lines that hold code are a copy, if they have kGramTokens tokens or more between them.
inline constexpr std::size_t kCopiedLines = 8, kGramTokens = 16;

/// The tokens of a text as hashes, which are the same in every process and on every machine.
class TokenHashes {
public:
  /// A line that holds a name, a number or a literal: its tokens, and its number from 1.
  struct Line {
    std::size_t begin = 0, end = 0;
    unsigned number = 0;
  };

  explicit TokenHashes(std::string_view text);
  std::size_t size() const { return sums_.size() - 1; }
  const std::vector<Line> &lines() const { return lines_; }
  /// Returns the hash of `count` tokens from `begin`, in constant time.
  std::uint64_t of(std::size_t begin, std::size_t count) const {
    return sums_[begin + count] - sums_[begin] * powers_[count];
  }

private:
  std::vector<std::uint64_t> sums_, powers_; ///< of the first n tokens; of the base
  std::vector<Line> lines_;
};

/// Returns hashes of kGramTokens tokens each, sorted: about one for three lines, of every kCopiedLines lines at least
/// one that lies within them. A text without any of them copies nothing of this one.
std::vector<std::uint64_t> fingerprintsOf(const TokenHashes &source);

struct CopiedLines {
  unsigned first = 0, last = 0; ///< in the source
  std::size_t count = 0;        ///< of them those that hold code
};

/// Compares one candidate with any number of sources.
class CopyFinder {
public:
  /// What the baseline itself holds is no copy.
  CopyFinder(std::string_view candidate, std::string_view baseline) : candidate_(candidate), baseline_(baseline) {}

  /// Returns what the fingerprints of a source are looked for in: all distinct hashes of kGramTokens tokens.
  std::vector<std::uint64_t> fingerprints() const;

  /// Returns the longest run of lines that are copied. Linear in the source for texts that do not repeat themselves.
  std::optional<CopiedLines> in(std::string_view source) const;

private:
  class Text {
  public:
    explicit Text(std::string_view text);
    const std::unordered_map<std::uint64_t, std::vector<std::size_t>> &starts() const { return starts_; }
    bool holds(const TokenHashes &other, std::size_t begin, std::size_t count) const;

  private:
    TokenHashes tokens_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> starts_; ///< by the hash of kGramTokens tokens
  };
  Text candidate_, baseline_;
};

} // namespace agentic
