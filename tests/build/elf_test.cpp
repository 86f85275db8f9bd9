#include "tests/build/scratch.h"
#include "tool/build/code_hash.h"
#include "tool/build/elf.h"

#include <elf.h>

#include <random>

namespace agentic {
namespace {

class Elf : public ScratchTest {};

const char *const kUnit = "static const float table[4] = {1, 2, 3, 4};\n"
                          "extern \"C\" float sqrtf(float);\n"
                          "extern \"C\" float entry(int i, float x) { return table[i & 3] * sqrtf(x); }\n";

std::vector<char> bytesOf(const std::string &file) {
  const std::string text = readFile(file).value_or("");
  return {text.begin(), text.end()};
}

TEST_F(Elf, ReadsSectionsSymbolsAndRelocations) {
  const auto file = readElf(compile("g++", kUnit, {"-O2", "-ffreestanding", "-fno-builtin"}));
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->type, ET_REL);
  bool entry = false, undefined = false, relocated = false;
  for (const ElfSymbol &symbol : file->symbols) {
    entry = entry || (symbol.name == "entry" && symbol.binding == STB_GLOBAL && symbol.type == STT_FUNC);
    undefined = undefined || (symbol.name == "sqrtf" && symbol.section == SHN_UNDEF);
  }
  for (const ElfRelocation &relocation : file->relocations)
    relocated = relocated || (file->symbols[relocation.symbol].name == "sqrtf" &&
                              file->sections[relocation.section].name.starts_with(".text"));
  EXPECT_TRUE(entry);
  EXPECT_TRUE(undefined);
  EXPECT_TRUE(relocated);
}

TEST_F(Elf, ReadsWhatAProgramLoads) {
  const auto file = readElf("/proc/self/exe");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const auto dynamic = elfDynamic(*file, "self");
  ASSERT_TRUE(dynamic.has_value());
  EXPECT_NE(std::find(dynamic->needed.begin(), dynamic->needed.end(), "libc.so.6"), dynamic->needed.end());
}

TEST_F(Elf, OtherFilesAreErrorsThatNameThem) {
  EXPECT_NE(readElf(write("text", "hello")).error().message.find("text"), std::string::npos);
  EXPECT_FALSE(parseElf({}, "empty").has_value());
  std::vector<char> foreign = bytesOf(compile("g++", kUnit));
  foreign[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(parseElf(foreign, "32-bit").has_value());
}

/// Any damage gives an error or a consistent file; under sanitizers this proves the bounds checks.
TEST_F(Elf, SurvivesDamage) {
  const std::vector<char> good = bytesOf(compile("g++", kUnit));
  const std::vector<char> program = bytesOf("/usr/bin/true");
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<char> bytes = round % 4 == 0 ? program : good;
    if (round % 5 == 0)
      bytes.resize(random() % bytes.size());
    const std::size_t area = round % 3 == 0 ? std::min<std::size_t>(64, bytes.size()) : bytes.size();
    for (unsigned i = 0; area > 0 && i < 1 + random() % 8; ++i)
      bytes[random() % area] = static_cast<char>(random() % 2 ? 0xff : random());
    const auto file = parseElf(std::move(bytes), "damaged");
    if (!file)
      continue;
    ++accepted;
    (void)elfDynamic(*file, "damaged");
    (void)codeHash(*file);
  }
  EXPECT_GT(accepted, 100); // else the damage never got past the header
}

TEST_F(Elf, CodeHashSeesCodeAndTablesButNotNamesAndDebugInformation) {
  const auto hash = [&](const std::string &code, const std::vector<std::string> &flags = {"-O2"}) {
    const auto file = readElf(compile("g++", code, flags));
    return file ? codeHash(*file) : "";
  };
  const std::string base = hash(kUnit);
  EXPECT_EQ(base.size(), 64u);
  EXPECT_EQ(hash(std::string("// comment\n") + kUnit), base);
  EXPECT_EQ(hash(kUnit, {"-O2", "-g"}), base);
  std::string renamed = kUnit, table = kUnit, call = kUnit, code = kUnit;
  renamed.replace(renamed.find("table"), 5, "lookup");
  renamed.replace(renamed.find("table"), 5, "lookup");
  EXPECT_EQ(hash(renamed), base);
  table.replace(table.find("3, 4"), 4, "3, 5");
  EXPECT_NE(hash(table), base);
  code.replace(code.find("& 3"), 3, "& 1");
  EXPECT_NE(hash(code), base);
  EXPECT_NE(hash("extern \"C\" int f(int); extern \"C\" int entry(int x) { return f(x) + 1; }"),
            hash("extern \"C\" int g(int); extern \"C\" int entry(int x) { return g(x) + 1; }"));
}

} // namespace
} // namespace agentic
