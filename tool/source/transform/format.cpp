#include "tool/source/transform/format.h"

#include <clang/Format/Format.h>

namespace agentic {
namespace {

std::string formattedAs(clang::format::FormatStyle style, const std::string &text, const std::string &source) {
  style.SortIncludes = clang::format::FormatStyle::SI_Never; // order may matter, and only layout is wanted
  const clang::tooling::Range whole(0, static_cast<unsigned>(text.size()));
  auto result = clang::tooling::applyAllReplacements(text, clang::format::reformat(style, text, {whole}, source));
  if (!result) {
    llvm::consumeError(result.takeError());
    return text;
  }
  return *result;
}

} // namespace

std::string formatted(const std::string &text, const std::string &source) {
  auto found = clang::format::getStyle("file", source, "LLVM");
  if (!found) {
    llvm::consumeError(found.takeError());
    found = clang::format::getLLVMStyle();
  }
  return formattedAs(*found, text, source);
}

std::string formattedInStyle(const std::string &text, const std::string &source) {
  auto found = clang::format::getStyle("file", source, "none"); // which formats nothing
  if (found)
    return formattedAs(*found, text, source);
  llvm::consumeError(found.takeError());
  return text;
}

} // namespace agentic
