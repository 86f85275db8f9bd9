#include "tool/llm/delta.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostElements = 256;

/// Members that name something come whole, and some servers repeat them.
bool isTakenOnce(std::string_view key) {
  constexpr std::array<std::string_view, 8> kKeys = {"id",     "type",  "role",   "name",
                                                     "format", "index", "object", "model"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

void mergeObject(Json &into, const Json &from);

/// Returns the element that `piece` continues; nullptr if it begins one. Pieces name it by index, by id, or not at all;
/// some servers give every whole call the index 0.
Json *continued(Json &array, const Json &piece) {
  const Json &index = at(piece, "index"), &id = at(piece, "id");
  const bool hasId = id.is_string() && id != "";
  // A full array continues only with its last element: a search of it for each of a million pieces would take long.
  const auto end = array.size() < kMostElements ? array.rend() : std::next(array.rbegin());
  for (auto element = array.rbegin(); element != end; ++element) {
    const Json &itsId = at(*element, "id");
    if (!index.is_null() && at(*element, "index") == index)
      return hasId && itsId.is_string() && itsId != id ? nullptr : &*element;
    if (index.is_null() && hasId && itsId == id)
      return &*element;
  }
  const bool isNameless = index.is_null() && !hasId && at(piece, "function").is_object();
  return isNameless && textAt(piece, {"function", "name"}).empty() && !array.empty() ? &array.back() : nullptr;
}

void mergeArray(Json &into, const Json &from) {
  for (const Json &element : from) {
    if (Json *same = continued(into, element))
      mergeObject(*same, element);
    else if (into.size() < kMostElements)
      into.push_back(element);
  }
}

void mergeObject(Json &into, const Json &from) {
  if (!into.is_object() || !from.is_object())
    return;
  for (const auto &[key, value] : from.items()) {
    Json &old = into[key];
    if (value.is_null())
      continue;
    if (value.is_array() && (old.is_null() || old.is_array())) {
      if (old.is_null())
        old = Json::array();
      mergeArray(old, value);
    } else if (old.is_null()) {
      old = value;
    } else if (isTakenOnce(key)) {
      if (old == "")
        old = value;
    } else if (old.is_string() && value.is_string()) {
      old.get_ref<std::string &>() += value.get_ref<const std::string &>();
    } else if (old.is_object() && value.is_object()) {
      mergeObject(old, value);
    } else {
      old = value;
    }
  }
}

} // namespace

void DeltaMerge::add(const Json &delta) {
  if (delta.is_object())
    mergeObject(merged_, delta);
}

Json DeltaMerge::take() {
  return std::exchange(merged_, Json::object());
}

} // namespace agentic
