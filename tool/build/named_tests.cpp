#include "tool/build/named_tests.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

using nlohmann::json;

// The generated files call just these commands, apart from what a project includes itself.
constexpr const char *kScript = R"cmake(cmake_policy(VERSION 3.22)
function(quote text out)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()
function(add_test name)
  if(NOT name IN_LIST NAMES)
    return()
  endif()
  quote("${name}" line)
  quote("${HERE}" folder)
  string(APPEND line ", \"directory\": ${folder}, \"command\": [")
  math(EXPR last "${ARGC} - 1")
  set(comma "")
  foreach(i RANGE 1 ${last})
    quote("${ARGV${i}}" word)
    string(APPEND line "${comma}${word}")
    set(comma ", ")
  endforeach()
  file(APPEND "${OUTPUT}" "{\"name\": ${line}]}\n")
endfunction()
function(set_tests_properties)
  if(NOT ARGV0 IN_LIST NAMES)
    return()
  endif()
  math(EXPR last "${ARGC} - 2")
  foreach(i RANGE ${last})
    if("${ARGV${i}}" STREQUAL "WORKING_DIRECTORY")
      math(EXPR next "${i} + 1")
      quote("${ARGV0}" name)
      quote("${ARGV${next}}" folder)
      file(APPEND "${OUTPUT}" "{\"name\": ${name}, \"directory\": ${folder}}\n")
    endif()
  endforeach()
endfunction()
function(subdirs)
  set(parent "${HERE}")
  foreach(folder IN LISTS ARGN)
    get_filename_component(HERE "${folder}" ABSOLUTE BASE_DIR "${parent}")
    if(EXISTS "${HERE}/CTestTestfile.cmake")
      include("${HERE}/CTestTestfile.cmake")
    endif()
  endforeach()
endfunction()
set(CTEST_CONFIGURATION_TYPE "${CONFIG}")
file(WRITE "${OUTPUT}" "")
subdirs("${TREE}")
)cmake";

bool isInName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_.+-/").find(c) != std::string_view::npos;
}

/// Whether `file` stands in `word` as a whole, and not as the beginning of a longer name.
bool isWithin(const std::string &word, const std::string &file) {
  for (std::size_t at = word.find(file); at != std::string::npos; at = word.find(file, at + 1))
    if (at + file.size() == word.size() || !isInName(word[at + file.size()]))
      return true;
  return false;
}

} // namespace

std::string namedTestsScript() {
  return kScript;
}

Result<NamedTests> parseNamedTests(std::string_view lines) {
  NamedTests tests;
  for (const std::string &line : split(lines, '\n')) {
    if (line.empty())
      continue;
    const json object = json::parse(line, nullptr, false);
    try {
      const std::string name = object.at("name"), directory = object.at("directory");
      const auto known = std::ranges::find(tests, name, &NamedTest::name);
      if (known == tests.end())
        tests.push_back({name, object.at("command").get<std::vector<std::string>>(), directory, {}});
      else // its working directory
        known->directory = absoluteIn(known->directory, directory);
    } catch (const json::exception &) {
      return userError("the tests that CMake generated cannot be read: " + line, "name programs in TESTS instead");
    }
  }
  return tests;
}

std::set<std::string> builtFiles(std::string_view targets, const std::string &tree) {
  std::set<std::string> files;
  for (const std::string &line : split(targets, '\n')) {
    const std::size_t colon = line.rfind(": ");
    if (colon != std::string::npos && line.substr(colon + 2) != "phony")
      files.insert(absoluteIn(tree, line.substr(0, colon)));
  }
  return files;
}

std::vector<std::string> filesOf(const NamedTest &test, const std::set<std::string> &built) {
  std::vector<std::string> files;
  const auto add = [&](const std::string &file) {
    if (std::ranges::find(files, file) == files.end())
      files.push_back(file);
  };
  for (const std::string &word : test.command) {
    if (const std::string file = absoluteIn(test.directory, word); built.contains(file))
      add(file);
    else
      for (const std::string &one : built)
        if (isWithin(word, one))
          add(one);
  }
  return files;
}

} // namespace agentic
