#include "tests/source/meaning_program.h"

#include "tool/base/files.h"
#include "tool/base/process.h"

namespace agentic {

void MeaningProgram::addKernel(const std::string &name, const std::string &original) {
  name_ = name;
  kernels_ += "namespace " + name + " {\n" + original + "\n}\n";
}

void MeaningProgram::addVariant(const std::string &text, const Recipe &recipe) {
  const std::string variant = name_ + "_" + std::to_string(++variants_);
  kernels_ += "namespace " + variant + " {\n" + text + "\n}\n";
  calls_ += "  compare(" + name_ + "::f, " + variant + "::f, \"" + name_ + ": " + recipeText(recipe) + "\");\n";
  for (const MoveStep &step : recipe)
    moves_.insert(step.move);
}

void MeaningProgram::run(const std::string &compiler, const std::vector<std::string> &flags) const {
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-meaning-");
  ASSERT_TRUE(folder);
  const std::string text =
      "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstdio>\n#include <cstring>\n"
      "#include <vector>\nusing std::size_t;\n" +
      kernels_ + "static int failures;\n" + comparison_ + "int main() {\n" + calls_ + "  return failures != 0;\n}\n";
  ASSERT_TRUE(writeFileAtomic(folder->path() / "all.cpp", text));
  ProcessSpec compile;
  compile.argv = {compiler, "-std=c++20", "-w", "-ffp-contract=off", "all.cpp", "-o", "all"};
  compile.argv.insert(compile.argv.end(), flags.begin(), flags.end());
  compile.workingDirectory = folder->path().string();
  compile.timeoutSeconds = 400;
  const auto compiled = runProcess(compile);
  ASSERT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->err.substr(0, 4000) : compiled.error().message);
  ProcessSpec start;
  start.argv = {(folder->path() / "all").string()};
  start.timeoutSeconds = 200;
  const auto result = runProcess(start);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->ok()) << result->describe() << "\n" << result->out.substr(0, 4000) << result->err.substr(0, 4000);
}

const std::string kCompareMatrices = R"(
using Kernel = void(const float *, const unsigned *, float *, size_t, size_t);
static bool isSame(float left, float right) {
  return std::memcmp(&left, &right, sizeof left) == 0 || (left != left && right != right);
}
static void compare(Kernel *original, Kernel *variant, const char *what) {
  static std::vector<float> a(16384);
  static std::vector<unsigned> b(16384);
  unsigned state = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    b[i] = state ^ (state >> 15);
    a[i] = static_cast<float>(static_cast<int>(state >> 12) % 1000) / 97.0f;
  }
  const size_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 64}, {3, 32}, {5, 31}, {8, 65}, {17, 33}, {33, 64},
                             {40, 16}, {9, 70}};
  for (const auto &size : sizes) {
    std::vector<float> expected(a.rbegin(), a.rend()), actual(expected);
    original(a.data(), b.data(), expected.data(), size[0], size[1]);
    variant(a.data(), b.data(), actual.data(), size[0], size[1]);
    for (size_t i = 0; i < expected.size(); ++i)
      if (!isSame(expected[i], actual[i])) {
        std::printf("%s differs for M=%zu K=%zu in element %zu: %g instead of %g\n", what, size[0], size[1], i,
                    actual[i], expected[i]);
        ++failures;
        return;
      }
  }
}
)";

} // namespace agentic
