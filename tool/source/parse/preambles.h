// Parses the headers of units that begin alike once: they are nearly all of the time of a parse.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>

namespace clang {
class CompilerInvocation;
class FileManager;
class PrecompiledPreamble;
} // namespace clang

namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace agentic {

/// Keeps the last few preambles (leading directives of a unit) in memory, as precompiled headers of some 10 MB each. A
/// preamble is precompiled when a second unit begins with it, and again when a header has changed. Thread-compatible.
class Preambles {
public:
  Preambles();
  ~Preambles();

  /// Changes an invocation for `text` to use the preamble that it begins with, and `files` to show that. Does nothing
  /// without one, or where it cannot be precompiled. This object must outlive the compiler's run.
  void use(clang::CompilerInvocation &invocation, const std::string &path, const std::string &text,
           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files);

private:
  struct Entry;
  std::list<Entry> entries_; ///< the last used one first
};

} // namespace agentic
