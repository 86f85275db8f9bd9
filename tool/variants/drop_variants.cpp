#include "tool/variants/drop_variants.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/variants/existing_variant.h"
#include "tool/variants/variant_set.h"

#include <algorithm>

namespace agentic {
namespace {

/// Returns the files of the set without the dropped variants.
Result<std::vector<GeneratedFile>> withoutThem(const Manifest &manifest, const std::vector<Lock::Variant> &kept) {
  KernelSpec spec = TRY(currentSpec(manifest));
  const ExistingVariants existing = readExisting(manifest.variantDir, spec);
  if (!existing.fresh())
    return userError("the variants of kernel '" + manifest.kernel + "' are stale (" + existing.staleReason +
                         "), so those that stay cannot be locked again",
                     "renew them with 'agentic-kernel relock' or optimize first, or drop all of them");
  std::vector<VariantSource> variants;
  for (const Lock::Variant &variant : kept) {
    auto source = TRY(sourceOf(manifest.variantDir, variant));
    variants.push_back(std::move(source));
  }
  return emitFiles(spec, variants, kVersion);
}

} // namespace

Result<DroppedVariants> dropVariants(const Manifest &manifest, const std::string &level, const std::string &family) {
  const std::string lockFile = manifest.variantDir + "/" + manifest.kernel + ".lock.json";
  std::error_code ignored;
  if (!fs::exists(lockFile, ignored))
    return userError("kernel '" + manifest.kernel + "' has no variants: there is no '" + lockFile + "'",
                     "there is nothing to drop");
  auto text = TRY(readFile(lockFile));
  auto lock = TRY(parseLock(text, lockFile));
  DroppedVariants dropped;
  VariantSetChange change{.folder = manifest.variantDir,
                          .scratch = manifest.buildDir + "/_agentic",
                          .files = {},
                          .removed = {},
                          .afterChange = {}};
  std::vector<Lock::Variant> kept;
  std::vector<std::string> names;
  for (Lock::Variant &variant : lock.variants) {
    names.push_back(nameOf(variant));
    const Provenance &from = variant.provenance;
    if ((!level.empty() && from.level != level) || (!family.empty() && from.family != family)) {
      kept.push_back(std::move(variant));
      continue;
    }
    dropped.variants.push_back(nameOf(variant));
    change.removed.push_back(variant.file.path);
  }
  if (dropped.variants.empty())
    return userError("kernel '" + manifest.kernel + "' has no such variant",
                     names.empty() ? "there is none" : "it has " + join(names, ", "));
  if (kept.empty()) {
    // The lock goes first: without it the other files have no meaning.
    change.removed.insert(change.removed.begin(), {manifest.kernel + ".lock.json", lock.dispatch.path});
  } else {
    change.files = TRY(withoutThem(manifest, kept));
  }
  for (const std::string &name : change.removed)
    dropped.files.push_back(manifest.variantDir + "/" + name);
  TRY(changeVariantSet(change));
  return dropped;
}

} // namespace agentic
