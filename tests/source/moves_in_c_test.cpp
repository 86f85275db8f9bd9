// The moves on kernels in C: every one writes C99, and originals and results, compiled by the real C compilers, agree
// bit for bit.
#include "tests/source/moves_in_c_kernels.h"
#include "tests/source/transform_fixture.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/source/moves/move.h"
#include "tool/source/transform/spelled_in_c.h"

#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;

KernelSpec specOf(const Kernel &kernel) {
  KernelSpec spec = kernelSpec(kSignature + kernel.body + "\n");
  spec.language = Language::C;
  spec.source = "/nowhere/kernel.c";
  spec.prelude = {"typedef __SIZE_TYPE__ size_t;", kernel.prelude};
  spec.contract.extents = kernel.extents;
  spec.parseArguments = {"-std=c99", "-x", "c", "-resource-dir=" AGENTIC_CLANG_RESOURCE_DIR};
  if (kernel.mayAlias) {
    spec.contract.extents = {{"A", Direction::In, "M * K"}, {"C", Direction::Out, "M * K"}};
    spec.contract.mayAlias = {{"A", "C"}};
  }
  spec.contract.isFinite = kernel.hasTolerance;
  if (kernel.hasTolerance)
    spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-4};
  return spec;
}

MoveStep stepOf(const MoveOffer &offer, bool last) {
  MoveStep step{offer.move, offer.target, {}};
  for (const auto &[name, values] : offer.parameters)
    step.parameters[name] = last ? values.back() : values.front();
  return step;
}

/// Every offer with its first and last values, and what may follow a rewrite of the loops.
std::vector<Recipe> recipesFor(Transformer &transformer) {
  std::vector<Recipe> recipes;
  const auto offers = transformer.offers({});
  EXPECT_TRUE(offers) << offers.error().message;
  for (const MoveOffer &offer : *offers)
    for (const bool last : {false, true}) {
      recipes.push_back({stepOf(offer, last)});
      if (last && offer.parameters.empty())
        recipes.pop_back();
    }
  const std::size_t single = recipes.size();
  for (std::size_t i = 0; i < single; i += 3) {
    const auto more = transformer.offers(recipes[i]);
    EXPECT_TRUE(more) << recipeText(recipes[i]) << ": " << more.error().message;
    for (std::size_t k = 0; more && k < more->size(); k += 3)
      recipes.push_back({recipes[i].front(), stepOf((*more)[k], false)});
  }
  return recipes;
}

constexpr const char *kMain = R"(#include <stdio.h>
#include <string.h>
#include <stddef.h>
typedef void Kernel(const float *, const unsigned *, float *, size_t, size_t);
static float a[16384], expected[16384], actual[16384];
static unsigned b[16384];
static int failures;
static void compare(Kernel *original, Kernel *variant, const char *what, double tolerance) {
  static const size_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 64}, {3, 32}, {5, 31}, {8, 65}, {17, 33}, {33, 64}, {9, 70}};
  unsigned state = 1;
  for (size_t i = 0; i < 16384; ++i) {
    state = state * 1664525u + 1013904223u;
    b[i] = state ^ (state >> 15);
    a[i] = (float)((int)(state >> 12) % 1000) / 97.0f;
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    memcpy(expected, a, sizeof a);
    memcpy(actual, a, sizeof a);
    original(a, b, expected, sizes[s][0], sizes[s][1]);
    variant(a, b, actual, sizes[s][0], sizes[s][1]);
    for (size_t i = 0; i < 16384; ++i) {
      const double off = (double)actual[i] - expected[i], most = tolerance * expected[i];
      if (memcmp(&actual[i], &expected[i], sizeof *a) != 0 && !(off <= most && -off <= most)) {
        printf("%s differs for %d, %d in %d: %g instead of %g\n", what, (int)sizes[s][0], (int)sizes[s][1], (int)i, actual[i], expected[i]);
        ++failures;
        return;
      }
    }
  }
}
)";

void testWith(const std::string &compiler, Family family) {
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-moves-in-c-");
  ASSERT_TRUE(folder);
  std::vector<std::string> argv = {
      compiler, "-std=c99", "-O1",   "-w", "-Werror=implicit-function-declaration", "-ffp-contract=off",
      "-o",     "all",      "main.c"};
  std::string declarations, calls;
  std::set<std::string> moves;
  int count = 0;
  const auto add = [&](const Kernel &kernel, const std::string &text) {
    const std::string name = "f" + std::to_string(++count), file = name + ".c";
    EXPECT_TRUE(writeFileAtomic(folder->path() / file,
                                "#include <stddef.h>\n" + kernel.prelude + "\n#define f " + name + "\n" + text + "\n"));
    declarations += "Kernel " + name + ";\n";
    argv.push_back(file);
    return name;
  };
  for (const Kernel &kernel : kKernels) {
    TransformOptions options{.family = family,
                             .mayReassociate = kernel.hasTolerance,
                             .hasTolerance = kernel.hasTolerance,
                             .observed = {{"K", {64}}}};
    const auto transformer = Transformer::create(specOf(kernel), options);
    ASSERT_TRUE(transformer) << transformer.error().message;
    const std::string original = add(kernel, kSignature + kernel.body);
    std::vector<Recipe> recipes = recipesFor(**transformer);
    for (const std::string &recipe : kernel.recipes)
      recipes.push_back(*parseRecipe(recipe));
    for (const Recipe &recipe : recipes) {
      const auto text = (*transformer)->apply(recipe);
      if (!text && recipe.size() > 1)
        continue; // too large together
      ASSERT_TRUE(text) << recipeText(recipe) << ": " << text.error().message;
      for (const char *word : {"static_cast", "constexpr", "nullptr", "auto ", "std::", "= {}"})
        EXPECT_THAT(*text, testing::Not(HasSubstr(word))) << recipeText(recipe);
      calls += "  compare(" + original + ", " + add(kernel, *text) + ", \"" + kernel.name + ": " + recipeText(recipe) +
               "\", " + (kernel.hasTolerance ? "1e-4" : "0") + ");\n";
      for (const MoveStep &step : recipe)
        moves.insert(step.move);
    }
  }
  for (const moves::Move &move : moves::allMoves())
    EXPECT_NE(move.needsCxx, moves.contains(std::string(move.name)))
        << move.name << " applies to none of moves_in_c_kernels.h";
  argv.emplace_back("-lm");
  ASSERT_TRUE(writeFileAtomic(folder->path() / "main.c",
                              kMain + declarations + "int main(void) {\n" + calls + "  return failures != 0;\n}\n"));
  ProcessSpec compile{
      .argv = argv, .workingDirectory = folder->path().string(), .timeoutSeconds = 1200, .mergeOutput = true};
  const auto compiled = runProcess(compile);
  ASSERT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->out.substr(0, 4000) : compiled.error().message);
  const auto ran = runProcess({.argv = {(folder->path() / "all").string()}, .mergeOutput = true});
  ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->out.substr(0, 4000) : ran.error().message);
  std::printf("%d functions, %zu moves, %s\n", count, moves.size(), compiler.c_str());
}

TEST(MovesInC, Clang) {
  testWith("clang-19", Family::Clang);
}
TEST(MovesInC, Gcc) {
  testWith("gcc", Family::Gcc);
}

TEST(MovesInC, WhatCCannotSayIsNotOffered) {
  Kernel kernel{"automaton", R"(
  int state = 0;
  for (size_t i = 0; i < K; ++i)
    state = kNext[state][B[i] & 3];
  C[0] = (float)state;
})",
                "static const unsigned char kNext[3][4] = {{0, 1, 2, 0}, {1, 2, 0, 1}, {2, 2, 2, 1}};"};
  const auto transformer = Transformer::create(specOf(kernel), {});
  ASSERT_TRUE(transformer) << transformer.error().message;
  const auto offers = (*transformer)->offers({});
  ASSERT_TRUE(offers);
  EXPECT_EQ(std::ranges::count(*offers, "shift-automaton", &MoveOffer::move), 0);
  const auto applied = (*transformer)->apply({{"shift-automaton", "i", {}}});
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("it writes what C cannot say"));
}

TEST(SpelledInC, Text) {
  EXPECT_EQ(spelledInC("x = static_cast<int>(static_cast<unsigned char>(y) + 1);", false),
            "x = ((int)(((unsigned char)(y)) + 1));");
  EXPECT_EQ(spelledInC("constexpr size_t kTile = 16; // p\nfloat t[kTile] = {};", false),
            "enum { kTile = 16 }; // p\nfloat t[kTile] = {0};");
  EXPECT_EQ(spelledInC("constexpr unsigned kBig = 0x80000000, k = 1;", false),
            "const unsigned kBig = 0x80000000, k = 1;");
  EXPECT_EQ(spelledInC("const auto *p = static_cast<const char *>(q); bool b = true; r = nullptr;", false),
            "const char *p = ((const char *)(q)); _Bool b = 1; r = ((void *)0);");
  EXPECT_EQ(spelledInC("bool b = false;", true), "bool b = false;");
}

} // namespace
} // namespace agentic
