#include "tool/source/emit/emit_glue.h"

#include "tool/base/text.h"
#include "tool/source/emit/emit_glue_c.h"
#include "tool/source/emit/runner_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace agentic {
namespace {

/// Returns texts of tool/runner in the order of their includes, without their own directives for that.
std::string embedded(std::initializer_list<std::string_view> files) {
  std::string text;
  for (std::string_view file : files)
    for (const std::string &line : split(runnerText(file), '\n'))
      if (!line.starts_with("#include") && !line.starts_with("#pragma once"))
        text += line + "\n";
  return text;
}

/// Returns their directives for system headers.
std::string systemIncludes(std::initializer_list<std::string_view> files) {
  std::string text;
  for (std::string_view file : files)
    for (const std::string &line : split(runnerText(file), '\n'))
      if (line.starts_with("#include <"))
        text += line + "\n";
  return text;
}

/// Returns references to the arguments under the names in the contract's expressions.
std::string boundParameters(const KernelSpec &spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    if (const std::string &name = spec.parameters[i].name; !name.empty())
      text +=
          fmt::format("  auto &{0} = agentic_argument<agentic_type, {1}>(agentic_arguments); (void){0};\n", name, i);
  return text;
}

std::string extentFunction(std::size_t index) {
  return fmt::format("agentic_extent_{}", index);
}

std::string extentFunctions(const KernelSpec &spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    if (const Extent *extent = extentOf(spec.contract, spec.parameters[i].name))
      text += fmt::format(
          "static long long {}(void *const *agentic_arguments) {{\n  (void)agentic_arguments;\n{}"
          "  return static_cast<long long>({}) *\n         agentic_multiple<agentic_type, {}>::ak_value;\n}}\n",
          extentFunction(i), boundParameters(spec), extent->text, i);
  return text;
}

std::string table(const KernelSpec &spec) {
  std::string text = "static constexpr agentic_parameter agentic_parameters[] = {\n";
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const Extent *extent = extentOf(spec.contract, spec.parameters[i].name);
    text += fmt::format("  agentic_parameter_of<agentic_type, {}>(\"{}\", {}, {}),\n", i, spec.parameters[i].name,
                        extent ? int(extent->direction) : -1, extent ? "&" + extentFunction(i) : "nullptr");
  }
  return text + "  agentic_result<void>::ak_row()};\n";
}

std::string requirements(const KernelSpec &spec) {
  if (spec.contract.requirements.empty())
    return {};
  return "static int agentic_fulfils(void *const *agentic_arguments) {\n  (void)agentic_arguments;\n" +
         boundParameters(spec) + "  return (" + join(spec.contract.requirements, ") && (") + ") ? 1 : 0;\n}\n";
}

/// Returns text that defines the kernel's type under the name `agentic_type`: the unit's text, with the function under
/// the name `symbol`, or what that is in C++.
std::string typeText(const KernelSpec &spec, const CandidateUnit &unit, const std::string &symbol) {
  if (spec.language == Language::C)
    return typeInCxx(spec);
  return (symbol == unit.symbol ? unit.text : replaceAll(unit.text, unit.symbol, symbol)) + "\n" +
         fmt::format("typedef decltype(::{}::{}) agentic_type;\n", unit.scope, symbol);
}

constexpr const char *kGlueEnd = R"(
static void *agentic_baseline = nullptr;
namespace {
struct agentic_this {
  static const agentic_glue *ak_table() {
    static constexpr agentic_glue agentic_table = {
        AGENTIC_GLUE_VERSION, "@KERNEL@", agentic_function<agentic_type>::ak_count, agentic_parameters,
        agentic_result<agentic_function<agentic_type>::ak_result>::ak_row(), @FULFILS@,
        agentic_calls<agentic_type, agentic_known<agentic_type>::ak_value>::ak_invoke(),
        agentic_calls<agentic_type, agentic_known<agentic_type>::ak_value>::ak_forward()};
    return &agentic_table;
  }
  static void *ak_baseline() { return agentic_baseline; }
};
} // namespace
extern "C" {
__attribute__((__visibility__("default"))) const agentic_glue *agentic_kernel_glue_@KERNEL@(void);
__attribute__((__visibility__("default"))) void *agentic_kernel_entry_@KERNEL@(void *);
const agentic_glue *agentic_kernel_glue_@KERNEL@(void) { return agentic_this::ak_table(); }
void *agentic_kernel_entry_@KERNEL@(void *agentic_function_) {
  agentic_baseline = agentic_function_;
  if (!&agentic_kernel_record)
    return agentic_function_;
  return agentic_calls<agentic_type, agentic_known<agentic_type>::ak_value>::ak_entry<agentic_this>();
}
}
)";

constexpr const char *kEntryEnd = R"(
extern "C" __attribute__((__visibility__("hidden"))) agentic_type @SYMBOL@;
static unsigned char agentic_byte = 0;
namespace {
struct agentic_plain {
  static agentic_type *ak_function() { return &@SYMBOL@; }
  static void ak_before(void *const *) {}
  static void ak_nothing(void *) {}
};
struct agentic_clobbering : agentic_plain {
  static void ak_before(void *const *agentic_arguments) {
    (void)agentic_arguments;
@CLOBBER@  }
};
} // namespace
extern "C" __attribute__((__visibility__("default"))) void *agentic_kernel_entry_@KERNEL@(void *);
extern "C" void *agentic_kernel_entry_@KERNEL@(void *) {
  agentic_byte = agentic_clobber_byte(agentic_getenv("AGENTIC_KERNEL_CLOBBER"));
  agentic_on_own_stack(&agentic_plain::ak_nothing, nullptr); // what that keeps is settled before the first call
  return agentic_byte ? (void *)&agentic_entry<agentic_type>::ak_call<agentic_clobbering>
                      : (void *)&agentic_entry<agentic_type>::ak_call<agentic_plain>;
}
)";

/// Returns whether the contract permits an overlap: an output may then be an input too, and stays unchanged.
bool mayOverlap(const KernelSpec &spec, const std::string &parameter) {
  return std::ranges::any_of(spec.contract.mayAlias, [&](const AliasPair &pair) {
    return pair.first != pair.second && (pair.first == parameter || pair.second == parameter);
  });
}

std::string clobbering(const KernelSpec &spec) {
  std::string text;
  for (const Extent &extent : spec.contract.extents)
    if (extent.direction == Direction::Out && !mayOverlap(spec, extent.parameter))
      text += fmt::format("  agentic_clobber({}, static_cast<long long>({}), agentic_byte);\n", extent.parameter,
                          extent.text);
  return text.empty() ? text : boundParameters(spec) + text;
}

} // namespace

std::string signatureCandidate(const KernelSpec &spec) {
  return spec.signature + "{ __builtin_trap(); }\n";
}

std::string emitGlue(const KernelSpec &spec, const CandidateUnit &unit) {
  std::string end = replaceAll(kGlueEnd, "@KERNEL@", spec.kernel);
  end = replaceAll(end, "@FULFILS@", spec.contract.requirements.empty() ? "nullptr" : "&agentic_fulfils");
  return embedded({"glue_abi.h", "signature.h", "glue_types.h", "glue_table.h", "glue_call.h"}) +
         typeText(spec, unit, unit.symbol) + extentFunctions(spec) + requirements(spec) + table(spec) + end;
}

std::string emitEntry(const KernelSpec &spec, const CandidateUnit &unit) {
  // The candidate's function replaces the unit's own one.
  const std::string standIn = "agentic_kernel_signature_" + spec.kernel;
  std::string end = replaceAll(kEntryEnd, "@KERNEL@", spec.kernel);
  end = replaceAll(replaceAll(end, "@SYMBOL@", unit.symbol), "@CLOBBER@", clobbering(spec));
  return embedded({"call_bits.h", "own_stack.h", "signature.h", "entry_call.h"}) + typeText(spec, unit, standIn) + end;
}

std::string emitMemoryDriver() {
  const std::initializer_list<std::string_view> files = {"glue_abi.h", "wire.h", "memory_plan.h", "memory_call.h",
                                                         "memory_driver.cpp"};
  return systemIncludes(files) + embedded(files);
}

} // namespace agentic
