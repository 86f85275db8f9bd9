// Places the closure's copies in a candidate unit.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/source/candidate/candidate_edits.h"

#include <set>
#include <string>

namespace agentic {

/// Adds the signature's types, each in its own namespace: the variant's type must be the kernel's.
void addSignatureTypes(const KernelSpec &spec, UnitText &unit);

/// Adds copies of everything else, for the inside of the unit's unique namespace.
void addCopies(const KernelSpec &spec, UnitText &unit);

/// Returns whether addCopies writes anything.
bool hasCopies(const KernelSpec &spec);

/// Returns declarations before the kernel's namespaces that make the copies reachable by qualified names, as
/// `bmm::helper` or `::detail::helper`; empty unless `text` or the closure uses such a name.
std::string reachQualified(const KernelSpec &spec, const std::string &inner, std::string_view text);

/// Returns the unqualified names that the copies declare.
std::set<std::string> copiedNames(const KernelSpec &spec);

/// Returns the last component of a qualified name.
std::string unqualified(const std::string &name);

} // namespace agentic
