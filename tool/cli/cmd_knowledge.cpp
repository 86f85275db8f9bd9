// agentic-kernel knowledge: patterns that fit a kernel or a question, and an index of sources that the user points at.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/run/kernel_knowledge.h"
#include "tool/run/pdf_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr std::size_t kShown = 10, kShownSkipped = 10;

class KnowledgeCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    app.add_option("words", words_,
                   "list, search WORDS, show NAME, add PATHS, remove PATHS; none = what fits --kernel");
    declareKnowledgeCommand(app, knowledgeCommand_);
  }

  int run(Console &console) override {
    result_ = nlohmann::json::object();
    const Result<void> done = act(console);
    if (!done)
      return console.fail(done.error(), common_.json, result_);
    if (common_.json)
      console.json(result_);
    return 0;
  }

private:
  Result<void> act(Console &console) {
    const std::string action = words_.empty() ? "" : words_.front();
    const std::vector<std::string> rest(words_.begin() + (words_.empty() ? 0 : 1), words_.end());
    if (action.empty())
      return common_.kernel.empty() ? askForAction() : ofKernel(console);
    if (action == "list" && rest.empty())
      return list(console);
    if (action == "search" && !rest.empty())
      return search(console, join(rest, " "));
    if (action == "show" && rest.size() == 1)
      return show(console, rest.front());
    if (action == "add" && !rest.empty())
      return add(console, rest);
    if (action == "remove" && !rest.empty())
      return remove(console, rest);
    return wrongAction(
        "knowledge", action, {"list", "search", "show", "add", "remove"},
        "'knowledge list', 'knowledge search \"prefix sum\"', 'knowledge show NAME', 'knowledge add DIR', "
        "'knowledge remove DIR'");
  }

  static Result<void> askForAction() {
    return userError("neither a kernel nor an action was given",
                     "'knowledge --kernel NAME' shows what fits a kernel, 'knowledge list' everything");
  }

  Result<std::string> indexFile() const {
    std::string project = TRY(projectOf(common_.buildDir));
    return knowledgeFile(project, common_.buildDir, surroundings());
  }

  /// The index, if the build tree has one: patterns need no build tree.
  Result<std::optional<SourceIndex>> index() const {
    const auto file = indexFile();
    if (!file)
      return std::optional<SourceIndex>();
    return knowledgeIndex(*file);
  }

  void out(Console &console, const std::string &text) const {
    if (!common_.json && !trim(text).empty())
      console.out(printable(std::string(trim(text)), true));
  }

  void addPatterns(const std::vector<RankedPattern> &ranked) {
    result_["patterns"] = nlohmann::json::array();
    for (const RankedPattern &entry : ranked)
      result_["patterns"].push_back(patternJson(entry));
  }

  void addPassages(const std::vector<Passage> &passages) {
    result_["passages"] = nlohmann::json::array();
    for (const Passage &passage : passages)
      result_["passages"].push_back(passageJson(passage));
  }

  Result<void> ofKernel(Console &console) {
    const CurrentKernel kernel = TRY(currentKernel(common_.buildDir, common_.kernel, common_.config));
    const Research research = TRY(kernelResearch(kernel.manifest, kernel.spec, surroundings(), {}, knowledgeCommand_));
    result_ = researchJson(research);
    out(console, featuresText(research.features));
    out(console, "\n" + rankedText(research.patterns));
    out(console, "\n" + passagesText(research.neighbours));
    return {};
  }

  Result<void> search(Console &console, const std::string &words) {
    const std::vector<Pattern> library = TRY(shippedPatterns());
    const std::vector<RankedPattern> ranked = searchPatterns(library, words, kShown);
    auto sources = TRY(index());
    std::vector<Passage> passages;
    if (sources)
      passages = TRY(sources->search(words, kShown));
    const std::vector<Passage> answered = TRY(programPassages(knowledgeCommand_, words, kShown, surroundings()));
    passages.insert(passages.end(), answered.begin(), answered.end());
    addPatterns(ranked);
    addPassages(passages);
    out(console, rankedText(ranked));
    out(console, passagesText(passages));
    if (ranked.empty() && passages.empty())
      console.note("nothing has one of these words");
    return {};
  }

  Result<void> show(Console &console, const std::string &name) {
    const std::vector<Pattern> library = TRY(shippedPatterns());
    const Pattern *pattern = findPattern(library, name);
    if (!pattern) {
      std::vector<std::string> names;
      for (const Pattern &other : library)
        names.push_back(other.name);
      return userError("there is no pattern '" + name + "'",
                       meantOr(name, names, "'agentic-kernel knowledge list' names them"));
    }
    result_ = {{"name", pattern->name}, {"title", pattern->title}, {"text", pattern->text}};
    out(console, pattern->text);
    return {};
  }

  Result<void> list(Console &console) {
    const std::vector<Pattern> library = TRY(shippedPatterns());
    result_["patterns"] = nlohmann::json::array();
    std::string text;
    for (const Pattern &pattern : library) {
      result_["patterns"].push_back({{"name", pattern.name}, {"title", pattern.title}, {"features", pattern.features}});
      text += pattern.name + ": " + pattern.title + "\n";
    }
    out(console, text);
    result_["sources"] = nlohmann::json::array();
    auto sources = TRY(index());
    std::vector<IndexedSource> all;
    if (sources)
      all = TRY(sources->list());
    for (const IndexedSource &source : all) {
      result_["sources"].push_back(
          {{"path", source.path}, {"licence", source.licence}, {"files", source.files}, {"passages", source.passages}});
      out(console, fmt::format("{}: {} passages of {} files, {}", source.path, source.passages, source.files,
                               source.licence.empty() ? "licence not known" : source.licence));
    }
    return {};
  }

  Result<void> add(Console &console, const std::vector<std::string> &paths) {
    const std::string file = TRY(indexFile());
    SourceIndex sources = TRY(SourceIndex::open(file));
    result_["added"] = nlohmann::json::array();
    const PdfReader pdfs = pdfReader(&interrupted());
    for (const std::string &path : paths) {
      const AddReport report = TRY(sources.add(path, &interrupted(), pdfs));
      nlohmann::json skipped = nlohmann::json::array();
      for (const SkippedFile &entry : report.skipped)
        skipped.push_back({{"file", entry.path}, {"reason", entry.reason}});
      result_["added"].push_back({{"path", report.path},
                                  {"licence", report.licence},
                                  {"files", report.files},
                                  {"unchanged", report.unchanged},
                                  {"removed", report.removed},
                                  {"passages", report.passages},
                                  {"skipped", std::move(skipped)}});
      out(console, fmt::format("{}: {} new passages of {} files, {} files unchanged, {} gone; {}", report.path,
                               report.passages, report.files, report.unchanged, report.removed,
                               report.licence.empty() ? "licence not known" : report.licence));
      for (std::size_t i = 0; i < std::min(kShownSkipped, report.skipped.size()); ++i)
        console.note(printable("left out " + report.skipped[i].path + ": " + report.skipped[i].reason));
      if (report.skipped.size() > kShownSkipped)
        console.note(fmt::format("left out {} more files; --json names them", report.skipped.size() - kShownSkipped));
    }
    return {};
  }

  Result<void> remove(Console &console, const std::vector<std::string> &paths) {
    auto sources = TRY(index());
    for (const std::string &path : paths) {
      bool wasThere = false;
      if (sources)
        wasThere = TRY(sources->remove(path));
      if (!wasThere)
        return userError("'" + path + "' is no indexed source", "'agentic-kernel knowledge list' names them");
      result_["removed"].push_back(path);
      out(console, "removed " + path);
    }
    return {};
  }

  CommonOptions common_;
  std::vector<std::string> words_;
  std::string knowledgeCommand_;
  nlohmann::json result_;
};

} // namespace

extern const CommandRow kKnowledgeCommand = {
    .name = "knowledge",
    .summary = "find patterns and functions of other projects that fit a kernel or a question",
    .example = "-B build -k gemm",
    .make = makeCommand<KnowledgeCommand>,
};

} // namespace agentic
