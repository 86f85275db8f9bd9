#include "tool/source/parse/preambles.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/PrecompiledPreamble.h>
#include <clang/Lex/Lexer.h>
#include <clang/Serialization/PCHContainerOperations.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostKept = 4;

std::optional<clang::PrecompiledPreamble> precompiled(const clang::CompilerInvocation &invocation,
                                                      const llvm::MemoryBuffer &text, clang::PreambleBounds bounds,
                                                      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  clang::IgnoringDiagConsumer nobody;
  const auto diagnostics =
      clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions(), &nobody, /*ShouldOwnClient=*/false);
  clang::PreambleCallbacks callbacks;
  auto built = clang::PrecompiledPreamble::Build(invocation, &text, bounds, *diagnostics, std::move(files),
                                                 std::make_shared<clang::PCHContainerOperations>(),
                                                 /*StoreInMemory=*/true, /*StoragePath=*/"", callbacks);
  if (!built || diagnostics->hasErrorOccurred())
    return std::nullopt;
  return std::move(*built);
}

} // namespace

struct Preambles::Entry {
  std::string text;
  std::optional<clang::PrecompiledPreamble> precompiled;
  bool isTried = false;
};

Preambles::Preambles() = default;
Preambles::~Preambles() = default;

void Preambles::use(clang::CompilerInvocation &invocation, const std::string &path, const std::string &text,
                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, path);
  const auto bounds = clang::ComputePreambleBounds(invocation.getLangOpts(), *buffer, /*MaxLines=*/0);
  if (bounds.Size == 0)
    return;
  std::string begin = text.substr(0, bounds.Size);
  const auto known = std::ranges::find(entries_, begin, &Entry::text);
  if (known == entries_.end()) {
    entries_.push_front({.text = std::move(begin), .precompiled = {}});
    if (entries_.size() > kMostKept)
      entries_.pop_back();
    return;
  }
  entries_.splice(entries_.begin(), entries_, known);
  Entry &entry = entries_.front();
  const bool isStale = entry.precompiled && !entry.precompiled->CanReuse(invocation, *buffer, bounds, *files);
  if (!std::exchange(entry.isTried, true) || isStale)
    entry.precompiled = precompiled(invocation, *buffer, bounds, files);
  if (entry.precompiled)
    entry.precompiled->AddImplicitPreamble(invocation, files, buffer.release()); // the compiler owns the text
}

} // namespace agentic
