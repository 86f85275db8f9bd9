// The lines at the bottom of a terminal that are drawn again and again while ordinary lines scroll by above them.
//
// A thread draws, at most ten times a second; each frame is one write, so nothing flickers. Ordinary lines go out with
// the next frame. The cursor is hidden meanwhile; it is restored even if a signal ends or stops the process.
#pragma once

#include "tool/report/live_view.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace agentic {

/// The content of the area. Called from the drawing thread.
class LiveSource {
public:
  virtual ~LiveSource() = default;
  virtual std::vector<LiveLine> lines(const LiveSize &size) = 0;
  /// Sets the current work, in the words of a part that does not know the view.
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
  void erase();                         ///< at once, until the next frame: another writer uses the terminal now

private:
  void drawing();
  void draw(); ///< call it with mutex_ held, like the next two
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
  std::string lastFrame_;          ///< avoids drawing the same frame twice
  std::size_t drawnColumns_ = 0;
  std::thread thread_;
};

/// For the handler of a signal that ends the process: removes the area and restores the cursor. Async-signal-safe.
void restoreTerminal();

} // namespace agentic
