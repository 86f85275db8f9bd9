// The charts, by Chart.js. All of them are drawn anew when the theme or the run changes.

const drawn = [];
const shapes = { accepted: "circle", refused: "rectRot", "not-faster": "triangle", rejected: "crossRot", reply: "star" };
const inks = { accepted: "good", refused: "bad", "not-faster": "even", rejected: "bad", reply: "soft" };
const estimated = " (estimated)"; // of a set of points
let chosenPoint = -1; // of the chart of iterations: the attempt that the arrow keys are at

/// The colour that a CSS variable stands for in the present theme.
function ink(name, probe = byId("theme")) {
  const before = probe.style.color;
  probe.style.color = "var(--" + name + ")";
  const colour = getComputedStyle(probe).color;
  probe.style.color = before;
  return colour;
}

function axis(title, more = {}) {
  return { title: { display: true, text: title, color: ink("text") }, ticks: { color: ink("soft") }, grid: { color: ink("line") }, ...more };
}

function draw(id, config) {
  const canvas = byId(id);
  if (!canvas) return null;
  const options = { animation: false, maintainAspectRatio: false, responsive: true, ...config.options };
  options.plugins = { legend: { labels: { color: ink("text"), usePointStyle: true, boxWidth: 8, boxHeight: 7 } }, ...options.plugins };
  const chart = new Chart(canvas, { ...config, options });
  drawn.push(chart);
  return chart;
}

const runOf = () => report.runs[shownRun];

/// Where the attempts lie that have no speedup: below the axis; 0 if there are none.
function laneOf(attempts) {
  if (attempts.id.every((_, index) => speedupOf(attempts, index) !== null)) return 0;
  const most = attempts.id.reduce((most, _, index) => Math.max(most, speedupOf(attempts, index) ?? 1), 1);
  return -0.09 * most;
}

/// By verdict; those whose speedup is an estimate are sets of their own.
function iterationPoints(attempts, lane) {
  const sets = new Map();
  attempts.id.forEach((_, index) => {
    const verdict = nameOf(attempts.verdict[index]);
    const isEstimated = attempts.ratio[index] === null && attempts.estimate[index] !== null;
    const label = shortName(verdict) + (isEstimated ? estimated : "");
    if (!sets.has(label)) sets.set(label, { verdict, isEstimated, data: [] });
    sets.get(label).data.push({ x: attempts.iteration[index], y: speedupOf(attempts, index) ?? lane, attempt: index });
  });
  return sets;
}

/// Speedups from 0 on, and the lane with its name.
function speedupAxis(lane) {
  return axis("speedup over the baseline", {
    min: 2 * lane,
    afterBuildTicks: (scale) => (scale.ticks = [...(lane < 0 ? [{ value: lane }] : []), ...scale.ticks.filter((tick) => tick.value >= 0)]),
    ticks: { color: ink("soft"), callback: (value) => (value < 0 ? "not timed" : Number(value.toPrecision(6)) + "x") },
  });
}

function bestLine(attempts) {
  const points = [];
  attempts.best.forEach((best, index) => {
    if (index === 0 || index === attempts.best.length - 1 || best !== attempts.best[index - 1]) points.push({ x: attempts.iteration[index], y: best });
  });
  return points;
}

function describeAttempt(index) {
  const attempts = runOf().attempts;
  return visibleText(["Iteration " + attempts.iteration[index] + ":", candidateName(attempts, index), nameOf(attempts.verdict[index]),
    formatSpeedup(attempts, index)].filter(Boolean).join(" "));
}

function drawIterations() {
  const attempts = runOf().attempts;
  const lane = laneOf(attempts);
  const datasets = [...iterationPoints(attempts, lane)].map(([label, { verdict, isEstimated, data }]) => ({
    label, data, type: "scatter", pointStyle: shapes[verdict] ?? "rect", order: 1, radius: data.length > 2000 ? 2 : 4, hoverRadius: 7,
    borderColor: ink(inks[verdict] ?? "accent"), backgroundColor: isEstimated ? "transparent" : ink(inks[verdict] ?? "accent"),
  }));
  datasets.unshift({ label: "best so far", data: bestLine(attempts), type: "line", stepped: true, pointRadius: 0, pointHitRadius: 0, order: 2,
    pointStyle: "line", borderColor: ink("accent"), backgroundColor: ink("accent"), borderWidth: 2 });
  const open = (event, hits, chart) => {
    const hit = hits.map((one) => chart.data.datasets[one.datasetIndex].data[one.index]).find((point) => point.attempt !== undefined);
    if (hit) openCandidate(hit.attempt);
  };
  draw("chart-iterations", { type: "scatter", data: { datasets }, options: {
    parsing: false, normalized: true, onClick: open, interaction: { mode: "nearest", intersect: true },
    scales: { x: axis("iteration", { type: "linear", ticks: { precision: 0, color: ink("soft") } }), y: speedupAxis(lane) },
    plugins: { tooltip: { callbacks: { label: (item) => (item.raw.attempt === undefined ? "best " + formatRatio(item.raw.y) : describeAttempt(item.raw.attempt)) } } },
  } });
}

/// Per run and agent: what its best was when so much had been spent.
function progress(column) {
  const lines = new Map();
  for (const run of report.runs) {
    run.attempts.id.forEach((_, index) => {
      const agent = [run.label, nameOf(run.attempts.agent[index]) || "checked in"].filter(Boolean).join(": ");
      if (!lines.has(agent)) lines.set(agent, { best: 1, data: [{ x: 0, y: 1 }] });
      const line = lines.get(agent);
      const isAccepted = nameOf(run.attempts.verdict[index]) === "accepted";
      if (isAccepted && run.attempts.ratio[index] > line.best) line.data.push({ x: run.attempts[column][index], y: (line.best = run.attempts.ratio[index]) });
      line.last = run.attempts[column][index];
    });
  }
  for (const line of lines.values()) line.data.push({ x: line.last, y: line.best });
  return [...lines].filter(([, line]) => line.last > 0); // who costs nothing has no line there
}

const palette = ["accent", "directive", "good", "keyword", "bad", "even", "number", "soft"];
const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

function drawProgress(id, column, title) {
  const datasets = progress(column).map(([agent, line], index) => ({
    label: shortName(agent), data: line.data, stepped: true, pointRadius: 3, borderWidth: 2, borderDash: dashes[Math.floor(index / palette.length + index) % 4],
    pointStyle: "circle", borderColor: ink(palette[index % palette.length]), backgroundColor: ink(palette[index % palette.length]),
  }));
  draw(id, { type: "line", data: { datasets }, options: { parsing: false, normalized: true,
    scales: { x: axis(title, { type: "linear", beginAtZero: true }), y: axis("best speedup") } } });
}

function drawCosts() {
  const isPaid = report.runs.some((run) => run.attempts.cost.some((cost) => cost > 0));
  byId("cost").hidden = !isPaid;
  if (isPaid) drawProgress("chart-cost", "agentCost", "dollars of the agent");
  drawProgress("chart-wall", "wall", "seconds");
}

function drawBars(id, rows, title, config = {}) {
  const canvas = byId(id);
  if (!canvas) return;
  canvas.parentElement.hidden = rows.length === 0;
  if (rows.length === 0) return;
  canvas.parentElement.style.height = 70 + 30 * rows.length + "px";
  draw(id, { type: "bar", data: { labels: rows.map((row) => shortName(row[0])), datasets: [{ label: title, data: rows.map((row) => row[1]),
    backgroundColor: ink("accent"), maxBarThickness: 22, ...config.dataset }, ...(config.more ?? [])] },
  options: { indexAxis: "y", scales: { x: axis(title, { beginAtZero: true }), y: { ticks: { color: ink("text"), autoSkip: false }, grid: { display: false } } },
    plugins: { legend: { display: false }, ...config.plugins } } });
}

function drawAgents() {
  const rows = report.agents.filter((agent) => agent.ratio !== null).map((agent) => [agent.name, agent.ratio]);
  drawBars("chart-agents", rows, "speedup of the best, an estimate");
}

function drawCharts() {
  for (const chart of drawn.splice(0)) chart.destroy();
  if (report.runs.length === 0) return;
  drawIterations();
  drawCosts();
  drawAgents();
  drawBars("chart-stages", runOf().stages.map((stage) => [stage.name, stage.seconds]), "seconds");
  drawBars("chart-rejected", runOf().rejected.map((row) => [row.name, row.count]), "candidates");
  movePoint(-1);
}

/// The point of an attempt in the chart of iterations, as Chart.js addresses it.
function pointOf(chart, attempt) {
  for (let dataset = 0; dataset < chart.data.datasets.length; ++dataset) {
    const index = chart.data.datasets[dataset].data.findIndex((point) => point.attempt === attempt);
    if (index >= 0) return { datasetIndex: dataset, index };
  }
  return null;
}

function movePoint(attempt) {
  chosenPoint = attempt;
  byId("iterations-status").textContent = attempt < 0 ? "" : describeAttempt(attempt);
  const chart = Chart.getChart("chart-iterations");
  if (!chart) return;
  const point = attempt < 0 ? null : pointOf(chart, attempt);
  chart.setActiveElements(point ? [point] : []);
  chart.update("none");
}

function startChartKeys() {
  const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: 100, PageUp: -100, Home: -Infinity, End: Infinity };
  byId("chart-iterations").addEventListener("keydown", (event) => {
    const last = runOf() ? runOf().attempts.id.length - 1 : -1;
    if (last < 0) return;
    if (event.key in moves) movePoint(Math.min(last, Math.max(0, chosenPoint + moves[event.key])));
    else if (event.key === "Enter" && chosenPoint >= 0) openCandidate(chosenPoint);
    else return;
    event.preventDefault();
  });
  addEventListener("beforeprint", () => drawn.forEach((chart) => chart.resize()));
}
