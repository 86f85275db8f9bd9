// Reads the servers' answers about their models. Pure: discovery.cpp requests them.
#pragma once

#include "tool/base/wire_json.h"
#include "tool/llm/chat.h"

namespace agentic {

/// Returns the entry of `model` in the answer to GET /models of any Chat Completions server; a null if it is not
/// listed. Names may begin with "models/".
const Json &listedModel(const Json &list, const std::string &model);
std::vector<std::string> listedNames(const Json &list);

/// Returns whether an unlisted name may still be valid: "…-latest", a route of a listed one ("maker/m:free"), or the
/// begin of dated names ("m" for "m-0709"). The server decides on such names: a refusal costs nothing.
bool mayBeAlias(const std::string &model, const std::vector<std::string> &names);

/// Returns up to five of `names` that may have been meant, nearest first; "" if there are none.
std::string nearNames(const std::string &model, const std::vector<std::string> &names);

/// Reads context size, limits, prices and tools as far as an entry has them, under any of the names in use.
void readListed(const Json &entry, const std::string &source, ModelFacts &facts);

void readLlamaProps(const Json &props, ModelFacts &facts); ///< GET /props of llama-server
void readOllamaShow(const Json &show, ModelFacts &facts);  ///< POST /api/show of Ollama
void readOllamaLoaded(const Json &ps, ModelFacts &facts);  ///< GET /api/ps: a loaded model's values take precedence
void readLmStudio(const Json &list, ModelFacts &facts);    ///< GET /api/v0/models of LM Studio

} // namespace agentic
