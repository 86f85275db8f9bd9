// The options of the subcommands that make runs.
#pragma once

#include "tool/run/llm_options.h"
#include "tool/run/optimize_run.h"

#include <string>

namespace CLI {
class App;
}

namespace agentic {

/// --max-seconds and --max-total-seconds.
void declareTimeLimits(CLI::App &app, TimeOptions &time);

/// --farm and --run-on-hosts.
void declareFarm(CLI::App &app, RunConfig &config);
/// --no-shorten.
void declareShorten(CLI::App &app, bool &shorten);
/// --memory.
void declareMemory(CLI::App &app, LlmOptions &options);

void declareOptimization(CLI::App &app, std::string &optimization);

/// Of whoever asks a language model: its budget, and how it is asked.
void declareModelOptions(CLI::App &app, LlmOptions &options);
/// All: those, and what a search does with its models.
void declareLlmOptions(CLI::App &app, LlmOptions &options);

} // namespace agentic
