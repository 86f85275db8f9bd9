// A scratch project on disk with one SOURCE, and its extraction.
#pragma once

#include "tool/base/files.h"
#include "tool/source/extract/extract.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

namespace agentic {

class ScratchProject {
public:
  ScratchProject() : folder_(std::move(*ScratchDirectory::create(fs::temp_directory_path(), "agentic-extract-"))) {}

  void write(const std::string &name, const std::string &text) {
    const Result<void> written = writeFileAtomic(folder_.path() / name, text);
    ASSERT_TRUE(written) << written.error().message;
  }
  std::string path(const std::string &name) const { return (folder_.path() / name).string(); }

  ExtractRequest request(const std::string &source, const std::string &function = {},
                         std::vector<std::string> options = {"-O2", "-std=c++20"}) const {
    ExtractRequest request;
    request.kernel = "k";
    request.source = path(source);
    request.function = function;
    request.projectRoot = folder_.path().string();
    request.command.directory = folder_.path().string();
    request.command.file = request.source;
    request.command.arguments = {"/usr/bin/clang++-19"};
    request.command.arguments.insert(request.command.arguments.end(), options.begin(), options.end());
    request.command.arguments.insert(request.command.arguments.end(), {"-c", request.source, "-o", "k.o"});
    request.compiler.family = Family::Clang;
    request.compiler.major = 19;
    request.compiler.defaultStd = "-std=gnu++17";
    return request;
  }

  /// Extracts from a SOURCE with this text.
  Result<Extraction> extract(const std::string &text, const std::string &function = {}) {
    write("src/k.cpp", text);
    return extractKernel(request("src/k.cpp", function));
  }

private:
  ScratchDirectory folder_;
};

/// Extracts a kernel of kernels/ without a build tree. AGENTIC_TEST_DATA is tests/<folder>.
inline Result<KernelSpec> specOfSuite(const std::string &kernel) {
  const ScratchProject project;
  const fs::path root = fs::path(AGENTIC_TEST_DATA).parent_path().parent_path();
  ExtractRequest request =
      project.request("unused.cpp", "", {"-O3", "-std=gnu++20", "-I" + (root / "cmake-module/include").string()});
  request.kernel = kernel;
  request.source = (root / "kernels" / kernel / (kernel + ".cpp")).string();
  request.projectRoot = (root / "kernels").string();
  Result<Extraction> extraction = extractKernel(request);
  return extraction ? Result<KernelSpec>(std::move(extraction->spec)) : std::unexpected(extraction.error());
}

inline const Fragment *findFragment(const KernelSpec &spec, const std::string &name) {
  for (const Fragment &fragment : spec.closure)
    if (fragment.name == name || fragment.name.ends_with("::" + name))
      return &fragment;
  return nullptr;
}

} // namespace agentic
