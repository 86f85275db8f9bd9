#include "tests/build/scratch.h"
#include "tool/build/manifests.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Manifests : public ScratchTest {
protected:
  void declare(const std::string &kernel, const std::string &config) const {
    write("CMakeCache.txt", "CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/g++\n");
    write("_agentic/manifests/" + kernel + "-" + config + ".json",
          R"({"schema":1,"kernel":")" + kernel + R"(","config":")" + config + R"(","source":"/s/k.cpp"})");
  }
  std::string dir() const { return path("."); }
};

TEST_F(Manifests, AreSortedByKernel) {
  declare("b", "Release");
  declare("a", "Release");
  const auto all = loadManifests(dir());
  ASSERT_TRUE(all.has_value()) << all.error().message;
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(all->at(0).kernel, "a");
}

TEST_F(Manifests, AFolderThatIsNoBuildTreeIsNamed) {
  EXPECT_THAT(loadManifests(path("missing")).error().message, HasSubstr("is not a folder"));
  EXPECT_THAT(loadManifests(dir()).error().message, HasSubstr("no CMakeCache.txt"));
  write("CMakeCache.txt", "");
  EXPECT_THAT(loadManifests(dir()).error().message, HasSubstr("no kernel is declared"));
}

TEST_F(Manifests, AmbiguousConfigurationAsksForOne) {
  declare("a", "Release");
  declare("a", "Debug");
  EXPECT_THAT(loadManifests(dir()).error().next, HasSubstr("'Debug', 'Release'"));
  EXPECT_EQ(loadManifest(dir(), "a", "Debug")->config, "Debug");
  EXPECT_THAT(loadManifests(dir(), "Fast").error().message, HasSubstr("no configuration 'Fast'"));
}

TEST_F(Manifests, AFormerBuildTypeIsForgotten) {
  declare("a", "Release");
  declare("a", "Debug");
  write("CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\n");
  EXPECT_EQ(loadManifest(dir(), "a")->config, "Release");
  write("CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CONFIGURATION_TYPES:STRING=Debug;Release\n");
  EXPECT_FALSE(loadManifest(dir(), "a").has_value());
}

TEST_F(Manifests, AMisspeltKernelIsCorrected) {
  declare("binary_gemm", "Release");
  const auto missing = loadManifest(dir(), "binary_gem");
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("'binary_gemm'"));
  EXPECT_THAT(missing.error().next, HasSubstr("did you mean 'binary_gemm'?"));
}

TEST_F(Manifests, TheOnlyKernelNeedsNoName) {
  EXPECT_FALSE(loadManifest(path("missing"), "").has_value());
  declare("a", "Release");
  EXPECT_EQ(loadManifest(dir(), "")->kernel, "a");
  declare("b", "Release");
  const auto several = loadManifest(dir(), "");
  ASSERT_FALSE(several.has_value());
  EXPECT_THAT(several.error().message, HasSubstr("has several kernels: 'a', 'b'"));
  EXPECT_THAT(several.error().next, HasSubstr("--kernel"));
}

TEST_F(Manifests, DamagedOrNewerOnesAreErrors) {
  declare("a", "Release");
  write("_agentic/manifests/z.json", "{");
  EXPECT_THAT(loadManifests(dir()).error().message, HasSubstr("z.json"));
  write("_agentic/manifests/z.json", R"({"schema":2,"kernel":"z"})");
  EXPECT_THAT(loadManifests(dir()).error().message, HasSubstr("schema 2"));
}

TEST_F(Manifests, CompileCommandStartsWithTheCompilerNotItsLauncher) {
  declare("a", "Release");
  write(
      "compile_commands.json",
      R"([{"directory":"/b","file":"x.cpp","command":"/usr/bin/g++ -c x.cpp"},)"
      R"({"directory":"/b","file":"../s/k.cpp","command":"/usr/bin/tool --run /usr/bin/g++ -DA=\"x y\" -c ../s/k.cpp"},)"
      R"({"directory":"/b","file":"/s/l.cpp","command":"ccache sccache c++ -c /s/l.cpp"}])");
  const auto command = compileCommandFor(dir(), "/s/k.cpp");
  ASSERT_TRUE(command.has_value()) << command.error().message;
  EXPECT_EQ(command->file, "/s/k.cpp");
  EXPECT_EQ(command->arguments.at(0), "/usr/bin/g++");
  EXPECT_EQ(compileCommandFor(dir(), "/s/l.cpp")->arguments.at(0), "c++");
  EXPECT_THAT(compileCommandFor(dir(), "/s/none.cpp").error().message, HasSubstr("'/s/none.cpp' is not compiled"));
}

// Other targets compile the file with other flags, and a Multi-Config tree has one command per configuration.
TEST_F(Manifests, TheCommandIsThatOfTheKernelsTargetAndConfiguration) {
  const auto entry = [](const std::string &target, const std::string &config, const std::string &file) {
    return R"({"directory":"/b","file":")" + file + R"(","command":"g++ -DCMAKE_INTDIR=\\\")" + config +
           R"(\\\" -o sub/CMakeFiles/)" + target + ".dir/" + config + R"(/k.o -c )" + file + R"("})";
  };
  write("compile_commands.json", "[" + entry("other", "Release", "/s/k.cpp") + "," + entry("k", "Debug", "/s/k.cpp") +
                                     "," + entry("k", "Release", "/s/k.cpp") + "," +
                                     entry("k2", "Release", "/b/unit.cpp") + "]");
  Manifest manifest;
  manifest.source = "/s/k.cpp";
  manifest.compiledSource = "/b/unit.cpp";
  const auto object = [&](const std::string &target, const std::string &config) {
    manifest.targets = {target};
    manifest.config = config;
    const auto command = sourceCommand(manifest, dir());
    return command ? command->arguments.at(3) : command.error().message;
  };
  EXPECT_EQ(object("k", "Release"), "sub/CMakeFiles/k.dir/Release/k.o");
  EXPECT_EQ(object("k", "Debug"), "sub/CMakeFiles/k.dir/Debug/k.o");
  EXPECT_EQ(object("other", "Release"), "sub/CMakeFiles/other.dir/Release/k.o");
  EXPECT_EQ(object("k2", "Release"), "sub/CMakeFiles/k2.dir/Release/k.o"); // object of the unit
  manifest.targets = {"k2", "other"};                                      // the first
  manifest.config = "Release";
  EXPECT_EQ(sourceCommand(manifest, dir())->arguments.at(3), "sub/CMakeFiles/k2.dir/Release/k.o");
  EXPECT_EQ(object("unknown", "Debug"), "sub/CMakeFiles/k.dir/Debug/k.o");
}

TEST_F(Manifests, AnObjectsPathThatIsNotQuotedIsOneArgument) {
  write("compile_commands.json", R"([{"directory":"/b","file":"/s/a k.cpp",)"
                                 R"("command":"g++ -DX -o my own sub/k.o -c \"/s/a k.cpp\""},)"
                                 R"({"directory":"/b","file":"/s/l.cpp","command":"g++ -o sub/l.o /s/l.cpp -c"}])");
  EXPECT_THAT(compileCommandFor(dir(), "/s/a k.cpp")->arguments,
              ElementsAre("g++", "-DX", "-o", "my own sub/k.o", "-c", "/s/a k.cpp"));
  EXPECT_THAT(compileCommandFor(dir(), "/s/l.cpp")->arguments, ElementsAre("g++", "-o", "sub/l.o", "/s/l.cpp", "-c"));
}

TEST_F(Manifests, ResponseFilesOfACommandAreRead) {
  write("includes.rsp", "-I/one \"-I/t w o\"\n");
  write("compile_commands.json",
        R"([{"directory":")" + dir() + R"(","file":"/s/k.cpp","command":"g++ @includes.rsp @none.rsp -c /s/k.cpp"}])");
  EXPECT_THAT(compileCommandFor(dir(), "/s/k.cpp")->arguments,
              ElementsAre("g++", "-I/one", "-I/t w o", "@none.rsp", "-c", "/s/k.cpp"));
}

TEST_F(Manifests, ProjectWithoutCompileCommandsIsToldHowToMakeThem) {
  EXPECT_THAT(compileCommandFor(dir(), "/s/k.cpp").error().next, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST_F(Manifests, CompilersAreIdentifiedAndRemembered) {
  const auto gcc = identifyCompiler("g++", path("cache"));
  ASSERT_TRUE(gcc.has_value()) << gcc.error().message;
  EXPECT_EQ(gcc->family, Family::Gcc);
  EXPECT_EQ(gcc->path.front(), '/');
  EXPECT_EQ(gcc->version.substr(0, gcc->version.find('.')), std::to_string(gcc->major));
  EXPECT_THAT(gcc->defaultStd, testing::StartsWith("-std=gnu++"));
  const auto clang = identifyCompiler("clang++-19", path("cache"));
  ASSERT_TRUE(clang.has_value()) << clang.error().message;
  EXPECT_EQ(clang->family, Family::Clang);
  EXPECT_EQ(clang->major, 19);
  const auto again = identifyCompiler("g++", path("cache"));
  EXPECT_EQ(again->description, gcc->description);
}

TEST_F(Manifests, AFileThatIsNoCompilerIsAnError) {
  EXPECT_THAT(identifyCompiler("/missing/g++", path("cache")).error().message,
              HasSubstr("'/missing/g++' does not exist"));
  EXPECT_THAT(identifyCompiler("/bin/false", path("cache")).error().message, HasSubstr("does not work"));
}

} // namespace
} // namespace agentic
