// Names the functions that an address of a program or library belongs to: by its debug information, inlined functions
// among them, else by its symbols.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace agentic {

struct SymbolFrame {
  std::string linkageName; ///< as compilers write it; empty: nothing is known
  std::string name;        ///< as people read it: "ns::sum(float const*, int)"
  std::string file;        ///< absolute, of the function's own text; empty: no debug information tells
  unsigned line = 0;       ///< of the function's name there; 0: unknown
};

/// Keeps the files that it has read. Not thread-safe.
class Symbolizer {
public:
  Symbolizer();
  ~Symbolizer();

  /// Returns the function that holds the code at this offset of the file, last, after the functions that were inlined
  /// there, the innermost first. Empty: the file cannot be read, or is no ELF file with code there. Cost: the first
  /// call for a file reads its symbols (milliseconds) and the index of its debug information; the rest microseconds.
  std::vector<SymbolFrame> framesAt(const std::string &file, std::uint64_t offset);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the linkage name of the function that a compiler's part or copy of it was made from: "f" of "f.part.0",
/// "f.constprop.1.isra.0" and "f.cold". Pure.
std::string withoutCloneSuffix(const std::string &linkageName);

} // namespace agentic
