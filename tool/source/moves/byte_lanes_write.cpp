#include "tool/source/loops/code_text.h"
#include "tool/source/moves/byte_lanes.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace agentic::moves {
namespace {

/// The loop's new text, piece by piece.
class ByteLanesWriting {
public:
  ByteLanesWriting(const Nest &nest, const Loop &loop, const ByteLanes &plan, const ByteShape &shape)
      : nest_(nest), loop_(loop), plan_(plan), size_(shape.bytes), vectors_(shape.vectors), groups_(size_ / plan.width),
        shuffles_(shape.shuffles), names_(nest.surroundings + nest.text),
        cut_(cutLoop(nest, loop, iterationsOf(plan, shape), "kBlock", "iterations side by side", names_)),
        lane_(laneName(nest, loop, names_)), bytes_(names_.make("Bytes")), signed_(names_.make("Signed")),
        none_(names_.make("kNone")), x_(names_.make("x")), bad_(names_.make("bad")), result_(names_.make("result")) {}

  std::string text() {
    const std::string hit = names_.make(nest_.variable(loop_.variable).name + "Hit");
    std::string lane = load(); // these name the types and values that the next ones need
    lane += functions();
    lane += plan_.outputs > 0 ? lanes() : "";
    const bool isKept = plan_.leaves && vectors_ > 1 && plan_.outputs > 0;
    const std::string stored = isKept ? names_.make("results") : result_;
    const std::string store =
        plan_.outputs > 0 ? storeOf(isKept ? stored + "[" + lane_ + " / " + groups() + "]" : result_) : "";
    const std::string any = plan_.leaves ? anyBad(hit) : "";
    std::string body;
    if (!plan_.leaves)
      body = each(lane + store);
    else if (vectors_ == 1)
      body = place() + bytes_ + " " + bad_ + " = " + none_ + ";\n" + lane + any + store;
    else if (!isKept)
      body = bytes_ + " " + bad_ + " = " + none_ + ";\n" + each(lane) + any;
    else
      body = type_ + " " + stored + "[" + std::to_string(vectors_) + "];\n" + bytes_ + " " + bad_ + " = " + none_ +
             ";\n" + each(lane + stored + "[" + lane_ + " / " + groups() + "] = " + result_ + ";\n") + any +
             each(store);
    std::string text = "{\n" + cut_.declarations;
    if (plan_.leaves)
      text += cut_.type + " " + hit + " = " + cut_.end + "; // where the loop as written takes over\n";
    text += typedefs_;
    if (mentionsName(body, none_))
      text += "const " + bytes_ + " " + none_ + " = {};\n";
    text += cut_.blockHeader + " {\n" + body + "}\n";
    if (!plan_.leaves)
      return text + cut_.rest + "}";
    return text + "// From the block with the first such byte, or for the rest.\n" +
           applyEdits(nest_.text, loop_.range, {Edit{loop_.lower, hit}}) + "\n}";
  }

private:
  std::string groups() const { return std::to_string(groups_); }
  std::string place() const {
    return "const " + cut_.type + " " + nest_.variable(loop_.variable).name + " = " + cut_.start +
           (vectors_ > 1 ? " + " + lane_ : "") + ";\n";
  }
  std::string each(const std::string &body) const {
    if (vectors_ == 1)
      return place() + body;
    return "for (" + cut_.type + " " + lane_ + " = 0; " + lane_ + " < " + cut_.size + "; " + lane_ + " += " + groups() +
           ") {\n" + place() + body + "}\n";
  }

  /// Returns the name of a type for vectors of so many bytes.
  std::string vectorOf(const std::string &element, int bytes, const std::string &wish) {
    const std::string key = element + " " + std::to_string(bytes);
    const auto found = std::ranges::find(types_, key, &std::pair<std::string, std::string>::first);
    if (found != types_.end())
      return found->second;
    const std::string name = wish == "Bytes" ? bytes_ : wish == "Signed" ? signed_ : names_.make(wish);
    typedefs_ += "typedef " + element + " " + name + " __attribute__((vector_size(" + std::to_string(bytes) + ")));\n";
    types_.emplace_back(key, name);
    return name;
  }
  static std::string elementOf(int bytes) {
    return bytes == 1 ? "unsigned char" : bytes == 2 ? "unsigned short" : "unsigned int";
  }
  std::string bytesType() { return vectorOf("unsigned char", size_, "Bytes"); }
  std::string laneType() { return plan_.width == 1 ? bytesType() : vectorOf(elementOf(plan_.width), size_, "Lanes"); }

  std::string input() const { return "&" + std::string(nest_.slice(plan_.input->range)); }
  std::string output() const { return "&" + std::string(nest_.slice(plan_.output->range)); }
  static std::string copy(const std::string &to, const std::string &from, const std::string &size) {
    return "__builtin_memcpy(" + to + ", " + from + ", sizeof " + size + ");\n";
  }
  static std::string shuffled(const std::string &left, const std::string &right, const std::vector<int> &places) {
    std::string text = "__builtin_shufflevector(" + left + ", " + right;
    for (const int place : places)
      text += ", " + std::to_string(place);
    return text + ")";
  }

  /// Reads a vector of lanes: each has the bytes of one iteration, from its lowest byte on.
  std::string load() {
    const std::string type = bytesType();
    if (plan_.inputs == plan_.width)
      return type + " " + x_ + ";\n" + copy("&" + x_, input(), x_);
    if (plan_.inputs == 3) { // two parts that overlap are exactly the bytes of these iterations
      const std::string half = vectorOf("unsigned char", size_ / 2, "Half"), front = names_.make("front"),
                        back = names_.make("back");
      std::vector<int> places;
      for (int group = 0; group < groups_; ++group)
        for (int byte = 0; byte < 4; ++byte)
          places.push_back(3 * group + std::min(byte, 2) + (group < groups_ / 2 ? 0 : size_ / 2 - size_ / 4));
      return half + " " + front + ", " + back + ";\n" + copy("&" + front, input(), front) +
             copy("&" + back, input() + " + " + std::to_string(size_ / 4), back) + "const " + type + " " + x_ + " = " +
             shuffled(front, back, places) + ";\n";
    }
    const std::string narrow = vectorOf(elementOf(plan_.inputs), size_ / plan_.width * plan_.inputs, "Narrow"),
                      read = names_.make("read");
    return narrow + " " + read + ";\n" + copy("&" + read, input(), read) + "const " + type + " " + x_ + " = (" + type +
           ")__builtin_convertvector(" + read + ", " + laneType() + ");\n";
  }

  /// Bytes with the names of what is computed of them on the way.
  struct Source {
    std::string bytes, signs, upper; ///< signs: the same as signed numbers; upper: the upper halves
  };

  Source sourceOf(const std::string &bytes) { return {bytes, names_.make("signs"), names_.make("upper")}; }

  /// Returns `text` behind the declarations of the names that it uses.
  std::string declared(const Source &source, const std::string &text) {
    std::string declarations;
    if (mentionsName(text, source.signs)) {
      const std::string type = vectorOf("signed char", size_, "Signed");
      declarations = "const " + type + " " + source.signs + " = (" + type + ")" + source.bytes + ";\n";
    }
    if (mentionsName(text, source.upper))
      declarations += "const " + bytesType() + " " + source.upper + " = " + source.bytes + " >> 4;\n";
    return declarations + text;
  }

  std::string where(const Source &source, const char *op, int at) {
    return "(" + bytesType() + ")(" + source.signs + op + std::to_string(at) + ")";
  }

  std::string singles(const std::vector<ByteSteps::Step> &singles, const std::string &value, const Source &source) {
    std::string text;
    for (const ByteSteps::Step &single : singles)
      text += value + " += " + where(source, " == ", single.at) + " & " + std::to_string(single.add) + ";\n";
    return text;
  }

  bool isShuffled(const ByteFunction &function) const { return function.shuffle && (shuffles_ || !function.steps); }

  /// Writes `value` as the function of the bytes.
  std::string valueOf(const ByteFunction &function, const std::string &value, const Source &source) {
    if (!isShuffled(function))
      return steps(*function.steps, value, source);
    const ByteShuffle &shuffle = *function.shuffle;
    std::string text, found = found16(shuffle.entries, shuffle.byUpperHalf ? source.upper : source.bytes, text);
    return text + bytesType() + " " + value + " = " + (shuffle.countsByte ? source.bytes + " + " : "") + found + ";\n" +
           singles(shuffle.singles, value, source);
  }

  /// Returns what 16 entries have for each index; declares them in `text`. An index above 127 finds 0.
  std::string found16(const std::vector<int> &entries, const std::string &index, std::string &text) {
    const std::string type = vectorOf("signed char", size_, "Signed"), codes = vectorOf("char", size_, "Codes"),
                      name = names_.make("table");
    std::string list;
    for (int i = 0; i < size_; ++i)
      list +=
          (i == 0 ? "" : ", ") + std::to_string(static_cast<signed char>(entries[static_cast<std::size_t>(i % 16)]));
    text += "const " + type + " " + name + " = {" + list + "};\n";
    return "(" + bytesType() + ")__builtin_ia32_pshufb" + std::to_string(8 * size_) + "((" + codes + ")" + name +
           ", (" + codes + ")" + (isName(index) ? index : "(" + index + ")") + ")";
  }

  std::string steps(const ByteSteps &steps, const std::string &value, const Source &source) {
    const std::string type = bytesType(), first = steps.first == 0 ? "" : " + " + std::to_string(steps.first);
    std::string text, begin = steps.beginsWithByte ? source.bytes : none_;
    if (steps.isMixed) {
      const std::string own = names_.make("own");
      text +=
          type + " " + own + " = " + (steps.beginsWithByte ? "~" : "") + none_ + "; // where the byte itself counts\n";
      for (const ByteSteps::Step &step : steps.steps)
        if (step.switches)
          text += own + " ^= " + where(source, " > ", step.at) + ";\n";
      begin = "(" + source.bytes + " & " + own + ")";
    }
    text += type + " " + value + " = " + begin + first + ";\n";
    for (const ByteSteps::Step &step : steps.steps)
      if (step.add != 0)
        text += value + " += " + where(source, " > ", step.at) + " & " + std::to_string(step.add) + ";\n";
    return text + singles(steps.singles, value, source);
  }

  std::string functions() {
    if (plan_.functions.empty() && !plan_.leaves)
      return {};
    const auto halves = plan_.leaves && shuffles_ ? halvesOf(plan_.stays) : std::nullopt;
    const Source source = sourceOf(x_);
    std::string text;
    for (const ByteFunction &function : plan_.functions) {
      values_.push_back(names_.make("value"));
      text += valueOf(function, values_.back(), source);
    }
    if (!plan_.leaves)
      return declared(source, text);
    if (!halves)
      return declared(source, text + compared(source));
    const std::string lower = found16(halves->lower, halves->hasHighBit ? x_ + " & 15" : x_, text),
                      upper = found16(halves->upper, source.upper, text);
    return declared(source, text + bad_ + " |= (" + bytesType() + ")((" + lower + " & " + upper + ") == 0);\n");
  }

  std::string compared(const Source &source) {
    const ByteTest test = testOf(plan_.stays);
    std::string stays;
    for (const ByteTest::Place &place : test.places)
      stays += (stays.empty() ? "" : " ^ ") + where(source, place.isEqual ? " == " : " > ", place.at);
    return bad_ + " |= " + (test.begins ? stays : "~(" + stays + ")") + ";\n";
  }

  /// Moves the bits, and writes the result in the form in which it is stored.
  std::string lanes() {
    const std::string type = laneType();
    std::string value;
    for (const LaneTerm &term : plan_.terms) {
      std::string part = term.function < 0 ? x_ : values_[static_cast<std::size_t>(term.function)];
      if (plan_.width > 1)
        part = "(" + type + ")" + part;
      if (term.shift != 0)
        part = "(" + part + (term.shift < 0 ? " >> " : " << ") + std::to_string(std::abs(term.shift)) + ")";
      if (term.needsMask)
        part = "(" + part + " & " + std::to_string(term.mask) + "u)";
      value += (value.empty() ? "" : " | ") + part;
    }
    if (value.empty())
      value = "(" + type + ")" + none_;
    if (plan_.ones != 0)
      value = "(" + value + ") | " + std::to_string(plan_.ones) + "u";
    std::string text;
    if (plan_.after) {
      const std::string number = names_.make("number"), of = names_.make("value");
      const Source source = sourceOf(number);
      text += "const " + bytesType() + " " + number + " = (" + bytesType() + ")(" + value + ");\n";
      text += declared(source, valueOf(*plan_.after, of, source));
      value = plan_.width > 1 ? "(" + type + ")" + of : of;
    }
    return text + packed(value);
  }

  std::string packed(const std::string &value) {
    if (plan_.outputs == plan_.width) {
      type_ = laneType();
      return "const " + type_ + " " + result_ + " = " + value + ";\n";
    }
    if (plan_.outputs < 3) {
      type_ = vectorOf(elementOf(plan_.outputs), groups_ * plan_.outputs, "Narrow");
      return "const " + type_ + " " + result_ + " = __builtin_convertvector(" + value + ", " + type_ + ");\n";
    }
    // Three bytes of each lane, in two steps, because registers shuffle bytes in parts of 16.
    const std::string bytes = names_.make("packed");
    std::vector<int> places, words;
    for (int part = 0; part < size_; part += 16) {
      for (int lane = 0; lane < 16; lane += 4)
        for (const int place : plan_.places)
          places.push_back(part + lane + place);
      for (int rest = 12; rest < 16; ++rest)
        places.push_back(part + rest);
    }
    for (const int wanted : {true, false})
      for (int word = 0; word < size_ / 4; ++word)
        if ((word % 4 != 3) == static_cast<bool>(wanted))
          words.push_back(word);
    const std::string lanes = names_.make("lanes");
    type_ = vectorOf("unsigned int", size_, "Lanes");
    const std::string cast = "(" + type_ + ")" + bytes;
    return "const " + bytesType() + " " + lanes + " = (" + bytesType() + ")(" + value + ");\nconst " + bytesType() +
           " " + bytes + " = " + shuffled(lanes, lanes, places) + ";\nconst " + type_ + " " + result_ + " = " +
           (size_ == 16 ? cast : shuffled(cast, cast, words)) + ";\n";
  }

  /// Writes exactly the bytes of these iterations.
  std::string storeOf(const std::string &result) {
    if (plan_.outputs != 3)
      return copy(output(), "&" + result, result);
    const std::string front = partOf(result, 0, size_ / 2, "front");
    return front + partOf(result, size_ / 2, size_ / 4, "back");
  }
  std::string partOf(const std::string &result, int begin, int bytes, const std::string &wish) {
    const std::string name = names_.make(wish);
    std::string text;
    if (bytes == 4) {
      text = "const unsigned " + name + " = " + result + "[" + std::to_string(begin / 4) + "];\n";
    } else if (bytes == 8) {
      text = "const unsigned long long " + name + " = ((" + vectorOf("long long", size_, "Quads") + ")" + result +
             ")[" + std::to_string(begin / 8) + "];\n";
    } else {
      std::vector<int> words;
      for (int word = begin / 4; word < (begin + bytes) / 4; ++word)
        words.push_back(word);
      text = "const " + vectorOf("unsigned int", bytes, "Part") + " " + name + " = " + shuffled(result, result, words) +
             ";\n";
    }
    return text + copy(output() + (begin == 0 ? "" : " + " + std::to_string(begin)), "&" + name, name);
  }

  std::string anyBad(const std::string &hit) {
    const std::string quads = vectorOf("long long", size_, "Quads"), any = names_.make("any");
    std::string all;
    for (int i = 0; i < size_ / 8; ++i)
      all += (i == 0 ? "" : " | ") + any + "[" + std::to_string(i) + "]";
    std::string condition = "(" + all + ") != 0";
    if (shuffles_ && size_ <= 32) // GCC takes the vector to pieces else
      condition = "__builtin_ia32_ptestz" + std::to_string(8 * size_) + "(" + any + ", " + any + ") == 0";
    return "const " + quads + " " + any + " = (" + quads + ")" + bad_ + ";\nif (" + condition + ") {\n" + hit + " = " +
           cut_.start + ";\nbreak;\n}\n";
  }

  const Nest &nest_;
  const Loop &loop_;
  const ByteLanes &plan_;
  int size_, vectors_, groups_;
  bool shuffles_;
  FreshNames names_;
  BlockCut cut_;
  std::string lane_, bytes_, signed_, none_, x_, bad_, result_;
  std::string typedefs_, type_; ///< type_: of the result
  std::vector<std::pair<std::string, std::string>> types_;
  std::vector<std::string> values_; ///< of the functions
};

} // namespace

int iterationsOf(const ByteLanes &plan, const ByteShape &shape) {
  return shape.bytes / plan.width * shape.vectors;
}

std::string writeByteLanes(const Nest &nest, const Loop &loop, const ByteLanes &plan, const ByteShape &shape) {
  return ByteLanesWriting(nest, loop, plan, shape).text();
}

} // namespace agentic::moves
