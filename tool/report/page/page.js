// Starts the page: the theme, the chosen run, following.

const themes = ["system", "light", "dark"];

function storedTheme() {
  try {
    return themes.includes(localStorage.getItem("agentic-kernel-theme")) ? localStorage.getItem("agentic-kernel-theme") : "system";
  } catch {
    return "system"; // a browser that keeps nothing for files
  }
}

function applyTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = "Theme: " + theme;
  try {
    localStorage.setItem("agentic-kernel-theme", theme);
  } catch {
    // it holds until the page is closed
  }
}

function startTheme() {
  let theme = storedTheme();
  applyTheme(theme);
  byId("theme").addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    applyTheme(theme);
    drawCharts();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
}

function showRun(run) {
  shownRun = run;
  for (const part of document.querySelectorAll("[data-run]")) {
    part.hidden = Number(part.dataset.run) !== run;
    if (!part.hidden) startOpeners(part);
  }
  drawCharts();
  startTable();
}

function startRuns() {
  const select = byId("run");
  report.runs.forEach((run, index) => {
    const option = element("option", "", run.name);
    option.value = index;
    select.append(option);
  });
  byId("run-pick").hidden = report.runs.length < 2;
  select.addEventListener("change", () => showRun(Number(select.value)));
}

const viewKey = "agentic-kernel-view";

/// What somebody looks at, for the same page with more in it.
function keepView() {
  sessionStorage.setItem(viewKey, JSON.stringify({ run: shownRun, text: byId("filter-text").value, verdict: byId("filter-verdict").value,
    sortedBy, isDescending, page: tablePage, scroll: scrollY }));
}

function restoreView() {
  const kept = JSON.parse(sessionStorage.getItem(viewKey));
  if (kept === null || !report.runs[kept.run]) return;
  byId("run").value = kept.run;
  showRun(kept.run);
  byId("filter-text").value = kept.text;
  byId("filter-verdict").value = kept.verdict;
  if (byId("filter-verdict").selectedIndex < 0) byId("filter-verdict").value = ""; // there is none of it any more
  sortedBy = kept.sortedBy;
  isDescending = kept.isDescending;
  fillTable(kept.page);
  scrollTo(0, kept.scroll);
}

/// While a run goes on the page is served, and comes again when there is something new.
function startFollowing() {
  if (!report.follow || location.protocol !== "http:") return;
  restoreView();
  const timer = setInterval(async () => {
    if (byId("candidate").open) return; // somebody reads
    try {
      const answer = await fetch("state", { cache: "no-store" });
      if (!answer.ok || (await answer.text()) === report.follow) return;
      keepView();
      location.reload();
    } catch {
      clearInterval(timer); // the run is over and the server has gone
    }
  }, 2000);
}

function startPage() {
  document.documentElement.classList.add("scripted");
  startTheme();
  startRuns();
  startDialog();
  startFilters();
  startChartKeys();
  highlightDifferences();
  if (report.runs.length > 0) showRun(0);
  startFollowing();
  document.documentElement.dataset.ready = "true";
}

startPage();
