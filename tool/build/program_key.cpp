#include "tool/build/program_key.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/elf.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace agentic {
namespace {

using nlohmann::json;

/// The cached facts of one file.
struct FileFacts {
  std::string hash;
  std::vector<std::string> needed;
  std::vector<std::string> folders; ///< run path, $ORIGIN resolved
};

bool isSystemFolder(const std::string &path) {
  return path == "/usr" || path.starts_with("/usr/") || path.starts_with("/lib");
}

std::vector<std::string> runFolders(const std::string &runPath, const std::string &file) {
  const std::string origin = fs::path(file).parent_path().string();
  std::vector<std::string> out;
  for (std::string folder : split(runPath, ':')) {
    folder = replaceAll(replaceAll(folder, "${ORIGIN}", origin), "$ORIGIN", origin);
    if (!folder.empty() && folder[0] == '/')
      out.push_back(fs::path(folder).lexically_normal().string());
  }
  return out;
}

Result<FileFacts> readFacts(const std::string &file) {
  auto bytes = TRY(readFile(file));
  FileFacts facts{sha256(bytes), {}, {}};
  // Something that is not ELF (a script that starts the program) has no libraries.
  if (const auto elf = parseElf(std::vector<char>(bytes.begin(), bytes.end()), file))
    if (const auto dynamic = elfDynamic(*elf, file)) {
      facts.needed = dynamic->needed;
      facts.folders = runFolders(dynamic->runPath, file);
    }
  return facts;
}

class Cache {
public:
  explicit Cache(std::string file) : file_(std::move(file)) {
    if (const auto text = readFile(file_))
      old_ = json::parse(*text, nullptr, false);
    if (!old_.is_object())
      old_ = json::object();
  }

  Result<FileFacts> facts(const std::string &path) {
    const std::string stamp = fileStamp(path);
    if (stamp.empty())
      return userError("'" + path + "' was not built", "check that the target builds an executable of that name");
    if (const auto known = remembered(path, stamp))
      return *known;
    auto facts = readFacts(path);
    if (facts)
      new_[path] = {{"stamp", stamp}, {"hash", facts->hash}, {"needed", facts->needed}, {"folders", facts->folders}};
    return facts;
  }

  Result<void> save() const {
    if (new_ == old_)
      return {};
    return writeFileAtomic(file_, new_.dump(-1, ' ', false, json::error_handler_t::replace));
  }

private:
  std::optional<FileFacts> remembered(const std::string &path, const std::string &stamp) {
    const auto known = old_.find(path);
    if (known == old_.end())
      return std::nullopt;
    try {
      if (known->at("stamp").get<std::string>() != stamp)
        return std::nullopt;
      new_[path] = *known;
      return FileFacts{known->at("hash"), known->at("needed"), known->at("folders")};
    } catch (const json::exception &) { // another version wrote it, or it is damaged
      return std::nullopt;
    }
  }

  std::string file_;
  json old_ = json::object(), new_ = json::object();
};

} // namespace

Result<ProgramIdentity> identifyPrograms(const std::vector<std::string> &programs, const std::string &tree,
                                         const std::string &cacheFile) {
  Cache cache(cacheFile);
  std::vector<std::string> queue = programs;
  std::set<std::string> seen(programs.begin(), programs.end()), folders;
  HashBuilder key;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto facts = TRY(cache.facts(queue[i]));
    key.add(fs::path(queue[i]).lexically_relative(tree).string()).add(facts.hash);
    for (const std::string &folder : facts.folders) {
      std::error_code error;
      if (isSystemFolder(folder) || !fs::is_directory(folder, error))
        continue;
      folders.insert(folder);
      if (!(folder + "/").starts_with(tree + "/"))
        continue;
      for (const std::string &library : facts.needed)
        if (const std::string path = folder + "/" + library; fs::exists(path, error) && seen.insert(path).second)
          queue.push_back(path);
    }
  }
  TRY(cache.save());
  return ProgramIdentity{key.hex(), {folders.begin(), folders.end()}};
}

} // namespace agentic
