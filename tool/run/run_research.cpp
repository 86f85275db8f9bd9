#include "tool/run/run_research.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/llm/cassette.h"
#include "tool/run/kernel_knowledge.h"
#include "tool/source/candidate/candidate_unit.h"
#include "tool/source/features/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kPatternsAtFirst = 8, kNeighboursAtFirst = 6;
constexpr std::size_t kFoundPatterns = 5, kFoundPassages = 3, kNamedPassages = 2, kMostNamesakes = 24;
constexpr std::size_t kPassageLines = 40;

std::string oneParagraph(const std::string &text) {
  return replaceAll(std::string(trim(text)), "\n", " ");
}

std::string beginOf(const std::string &text) {
  const std::vector<std::string> lines = split(text, '\n');
  return lines.size() <= kPassageLines ? text : join(std::span(lines).first(kPassageLines), "\n") + "\n…";
}

class Library {
public:
  Library(ResearchSettings settings, Evaluator &evaluator, const Surroundings &surroundings)
      : settings_(std::move(settings)), evaluator_(evaluator), surroundings_(surroundings) {}

  std::vector<Retrieved> begin() const;
  std::vector<Retrieved> search(const std::string &words) const;
  std::vector<Retrieved> show(const std::string &name) const;

private:
  /// Returns the value; without one, says why and goes on without.
  template <class T> T valueOf(Result<T> result) const {
    if (!result && settings_.warn && result.error().kind != ErrorKind::Interrupted)
      settings_.warn("the researcher goes without: " + result.error().message);
    return result ? std::move(*result) : T();
  }
  std::optional<SourceIndex> index() const {
    const Manifest &manifest = evaluator_.manifest();
    return valueOf(knowledgeIndex(knowledgeFile(manifest.sourceDir, manifest.buildDir, surroundings_)));
  }
  Insight measured() const;
  using Find = std::function<Result<std::vector<Passage>>(SourceIndex &index)>;
  std::vector<Passage> passages(const Find &find, std::size_t most) const;
  std::vector<Passage> passages(const std::string &words, std::size_t most) const {
    return passages([&](SourceIndex &index) { return index.search(words, most + 8); }, most);
  }
  Retrieved retrieved(const Passage &passage) const;
  Retrieved ours(const std::string &title, const std::string &text) const { return {redacted(title), redacted(text)}; }
  std::string redacted(const std::string &text) const { return surroundings_.redact()(text); }
  ResearchSettings settings_;
  Evaluator &evaluator_;
  const Surroundings &surroundings_;
};

Insight Library::measured() const {
  if (settings_.isBlind)
    return {};
  if (settings_.insight)
    return *settings_.insight;
  return valueOf(researchInsight(evaluator_, surroundings_.cacheFile("roofline.json", evaluator_.manifest().buildDir)));
}

/// The kernel itself is no neighbour. Of a file its name is enough: a path tells of the user.
std::vector<Passage> Library::passages(const Find &find, std::size_t most) const {
  auto index = this->index();
  if (!index)
    return {};
  std::vector<Passage> found = valueOf(find(*index));
  std::erase_if(found, [&](const Passage &passage) { return passage.file == evaluator_.spec().source; });
  found.resize(std::min(found.size(), most));
  for (Passage &passage : found)
    passage.file = fs::path(passage.file).filename().string();
  return found;
}

Retrieved Library::retrieved(const Passage &passage) const {
  const std::string title =
      fmt::format("{} ({}, lines {} to {}; {})", passage.name, passage.file, passage.firstLine, passage.lastLine,
                  passage.licence.empty() ? "licence not known" : passage.licence);
  return {redacted(title), redacted(beginOf(passage.text)), true};
}

std::vector<Retrieved> Library::begin() const {
  std::vector<Retrieved> all;
  const KernelSpec &spec = evaluator_.spec();
  auto features = featuresOf(spec);
  KernelFeatures known = features ? std::move(*features) : KernelFeatures(); // it cannot be described
  Insight insight = measured();
  known.measuredBounds = std::move(insight.bounds);
  if (features)
    all.push_back(ours("What it is made of", featuresText(known)));
  if (const std::vector<std::string> limits = limitsIn(insight); !limits.empty())
    all.push_back(ours("What limits it, as measured", join(limits, "\n")));
  const Research research = valueOf(researchOf({.spec = spec,
                                                .features = known,
                                                .level = std::string(evaluator_.level().name),
                                                .patterns = kPatternsAtFirst,
                                                .neighbours = 0},
                                               nullptr));
  if (!research.patterns.empty())
    all.push_back(ours("Patterns that may fit, to SHOW by name", rankedText(research.patterns)));
  const std::vector<Passage> neighbours = passages(neighbourQuery(spec, known), kNeighboursAtFirst);
  if (!neighbours.empty())
    all.push_back({"Functions of other projects, to SHOW by name", redacted(passagesText(neighbours)), true});
  return all;
}

std::vector<Retrieved> Library::search(const std::string &words) const {
  std::vector<Retrieved> all;
  const std::vector<Pattern> library = valueOf(shippedPatterns());
  std::string patterns;
  for (const RankedPattern &ranked : searchPatterns(library, words, kFoundPatterns))
    patterns +=
        fmt::format("- {}: {}: {}\n", ranked.pattern->name, ranked.pattern->title, oneParagraph(ranked.pattern->idea));
  if (!patterns.empty())
    all.push_back(ours("Patterns", patterns));
  for (const Passage &passage : passages(words, kFoundPassages))
    all.push_back(retrieved(passage));
  return all;
}

std::vector<Retrieved> Library::show(const std::string &name) const {
  const std::vector<Pattern> library = valueOf(shippedPatterns());
  if (const Pattern *pattern = findPattern(library, name))
    return {ours(pattern->name + ": " + pattern->title, pattern->text)};
  std::vector<Retrieved> all;
  for (const Passage &passage :
       passages([&](SourceIndex &index) { return index.named(name, kMostNamesakes); }, kNamedPassages))
    all.push_back(retrieved(passage));
  return all;
}

} // namespace

Result<Insight> researchInsight(Evaluator &evaluator, const std::string &rooflineFile) {
  return evaluator.insight(makeCandidate(baselineCandidate(evaluator.spec()), "baseline"),
                           {.parts = {"limits", "roofline", "mix", "mca", "remarks"}, .rooflineFile = rooflineFile});
}

ResearchSources researchSources(ResearchSettings settings, Evaluator &evaluator, const Surroundings &surroundings) {
  ResearchSources sources;
  if (settings.model.starts_with(kReplayPrefix)) {
    sources.recorded = [model = settings.model](const std::string &conversation) {
      return recordedQuestions(model, conversation);
    };
    return sources;
  }
  const auto library = std::make_shared<const Library>(std::move(settings), evaluator, surroundings);
  sources.begin = [library] { return library->begin(); };
  sources.search = [library](const std::string &words) { return library->search(words); };
  sources.show = [library](const std::string &name) { return library->show(name); };
  return sources;
}

} // namespace agentic
