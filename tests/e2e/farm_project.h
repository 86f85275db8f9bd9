// A project whose candidates, of a scripted agent, are measured on a farm; servers that a test starts and ends.
#pragma once

#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace agentic::e2e {

/// Of an engine: what the worker is, which files it lacks, and one result.
inline constexpr const char *kThreeAnswers = "exec bash -c 'set -o pipefail; sh -c \"$1\" | sed -u 3q' bash \"$1\"\n";

/// A kernel and the texts that the scripted agent proposes for it. They come in fours: one that is faster beyond doubt,
/// a wrong one, one that does not compile, one that does everything several times.
struct FarmKernel {
  const char *folder, *name;
  std::vector<std::string> options; ///< of the project's configure step
  int candidates;
  std::string (*text)(int n); ///< n: from 1
};

inline std::string repeated(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

inline std::string columnSumsText(int n) {
  const std::string walk = "  for (std::size_t c = 0; c < columns; ++c)\n    sums[c] = 0.0f;\n"
                           "  for (std::size_t r = 0; r < rows; ++r)\n    for (std::size_t c = 0; c < columns; ++c)\n"
                           "      sums[c] += matrix[r * columns + c];\n";
  const std::string across = "  for (std::size_t c = 0; c < columns; ++c) {\n    float sum = 0.0f;\n"
                             "    for (std::size_t r = 0; r < rows; ++r)\n      sum += matrix[r * columns + c];\n"
                             "    sums[c] = sum;\n  }\n";
  const std::string bodies[] = {walk, walk + "  sums[0] += 1.0f;\n", "  undeclared(" + std::to_string(n) + ");\n",
                                across + across};
  return "#include <cstddef>\n// " + std::to_string(n) +
         "\nvoid columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n" +
         bodies[(n - 1) % 4] + "}\n";
}
inline const FarmKernel kColumnSums = {"examples/quickstart", "column_sums", {}, 8, columnSumsText};

inline std::string binaryGemmText(int n) {
  const std::string words =
      "  for (std::size_t i = 0; i < M; ++i)\n    for (std::size_t w = 0; w < K / 32; ++w) {\n"
      "      float sums[32] = {};\n      for (std::size_t p = 0; p < K; ++p) {\n"
      "        const std::uint32_t word = B[p * (K / 32) + w];\n"
      "        const float a = A[i * K + p];\n        for (unsigned b = 0; b < 32; ++b)\n"
      "          sums[b] += word >> b & 1u ? a : -a;\n      }\n"
      "      for (unsigned b = 0; b < 32; ++b)\n        C[i * K + 32 * w + b] = sums[b];\n    }\n";
  const std::string across = "  for (std::size_t i = 0; i < M; ++i)\n    for (std::size_t j = 0; j < K; ++j) {\n"
                             "      float sum = 0.0f;\n      for (std::size_t p = 0; p < K; ++p)\n"
                             "        sum += (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? A[i * K + p] : "
                             "-A[i * K + p];\n      C[i * K + j] = sum;\n    }\n";
  const std::string bodies[] = {words, words + "  C[0] += " + std::to_string(n) + ";\n",
                                "  undeclared(" + std::to_string(n) + ");\n", repeated(across, 1 + n / 4)};
  return "#include <cstddef>\n#include <cstdint>\n// " + std::to_string(n) +
         "\nnamespace bmm {\nvoid matmul(const float *__restrict A, const std::uint32_t *__restrict B, "
         "float *__restrict C, std::size_t M, std::size_t K) {\n" +
         bodies[(n - 1) % 4] + "}\n}\n";
}
inline const FarmKernel kBinaryGemm = {"kernels", "binary_gemm", {"-DKERNELS_SET=binary_gemm"}, 16, binaryGemmText};

inline std::uint16_t freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr *>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

inline bool accepts(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected = ::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

class Farm : public testing::Test {
protected:
  explicit Farm(const FarmKernel &kernel = kColumnSums) : kernel_(kernel), project_(kernel.folder) {}
  void SetUp() override {
    for (int n = 1; n <= kernel_.candidates; ++n)
      ASSERT_TRUE(writeFileAtomic(agent() / ("reply." + std::to_string(n)), "```cpp\n" + kernel_.text(n) + "```\n"));
    // Several may be asked at once.
    script(agent() / "agent.sh",
           "cat > /dev/null\nn=1\nwhile ! mkdir \"$1/taken.$n\" 2>/dev/null; do n=$((n + 1)); done\n"
           "cat \"$1/reply.$n\"\n");
    const Outcome configured = project_.configure(kernel_.options);
    ASSERT_EQ(configured.status, 0) << configured.all();
  }
  void TearDown() override {
    for (auto server = servers_.rbegin(); server != servers_.rend(); ++server) {
      (*server)->signal(SIGTERM);
      (*server)->finish();
    }
  }
  /// Starts a server that stays in the foreground. It stops by itself, should nobody end it.
  void start(const std::string &name, std::vector<std::string> argv) {
    argv.insert(argv.begin(), {"timeout", "--foreground", "1800"});
    servers_.push_back(std::make_unique<Background>(argv, root() / (name + ".pid")));
  }
  fs::path root() const { return project_.root(); }
  fs::path agent() const { return root() / "agent"; }
  static void script(const fs::path &file, const std::string &text) {
    ASSERT_TRUE(writeFileAtomic(file, "#!/bin/sh\n" + text));
    fs::permissions(file, fs::perms::owner_all);
  }
  std::vector<std::string> arguments(const std::vector<std::string> &more) const {
    std::vector<std::string> all = {"optimize",
                                    "--kernel",
                                    kernel_.name,
                                    "--cold",
                                    "--no-write",
                                    "--agent",
                                    "command:" + (agent() / "agent.sh").string() + " " + agent().string(),
                                    "--max-iterations",
                                    std::to_string(kernel_.candidates)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// A run from its begin: the agent answers as if it had never been asked.
  Outcome optimize(const std::vector<std::string> &more, const Environment &environment = {}) const {
    for (int n = 1; n <= kernel_.candidates; ++n)
      fs::remove(agent() / ("taken." + std::to_string(n)));
    Environment all = {{"PATH", (root() / "bin").string() + ":" + std::getenv("PATH")},
                       {"XDG_CACHE_HOME", (root() / "cache").string()}};
    all.insert(all.end(), environment.begin(), environment.end());
    return runCommand(project_.toolCommand(arguments(more)), kPatience, all);
  }
  /// Of all candidates, in the order of their turns.
  static std::vector<nlohmann::json> evaluationsOf(const Outcome &outcome) {
    std::vector<nlohmann::json> evaluations;
    if (!outcome.json.is_object() || !outcome.json.contains("run_dir"))
      return evaluations;
    for (const std::string &line :
         split(readFile(outcome.json["run_dir"].get<std::string>() + "/journal.jsonl").value_or(""), '\n')) {
      const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
      if (entry.is_object() && entry.value("event", "") == "evaluated")
        evaluations.push_back(entry["evaluation"]);
    }
    return evaluations;
  }
  static std::vector<std::string> verdictsOf(const Outcome &outcome) {
    std::vector<std::string> verdicts;
    for (const nlohmann::json &evaluation : evaluationsOf(outcome))
      verdicts.push_back(evaluation["verdict"].get<std::string>() + " " + evaluation["stage"].get<std::string>());
    return verdicts;
  }
  auto areAllJudged() const { return testing::SizeIs(std::size_t(kernel_.candidates)); }
  /// The verdicts on this kernel's candidates without a farm, once in a process.
  const std::vector<std::string> &verdictsHere() const {
    static std::map<std::string, std::vector<std::string>> known;
    std::vector<std::string> &verdicts = known[kernel_.name];
    if (verdicts.empty()) {
      const Outcome here = optimize({});
      EXPECT_EQ(here.status, 0) << here.all();
      verdicts = verdictsOf(here);
      EXPECT_THAT(verdicts, areAllJudged()) << here.all();
    }
    return verdicts;
  }
  /// An engine: it is given a shell command.
  std::string engine(const std::string &name, const std::string &text) const {
    script(root() / name, "export XDG_CACHE_HOME=" + (root() / (name + "-cache")).string() + "\n" + text);
    return "command:" + (root() / name).string();
  }

  const FarmKernel &kernel_;
  Project project_;
  std::vector<std::unique_ptr<Background>> servers_;
};

} // namespace agentic::e2e
