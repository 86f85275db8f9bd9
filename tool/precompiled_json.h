// For the precompiled headers alone: uses what most files do with JSON, so that it is instantiated there once and not
// in each of them. Nothing calls it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace agentic::precompiled {

inline void useJson(nlohmann::json &json, const nlohmann::json &constant, std::string &text, const char *word,
                    std::vector<std::string> &texts, std::map<std::string, std::string> &pairs, double number) {
  const bool isSet = number > 0;
  const int count = 1;
  const std::size_t size = texts.size();
  json = nlohmann::json::parse(text);
  json = nlohmann::json::parse(text, nullptr, false);
  json = {{"text", text}, {"word", word},     {"set", isSet},  {"count", count},
          {"size", size}, {"number", number}, {"texts", texts}};
  json["text"] = text;
  json["word"] = word;
  json["literal"] = "literal";
  json["set"] = isSet;
  json["count"] = count;
  json["size"] = size;
  json["number"] = number;
  json["texts"] = texts;
  json["pairs"] = pairs;
  json["array"] = nlohmann::json::array();
  json["object"] = nlohmann::json::object();
  json[text]["inner"] = constant;
  json["array"].push_back(text);
  json["array"].push_back({{"text", text}});
  json["array"].push_back(constant);
  json["array"].emplace_back(text);
  json.erase("text");
  text = constant.at("text").get<std::string>();
  text = constant["text"].get<std::string>();
  text = constant.value("text", text);
  text = constant.value("text", "");
  text = constant.dump() + json.dump(2);
  texts = constant.at("texts").get<std::vector<std::string>>();
  pairs = constant.at("pairs").get<std::map<std::string, std::string>>();
  constant.at("text").get_to(text);
  constant.at("texts").get_to(texts);
  number += constant.at("number").get<double>() + constant.value("number", number) + constant.at("count").get<int>();
  number += constant.value("count", count) + double(constant.value("size", size));
  number += double(constant.at("size").get<std::size_t>() + constant.size()) + constant.at("set").get<bool>();
  number += constant.value("set", isSet) + constant.contains("text") + constant.contains(text);
  number += constant.is_null() + constant.empty() + (constant == json) + (constant != json) + (constant == "literal");
  for (const auto &entry : constant)
    number += entry.is_string();
  for (const auto &[key, value] : constant.items())
    number += key.empty() + value.is_object();
  if (const auto found = constant.find("text"); found != constant.end())
    text += found->get<std::string>();
  if (const auto found = json.find("text"); found != json.end())
    *found = text;
}

} // namespace agentic::precompiled
