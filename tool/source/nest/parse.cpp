#include "tool/source/nest/parse.h"

#include "tool/source/nest/ast.h"
#include "tool/source/parse/kernel_parse.h"

namespace agentic {

Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec, const std::string &text) {
  std::unique_ptr<moves::Nest> nest;
  const Result<void> parsed = parseKernel(spec, text, "the built-in search", [&](const ParsedKernel &kernel) {
    nest = moves::buildNest(kernel.context, kernel.function, text, kernel.begin);
    nest->surroundings = kernel.unit;
    for (const AliasPair &pair : spec.contract.mayAlias)
      nest->mayAlias.emplace_back(pair.first, pair.second);
    nest->multiples = requiredMultiples(spec.contract);
  });
  if (!parsed)
    return std::unexpected(parsed.error());
  return nest;
}

} // namespace agentic
