// What servers tell of their models, read from their answers. Pure: discovery.cpp asks for them.
#pragma once

#include "tool/llm/chat.h"
#include "tool/base/wire_json.h"

namespace agentic {

/// GET /models of any of the Chat Completions servers: the entry of `model`; a null if it is not listed. Names may
/// carry "models/" in front.
const Json &listedModel(const Json &list, const std::string &model);
std::vector<std::string> listedNames(const Json &list);

/// Whether a name that is not listed may still be one: "…-latest", a route of a listed one ("maker/m:free"), or the
/// begin of dated names ("m" for "m-0709"). Such names are left to the server: what it refuses costs nothing.
bool mayBeAlias(const std::string &model, const std::vector<std::string> &names);

/// Up to five of `names` that may have been meant, nearest first; "" if there are none.
std::string nearNames(const std::string &model, const std::vector<std::string> &names);

/// Context size, limits, prices and tools as far as an entry says them, under any of the names in use.
void readListed(const Json &entry, const std::string &source, ModelFacts &facts);

void readLlamaProps(const Json &props, ModelFacts &facts); ///< GET /props of llama-server
void readOllamaShow(const Json &show, ModelFacts &facts);  ///< POST /api/show of Ollama
void readOllamaLoaded(const Json &ps, ModelFacts &facts);  ///< GET /api/ps: what is in memory counts more
void readLmStudio(const Json &list, ModelFacts &facts);    ///< GET /api/v0/models of LM Studio

} // namespace agentic
