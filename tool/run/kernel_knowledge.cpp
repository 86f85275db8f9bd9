#include "tool/run/kernel_knowledge.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/build/cmake_cache.h"
#include "tool/evaluate/baseline/project_level.h"
#include "tool/knowledge/knowledge_program.h"
#include "tool/source/features/features.h"

#include <iterator>

namespace agentic {

std::string knowledgeFile(const std::string &sourceDir, const std::string &buildDir, const Surroundings &surroundings) {
  return surroundings.cacheFile("knowledge/" + sha256(sourceDir).substr(0, 16) + ".sqlite", buildDir);
}

Result<std::string> projectOf(const std::string &buildDir) {
  const std::string cache = TRY(readFile(fs::path(buildDir) / "CMakeCache.txt"));
  if (std::string project = cacheValue(parseCMakeCache(cache), "CMAKE_HOME_DIRECTORY"); !project.empty())
    return project;
  return userError(buildDir + "/CMakeCache.txt names no project", "give a configured build tree with --build-dir");
}

Result<std::optional<SourceIndex>> knowledgeIndex(const std::string &file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return std::optional<SourceIndex>();
  SourceIndex index = TRY(SourceIndex::open(file));
  return std::optional<SourceIndex>(std::move(index));
}

Result<std::vector<Passage>> programPassages(const std::string &command, const std::string &query, std::size_t most,
                                             const Surroundings &surroundings) {
  if (command.empty())
    return std::vector<Passage>();
  std::vector<Passage> passages = TRY(askKnowledgeProgram({.command = command,
                                                           .startDirectory = fs::current_path().string(),
                                                           .query = query,
                                                           .most = most,
                                                           .cancelled = surroundings.cancelled}));
  // It has the tool's environment, and keys go into no file.
  for (Passage &passage : passages)
    for (std::string *text : {&passage.file, &passage.name, &passage.licence, &passage.text})
      *text = surroundings.secrets->forRecords(*text);
  return passages;
}

Result<Research> kernelResearch(const Manifest &manifest, const KernelSpec &spec, const Surroundings &surroundings,
                                std::vector<std::string> measured, const std::string &command) {
  KernelFeatures features = TRY(featuresOf(spec));
  features.measuredBounds = std::move(measured);
  const auto level = chosenLevel(manifest, {});
  auto index = TRY(knowledgeIndex(knowledgeFile(manifest.sourceDir, manifest.buildDir, surroundings)));
  ResearchRequest request{
      .spec = spec, .features = std::move(features), .level = level ? std::string((*level)->name) : std::string()};
  const std::size_t most = request.neighbours;
  Research research = TRY(researchOf(std::move(request), index ? &*index : nullptr));
  std::vector<Passage> answered =
      TRY(programPassages(command, neighbourQuery(spec, research.features), most, surroundings));
  research.neighbours.insert(research.neighbours.end(), std::make_move_iterator(answered.begin()),
                             std::make_move_iterator(answered.end()));
  return research;
}

std::string kernelAdvice(const KernelSpec &spec, const std::string &level) {
  constexpr std::size_t kMost = 3;
  auto features = featuresOf(spec);
  const auto library = shippedPatterns();
  if (!features || !library)
    return {}; // the run says by itself what is wrong with the kernel
  return knowledgeForPrompt(rankPatterns(*library, patternQuery(spec, std::move(*features), level), kMost), kMost);
}

} // namespace agentic
