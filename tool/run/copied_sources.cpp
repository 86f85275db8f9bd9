#include "tool/run/copied_sources.h"

#include "tool/base/terminal_text.h"
#include "tool/run/kernel_knowledge.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostCopiesNamed = 3;

Result<std::vector<CopiedPassage>> copiesOf(const Manifest &manifest, const KernelSpec &spec, const std::string &text,
                                            SourceIndex &index) {
  std::vector<std::string> licences = manifest.licences;
  if (const std::string listed = LicenceFiles(manifest.sourceDir).of(manifest.sourceDir); !listed.empty())
    licences.push_back(listed);
  std::vector<std::string> own;
  for (const std::string &path : {manifest.source, manifest.variantDir}) { // the index follows links
    std::error_code error;
    own.push_back(fs::weakly_canonical(path, error).string());
  }
  const std::string baseline = textWithClosure(spec);
  return index.copies(
      {.candidate = text, .baseline = baseline, .licences = std::move(licences), .own = std::move(own)});
}

} // namespace

std::vector<std::string> copyRemarks(const Manifest &manifest, const KernelSpec &spec, const std::string &text,
                                     const Surroundings &surroundings) {
  auto index = knowledgeIndex(knowledgeFile(manifest.sourceDir, manifest.buildDir, surroundings));
  if (index && !*index)
    return {};
  const auto copies = index ? copiesOf(manifest, spec, text, **index)
                            : Result<std::vector<CopiedPassage>>(std::unexpected(index.error()));
  if (!copies) // its message names a file of this machine, and a header does not
    return {
        "whether it copies indexed sources is not known: the index cannot be read ('agentic-kernel knowledge list')"};
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < std::min(copies->size(), kMostCopiesNamed); ++i) {
    const CopiedPassage &copy = (*copies)[i];
    remarks.push_back(printable(
        fmt::format("copies {} lines of {}, {}", copy.lines, copy.place,
                    copy.licence.empty()
                        ? "whose licence is not known"
                        : "under " + copy.licence + ", which the project does not list (AGENTIC_KERNEL_LICENCES)")));
  }
  if (copies->size() > kMostCopiesNamed)
    remarks.push_back(fmt::format("copies lines of {} more indexed passages", copies->size() - kMostCopiesNamed));
  return remarks;
}

} // namespace agentic
