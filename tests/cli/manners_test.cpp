// Tests the tool's descriptions of its command line: help, manual page, completions, guesses at what was meant; and the
// reference in our documents.
#include "tests/lint/markdown.h"
#include "tests/lint/rules.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

ProcessResult run(std::vector<std::string> argv) {
  auto result = runProcess({.argv = std::move(argv), .timeoutSeconds = 300});
  EXPECT_TRUE(result);
  return result ? *result : ProcessResult{};
}

ProcessResult tool(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), AGENTIC_KERNEL_BINARY);
  return run(std::move(arguments));
}

bool isInstalled(const std::string &program) {
  return run({"sh", "-c", "command -v " + program}).code == 0;
}

/// Reads a file of the installed share folder in the build tree.
std::string shared(const std::string &file) {
  return std::string(AGENTIC_SHARE) + "/" + file;
}

std::vector<std::string> readCommands() {
  std::vector<std::string> names;
  for (const std::string &line : split(tool({"--help"}).out, '\n')) {
    if (line.starts_with("  "))
      names.push_back(split(trim(line), ' ').front());
    if (line.starts_with("Also: "))
      for (const std::string &name : split(line.substr(6), ','))
        names.emplace_back(trim(name));
  }
  return names;
}

/// Returns the commands in the tool's help; asked once, because starting the tool takes most of these tests' time.
const std::vector<std::string> &commands() {
  static const std::vector<std::string> names = readCommands();
  return names;
}

using Options = std::map<std::string, std::string>; ///< option → description

Options readOptions(const std::string &command) {
  Options options;
  std::string name;
  for (const std::string &line : split(tool({command, "--help-all"}).out, '\n')) {
    const bool isOption = line.starts_with("  -");
    if (isOption) {
      const std::size_t begin = line.find("--"), end = line.find(' ', begin);
      name = line.substr(begin, end == std::string::npos ? end : end - begin);
      options[name];
    } else if (!line.starts_with(std::string(28, ' '))) {
      name.clear();
      continue;
    }
    if (const std::size_t gap = line.find("  ", isOption ? 3 : 0); gap != std::string::npos && !name.empty())
      options[name] += (options[name].empty() ? "" : " ") + std::string(trim(line.substr(gap)));
  }
  return options;
}

/// Returns the options in --help-all.
const Options &optionsOf(const std::string &command) {
  static std::map<std::string, Options> known;
  const auto [entry, isNew] = known.try_emplace(command);
  if (isNew)
    entry->second = readOptions(command);
  return entry->second;
}

void expectShort(const std::string &help) {
  const std::vector<std::string> lines = split(std::string(trim(help)), '\n');
  EXPECT_LE(lines.size(), 25u) << help;
  for (const std::string &line : lines)
    EXPECT_LE(displayColumns(line), 100u) << line;
  EXPECT_THAT(help, HasSubstr("Example: agentic-kernel "));
  EXPECT_THAT(help, HasSubstr("Usage: agentic-kernel "));
}

TEST(Help, IsShortAndHasAnExample) {
  EXPECT_GE(commands().size(), 17u);
  expectShort(tool({"--help"}).out);
  for (const std::string &command : commands()) {
    SCOPED_TRACE(command);
    const ProcessResult help = tool({command, "--help"});
    EXPECT_EQ(help.code, 0);
    expectShort(help.out);
    for (const auto &[option, text] : optionsOf(command)) // in full, or by its name
      EXPECT_THAT(help.out, HasSubstr(option));
  }
}

/// These have another meaning in one command than in the others.
const std::set<std::string> kOtherMeanings = {"--build-dir", "--full", "--max-seconds", "--pairs", // of calibrate
                                              "--agent"};                                          // of research

TEST(Help, DescribesEveryOptionOnceAndInTheSameWords) {
  std::map<std::string, std::map<std::string, std::string>> described; // option → text → command
  for (const std::string &command : commands())
    for (const auto &[option, text] : optionsOf(command)) {
      EXPECT_FALSE(text.empty()) << command << " " << option;
      described[option].emplace(text, command);
    }
  EXPECT_GE(described.size(), 30u);
  for (const auto &[option, texts] : described)
    EXPECT_LE(texts.size(), kOtherMeanings.contains(option) ? 2u : 1u)
        << option << ": '" << texts.begin()->first << "' of " << texts.begin()->second << ", and '"
        << texts.rbegin()->first << "' of " << texts.rbegin()->second;
}

TEST(Help, ShowsAllOnRequest) {
  const std::string all = tool({"optimize", "--help-all"}).out;
  for (const char *part : {"--price-per-kwh N", "of electricity, in dollars", "Agents that ask a language model:"})
    EXPECT_THAT(all, HasSubstr(part));
  EXPECT_THAT(tool({"--help-all"}).out, HasSubstr("Usage: agentic-kernel suite"));
}

/// Returns rows of the modules' tables of options.
std::vector<lint::TableRow> referenceRows() {
  std::vector<lint::TableRow> rows;
  for (const std::string &document : lint::documentsOfOurs(AGENTIC_REPOSITORY))
    if (document.starts_with("tool/") || document.starts_with("cmake-module/"))
      for (lint::TableRow &row : lint::tableRowsIn(readFile(fs::path(AGENTIC_REPOSITORY) / document).value_or("")))
        if (row.head.front() == "option")
          rows.push_back(std::move(row));
  return rows;
}

/// The commands that a cell of the column "of" names: "all", "all but `a`" or "`a`, `b`".
std::set<std::string> commandsIn(const std::string &cell) {
  const std::vector<std::string> spans = lint::codeSpansIn(cell), &all = commands();
  const std::set<std::string> named(spans.begin(), spans.end());
  if (!cell.starts_with("all"))
    return named;
  std::set<std::string> rest(all.begin(), all.end());
  for (const std::string &command : named)
    EXPECT_EQ(rest.erase(command), 1u) << "there is no command " << command;
  return rest;
}

// A reference entry is a row of a table of options that begins with the option in backticks.
TEST(Reference, HasOneEntryForEachOption) {
  std::map<std::string, std::set<std::string>> declared; // option → commands
  for (const std::string &command : commands())
    for (const auto &[option, text] : optionsOf(command))
      declared[option].insert(command);
  EXPECT_GE(declared.size(), 60u);
  std::map<std::string, int> entries;
  for (const lint::TableRow &row : referenceRows())
    for (const std::string &name : row.names())
      if (name.starts_with("--")) {
        ++entries[name];
        if (row.head.size() > 1 && row.head[1] == "of" && declared.contains(name)) {
          EXPECT_EQ(commandsIn(row.cells.at(1)), declared.at(name)) << "column 'of' of " << name;
        }
      }
  for (const char *everywhere : {"--help", "--help-all", "--version"}) // help does not list these
    declared[everywhere];
  for (const auto &[option, users] : declared)
    EXPECT_EQ(entries[option], 1) << "entries of " << option;
  for (const auto &[option, count] : entries)
    EXPECT_TRUE(declared.contains(option)) << option << " has an entry, and no command declares it";
}

TEST(Guess, OfACommand) {
  for (const auto &[typed, meant] : {std::pair("optimze", "optimize"), std::pair("statsu", "status"),
                                     std::pair("calibarte", "calibrate"), std::pair("insite", "insight")})
    EXPECT_THAT(tool({typed}).err, HasSubstr(std::string("did you mean '") + meant + "'?"));
  EXPECT_THAT(tool({"wxyz"}).err, HasSubstr("choose one of: "));
  EXPECT_THAT(tool({"--json", "optimze"}).err, HasSubstr("did you mean 'optimize'?"));
}

TEST(Guess, OfAnOption) {
  const ProcessResult typed = tool({"optimize", "--max-second", "3"});
  EXPECT_EQ(typed.code, 1);
  EXPECT_THAT(typed.err, HasSubstr("optimize has no option '--max-second'"));
  EXPECT_THAT(typed.err, HasSubstr("did you mean '--max-seconds'?"));
  EXPECT_THAT(tool({"status", "--build-dri=x"}).err, HasSubstr("did you mean '--build-dir'?"));
  EXPECT_THAT(tool({"status", "--zzzzzzzz"}).err, Not(HasSubstr("did you mean")));
  EXPECT_THAT(tool({"optimize", "--kernel\033[2J"}).err, Not(HasSubstr("\033[2J"))); // escaped
}

TEST(Guess, OfAShortOptionByItsCase) {
  EXPECT_THAT(tool({"status", "-b", "build"}).err, HasSubstr("status has no option '-b'"));
  EXPECT_THAT(tool({"status", "-b"}).err, HasSubstr("did you mean '-B'?"));
  EXPECT_THAT(tool({"status", "-z"}).err, HasSubstr("status has no option '-z'"));
}

TEST(Guess, OfWhatStandsBeforeItsCommand) {
  const std::string said = tool({"-k", "gemm", "status"}).err;
  EXPECT_THAT(said, HasSubstr("'-k' stands before the subcommand"));
  EXPECT_THAT(said, HasSubstr("agentic-kernel status -k"));
}

TEST(Missing, IsNamedWithItsMeaning) {
  const std::string explain = tool({"explain"}).err;
  EXPECT_THAT(explain, HasSubstr("explain needs WHAT: a candidate's id"));
  EXPECT_THAT(explain, HasSubstr("'#12' in quotes"));
  EXPECT_THAT(tool({"check-baseline"}).err, HasSubstr("check-baseline needs --"));
  EXPECT_THAT(tool({"status", "-B"}).err, HasSubstr("--build-dir needs a value: CMake build tree"));
  EXPECT_THAT(tool({"status", "--build-dir"}).err, HasSubstr("--build-dir needs a value: CMake build tree"));
}

TEST(Help, IsACommand) {
  const ProcessResult help = tool({"help"}), named = tool({"help", "explain"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.out, tool({"--help"}).out);
  EXPECT_EQ(named.code, 0);
  EXPECT_EQ(named.out, tool({"explain", "--help"}).out);
  EXPECT_THAT(tool({"help", "insite"}).err, HasSubstr("did you mean 'insight'?"));
}

TEST(Help, SaysWhereSeveralMayBeGiven) {
  EXPECT_THAT(tool({"report", "--help"}).out, HasSubstr("report [OPTION]... [RUN]...\n"));
  EXPECT_THAT(tool({"insight", "--help"}).out,
              HasSubstr("Example: agentic-kernel insight -B build -k gemm --candidate"));
}

TEST(Manual, IsWhatMandocTakes) {
  const std::string page = readFile(shared("man/man1/agentic-kernel.1")).value_or("");
  for (const std::string &command : commands())
    EXPECT_THAT(page, HasSubstr(".SS \"" + replaceAll(command, "-", "\\-") + "\""));
  EXPECT_THAT(page, Not(HasSubstr("check\\-baseline")));
  EXPECT_THAT(page, HasSubstr(".SH OPTIONS OF SEVERAL COMMANDS"));
  // One place for each option.
  std::map<std::string, int> tags;
  for (const std::string &line : split(page, '\n'))
    if (const std::size_t at = line.find("\\-\\-"); line.starts_with(".B \"") && at != std::string::npos && at < 12)
      ++tags[replaceAll(line.substr(at, line.find_first_of(" \"", at) - at), "\\", "")];
  EXPECT_GE(tags.size(), 30u);
  for (const auto &[option, count] : tags)
    EXPECT_LE(count, kOtherMeanings.contains(option) ? 2 : 1) << option;
  if (!isInstalled("mandoc"))
    GTEST_SKIP() << "mandoc is not installed";
  const ProcessResult lint = run({"mandoc", "-T", "lint", "-W", "error", shared("man/man1/agentic-kernel.1")});
  EXPECT_EQ(lint.code, 0) << lint.out << lint.err;
  EXPECT_EQ(run({"mandoc", "-T", "ascii", shared("man/man1/agentic-kernel.1")}).code, 0);
}

/// Returns bash's offers for these words, the last one unfinished.
std::set<std::string> bashOffers(const std::vector<std::string> &words) {
  std::string line;
  for (const std::string &word : words)
    line += " '" + word + "'";
  const ProcessResult result =
      run({"bash", "--norc", "-c",
           ". \"$0\" && COMP_WORDS=(" + line + ") COMP_CWORD=" + std::to_string(words.size() - 1) +
               " && _agentic_kernel && printf '%s\\n' \"${COMPREPLY[@]}\"",
           shared("bash-completion/completions/agentic-kernel")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::set<std::string> offers;
  for (const std::string &offer : split(result.out, '\n'))
    if (!offer.empty())
      offers.insert(offer);
  return offers;
}

TEST(Completion, OfBash) {
  if (!isInstalled("bash"))
    GTEST_SKIP() << "bash is not installed";
  EXPECT_EQ(run({"bash", "-n", shared("bash-completion/completions/agentic-kernel")}).code, 0);
  EXPECT_EQ(bashOffers({"agentic-kernel", "op"}), std::set<std::string>{"optimize"});
  const std::set<std::string> all = bashOffers({"agentic-kernel", ""});
  for (const std::string &command : commands())
    EXPECT_TRUE(all.contains(command)) << command;
  EXPECT_FALSE(all.contains("check-baseline"));
  EXPECT_EQ(bashOffers({"agentic-kernel", "optimize", "--max-s"}), std::set<std::string>{"--max-seconds"});
  EXPECT_EQ(bashOffers({"agentic-kernel", "optimize", "--family", ""}), (std::set<std::string>{"clang", "gcc"}));
  EXPECT_EQ(bashOffers({"agentic-kernel", "optimize", "--patch", AGENTIC_KERNEL_BINARY}),
            std::set<std::string>{AGENTIC_KERNEL_BINARY});
  EXPECT_TRUE(bashOffers({"agentic-kernel", "optimize", "--max-seconds", ""}).empty());
}

TEST(Completion, OfZsh) {
  if (!isInstalled("zsh"))
    GTEST_SKIP() << "zsh is not installed";
  const std::string script = shared("zsh/site-functions/_agentic-kernel");
  const ProcessResult parsed = run({"zsh", "-n", script});
  EXPECT_EQ(parsed.code, 0) << parsed.err;
  const ProcessResult loaded = run({"zsh", "-f", "-c",
                                    "autoload -Uz compinit && compinit -D -u && source $1 && "
                                    "print ${_comps[agentic-kernel]} && functions _agentic-kernel",
                                    "zsh", script});
  EXPECT_EQ(loaded.code, 0) << loaded.err;
  EXPECT_THAT(loaded.out, HasSubstr("_agentic-kernel\n"));
  for (const std::string &command : commands())
    EXPECT_THAT(loaded.out, HasSubstr("'" + command + ":"));
}

TEST(Completion, OfFish) {
  if (!isInstalled("fish"))
    GTEST_SKIP() << "fish is not installed";
  const std::string script = shared("fish/vendor_completions.d/agentic-kernel.fish");
  const ProcessResult parsed = run({"fish", "--no-config", "-n", script});
  EXPECT_EQ(parsed.code, 0) << parsed.err;
  const auto offers = [&](const std::string &line) {
    return run({"fish", "--no-config", "-c", "source " + script + "; complete -C '" + line + "'"}).out;
  };
  EXPECT_THAT(offers("agentic-kernel op"), testing::StartsWith("optimize\t"));
  EXPECT_THAT(offers("agentic-kernel optimize --max-s"), testing::StartsWith("--max-seconds"));
  EXPECT_THAT(offers("agentic-kernel optimize --family "), testing::AllOf(HasSubstr("clang"), HasSubstr("gcc")));
}

} // namespace
} // namespace agentic
