// Cuts streams into events: server-sent events and JSON lines. Bytes may arrive split anywhere, with any of the three
// line ends; nothing is assumed about their contents. Linear in the bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace agentic {

/// More than any provider sends at once; a stream with a longer event is broken off.
constexpr std::size_t kMaxEventBytes = std::size_t{16} << 20;

struct StreamEvent {
  std::string name; ///< of the `event:` field; empty for most providers and for JSON lines
  std::string data;
};

/// Cuts a stream into events. `event` is called during feed().
class Framing {
public:
  using Handler = std::function<void(const StreamEvent &)>;
  explicit Framing(Handler handler) : handler_(std::move(handler)) {}
  virtual ~Framing() = default;
  /// Returns false once an event is longer than kMaxEventBytes; ignores everything after that.
  bool feed(std::string_view bytes);
  /// Ends the stream.
  virtual void end() {}

protected:
  virtual void line(std::string_view text) = 0; ///< without its end
  void handle(const StreamEvent &event) { handler_(event); }
  void overflow() { overflowed_ = true; }
  std::string &pending() { return pending_; }

private:
  void completeLine(std::string_view rest);
  Handler handler_;
  std::string pending_; ///< the begin of a line
  bool afterReturn_ = false;
  bool overflowed_ = false;
};

/// text/event-stream: comments and unknown fields are skipped, an unfinished last event is dropped.
class SseFraming : public Framing {
public:
  using Framing::Framing;

protected:
  void line(std::string_view text) override;

private:
  StreamEvent event_;
  bool hasData_ = false;
  bool isFirstLine_ = true;
};

/// One JSON value a line; the last line may lack its end.
class LineFraming : public Framing {
public:
  using Framing::Framing;
  void end() override;

protected:
  void line(std::string_view text) override;
};

} // namespace agentic
