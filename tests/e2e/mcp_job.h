// A small project whose kernel a client of the server optimizes, and candidates for it.
#pragma once

#include "tests/e2e/mcp_client.h"

#include "tool/base/hash.h"

#include <gtest/gtest.h>

namespace agentic::e2e {

using nlohmann::json;

inline constexpr const char *kWrong = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = rows > 0 ? matrix[c] : 0.0f;
}
)";
inline constexpr const char *kForbidden = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  static std::size_t calls = 0;
  ++calls;
  for (std::size_t c = 0; c < columns; ++c) {
    sums[c] = 0.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sums[c] += matrix[r * columns + c];
  }
}
)";

inline json candidate(const std::string &name, const std::string &source) {
  return {{"name", name}, {"source", source}, {"hypothesis", "for the test"}};
}

class McpJob : public testing::Test {
protected:
  void SetUp() override {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--build-dir", project_.build().string()});
    return more;
  }
  fs::path log() const { return project_.root() / "log"; }
  /// The job of the evaluation of this source.
  static std::string jobOf(const std::string &source) {
    return "column_sums/evaluate/c" + sha256(source).substr(0, 10);
  }
  bool isVariantThere() const { return fs::exists(project_.source() / "generated/column_sums.lock.json"); }

  Project project_{"examples/quickstart"};
};

} // namespace agentic::e2e
