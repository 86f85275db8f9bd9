// agentic-kernel show ITERATION: shows what a model was sent, what it answered, and the verdict.
#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/run/chosen_run.h"
#include "tool/search/journal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

class ShowCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("iteration", iteration_, "as optimize counts them, from 1")->required()->check(wholeNumber(1));
    app.add_option("--run", run_, "folder of the run (default: the newest)");
  }

  int run(Console &console) override {
    auto result = find();
    if (!result)
      return console.fail(result.error(), common_.json, {{"iteration", iteration_}});
    if (common_.json)
      console.json(*result);
    else
      print(console, *result);
    return 0;
  }

private:
  Result<json> find() const {
    auto directory = TRY(chosenRun(run_, common_.buildDir, common_.kernel));
    auto record = TRY(readRun(directory));
    const int count = static_cast<int>(record.iterations.size());
    if (iteration_ > count)
      return userError(fmt::format("run {} has {} iterations, not {}", directory, count, iteration_),
                       "'agentic-kernel runs' lists the runs; choose one with --run");
    const Iteration &iteration = record.iterations[iteration_ - 1];
    json result = {{"run", directory}, {"iteration", iteration_}, {"call", nullptr},   {"prompt", nullptr},
                   {"reply", nullptr}, {"candidate", nullptr},    {"verdict", nullptr}};
    int call = iteration.call;
    if (iteration.attempt) {
      const Attempt &attempt = record.attempts[*iteration.attempt];
      call = callOfOrigin(attempt.candidate.origin);
      result["candidate"] = {
          {"id", attempt.candidate.id}, {"origin", attempt.candidate.origin}, {"text", attempt.candidate.text}};
      result["verdict"] = verdictText(attempt, iteration_, attempt.candidate.id);
    } else {
      result["verdict"] = "the reply holds no candidate";
    }
    if (call > 0)
      TRY(addCall(recordsOf(directory, record, iteration.agent), call, result));
    return result;
  }

  /// Returns the folder of the agent's calls: several agents have folders of their own.
  static std::string recordsOf(const std::string &directory, const RunRecord &record, const std::string &agent) {
    const std::vector<std::string> labels = agentLabels(record.config.agents);
    const auto found = std::ranges::find(labels, agent);
    return found == labels.end() ? directory
                                 : agentDirectory(directory, static_cast<std::size_t>(found - labels.begin()));
  }

  /// Adds the last request of this call, and its reply.
  static Result<void> addCall(const std::string &directory, int call, json &result) {
    auto log = TRY(CallLog::read(directory));
    result["call"] = call;
    for (const CallRecord &record : log) {
      if (record.call != call)
        continue;
      const auto request = readFile(CallLog::fileOf(directory, call, record.attempt) + ".request.json");
      json prompt = request ? json::parse(*request, nullptr, false) : json();
      result["prompt"] = prompt.is_object() ? std::move(prompt) : json();
      result["cost_usd"] = record.cost.usd;
      if (!record.reply)
        continue;
      result["reply"] = {{"text", record.reply->message.text}, {"tool_calls", json::array()}};
      for (const ToolCall &made : record.reply->message.toolCalls)
        result["reply"]["tool_calls"].push_back({{"name", made.name}, {"arguments", made.arguments}});
    }
    return {};
  }

  static std::string stringIn(const json &object, const char *key) {
    const auto found = object.find(key); // end() if it is no object
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

  /// Prints a text without control characters for a terminal: a model wrote it.
  static void text(Console &console, const std::string &text) { console.out(printable(text, true)); }

  static void print(Console &console, const json &result) {
    const auto section = [&](const std::string &title) { console.out(console.bold("--- " + title)); };
    // Anybody may have written the file: it holds an object, at best.
    if (const auto messages = result["prompt"].find("messages"); messages != result["prompt"].end())
      for (const json &message : *messages) {
        section("prompt: " + printable(stringIn(message, "role")));
        text(console, stringIn(message, "content"));
      }
    if (result["reply"].is_object()) {
      section(fmt::format("reply (call {})", result["call"].get<int>()));
      text(console, result["reply"].value("text", ""));
      for (const json &call : result["reply"]["tool_calls"])
        text(console, call.value("name", "") + " " + call.value("arguments", ""));
    } else if (result["candidate"].is_object()) {
      section("candidate " + result["candidate"].value("id", "") + " (" + result["candidate"].value("origin", "") +
              ")");
      text(console, result["candidate"].value("text", ""));
    }
    section("verdict");
    text(console, result["verdict"].get<std::string>());
  }

  CommonOptions common_;
  int iteration_ = 0;
  std::string run_;
};

} // namespace

extern const CommandRow kShowCommand = {
    .name = "show",
    .summary = "show one iteration of a run: prompt, reply and verdict",
    .example = "-B build 12",
    .make = makeCommand<ShowCommand>,
};

} // namespace agentic
