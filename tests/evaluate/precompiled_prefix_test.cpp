// Tests includes that are parsed once, with the real compiler.
#include "tool/evaluate/candidate/precompiled_prefix.h"

#include "tool/base/files.h"
#include "tool/build/code_hash.h"
#include "tool/evaluate/candidate/candidate_build.h"

#include <gtest/gtest.h>

#include <optional>

namespace agentic {
namespace {

TEST(PrecompiledPrefix, IsWhatUnitsBeginWithUpToTheLastInclude) {
  EXPECT_EQ(includesOf("// a unit\n#include \"a.h\"\n\n#include <b>\n\nint x;\n#include <c>\n"),
            "// a unit\n#include \"a.h\"\n\n#include <b>\n");
  EXPECT_EQ(includesOf("#define N 3\n#include \"sized_by_n.h\"\n"), "");
  EXPECT_EQ(includesOf("// only a comment\nint x;\n"), "");
  EXPECT_EQ(includesOf("#include <a>\n// goes on \\\n#include <b>\n"), "#include <a>\n");
  EXPECT_EQ(includesOf("#include <a>"), "#include <a>");
  EXPECT_EQ(includesOf(""), "");
}

class PrecompiledPrefixTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(scratch_) << scratch_.error().message;
    ASSERT_TRUE(writeFileAtomic(path("value.h"), "#pragma once\ninline constexpr int kValue = 42;\n"));
    spec_.source = path("kernel.cpp");
    compiler_.path = EVALUATE_COMPILER;
    compiler_.family = compiler_.path.find("clang") == std::string::npos ? Family::Gcc : Family::Clang;
    context_.spec = &spec_;
    context_.compiler = &compiler_;
    context_.command = {.directory = scratch_->path(),
                        .file = path("kernel.cpp"),
                        .arguments = {compiler_.path, "-O2", "-std=c++20", "-c", path("kernel.cpp")}};
    Result<CompileOutcome> plain = compile(kUnit);
    ASSERT_TRUE(plain && plain->ok) << (plain ? plain->diagnostics : plain.error().message);
    hash_ = codeHash(readElf(path("plain.o")).value());
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  CompileRequest request(const std::string &name) const {
    CompileRequest request;
    request.unitFile = path(name + ".cpp");
    request.objectFile = path(name + ".o");
    request.quoteDirectory = scratch_->path();
    request.command = context_.command;
    return request;
  }
  Result<CompileOutcome> compile(const std::string &unit) const {
    EXPECT_TRUE(writeFileAtomic(path("plain.cpp"), unit));
    return compileUnit(request("plain"));
  }
  Result<std::optional<PrecompiledPrefix>> precompile(const std::string &hash) const {
    return precompilePrefix(context_, kUnit, hash, path("prefix"));
  }

  static constexpr const char *kUnit = "// unit\n#include \"value.h\"\nint value() { return kValue; }\n";
  Result<ScratchDirectory> scratch_ = ScratchDirectory::create("/tmp", "agentic-prefix-");
  KernelSpec spec_;
  Compiler compiler_;
  BuildContext context_;
  std::string hash_;
};

TEST_F(PrecompiledPrefixTest, StandsForTheIncludesOfEveryUnit) {
  const auto prefix = precompile(hash_);
  ASSERT_TRUE(prefix) << prefix.error().message;
  if (compiler_.family != Family::Clang)
    GTEST_SKIP() << "Clang alone";
  ASSERT_TRUE(*prefix);
  const std::string mutant = "// unit\n#include \"value.h\"\nint value() { return kValue + 1; }\n";
  const auto compiled = compileBehindPrefix(**prefix, request("mutant"), mutant);
  ASSERT_TRUE(compiled && compiled->ok) << compiled->diagnostics;
  // Its text includes nothing, so kValue must come from the prefix.
  EXPECT_EQ(readFile(path("mutant.cpp")).value(), "\n\nint value() { return kValue + 1; }\n");
  ASSERT_TRUE(compile(mutant)->ok);
  EXPECT_EQ(codeHash(readElf(path("mutant.o")).value()), codeHash(readElf(path("plain.o")).value()));
}

TEST_F(PrecompiledPrefixTest, IsNotUsedWhereItWouldMakeOtherCode) {
  const auto prefix = precompile("another hash");
  ASSERT_TRUE(prefix) << prefix.error().message;
  EXPECT_FALSE(*prefix);
}

TEST_F(PrecompiledPrefixTest, IsNotUsedWhereTheProjectsFlagsDoNotGoWithIt) {
  context_.command.arguments.insert(context_.command.arguments.begin() + 1, "-DVALUE_IS_MISSING");
  ASSERT_TRUE(writeFileAtomic(path("value.h"), "#ifdef VALUE_IS_MISSING\n#error \"not here\"\n#endif\n"));
  const auto prefix = precompile(hash_);
  ASSERT_TRUE(prefix) << prefix.error().message;
  EXPECT_FALSE(*prefix);
}

TEST_F(PrecompiledPrefixTest, AUnitThatBeginsOtherwiseIsLeftToThePlainCommand) {
  const auto compiled =
      compileBehindPrefix({.text = "#include \"other.h\"\n", .flags = {}}, request("mutant"), "int value();\n");
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_FALSE(compiled->ok);
  EXPECT_FALSE(fs::exists(path("mutant.cpp")));
}

} // namespace
} // namespace agentic
