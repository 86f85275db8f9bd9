// PDFs of the index of sources: pdftotext makes texts of them, in the sandbox that candidates run in. It reads files of
// strangers.
#pragma once

#include "tool/knowledge/source_files.h"

#include <atomic>

namespace agentic {

/// Returns what reads PDFs. Its reasons: pdftotext is not installed, fails, takes longer than `seconds`, or makes more
/// than 4 MiB of text. Where no sandbox works, none is read either.
PdfReader pdfReader(const std::atomic<bool> *cancelled, double seconds = 20);

} // namespace agentic
