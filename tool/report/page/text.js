// The data, and how texts and numbers are shown. Everything that others wrote is shown as text, never as markup.
"use strict";

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
let shownRun = 0;

/// Control characters and those that turn the direction of text, made visible; tabs and line ends stay.
function visibleText(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\u27e8U+" + code.toString(16).toUpperCase().padStart(4, "0") + "\u27e9";
  });
}

/// For places that hold a word or two.
function shortName(text) {
  const shown = visibleText(text);
  return shown.length > 28 ? shown.slice(0, 27) + "\u2026" : shown;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = visibleText(String(text));
  return made;
}

const nameOf = (index) => (index < 0 ? "" : report.names[index]);

function formatRatio(value) {
  return value === null ? "" : Math.abs(value) > 1e9 ? "unknown" : value.toFixed(2) + "x";
}
function formatDollars(value) {
  if (value === null) return "unknown cost";
  return "$" + (value < 1 ? value.toFixed(4) : value.toFixed(2));
}
function formatNanoseconds(value) {
  if (value === null) return "";
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) if (value >= size) return (value / size).toPrecision(4) + " " + unit;
  return value.toPrecision(4) + " ns";
}
function formatSeconds(value) {
  if (value === null) return "unknown time";
  if (value < 60) return value.toPrecision(3) + " s";
  const minutes = Math.floor(value / 60);
  return minutes < 60 ? minutes + " min " + Math.round(value % 60) + " s" : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}
