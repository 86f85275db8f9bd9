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

/// Numbers read as in the terminal: the same rules as tool/model/figures.cpp.
const isKnown = (value, most) => value !== null && Math.abs(value) <= most;
function formatRatio(value) {
  return value === null ? "" : isKnown(value, 1e9) ? value.toFixed(2) + "x" : "unknown";
}
/// As measured against the baseline, or as concluded from what it was compared with; null: neither. An estimate both times.
const speedupOf = (attempts, index) => attempts.ratio[index] ?? attempts.estimate[index];
function formatSpeedup(attempts, index) {
  const isEstimated = attempts.ratio[index] === null && attempts.estimate[index] !== null;
  return (isEstimated ? "about " : "") + formatRatio(speedupOf(attempts, index));
}
const candidateName = (attempts, index) => attempts.id[index] || "no candidate";
function formatDollars(value) {
  if (!isKnown(value, 1e12)) return "unknown";
  return "$" + value.toFixed(value > 0 && value < 0.1 ? 4 : 2);
}
function formatNanoseconds(value) {
  if (value === null) return "";
  if (!isKnown(value, 1e18)) return "unknown";
  const units = ["ns", "us", "ms", "s"];
  for (; units.length > 1 && value >= 999.5; value /= 1000) units.shift();
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + units[0];
}
function formatSeconds(value) {
  if (!isKnown(value, 1e9)) return "unknown";
  if (value < 99.95) return value.toFixed(1) + " s";
  const whole = Math.floor(value), two = (number) => String(number).padStart(2, "0");
  const minutes = whole < 3600 ? Math.floor(whole / 60) : Math.floor(whole / 3600) + ":" + two(Math.floor(whole / 60) % 60);
  return minutes + ":" + two(whole % 60);
}
