// The lines at the bottom of a terminal that are drawn again and again while ordinary lines scroll by above them.
//
// A thread draws, at most ten times a second; each frame is one write, so nothing flickers. Ordinary lines go out with
// the next frame. The cursor is hidden meanwhile, and comes back also when a signal ends or stops the process.
#pragma once

#include "tool/report/live_view.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace agentic {

/// What is shown. Called from the thread that draws.
class LiveSource {
public:
  virtual ~LiveSource() = default;
  virtual std::vector<LiveLine> lines(const LiveSize &size) = 0;
  /// What is being done, in the words of a part that knows no more of the view.
  virtual void activity(const std::string &what) = 0;
};

/// Thread-safe, but for begin() and end().
class LiveArea {
public:
  explicit LiveArea(int fd, bool hasColor) : fd_(fd), hasColor_(hasColor) {}
  ~LiveArea() { end(); }

  void begin(LiveSource &source); ///< `source` must live until end()
  void end();                     ///< the area is gone, everything printed is out, and the cursor is back
  bool isShown() const { return source_ != nullptr; }
  LiveSource *source() const { return source_; }

  void print(const std::string &lines); ///< whole lines, above the area
  void touch();                         ///< there is something new to draw
  void erase();                         ///< at once, until the next frame: somebody else writes to the terminal now

private:
  void drawing();
  void draw(); ///< with mutex_ held, as the next two
  std::string toTop(std::size_t columns) const;
  LiveSize size() const;

  int fd_;
  bool hasColor_;
  LiveSource *source_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool isDirty_ = false, ends_ = false;
  std::string pending_;            ///< lines to print
  std::vector<std::size_t> drawn_; ///< columns of the lines on the screen; empty = the area is not there
  std::string lastFrame_;          ///< to draw nothing twice
  std::size_t drawnColumns_ = 0;
  std::thread thread_;
};

/// In a handler of a signal that ends the process: the area is gone, the cursor is back. Async-signal-safe.
void restoreTerminal();

} // namespace agentic
