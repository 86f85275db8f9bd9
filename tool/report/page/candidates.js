// The table of candidates, a page of it at a time, and the dialog with one of them.

const rowsPerPage = 50;
const sortKeys = { candidate: "id", iteration: "iteration", agent: "agent", verdict: "verdict", stage: "stage", speedup: "speedup", time: "ns", cost: "cost" };
let sortedBy = "speedup", isDescending = true, shownRows = [], tablePage = 0, openedAttempt = -1;

/// What a column is sorted by: names by their letters, what is missing last.
function sortValue(attempts, column, index) {
  if (column === "speedup") return speedupOf(attempts, index);
  const value = attempts[sortKeys[column]][index];
  return column === "agent" || column === "verdict" || column === "stage" ? nameOf(value) : value;
}

function compareAttempts(attempts, left, right) {
  const a = sortValue(attempts, sortedBy, left), b = sortValue(attempts, sortedBy, right);
  if (a === null || b === null) return a === b ? left - right : a === null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return order === 0 ? left - right : isDescending ? -order : order;
}

function fillTable(page = 0) {
  const attempts = runOf().attempts;
  const words = byId("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const verdict = byId("filter-verdict").value;
  const isShown = (index) => {
    if (verdict && nameOf(attempts.verdict[index]) !== verdict) return false;
    if (words.length === 0) return true;
    const text = [attempts.id[index], ...["agent", "verdict", "stage", "check"].map((column) => nameOf(attempts[column][index]))].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  shownRows = attempts.id.map((_, index) => index).filter(isShown).sort((left, right) => compareAttempts(attempts, left, right));
  tablePage = page;
  showPage();
}

function opener(text, open) {
  const button = element("button", "opener", text);
  button.type = "button";
  button.addEventListener("click", open);
  return button;
}

/// Names of candidates elsewhere on the page open them, too; `part` is of the run that is shown.
function startOpeners(part) {
  const ids = runOf().attempts.id;
  for (const name of part.querySelectorAll("code[data-candidate]")) {
    const index = ids.indexOf(name.textContent);
    if (index >= 0) name.replaceWith(opener(name.textContent, () => openCandidate(index)));
  }
}

function tableRow(index) {
  const attempts = runOf().attempts;
  const row = element("tr");
  const name = element("td");
  name.append(opener(candidateName(attempts, index), () => openCandidate(index)));
  const verdict = nameOf(attempts.verdict[index]);
  row.append(name, element("td", "number", attempts.iteration[index]), element("td", "", nameOf(attempts.agent[index])),
    element("td", verdict in shapes ? verdict : "", verdict), element("td", "", [nameOf(attempts.stage[index]), nameOf(attempts.check[index])].filter(Boolean).join(": ")),
    element("td", "number", formatSpeedup(attempts, index)), element("td", "number", formatNanoseconds(attempts.ns[index])),
    element("td", "number", attempts.cost[index] > 0 ? formatDollars(attempts.cost[index]) : ""));
  return row;
}

function showPage() {
  const pages = Math.max(1, Math.ceil(shownRows.length / rowsPerPage));
  tablePage = Math.min(pages - 1, Math.max(0, tablePage));
  const rows = shownRows.slice(tablePage * rowsPerPage, (tablePage + 1) * rowsPerPage);
  byId("candidates-table").tBodies[0].replaceChildren(...rows.map(tableRow));
  byId("candidates-status").textContent = shownRows.length + " of " + runOf().attempts.id.length + " candidates";
  byId("page-number").textContent = "Page " + (tablePage + 1) + " of " + pages;
  byId("page-back").disabled = tablePage === 0;
  byId("page-next").disabled = tablePage === pages - 1;
  for (const head of document.querySelectorAll("#candidates-table th[data-sort]")) {
    if (head.dataset.sort === sortedBy) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}

function startTable() {
  const verdicts = [...new Set(runOf().attempts.verdict)].map(nameOf);
  const chosen = element("option", "", "all");
  chosen.value = "";
  byId("filter-verdict").replaceChildren(chosen, ...verdicts.map((verdict) => element("option", "", verdict)));
  fillTable();
}

function startFilters() {
  byId("candidates-table").caption.remove(); // it counts the rows of the table without scripts
  byId("filter-text").addEventListener("input", () => fillTable());
  byId("filter-verdict").addEventListener("change", () => fillTable());
  const turn = (step) => () => {
    tablePage += step;
    showPage();
  };
  byId("page-back").addEventListener("click", turn(-1));
  byId("page-next").addEventListener("click", turn(1));
  for (const head of document.querySelectorAll("#candidates-table th[data-sort]")) {
    const button = element("button", "", head.textContent);
    button.type = "button";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      isDescending = sortedBy === head.dataset.sort ? !isDescending : head.dataset.sort === "speedup";
      sortedBy = head.dataset.sort;
      fillTable();
    });
  }
}

const shortened = (value) => (String(value).length > 1000 ? String(value).slice(0, 1000) + " \u2026" : value);

function fillFacts(attempts, index, facts) {
  const rows = [["Verdict", nameOf(attempts.verdict[index])], ["Stage", nameOf(attempts.stage[index])], ["Check", nameOf(attempts.check[index])],
    ["Agent", nameOf(attempts.agent[index])], ["Iteration", attempts.iteration[index]]];
  if (attempts.ratio[index] !== null) {
    rows.push(["Speedup", formatRatio(attempts.ratio[index]) + " (estimate)"]);
    rows.push(["Time", formatNanoseconds(attempts.ns[index])]);
  } else if (attempts.estimate[index] !== null) {
    rows.push(["Speedup", formatSpeedup(attempts, index) + ": concluded from a comparison with another candidate"]);
  }
  rows.push(["Spent until then", formatSeconds(attempts.wall[index]) + (attempts.cost[index] > 0 ? ", " + formatDollars(attempts.cost[index]) : "")], ...facts);
  byId("candidate-facts").replaceChildren(...rows.filter((row) => row[1] !== "").flatMap((row) => [element("dt", "", row[0]), element("dd", "", shortened(row[1]))]));
}

function detailText(title, text) {
  const made = element("pre", "wrap", boundedText(text));
  made.tabIndex = 0; // it may scroll
  made.setAttribute("aria-label", visibleText(shortened(title)));
  return made;
}

async function openCandidate(index) {
  const attempts = runOf().attempts;
  openedAttempt = index;
  byId("candidate-title").textContent = visibleText(candidateName(attempts, index));
  byId("candidate-status").textContent = "";
  byId("candidate-source").textContent = "";
  byId("candidate-detail").replaceChildren();
  fillFacts(attempts, index, []);
  byId("candidate-back").disabled = index === 0;
  byId("candidate-next").disabled = index === attempts.id.length - 1;
  if (!byId("candidate").open) byId("candidate").showModal();
  try {
    const [source, detail] = await Promise.all([textOf(attempts.source[index]), textOf(attempts.detail[index])]);
    if (openedAttempt !== index) return; // another one was opened while this was unpacked
    const parts = detail ? JSON.parse(detail) : { facts: [], texts: [] };
    fillFacts(attempts, index, parts.facts);
    byId("candidate-detail").replaceChildren(...parts.texts.flatMap(([title, text]) => [element("h3", "", shortened(title)), detailText(title, text)]));
    highlightInto(byId("candidate-source"), boundedText(source || (attempts.id[index] ? "The source is not in the run's folder." : "The reply had no usable candidate.")));
    byId("candidate").dataset.shown = attempts.id[index];
  } catch (problem) {
    byId("candidate-status").textContent = "This browser cannot unpack the source (" + problem.message + "); a newer one can.";
  }
}

function startDialog() {
  byId("candidate-close").addEventListener("click", () => byId("candidate").close());
  byId("candidate").addEventListener("close", () => (openedAttempt = -1));
  byId("candidate-back").addEventListener("click", () => openCandidate(openedAttempt - 1));
  byId("candidate-next").addEventListener("click", () => openCandidate(openedAttempt + 1));
  byId("candidate-copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await textOf(runOf().attempts.source[openedAttempt]));
      byId("candidate-status").textContent = "Copied.";
    } catch {
      byId("candidate-status").textContent = "The browser does not allow it: select the text and copy it.";
    }
  });
}
