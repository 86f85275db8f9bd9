#include "tool/llm/model_lists.h"

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

constexpr std::size_t kMostNear = 5;
/// The context with which Ollama loads a model by default here: its memory grows with the context.
constexpr std::int64_t kOllamaContext = 32768;

const Json &entries(const Json &list) {
  if (list.is_array())
    return list;
  return at(list, "data").is_array() ? at(list, "data") : at(list, "models");
}

std::string nameOf(const Json &entry) {
  for (const char *key : {"id", "name", "model"})
    if (std::string name = textAt(entry, key); !name.empty())
      return name.starts_with("models/") ? name.substr(7) : name;
  return {};
}

/// Ollama: a name without a tag means ":latest".
bool isSame(const std::string &listed, const std::string &model) {
  return listed == model || listed == model + ":latest" || "models/" + listed == model;
}

std::int64_t firstCount(const Json &entry, std::initializer_list<std::initializer_list<std::string_view>> paths) {
  for (const auto &path : paths)
    if (const std::int64_t count = countAt(entry, path))
      return count;
  return 0;
}

std::optional<double> price(const Json &entry, std::string_view name) {
  const auto value = numberOf(at(entry, {"pricing", name}));
  return value && *value >= 0 ? value : std::nullopt;
}

std::optional<bool> lists(const Json &names, std::string_view wanted) {
  if (!names.is_array())
    return std::nullopt;
  return std::ranges::any_of(names, [&](const Json &name) { return name == wanted; });
}

} // namespace

const Json &listedModel(const Json &list, const std::string &model) {
  static const Json kNone;
  const Json &all = entries(list);
  if (all.is_array())
    for (const Json &entry : all)
      if (isSame(nameOf(entry), model))
        return entry;
  return kNone;
}

std::vector<std::string> listedNames(const Json &list) {
  std::vector<std::string> names;
  const Json &all = entries(list);
  if (all.is_array())
    for (const Json &entry : all)
      if (std::string name = nameOf(entry); !name.empty())
        names.push_back(std::move(name));
  return names;
}

bool mayBeAlias(const std::string &model, const std::vector<std::string> &names) {
  const std::string withoutRoute = model.substr(0, model.rfind(':'));
  return model.ends_with("latest") || std::ranges::any_of(names, [&](const std::string &name) {
           return name == withoutRoute || (name.size() > model.size() + 1 && name.starts_with(model + "-") &&
                                           std::isdigit(static_cast<unsigned char>(name[model.size() + 1])));
         });
}

std::string nearNames(const std::string &model, const std::vector<std::string> &names) {
  std::vector<std::string> near;
  const auto add = [&](const std::string &name) {
    if (near.size() < kMostNear && !name.empty() && std::ranges::find(near, name) == near.end())
      near.push_back(name);
  };
  add(didYouMean(model, names));
  // Next come names with the longest common beginning, with and without the maker's name in front.
  const std::string wanted = lowered(model.substr(model.find('/') + 1));
  const auto shared = [&](const std::string &name) {
    const std::string other = lowered(name.substr(name.find('/') + 1));
    return std::ranges::mismatch(wanted, other).in1 - wanted.begin();
  };
  std::vector<std::pair<std::ptrdiff_t, std::string>> ranked;
  for (const std::string &name : names)
    ranked.emplace_back(-shared(name), name);
  std::ranges::sort(ranked);
  for (const auto &[rank, name] : ranked)
    add(name);
  return join(near, ", ");
}

void readListed(const Json &entry, const std::string &source, ModelFacts &facts) {
  if (const std::string name = nameOf(entry); !name.empty())
    facts.model = name;
  const std::int64_t context = firstCount(entry, {{"top_provider", "context_length"},
                                                  {"loaded_context_length"},
                                                  {"max_model_len"},
                                                  {"context_length"},
                                                  {"context_window"},
                                                  {"max_context_length"},
                                                  {"max_input_tokens"},
                                                  {"meta", "n_ctx"}});
  if (context > 0 && facts.contextTokens == 0) {
    facts.contextTokens = context;
    facts.contextSource = source;
  }
  if (facts.maxOutputTokens == 0)
    facts.maxOutputTokens = firstCount(
        entry,
        {{"top_provider", "max_completion_tokens"}, {"max_completion_tokens"}, {"max_output_tokens"}, {"max_tokens"}});
  if (const auto tools = lists(at(entry, "supported_parameters"), "tools"))
    facts.takesTools = tools;
  // OpenRouter's prices are strings in dollars a token. Other servers' numbers have other units and are not read.
  if (at(entry, {"pricing", "prompt"}).is_string()) {
    facts.inputUsd = price(entry, "prompt");
    facts.outputUsd = price(entry, "completion");
    facts.cacheReadUsd = price(entry, "input_cache_read");
    facts.cacheWriteUsd = price(entry, "input_cache_write");
  }
}

void readLlamaProps(const Json &props, ModelFacts &facts) {
  // This is the context of one slot: all slots share the server's.
  if (const std::int64_t context = countAt(props, {"default_generation_settings", "n_ctx"}); context > 0) {
    facts.contextTokens = context;
    facts.contextSource = "/props";
  }
  if (const Json &tools = at(props, {"chat_template_caps", "supports_tools"}); tools.is_boolean())
    facts.takesTools = tools.get<bool>();
  if (const std::string alias = textAt(props, "model_alias"); !alias.empty())
    facts.model = alias;
}

void readOllamaShow(const Json &show, ModelFacts &facts) {
  if (const auto tools = lists(at(show, "capabilities"), "tools"))
    facts.takesTools = tools;
  const std::int64_t most =
      countAt(show, {"model_info", textAt(show, {"model_info", "general.architecture"}) + ".context_length"});
  if (most > 0 && facts.contextTokens == 0) {
    facts.contextTokens = std::min(most, kOllamaContext);
    facts.contextSource = "/api/show";
  }
}

void readOllamaLoaded(const Json &ps, ModelFacts &facts) {
  const Json &entry = listedModel(ps, facts.model);
  if (const std::int64_t loaded = countAt(entry, {"context_length"}); loaded > 0) {
    facts.contextTokens = loaded;
    facts.contextSource = "/api/ps";
  }
}

void readLmStudio(const Json &list, ModelFacts &facts) {
  const Json &entry = listedModel(list, facts.model);
  readListed(entry, "/api/v0/models", facts);
  if (const auto tools = lists(at(entry, "capabilities"), "tool_use"))
    facts.takesTools = tools;
}

} // namespace agentic
