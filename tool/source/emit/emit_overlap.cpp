#include "tool/source/emit/emit_overlap.h"

#include "tool/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace agentic {
namespace {

// Each is an address and a size in bytes; sizes that wrap look like an overlap, which is the safe side.
constexpr const char *kOverlap =
    R"(static inline bool agentic_kernel_overlap_@KERNEL@(const volatile void *ak_one, __SIZE_TYPE__ ak_size,
                                                  const volatile void *ak_other, __SIZE_TYPE__ ak_other_size) {
  const __UINTPTR_TYPE__ ak_begin = reinterpret_cast<__UINTPTR_TYPE__>(ak_one);
  const __UINTPTR_TYPE__ ak_other_begin = reinterpret_cast<__UINTPTR_TYPE__>(ak_other);
  return ak_begin - ak_other_begin < ak_other_size || ak_other_begin - ak_begin < ak_size;
}
)";

constexpr const char *kOverlapC =
    R"(static __inline__ int agentic_kernel_overlap_@KERNEL@(const volatile void *ak_one, __SIZE_TYPE__ ak_size,
                                                     const volatile void *ak_other, __SIZE_TYPE__ ak_other_size) {
  const __UINTPTR_TYPE__ ak_begin = (__UINTPTR_TYPE__)ak_one;
  const __UINTPTR_TYPE__ ak_other_begin = (__UINTPTR_TYPE__)ak_other;
  return ak_begin - ak_other_begin < ak_other_size || ak_other_begin - ak_begin < ak_size;
}
)";

/// Returns the pairs of pointers with declared extents that are assumed to be disjoint and of which one is written. A
/// type that ends with `restrict` is a promise of the original.
std::vector<AliasPair> assumedDisjoint(const KernelSpec &spec) {
  std::vector<const Extent *> extents;
  for (const Parameter &parameter : spec.parameters)
    if (const Extent *extent = extentOf(spec.contract, parameter.name);
        extent && parameter.canonicalType.ends_with('*'))
      extents.push_back(extent);
  std::vector<AliasPair> pairs;
  for (std::size_t i = 0; i < extents.size(); ++i)
    for (std::size_t j = i + 1; j < extents.size(); ++j)
      if ((extents[i]->direction != Direction::In || extents[j]->direction != Direction::In) &&
          !mayAlias(spec.contract, extents[i]->parameter, extents[j]->parameter))
        pairs.push_back({extents[i]->parameter, extents[j]->parameter});
  return pairs;
}

/// The contract counts bytes there.
bool pointsToVoid(const KernelSpec &spec, const std::string &name) {
  const auto parameter = std::ranges::find(spec.parameters, name, &Parameter::name);
  return parameter != spec.parameters.end() && parameter->canonicalType.ends_with("void *");
}

} // namespace

std::string emitOverlap(const KernelSpec &spec) {
  const char *text = spec.language == Language::C ? kOverlapC : kOverlap;
  return assumedDisjoint(spec).empty() ? std::string() : replaceAll(text, "@KERNEL@", spec.kernel);
}

std::string overlapCondition(const KernelSpec &spec) {
  const auto bytes = [&](const std::string &name) {
    const std::string &extent = extentOf(spec.contract, name)->text;
    const std::string size = pointsToVoid(spec, name) ? "" : " * sizeof(*" + name + ")";
    return spec.language == Language::C ? fmt::format("{}, (__SIZE_TYPE__)({}){}", name, extent, size)
                                        : fmt::format("{}, static_cast<__SIZE_TYPE__>({}){}", name, extent, size);
  };
  std::vector<std::string> overlaps;
  for (const AliasPair &pair : assumedDisjoint(spec))
    overlaps.push_back(
        fmt::format("agentic_kernel_overlap_{}({}, {})", spec.kernel, bytes(pair.first), bytes(pair.second)));
  return join(overlaps, " ||\n                       ");
}

} // namespace agentic
