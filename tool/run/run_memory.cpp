#include "tool/run/run_memory.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/llm/cassette.h"
#include "tool/memory/item_lines.h"
#include "tool/memory/recall.h"
#include "tool/run/outside_agent.h"
#include "tool/run/run_agents.h"
#include "tool/source/features/features.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

/// Takes out what is a secret; nullopt: no item is left.
std::optional<MemoryItem> redacted(MemoryItem item, const Surroundings &surroundings) {
  const auto redact = surroundings.redact();
  for (std::string *text : {&item.title, &item.change, &item.reason})
    *text = memoryLine(redact(*text));
  for (std::string *source : {&item.before, &item.after})
    *source = memorySource(redact(*source));
  item.agent = memoryLine(redact(item.agent));
  return whyNoItem(item).empty() ? std::optional(std::move(item)) : std::nullopt;
}

std::vector<MemoryItem> recordedItems(const std::string &name) {
  std::vector<MemoryItem> items;
  const nlohmann::json context = recordedContext(name);
  if (!context.is_object() || !context.contains("memory") || !context["memory"].is_array())
    return items;
  for (const nlohmann::json &value : context["memory"])
    try {
      if (MemoryItem item = value.get<MemoryItem>(); items.size() < kMostRecalled && whyNoItem(item).empty())
        items.push_back(std::move(item));
    } catch (const nlohmann::json::exception &) {
      continue; // a recording may come from anybody
    }
  return items;
}

/// What a store has for a query; those that are not there are empty.
struct MemoryPart {
  std::vector<MemoryItem> items;
  std::map<std::string, double> textScores;
};

Result<MemoryPart> partOf(MemoryStore &store, const std::string &text) {
  MemoryPart part;
  part.items = TRY(store.list());
  part.textScores = TRY(store.textScores(text));
  return part;
}

Result<MemoryPart> partOfFile(const std::string &file, const std::string &text) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return MemoryPart();
  MemoryStore store = TRY(MemoryStore::open(file));
  return partOf(store, text);
}

/// The file that the project has checked in.
Result<MemoryPart> partOfProject(const std::string &file, const std::string &text,
                                 const std::function<void(const std::string &warning)> &warn) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return MemoryPart();
  const ReadItems read = TRY(readItemFile(file));
  if (read.leftOut > 0)
    warn(fmt::format("{} lines of {} are no items of a memory: {}", read.leftOut, file, read.firstReason));
  MemoryStore store = TRY(MemoryStore::open(":memory:", read.items.size() + 1));
  TRY(store.add(read.items));
  return partOf(store, text);
}

} // namespace

std::vector<std::string> memoryModes() {
  return {"off", "project", "shared"};
}

Result<void> checkMemoryMode(const std::string &mode) {
  const std::vector<std::string> modes = memoryModes();
  if (std::ranges::find(modes, mode) != modes.end())
    return {};
  return userError("there is no memory '" + mode + "'" + orMeant(mode, modes),
                   "give --memory, or AGENTIC_KERNEL_MEMORY, one of " + join(modes, ", "));
}

std::string projectMemoryFile(const std::string &sourceDir, const std::string &buildDir,
                              const Surroundings &surroundings) {
  return surroundings.cacheFile("memory/" + sha256(sourceDir).substr(0, 16) + ".sqlite", buildDir);
}

std::string sharedMemoryFile(const std::string &buildDir, const Surroundings &surroundings) {
  return surroundings.cacheFile("memory/shared.sqlite", buildDir);
}

std::vector<std::string> memoryFiles(const std::string &mode, const Manifest &manifest,
                                     const Surroundings &surroundings) {
  std::vector<std::string> files = {projectMemoryFile(manifest.sourceDir, manifest.buildDir, surroundings)};
  if (mode == "shared")
    files.push_back(sharedMemoryFile(manifest.buildDir, surroundings));
  return files;
}

bool remembers(const RunConfig &config) {
  const auto learns = [](const std::string &name) { return asksModel(name) || name == kOutsideAgent; };
  return config.model.memory != "off" && !config.cold && config.optimization.empty() &&
         std::ranges::any_of(namesOf(config), learns);
}

std::vector<MemoryItem> fittingMemory(const MemoryQuestion &question, const Surroundings &surroundings,
                                      const std::function<void(const std::string &warning)> &warn) {
  const auto features = featuresOf(question.spec);
  if (!features)
    return {}; // who asks says what is wrong with the kernel
  MemoryQuery query{.words = features->words,
                    .bounds = features->bounds(),
                    .level = question.level,
                    .family = question.family,
                    .textScores = {}};
  const std::string text = question.spec.kernel + " " + question.spec.identifier;
  std::vector<MemoryItem> items;
  const auto take = [&](Result<MemoryPart> part) {
    if (!part)
      return warn("there is no memory: " + part.error().message + "; " + part.error().next);
    std::ranges::move(part->items, std::back_inserter(items));
    query.textScores.merge(part->textScores);
  };
  for (const std::string &file : memoryFiles(question.mode, question.manifest, surroundings))
    take(partOfFile(file, text));
  take(partOfProject(question.manifest.sourceDir + "/" + kProjectMemoryFile, text, warn));
  std::vector<MemoryItem> chosen;
  for (MemoryItem &item : chooseMemory(rankMemory(items, query)))
    if (auto clean = redacted(std::move(item), surroundings))
      chosen.push_back(std::move(*clean));
  return chosen;
}

std::vector<MemoryItem> recallMemory(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                                     const Evaluator &evaluator) {
  const std::vector<std::string> names = namesOf(config);
  const auto isReplay = [](const std::string &name) { return name.starts_with(kReplayPrefix); };
  if (const auto replay = std::ranges::find_if(names, isReplay); replay != names.end())
    return recordedItems(*replay); // also without a memory: else its requests would be others
  if (!remembers(config) || std::ranges::none_of(names, asksModel))
    return {};
  return fittingMemory({.manifest = evaluator.manifest(),
                        .spec = evaluator.spec(),
                        .level = std::string(evaluator.level().name),
                        .family = familyName(evaluator.compiler().family),
                        .mode = config.model.memory},
                       surroundings, [&](const std::string &warning) { messages.warn(warning); });
}

RunMemory::RunMemory(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                     const Evaluator &evaluator, const std::vector<Attempt> &before)
    : messages_(messages), surroundings_(surroundings), config_(config), evaluator_(evaluator), before_(before),
      isOver_(!remembers(config)) {
  if (isOver_ || config.resume || config.recalled.empty())
    return;
  std::vector<std::string> shown;
  for (const MemoryItem &item : config.recalled)
    shown.push_back(item.id);
  for (const std::string &file : memoryFiles(config.model.memory, evaluator.manifest(), surroundings)) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      continue;
    auto store = MemoryStore::open(file);
    const auto done = store ? store->used(shown) : std::unexpected(store.error());
    if (!done)
      warnOnce(done.error());
  }
}

void RunMemory::warnOnce(const Error &error) {
  isOver_ = true;
  messages_.warn("what this run learns is not kept: " + error.message + "; " + error.next);
}

/// Describes the kernel when there is something to say of it: that takes a parse.
bool RunMemory::begins() {
  if (isOver_ || experience_)
    return !isOver_;
  const KernelSpec &spec = evaluator_.spec();
  auto features = featuresOf(spec);
  if (!features || features->words.empty()) {
    isOver_ = true; // items are found by what kernels are made of
    return false;
  }
  experience_.emplace(LearningKernel{.kernel = spec.kernel,
                                     .level = std::string(evaluator_.level().name),
                                     .family = familyName(evaluator_.compiler().family),
                                     .baseline = spec.text,
                                     .words = features->words,
                                     .bounds = features->bounds()});
  for (const Attempt &attempt : before_)
    experience_->take(attempt);
  experience_->endRound();
  before_.clear();
  return true;
}

void RunMemory::saw(const Attempt &attempt) {
  if (isOver_ || attempt.evaluation.verdict == Verdict::Rejected || !begins())
    return;
  experience_->take(attempt);
}

void RunMemory::endRound(const std::vector<Summary> &summaries) {
  if (isOver_ || !experience_)
    return;
  for (const Summary &summary : summaries)
    experience_->describe(summary);
  std::vector<MemoryItem> items, bare;
  for (MemoryItem &item : experience_->endRound())
    if (auto clean = redacted(std::move(item), surroundings_)) {
      bare.push_back(withoutSource(*clean));
      items.push_back(std::move(*clean));
    }
  if (items.empty())
    return;
  const std::vector<std::string> files = memoryFiles(config_.model.memory, evaluator_.manifest(), surroundings_);
  for (std::size_t i = 0; i < files.size() && !isOver_; ++i) {
    auto store = MemoryStore::open(files[i]);
    const auto done = store ? store->add(i == 0 ? items : bare) : std::unexpected(store.error());
    if (!done)
      warnOnce(done.error());
  }
}

} // namespace agentic
