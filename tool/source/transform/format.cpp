#include "tool/source/transform/format.h"

#include <clang/Format/Format.h>

namespace agentic {

std::string formatted(const std::string &text, const std::string &source) {
  auto found = clang::format::getStyle("file", source, "LLVM");
  if (!found) {
    llvm::consumeError(found.takeError());
    found = clang::format::getLLVMStyle();
  }
  clang::format::FormatStyle style = *found;
  style.SortIncludes = clang::format::FormatStyle::SI_Never; // order may matter, and only layout is wanted
  const clang::tooling::Range whole(0, static_cast<unsigned>(text.size()));
  auto result = clang::tooling::applyAllReplacements(text, clang::format::reformat(style, text, {whole}, source));
  if (!result) {
    llvm::consumeError(result.takeError());
    return text;
  }
  return *result;
}

} // namespace agentic
