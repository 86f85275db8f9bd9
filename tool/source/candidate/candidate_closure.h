// Where the closure's copies stand in a candidate unit.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_edits.h"

#include <set>
#include <string>

namespace agentic {

/// Types of the signature, each in its own namespace: the variant's type must be the kernel's.
void addSignatureTypes(const KernelSpec &spec, UnitText &unit);

/// Copies of everything else, for inside the unit's unique namespace.
void addCopies(const KernelSpec &spec, UnitText &unit);

/// Whether addCopies writes anything.
bool hasCopies(const KernelSpec &spec);

/// Declarations before the kernel's namespaces that make the copies reachable by qualified names, as `bmm::helper` or
/// `::detail::helper`; empty unless `text` or the closure uses one.
std::string reachQualified(const KernelSpec &spec, const std::string &inner, std::string_view text);

/// Unqualified names that the copies declare.
std::set<std::string> copiedNames(const KernelSpec &spec);

/// Last component of a qualified name.
std::string unqualified(const std::string &name);

} // namespace agentic
