// agentic-kernel memory: what runs have learned, of a project or of all of them.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/memory/item_lines.h"
#include "tool/memory/memory_store.h"
#include "tool/memory/recall.h"
#include "tool/memory/recipe_store.h"
#include "tool/run/kernel_knowledge.h"
#include "tool/run/run_memory.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

class MemoryCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("words", words_, "list, show ID, forget IDS or 'forget all', import FILE, export FILE");
    app.add_flag("--shared", isShared_, "the memory that all projects share, instead of the project's own");
  }

  int run(Console &console) override {
    result_ = nlohmann::json::object();
    if (const Result<void> done = act(console); !done)
      return console.fail(done.error(), common_.json, result_);
    if (common_.json)
      console.json(result_);
    return 0;
  }

private:
  Result<void> act(Console &console) {
    const std::string action = words_.empty() ? "list" : words_.front();
    const std::vector<std::string> rest(words_.begin() + (words_.empty() ? 0 : 1), words_.end());
    if (action == "list" && rest.empty())
      return list(console);
    if (action == "show" && rest.size() == 1)
      return show(console, rest.front());
    if (action == "forget" && !rest.empty())
      return forget(console, rest);
    if (action == "import" && rest.size() == 1)
      return importFrom(console, rest.front());
    if (action == "export" && rest.size() == 1)
      return exportTo(console, rest.front());
    return wrongAction(
        "memory", action, {"list", "show", "forget", "import", "export"},
        "'memory list', 'memory show ID', 'memory forget ID', 'memory import FILE', 'memory export FILE'");
  }

  Result<std::string> file() const {
    if (isShared_)
      return sharedMemoryFile(common_.buildDir, surroundings());
    const std::string project = TRY(projectOf(common_.buildDir));
    return projectMemoryFile(project, common_.buildDir, surroundings());
  }

  /// Returns what a store of the memory lists of the chosen kernel; none if nothing was ever kept.
  template <typename Store> auto listed() const -> decltype(std::declval<Store &>().list()) {
    const std::string path = TRY(file());
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      return {};
    Store store = TRY(Store::open(path));
    auto all = TRY(store.list());
    if (!common_.kernel.empty())
      std::erase_if(all, [&](const auto &entry) { return entry.kernel != common_.kernel; });
    return all;
  }
  Result<std::vector<MemoryItem>> items() const { return listed<MemoryStore>(); }

  void out(Console &console, const std::string &text) const {
    if (!common_.json)
      console.out(printable(std::string(trim(text)), true));
  }

  Result<void> list(Console &console) {
    const std::vector<MemoryItem> all = TRY(items());
    const std::vector<WinningRecipe> won = TRY(listed<RecipeStore>());
    result_["items"] = all;
    result_["recipes"] = nlohmann::json::array();
    for (const MemoryItem &item : all)
      out(console, firstLine(memoryText(item)));
    for (const WinningRecipe &one : won) {
      result_["recipes"].push_back({{"kernel", one.kernel}, {"recipe", one.recipe}, {"ratio", one.ratio}});
      out(console,
          fmt::format("recipe  {:.2f}x  {}{}", one.ratio, one.kernel.empty() ? "" : one.kernel + ": ", one.recipe));
    }
    if (all.empty() && won.empty())
      console.note("nothing is kept: runs keep what made a kernel faster or slower");
    return {};
  }

  Result<void> show(Console &console, const std::string &id) {
    const std::vector<MemoryItem> all = TRY(items());
    const auto found = std::ranges::find(all, id, &MemoryItem::id);
    if (found == all.end())
      return noItem(id);
    result_ = *found;
    out(console, memoryText(*found));
    return {};
  }

  static std::unexpected<Error> noItem(const std::string &id) {
    return userError("there is no item '" + id + "'", "'agentic-kernel memory list' names them");
  }

  Result<void> forget(Console &console, const std::vector<std::string> &ids) {
    const std::string path = TRY(file());
    std::error_code ignored;
    if (!fs::exists(path, ignored))
      return noItem(ids.front());
    MemoryStore store = TRY(MemoryStore::open(path));
    if (ids == std::vector<std::string>{"all"}) {
      TRY(store.forgetAll());
      RecipeStore won = TRY(RecipeStore::open(path));
      TRY(won.forgetAll());
      result_["forgotten"] = "all";
      out(console, "forgot everything");
      return {};
    }
    for (const std::string &id : ids) {
      const bool wasThere = TRY(store.forget(id));
      if (!wasThere)
        return noItem(id);
      result_["forgotten"].push_back(id);
      out(console, "forgot " + id);
    }
    return {};
  }

  /// What all projects share holds no text of others.
  Result<void> importFrom(Console &console, const std::string &from) {
    ReadItems read = TRY(readItemFile(from));
    if (isShared_)
      std::ranges::transform(read.items, read.items.begin(), withoutSource);
    const std::string path = TRY(file());
    MemoryStore store = TRY(MemoryStore::open(path));
    const MemoryReport report = TRY(store.add(read.items));
    result_ = {{"added", report.added},
               {"merged", report.merged},
               {"forgotten", report.forgotten},
               {"left_out", read.leftOut}};
    out(console, fmt::format("{} items are new, {} were known, {} others had to go", report.added, report.merged,
                             report.forgotten));
    if (read.leftOut > 0)
      console.warn(printable(fmt::format("{} lines are no items: {}", read.leftOut, read.firstReason)));
    return {};
  }

  Result<void> exportTo(Console &console, const std::string &to) {
    const std::vector<MemoryItem> all = TRY(items());
    TRY(writeFileAtomic(to, itemLines(all)));
    result_ = {{"items", all.size()}, {"file", to}};
    console.note(printable(fmt::format("wrote {} items to {}", all.size(), to)));
    return {};
  }

  CommonOptions common_;
  std::vector<std::string> words_;
  bool isShared_ = false;
  nlohmann::json result_;
};

} // namespace

extern const CommandRow kMemoryCommand = {
    .name = "memory",
    .summary = "show what runs have learned, forget it, or share it with a team",
    .example = "list -B build",
    .make = makeCommand<MemoryCommand>,
};

} // namespace agentic
