#include "tool/mcp/workplace.h"

#include "tool/base/text.h"
#include "tool/build/manifests.h"

namespace agentic::mcp {

Result<std::vector<Manifest>> Workplace::manifests() const {
  const TargetOptions &target = options_.session.options.target;
  return chosenManifests(target.buildDir, target.kernel, target.config);
}

Result<Manifest> Workplace::manifestOf(const std::string &kernel) const {
  auto manifests = TRY(this->manifests());
  std::vector<std::string> names;
  for (const Manifest &manifest : manifests)
    names.push_back(manifest.kernel);
  if (kernel.empty() && names.size() != 1)
    return userError("there are several kernels", "name one of them as 'kernel': " + join(names, ", "));
  const auto found = kernel.empty() ? manifests.begin() : std::ranges::find(manifests, kernel, &Manifest::kernel);
  if (found == manifests.end())
    return userError("there is no kernel of this name", "the kernels are " + join(names, ", "));
  return std::move(*found);
}

Result<KernelSession *> Workplace::session(const std::string &kernel) {
  const Manifest manifest = TRY(manifestOf(kernel));
  const std::lock_guard<std::mutex> lock(mutex_);
  auto &session = sessions_[manifest.kernel];
  if (!session)
    session = std::make_unique<KernelSession>(options_.session, manifest);
  return session.get();
}

KernelSession *Workplace::known(const std::string &kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = sessions_.find(kernel);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void Workplace::begin() {
  if (const auto manifests = this->manifests(); manifests && manifests->size() == 1)
    if (const auto session = this->session({}))
      (*session)->prepare();
}

void Workplace::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto &[kernel, session] : sessions_)
    session->stop();
}

} // namespace agentic::mcp
