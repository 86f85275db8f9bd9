#include "ast-checks/registry.h"

#include "ast-checks/addresses_as_numbers.h"
#include "ast-checks/allocation.h"
#include "ast-checks/approximate_math.h"
#include "ast-checks/assumptions.h"
#include "ast-checks/attributes.h"
#include "ast-checks/build_mode.h"
#include "ast-checks/calls.h"
#include "ast-checks/characters.h"
#include "ast-checks/const_casts.h"
#include "ast-checks/declarations_outside.h"
#include "ast-checks/directives.h"
#include "ast-checks/exceptions.h"
#include "ast-checks/fixed_arrays.h"
#include "ast-checks/forged_pointers.h"
#include "ast-checks/includes.h"
#include "ast-checks/inline_asm.h"
#include "ast-checks/io_and_clocks.h"
#include "ast-checks/key_constants.h"
#include "ast-checks/literal_shape.h"
#include "ast-checks/narrow_counters.h"
#include "ast-checks/narrowed_type.h"
#include "ast-checks/pragmas.h"
#include "ast-checks/self_call.h"
#include "ast-checks/signature.h"
#include "ast-checks/state_outlives_call.h"
#include "ast-checks/threads.h"
#include "ast-checks/unfenced_stores.h"
#include "ast-checks/uninstantiated_code.h"
#include "ast-checks/unknown_pragma_or_attribute.h"
#include "ast-checks/unset_memory.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace agentic::checks {
namespace {

struct CheckRow {
  CheckInfo info;
  std::unique_ptr<Check> (*make)();
};

template <class T> std::unique_ptr<Check> make() {
  return std::make_unique<T>();
}

constexpr auto kCheckRows = std::to_array<CheckRow>({
    {{"characters", "printable ASCII, tabs and line feeds only"}, make<Characters>},
    {{"includes", "headers outside the list"}, make<Includes>},
    {{"directives", "preprocessor directives outside the list, token pasting"}, make<Directives>},
    {{"pragmas", "pragmas other than loop pragmas"}, make<Pragmas>},
    {{"attributes", "attributes outside the list"}, make<Attributes>},
    {{"inline-asm", "assembly in any form"}, make<InlineAsm>},
    {{"exceptions", "try, catch and throw"}, make<Exceptions>},
    {{"state-outlives-call", "variables that keep their value between calls"}, make<StateOutlivesCall>},
    {{"threads", "threads, atomics, locks, coroutines, OpenMP regions"}, make<Threads>},
    {{"allocation", "memory from the heap"}, make<Allocation>},
    {{"io-and-clocks", "input, output, clocks, process control"}, make<IoAndClocks>},
    {{"self-call", "calls of the kernel itself"}, make<SelfCall>},
    {{"calls", "functions on no list, calls that cannot be followed"}, make<Calls>},
    {{"signature", "the kernel is missing, doubled or of another type"}, make<Signature>},
    {{"declarations-outside", "declarations that reach beyond the candidate"}, make<DeclarationsOutside>},
    {{"const-casts", "const_cast and casts that drop const", CheckKind::UnlessAllowed}, make<ConstCasts>},
    {{"forged-pointers", "pointers made of integers, unions and other bytes", CheckKind::UnlessAllowed},
     make<ForgedPointers>},
    {{"addresses-as-numbers", "pointers as integers, differences between arrays", CheckKind::UnlessAllowed},
     make<AddressesAsNumbers>},
    {{"build-mode", "macros and names that tell compiler, build or place"}, make<BuildMode>},
    {{"uninstantiated-code", "templates that nothing instantiates, probes of what exists", CheckKind::UnlessAllowed},
     make<UninstantiatedCode>},
    {{"unset-memory", "memory that is read before it is written", CheckKind::UnlessAllowed}, make<UnsetMemory>},
    {{"fixed-arrays", "local arrays of a fixed size that are indexed up to an argument", CheckKind::UnlessAllowed},
     make<FixedArrays>},
    {{"unfenced-stores", "non-temporal stores without a fence behind them", CheckKind::UnlessAllowed},
     make<UnfencedStores>},
    {{"narrowed-type", "note: a narrower type than the baseline's", CheckKind::Note}, make<NarrowedType>},
    {{"narrow-counters", "note: counters narrower than the kernel's sizes and results", CheckKind::Note},
     make<NarrowCounters>},
    {{"approximate-math", "note: approximate reciprocals and roots", CheckKind::Note}, make<ApproximateMath>},
    {{"literal-shape", "note: a comparison of an argument with one literal size", CheckKind::Note}, make<LiteralShape>},
    {{"key-constants", "note: data compared with a constant of the candidate's own", CheckKind::Note},
     make<KeyConstants>},
    {{"assumptions", "note: what the compiler is told to take for granted", CheckKind::Note}, make<Assumptions>},
    // The last one: it does not repeat a finding of an earlier check.
    {{"unknown-pragma-or-attribute", "pragmas and attributes that clang ignores", CheckKind::UnlessAllowed},
     make<UnknownPragmaOrAttribute>},
});

constexpr auto kInfos = [] {
  std::array<CheckInfo, kCheckRows.size()> infos;
  std::ranges::transform(kCheckRows, infos.begin(), &CheckRow::info);
  return infos;
}();

} // namespace

std::vector<std::unique_ptr<Check>> makeChecks(const Policy &policy) {
  std::vector<std::unique_ptr<Check>> checks;
  for (const CheckRow &row : kCheckRows) {
    if (row.info.kind == CheckKind::UnlessAllowed && isListed(policy.allow.checks, row.info.name))
      continue;
    checks.push_back(row.make());
    checks.back()->setRow(row.info.name,
                          row.info.kind == CheckKind::Note && !isListed(policy.forbid.checks, row.info.name));
  }
  return checks;
}

std::span<const CheckInfo> allChecks() {
  return kInfos;
}

} // namespace agentic::checks
