#include "tool/run/pdf_text.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/sandbox.h"

#include <fmt/format.h>

namespace agentic {
namespace {

constexpr std::size_t kLargestText = 4u << 20;

SourceText pdfText(const std::string &program, const Sandbox &sandbox, const fs::path &path, ProcessSpec spec) {
  spec.argv = {program, "-q", "-nopgbrk", "-enc", "UTF-8", path.string(), "-"};
  spec.outputCapBytes = kLargestText;
  Sandbox::View view;
  view.readOnly = {program, path.string()};
  const auto made = sandbox.run(std::move(spec), view);
  if (!made)
    return std::unexpected("pdftotext: " + made.error().message);
  if (!made->ok()) {
    const std::string said = firstLine(trim(made->err));
    return std::unexpected("pdftotext " + made->describe() + (said.empty() ? "" : ": " + said));
  }
  if (made->truncated)
    return std::unexpected(fmt::format("pdftotext makes more than {} MiB of it", kLargestText >> 20));
  if (trim(made->out).empty())
    return std::unexpected("pdftotext finds no text in it");
  return made->out;
}

} // namespace

PdfReader pdfReader(const std::atomic<bool> *cancelled, double seconds) {
  const auto program = findProgram("pdftotext");
  if (!program)
    return [](const fs::path &) -> SourceText {
      return std::unexpected("a PDF: pdftotext, which makes a text of it, is not installed (package poppler-utils)");
    };
  const Sandbox sandbox = Sandbox::probe();
  if (!sandbox.confines())
    return [reason = sandbox.warning()](const fs::path &) -> SourceText {
      return std::unexpected("a PDF, which is read in a sandbox alone: " + reason);
    };
  return [=](const fs::path &path) {
    return pdfText(*program, sandbox, path, {.timeoutSeconds = seconds, .cancelled = cancelled});
  };
}

} // namespace agentic
