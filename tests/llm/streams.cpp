#include "tests/llm/streams.h"

namespace agentic {
namespace {

std::string sse(const std::vector<std::string> &events, bool done = true) {
  std::string text;
  for (const std::string &event : events)
    text += "data: " + event + "\n\n";
  return done ? text + "data: [DONE]\n\n" : text;
}

std::string named(const std::vector<std::pair<std::string, std::string>> &events) {
  std::string text;
  for (const auto &[name, data] : events)
    text += "event: " + name + "\r\ndata: " + data + "\r\n\r\n";
  return text;
}

std::vector<SampleAnswer> chatSamples() {
  const ChatUsage usage{.freshInput = 60,
                        .cachedInput = 30,
                        .cacheWrite = 10,
                        .output = 20,
                        .reasoning = 5,
                        .costUsd = 0.25,
                        .isReported = true};
  const std::string usageJson =
      R"("usage":{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":30,)"
      R"("cache_write_tokens":10},"completion_tokens_details":{"reasoning_tokens":5},"cost":0.25})";
  SampleAnswer text{
      .name = "chat text",
      .dialect = "chat",
      .isStream = true,
      .bytes = ": OPENROUTER PROCESSING\n\n" +
               sse({R"({"model":"m-1","provider":"P","choices":[{"delta":{"role":"assistant","content":""}}]})",
                    R"({"choices":[{"delta":{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text",)"
                    R"("index":0,"text":"hm"}]}}]})",
                    R"({"choices":[{"delta":{"content":"Grü","reasoning_details":[{"index":0,"signature":"s"}]}}]})",
                    R"({"choices":[{"delta":{"content":"ße \u20ac"},"finish_reason":null}]})",
                    R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", R"({"choices":[],)" + usageJson + "}"}),
      .text = "Grüße €",
      .reasoning = "hm",
      .usage = usage,
      .raw = R"({"content":"Grüße €","reasoning":"hm","reasoning_details":[{"index":0,"signature":"s",)"
             R"("text":"hm","type":"reasoning.text"}],"role":"assistant"})"};
  SampleAnswer calls{
      .name = "chat calls",
      .dialect = "chat",
      .isStream = true,
      .bytes = sse(
          {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":)"
           R"({"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"T"}}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},)"
           R"("finish_reason":"tool_calls"}]})"}),
      .finish = ChatFinish::ToolCalls,
      .calls = {{"a", "f", "{\"x\":1}"}, {"b", "g", "{}"}},
      .raw = R"({"content":null,"role":"assistant","tool_calls":[{"extra_content":{"google":)"
             R"({"thought_signature":"T"}},"function":{"arguments":"{\"x\":1}","name":"f"},"id":"a",)"
             R"("type":"function"},{"function":{"arguments":"{}","name":"g"},"id":"b","type":"function"}]})"};
  // One server gives every whole call the index 0, another gives no index, and says "stop" although there are calls.
  SampleAnswer odd{
      .name = "chat calls of odd servers",
      .dialect = "chat",
      .isStream = true,
      .bytes = sse(
          {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"name":"h","arguments":"["}}]}}]})",
           R"({"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"arguments":"]"}}]},"finish_reason":"stop"}]})"},
          false),
      .finish = ChatFinish::ToolCalls,
      .calls = {{"a", "f", "{}"}, {"b", "g", "{}"}, {"c", "h", "[]"}},
      .raw = R"({"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"f"},)"
             R"("id":"a","type":"function"},{"function":{"arguments":"{}","name":"g"},"id":"b","type":)"
             R"("function"},{"function":{"arguments":"[]","name":"h"},"id":"c","type":"function"}]})"};
  SampleAnswer whole{
      .name = "chat whole",
      .dialect = "chat",
      .isStream = false,
      .bytes = R"({"model":"m-1","choices":[{"message":{"role":"assistant","content":"<think>hm</think>yes"},)"
               R"("finish_reason":"length"}],)" +
               usageJson + "}",
      .text = "yes",
      .reasoning = "hm",
      .finish = ChatFinish::Length,
      .usage = usage,
      .raw = R"({"content":"<think>hm</think>yes","role":"assistant"})"};
  return {text, calls, odd, whole};
}

std::vector<SampleAnswer> ollamaSamples() {
  const ChatUsage usage{.freshInput = 11, .output = 7, .isReported = true};
  return {{.name = "ollama text",
           .dialect = "ollama",
           .isStream = true,
           .bytes = R"({"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done":false})"
                    "\n"
                    R"({"model":"m","message":{"role":"assistant","content":"yes"},"done":false})"
                    "\n"
                    R"({"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"length",)"
                    R"("prompt_eval_count":11,"eval_count":7,"total_duration":12345678901})",
           .text = "yes",
           .reasoning = "hm",
           .finish = ChatFinish::Length,
           .usage = usage,
           .raw = R"({"content":"yes","role":"assistant","thinking":"hm"})"},
          {.name = "ollama calls",
           .dialect = "ollama",
           .isStream = false,
           .bytes =
               R"({"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",)"
               R"("arguments":{"x":1}}}]},"done":true,"done_reason":"stop","prompt_eval_count":11,"eval_count":7})",
           .finish = ChatFinish::ToolCalls,
           .calls = {{"call_1", "f", "{\"x\":1}"}},
           .usage = usage,
           .raw = R"({"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{"x":1},"name":"f"}}]})"}};
}

std::vector<SampleAnswer> anthropicSamples() {
  const ChatUsage usage{.freshInput = 9, .cachedInput = 100, .cacheWrite = 50, .output = 33, .isReported = true};
  return {
      {.name = "anthropic calls",
       .dialect = "anthropic",
       .isStream = true,
       .bytes = named({
           {"message_start", R"({"type":"message_start","message":{"model":"c","usage":{"input_tokens":9,)"
                             R"("cache_read_input_tokens":100,"cache_creation_input_tokens":50,"output_tokens":1}}})"},
           {"ping", R"({"type":"ping"})"},
           {"content_block_start",
            R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})"},
           {"content_block_delta",
            R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})"},
           {"content_block_delta",
            R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"SIG"}})"},
           {"content_block_stop", R"({"type":"content_block_stop","index":0})"},
           {"content_block_start",
            R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})"},
           {"content_block_delta",
            R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"trying"}})"},
           {"content_block_start",
            R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}})"},
           {"content_block_delta",
            R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\""}})"},
           {"content_block_delta",
            R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":":1}"}})"},
           {"message_delta",
            R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":33}})"},
           {"message_stop", R"({"type":"message_stop"})"},
       }),
       .text = "trying",
       .reasoning = "hm",
       .finish = ChatFinish::ToolCalls,
       .calls = {{"t1", "f", "{\"x\":1}"}},
       .usage = usage,
       .raw = R"([{"signature":"SIG","thinking":"hm","type":"thinking"},{"text":"trying","type":"text"},)"
              R"({"id":"t1","input":{"x":1},"name":"f","type":"tool_use"}])"},
      {.name = "anthropic whole",
       .dialect = "anthropic",
       .isStream = false,
       .bytes = R"({"type":"message","model":"c","content":[{"type":"redacted_thinking","data":"D"},)"
                R"({"type":"text","text":"no"}],"stop_reason":"refusal","usage":{"input_tokens":9,)"
                R"("cache_read_input_tokens":100,"cache_creation_input_tokens":50,"output_tokens":33}})",
       .text = "no",
       .finish = ChatFinish::Refused,
       .usage = usage,
       .raw = R"([{"data":"D","type":"redacted_thinking"},{"text":"no","type":"text"}])"}};
}

std::vector<SampleAnswer> responsesSamples() {
  const ChatUsage usage{.freshInput = 6, .cachedInput = 4, .output = 5, .reasoning = 1, .isReported = true};
  const std::string usageJson = R"("usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},)"
                                R"("output_tokens":5,"output_tokens_details":{"reasoning_tokens":1}})";
  const std::string reasoning =
      R"({"encrypted_content":"E","id":"r","summary":[{"text":"hm","type":"summary_text"}],"type":"reasoning"})";
  const std::string message =
      R"({"content":[{"text":"yes","type":"output_text"}],"id":"m","role":"assistant","type":"message"})";
  const std::string call = R"({"arguments":"{\"x\":1}","call_id":"c1","id":"fc","name":"f","type":"function_call"})";
  return {{.name = "responses text",
           .dialect = "responses",
           .isStream = true,
           .bytes = named(
               {{"response.created", R"({"type":"response.created","response":{"id":"r0"}})"},
                {"response.output_item.done", R"({"type":"response.output_item.done","item":)" + reasoning + "}"},
                {"response.output_text.delta", R"({"type":"response.output_text.delta","delta":"ye"})"},
                {"response.output_text.delta", R"({"type":"response.output_text.delta","delta":"s"})"},
                {"response.output_item.done", R"({"type":"response.output_item.done","item":)" + message + "}"},
                {"response.completed",
                 R"({"type":"response.completed","response":{"model":"g","status":"completed",)" + usageJson + "}}"}}),
           .text = "yes",
           .reasoning = "hm",
           .usage = usage,
           .raw = "[" + reasoning + "," + message + "]"},
          {.name = "responses calls",
           .dialect = "responses",
           .isStream = false,
           .bytes = R"({"model":"g","status":"completed","error":null,"output":[)" + reasoning + "," + call + "]," +
                    usageJson + "}",
           .reasoning = "hm",
           .finish = ChatFinish::ToolCalls,
           .calls = {{"c1", "f", "{\"x\":1}"}},
           .usage = usage,
           .raw = "[" + reasoning + "," + call + "]"},
          {.name = "responses cut by the limit",
           .dialect = "responses",
           .isStream = true,
           .bytes = named({{"response.output_text.delta", R"({"type":"response.output_text.delta","delta":"ye"})"},
                           {"response.incomplete", R"({"type":"response.incomplete","response":{"status":"incomplete",)"
                                                   R"("incomplete_details":{"reason":"max_output_tokens"},)" +
                                                       usageJson + "}}"}}),
           .text = "ye",
           .finish = ChatFinish::Length,
           .usage = usage,
           .raw = "[]"}};
}

} // namespace

const std::vector<SampleAnswer> &sampleAnswers() {
  static const std::vector<SampleAnswer> kAll = [] {
    std::vector<SampleAnswer> all;
    for (const auto &some : {chatSamples(), ollamaSamples(), anthropicSamples(), responsesSamples()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return kAll;
}

ChatResult<ChatReply> replyOf(const char *dialect, bool isStream, const std::vector<std::string> &pieces, int status,
                              const HttpHeaders &headers, HttpEnd end) {
  AnswerReader answer(*dialectNamed(dialect), isStream, {.provider = "test", .keyName = "KEY"}, {});
  answer.head(status, headers);
  for (const std::string &piece : pieces)
    if (answer.body(piece) == BodyStep::Done)
      return answer.finish({.end = HttpEnd::Complete, .status = status});
  return answer.finish({.end = end, .reason = "broken", .status = status});
}

} // namespace agentic
