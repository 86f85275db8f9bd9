// What a build tree links, from the files that CMake wrote for Ninja or make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct LinkedTarget {
  enum class Kind { Program, Shared, Static };
  std::string name; ///< CMake target
  Kind kind = Kind::Program;
  std::string file;                ///< absolute, of what is linked
  std::string folder;              ///< absolute: the target's own folder in the build tree
  std::vector<std::string> inputs; ///< words of the link: absolute paths of files of the tree, options, libraries

  /// Whether it is linked with the library: "benchmark" for -lbenchmark, libbenchmark.a, libbenchmark_main.so.1.
  bool usesLibrary(std::string_view library) const;
  /// Whether it is linked with what `target` makes, or with its objects, or is that.
  bool uses(const LinkedTarget &target) const;
};

/// Returns the targets of a tree, of a multi-config tree those of `config`; sorted by name. Files that cannot be read
/// or understood leave theirs out: the tree of another generator has none.
std::vector<LinkedTarget> linkedTargets(const std::string &buildDir, const std::string &config);

/// Parses the link statements of a file for Ninja. Pure.
std::vector<LinkedTarget> linkedTargetsOfNinja(std::string_view text, const std::string &buildDir);
/// Parses the link.txt of a target of makefiles; `objects` is its folder "<…>/CMakeFiles/<target>.dir". No target: it
/// links nothing. Pure.
std::vector<LinkedTarget> linkedTargetsOfMake(std::string_view text, const std::string &objects);

/// Returns the target that an object file belongs to: "t" of "sub/CMakeFiles/t.dir/x.cpp.o". Empty: none. Pure.
std::string targetOfObject(std::string_view object);

} // namespace agentic
