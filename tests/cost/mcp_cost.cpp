// Measures what the MCP server adds to an evaluation: the numbers in tool/mcp/README.md. Not a test: run it by hand, on
// an idle machine.
//   mcp_cost
// A client sends candidates that the first check rejects, so that next to nothing else is measured; what an evaluation
// says that it took is taken off.
#include "tests/e2e/mcp_client.h"

#include "tool/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace agentic::cost {
namespace {

constexpr int kSources = 40; ///< fewer than the budget of iterations

std::string source(int number) {
  return fmt::format("#include <cstddef>\n"
                     "static std::size_t calls = {};\n"
                     "void columnSums(const float *, float *sums, std::size_t, std::size_t columns) {{\n"
                     "  for (std::size_t c = 0; c < columns; ++c)\n"
                     "    sums[c] = static_cast<float>(++calls);\n"
                     "}}\n",
                     number);
}

void row(const std::string &what, const std::vector<double> &seconds, std::size_t index) {
  std::cout << fmt::format("{:<72} {:8.2f} ms", what, seconds.at(index) * 1000) << std::endl;
}

void show(const std::string &what, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  row(what + ", median", seconds, seconds.size() / 2);
  row(what + ", worst", seconds, seconds.size() - 1);
}

/// Seconds of the call beyond those of its evaluation.
double added(e2e::McpClient &client, int number) {
  const double start = steadySeconds();
  const nlohmann::json answer = client.call(
      "evaluate", {{"name", fmt::format("c{}", number)}, {"source", source(number)}, {"hypothesis", "for its time"}});
  const double seconds = steadySeconds() - start;
  if (answer.value("state", "") != "done")
    throw std::runtime_error("no verdict: " + answer.dump());
  const nlohmann::json &result = answer["result"];
  return seconds - (result.contains("was_tried_before") ? 0 : result["seconds"].get<double>());
}

void measure() {
  const e2e::Project project("examples/quickstart");
  if (const e2e::Outcome configured = project.configure(); configured.status != 0)
    throw std::runtime_error(configured.all());
  e2e::McpClient client({"--build-dir", project.build().string()}, project.root() / "log");
  client.result("describe_kernel");
  added(client, 0); // makes the run's journal
  std::vector<double> fresh, known;
  for (int number = 1; number <= kSources; ++number)
    fresh.push_back(added(client, number));
  for (int number = 1; number <= kSources; ++number)
    known.push_back(added(client, number));
  show("evaluate of a new source, beyond its evaluation", fresh);
  show("evaluate of a known source", known);
}

} // namespace
} // namespace agentic::cost

int main() {
  try {
    agentic::cost::measure();
  } catch (const std::exception &error) {
    std::cerr << "mcp_cost: " << error.what() << "\n";
    return 1;
  }
}
