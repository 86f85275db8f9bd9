#include "tool/run/project_conventions.h"

#include "tool/agent/bounded_text.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

namespace agentic {
namespace {

constexpr std::uintmax_t kMostFile = 1u << 20; ///< what is longer is no text that people read
constexpr std::size_t kMostSettings = 1536;    ///< of each of the two files of settings
constexpr std::size_t kLeastPart = 256;        ///< less of a file says nothing
constexpr std::array<std::string_view, 4> kFolders = {"", "docs", "doc", ".github"};
constexpr std::array<std::string_view, 6> kEndings = {"", ".md", ".markdown", ".txt", ".rst", ".adoc"};

/// Also where it is a link, it lies within the project.
bool isOfProject(const fs::path &file, const fs::path &root) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error || !fs::is_regular_file(real, error) || fs::file_size(real, error) > kMostFile)
    return false;
  return std::ranges::mismatch(root, real).in1 == root.end();
}

std::vector<fs::path> documentsOf(const fs::path &root) {
  std::vector<fs::path> files;
  for (const std::string_view folder : kFolders) {
    std::vector<fs::path> here;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(root / folder, error)) {
      const std::string name = lowered(entry.path().stem().string());
      if ((name.starts_with("contributing") || name.starts_with("style")) &&
          std::ranges::find(kEndings, lowered(entry.path().extension().string())) != kEndings.end())
        here.push_back(entry.path());
    }
    std::ranges::sort(here); // the order of a folder is not the same everywhere
    files.insert(files.end(), here.begin(), here.end());
  }
  return files;
}

} // namespace

std::string projectConventions(const std::string &root, const std::string &source) {
  std::error_code error;
  const fs::path project = fs::canonical(root, error), kernel = error ? fs::path() : fs::canonical(source, error);
  if (error)
    return {};
  std::string all;
  const auto add = [&](const fs::path &file, std::size_t most) {
    const std::string name = boundedText(oneLine(file.lexically_relative(project).string()), kNameBytes);
    const std::size_t used = all.size() + name.size() + 2 * kLeastPart;
    const auto text = used < kMostConventions && isOfProject(file, project) ? readFile(file) : std::string();
    if (!text || trim(*text).empty())
      return;
    const std::string shown =
        boundedText(std::string(trim(printableText(*text))), std::min(most, kMostConventions - used));
    const std::string fence = fenceFor(shown);
    if (fence.size() < kLeastPart / 4)
      all += fmt::format("{}`{}`:\n\n{}\n{}\n{}\n", all.empty() ? "" : "\n", replaceAll(name, "`", "'"), fence, shown,
                         fence);
  };
  for (const char *name : {".clang-format", ".clang-tidy"})
    if (const std::string file = nearestAbove(kernel, name); !file.empty())
      add(file, kMostSettings);
  for (const fs::path &file : documentsOf(project))
    add(file, kMostConventions);
  return all;
}

} // namespace agentic
