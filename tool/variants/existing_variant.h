// Reads the checked-in variants of a kernel back as candidates.
#pragma once

#include "tool/base/error.h"
#include "tool/model/candidate.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/emit/emit.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct ExistingVariants {
  std::optional<Lock> lock; ///< nullopt if it is missing or cannot be parsed
  std::string staleReason;  ///< empty if fresh
  bool fresh() const { return lock && staleReason.empty(); }
};

/// Reads VARIANT_DIR's lock and applies staleness levels 1 (kernel text, fragments, project headers, generated files)
/// and 2 (macros, layouts, constants).
ExistingVariants readExisting(const std::string &variantDir, const KernelSpec &spec);

std::string nameOf(const Lock::Variant &variant); ///< "x86-64-v4 clang"

/// Returns the variant from its file, for emitFiles. Error: the file cannot be read.
Result<VariantSource> sourceOf(const std::string &variantDir, const Lock::Variant &variant);

/// Returns the candidate that a variant file was made from: its own text, with the kernel's name put back. nullopt if
/// the file is missing or was edited by hand.
std::optional<Candidate> candidateOf(const std::string &variantDir, const Lock::Variant &variant,
                                     const KernelSpec &spec);

/// Returns whether the file below its header equals the output of this version of the tool for that candidate, blanks
/// aside: the checks judge the candidate's text, and this proves that the rest of the file is ours.
bool isAsEmitted(const std::string &variantDir, const Lock::Variant &variant, const KernelSpec &spec,
                 const Candidate &candidate);

} // namespace agentic
