// C++ in colours: one expression splits a text into comments, strings, numbers, words; all of it is added as text nodes.

const keywords = new Set(("alignas alignof asm auto bool break case catch char char8_t char16_t char32_t class concept const consteval " +
  "constexpr constinit const_cast continue decltype default delete do double dynamic_cast else enum explicit extern false float for " +
  "friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast " +
  "requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try " +
  "typedef typeid typename union unsigned using virtual void volatile wchar_t while").split(" "));

const tokens = new RegExp(
  "(//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))|" +                            // comment
  "(\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?)|" +        // string
  "(^[ \\t]*#[ \\t]*\\w+)|" +                                          // directive
  "(\\.?\\d(?:[eEpP][+-]|'?[\\w.])*)|" +                               // number
  "([A-Za-z_]\\w*)", "gm");                                            // word

function highlightInto(target, text) {
  const made = document.createDocumentFragment();
  let from = 0;
  const plain = (to) => {
    if (to > from) made.append(visibleText(text.slice(from, to)));
  };
  for (const match of text.matchAll(tokens)) {
    const kind = match[1] ? "c" : match[2] ? "s" : match[3] ? "d" : match[4] ? "n" : keywords.has(match[5]) ? "k" : "";
    if (!kind) continue;
    plain(match.index);
    made.append(element("span", kind, match[0]));
    from = match.index + match[0].length;
  }
  plain(text.length);
  target.replaceChildren(made);
}

function highlightDifferences() {
  for (const cell of document.querySelectorAll("td.text")) highlightInto(cell, cell.textContent);
  for (const code of document.querySelectorAll("pre.cpp")) highlightInto(code, code.textContent);
}
