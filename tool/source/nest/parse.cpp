#include "tool/source/nest/parse.h"

#include "tool/source/nest/ast.h"
#include "tool/source/parse/kernel_parse.h"

namespace agentic {
namespace {

Result<std::unique_ptr<moves::Nest>> parsed(const KernelSpec &spec, const std::string &text,
                                            std::vector<moves::Edit> &edits) {
  std::unique_ptr<moves::Nest> nest;
  const Result<void> parsed = parseKernel(spec, text, "the built-in search", [&](const ParsedKernel &kernel) {
    nest = moves::buildNest(kernel.context, kernel.function, text, kernel.begin);
    edits = moves::loopVariableEdits(kernel.function, moves::TextMap(kernel.context, kernel.begin, text.size()), *nest);
    nest->surroundings = kernel.unit;
    for (const AliasPair &pair : spec.contract.mayAlias)
      nest->mayAlias.emplace_back(pair.first, pair.second);
    nest->multiples = requiredMultiples(spec.contract);
  });
  if (!parsed)
    return std::unexpected(parsed.error());
  return nest;
}

} // namespace

Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec, const std::string &text) {
  std::vector<moves::Edit> edits;
  return parsed(spec, text, edits);
}

Result<std::unique_ptr<moves::Nest>> parseAuthorsLoopNest(const KernelSpec &spec, const std::string &text) {
  std::vector<moves::Edit> edits, none;
  auto nest = parsed(spec, text, edits);
  if (!nest || edits.empty())
    return nest;
  auto declared = parsed(spec, moves::applyEdits(text, {0, text.size()}, edits), none);
  return declared ? std::move(declared) : std::move(nest); // C90 has no such loops
}

} // namespace agentic
