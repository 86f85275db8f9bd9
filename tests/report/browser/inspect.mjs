// node inspect.mjs CHROMIUM PAGE.html all|some|follow [FOLDER]: what a real browser sees of the page, as one JSON line on stdout.
// "some": not every width in every theme; "follow": what is left of the view when the page comes anew. With FOLDER screenshots are left there.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , executable, page, views, folder] = process.argv;
const address = page.startsWith("http") ? page : pathToFileURL(page).href;
const rules = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const patience = 200000; // milliseconds: what is waited for happens at once where nothing else runs, or never
const facts = { errors: [], requests: [], overflow: {}, accessibility: {} };

async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  const tab = await context.newPage();
  tab.on("console", (message) => (message.type() === "error" || message.type() === "warning") && facts.errors.push(message.text()));
  tab.on("pageerror", (error) => facts.errors.push(String(error)));
  tab.on("dialog", (dialog) => (facts.errors.push("a dialog: " + dialog.message()), dialog.dismiss()));
  tab.on("request", (request) => request.url() !== address && facts.requests.push(request.url()));
  const start = Date.now();
  await tab.goto(address);
  if (options.javaScriptEnabled !== false) {
    await tab.waitForSelector("html[data-ready]");
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  return { tab, context, milliseconds: Date.now() - start };
}

/// What is wider than the window, but for what lies in something that scrolls.
const tooWide = () => {
  const wide = [];
  const scrolls = (node) => {
    for (let up = node; up && up !== document.body; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  if (document.documentElement.scrollWidth > innerWidth) wide.push("the page: " + document.documentElement.scrollWidth);
  for (const node of document.body.querySelectorAll("*")) {
    if (node.getClientRects().length === 0 || node.classList.contains("skip") || scrolls(node)) continue;
    if (node.getBoundingClientRect().right > innerWidth + 1) wide.push(node.tagName + "#" + node.id + "." + node.className);
  }
  return wide;
};

async function accessibility(tab) {
  // Handed over by the test's protocol: the page's own policy lets no other script in.
  await tab.evaluate(rules);
  const result = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.flatMap((violation) => violation.nodes.map((node) => violation.id + " " + node.target.join(" ") + " " + node.any.map((one) => one.message).join(" ")));
}

async function charts(tab) {
  return tab.evaluate(() => {
    const found = {};
    for (const canvas of document.querySelectorAll("canvas")) {
      const chart = Chart.getChart(canvas);
      if (chart) found[canvas.id] = Object.fromEntries(chart.data.datasets.map((dataset) => [dataset.label, dataset.data.length]));
    }
    return found;
  });
}

/// Attempts of the chart of iterations that do not lie where they belong.
const heights = () => {
  const attempts = report.runs[0].attempts;
  const wrong = [];
  for (const dataset of Chart.getChart("chart-iterations").data.datasets)
    for (const point of dataset.data) {
      if (point.attempt === undefined) continue;
      const speedup = attempts.ratio[point.attempt] ?? attempts.estimate[point.attempt];
      if (speedup === null ? point.y >= 0 : point.y !== speedup) wrong.push(point);
    }
  return { wrong };
};

/// Of each agent, at the end of its line.
const spent = () => {
  const chart = Chart.getChart("chart-cost");
  return chart ? Object.fromEntries(chart.data.datasets.map((dataset) => [dataset.label, dataset.data.at(-1).x])) : {};
};

/// The winner's name in the summary.
async function openWinner(tab) {
  const name = tab.locator(".tiles button").first();
  if ((await name.count()) === 0) return null;
  await name.click();
  const title = await tab.textContent("#candidate-title");
  await tab.keyboard.press("Escape");
  return { title };
}

async function clickFirstPoint(tab) {
  await tab.locator("#chart-iterations").scrollIntoViewIfNeeded();
  const spot = await tab.evaluate(() => {
    const chart = Chart.getChart("chart-iterations");
    const dataset = chart.data.datasets.findIndex((one) => one.data[0]?.attempt !== undefined);
    const { x, y } = chart.getDatasetMeta(dataset).data[0];
    const place = chart.canvas.getBoundingClientRect();
    return { x: place.left + x, y: place.top + y };
  });
  await tab.mouse.click(spot.x, spot.y);
  await tab.waitForSelector("#candidate[open][data-shown]");
  const shown = await tab.evaluate(() => ({
    id: document.getElementById("candidate").dataset.shown,
    title: document.getElementById("candidate-title").textContent,
    facts: document.getElementById("candidate-facts").textContent,
    detail: document.getElementById("candidate-detail").textContent.slice(0, 2000),
    source: document.getElementById("candidate-source").textContent.slice(0, 2000),
  }));
  facts.accessibility.dialog = await accessibility(tab);
  if (folder) await tab.screenshot({ path: folder + "/dialog.png" });
  await tab.keyboard.press("Escape");
  shown.closed = await tab.evaluate(() => !document.getElementById("candidate").open);
  return shown;
}

async function useKeys(tab) {
  await tab.focus("#chart-iterations");
  await tab.keyboard.press("End");
  await tab.keyboard.press("ArrowLeft");
  const status = await tab.textContent("#iterations-status");
  const outline = await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  await tab.keyboard.press("Enter");
  const isOpen = await tab.evaluate(() => document.getElementById("candidate").open);
  await tab.keyboard.press("Escape");
  return { status, outline, isOpen };
}

/// How the page writes numbers, for what the tool writes of the same.
const figures = () =>
  [0, 0.0004, 0.0999, 0.1, 0.5, 2.004, 9.996, 42.42, 99.94, 99.96, 119.6, 999.4, 999.6, 1500, 3599.9, 3725, 999600, 2.5e9, 2e12, 1e19].map((value) => [
    value,
    formatSeconds(value),
    formatNanoseconds(value),
    formatDollars(value),
    formatRatio(value),
  ]);

async function look(name, options) {
  const { tab, context } = await open(options);
  facts.overflow[name] = await tab.evaluate(tooWide);
  facts.accessibility[name] = await accessibility(tab);
  if (folder) await tab.screenshot({ path: folder + "/" + name + ".png", fullPage: true });
  await context.close();
}

const view = (tab) =>
  tab.evaluate(() => {
    const head = document.querySelector("#candidates-table th[aria-sort]");
    return { text: byId("filter-text").value, verdict: byId("filter-verdict").value, page: byId("page-number").textContent,
      run: byId("run").value, sorted: head.textContent + " " + head.ariaSort };
  });

/// As the server of `report --follow` gives it: until there is a new state, which the page has then.
async function follow() {
  const html = readFileSync(page, "utf8"), state = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)[1]).follow;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const tab = await context.newPage();
  context.setDefaultTimeout(patience);
  let hasNews = false;
  await context.route("http://127.0.0.1:1/**", (route) => {
    if (route.request().url().endsWith("/state")) return route.fulfill({ body: hasNews ? "another" : state });
    if (route.request().url().endsWith("/page/")) hasNews = false; // and not a request for its icon
    return route.fulfill({ body: html, contentType: "text/html" });
  });
  await tab.goto("http://127.0.0.1:1/page/");
  await tab.waitForSelector("html[data-ready]");
  await tab.selectOption("#run", { index: 1 });
  await tab.fill("#filter-text", "built-in");
  await tab.selectOption("#filter-verdict", "not-faster");
  await tab.click("#candidates-table th[data-sort=iteration] button");
  const before = await view(tab);
  const loaded = tab.waitForEvent("load");
  hasNews = true;
  await loaded;
  await tab.waitForSelector("html[data-ready]");
  const after = await view(tab);
  await context.close();
  return { before, after };
}

async function withoutScripts() {
  const { tab, context } = await open({ javaScriptEnabled: false });
  const counts = {
    rows: await tab.locator("#candidates-table tbody tr").count(),
    tables: await tab.locator("table:visible").count(),
    canvases: await tab.locator("canvas:visible").count(),
    text: (await tab.locator("body").innerText()).length,
  };
  if (folder) await tab.screenshot({ path: folder + "/without-scripts.png" });
  await context.close();
  return counts;
}

if (views === "follow") {
  try {
    console.log(JSON.stringify(await follow()));
  } finally {
    await browser.close();
  }
  process.exit(0);
}

try {
  const { tab, milliseconds } = await open({});
  facts.openMilliseconds = milliseconds;
  facts.charts = await charts(tab);
  facts.heights = await tab.evaluate(heights).catch(() => null); // of an empty page there is no chart
  facts.spent = await tab.evaluate(spent);
  facts.isCostShown = await tab.locator("#cost").isVisible();
  facts.opened = await openWinner(tab);
  facts.rows = await tab.locator("#candidates-table tbody tr").count();
  facts.figures = await tab.evaluate(figures);
  facts.status = await tab.textContent("#candidates-status");
  const hasPoints = Object.values(facts.charts["chart-iterations"] ?? {}).length > 1;
  if (hasPoints) {
    facts.clicked = await clickFirstPoint(tab);
    facts.keys = await useKeys(tab);
    await tab.fill("#filter-text", "no such candidate anywhere");
    facts.filtered = await tab.locator("#candidates-table tbody tr").count();
  }
  facts.hacked = await tab.evaluate(() => Boolean(window.hacked) || document.querySelectorAll("main script, main iframe, main img, main svg, dialog script").length > 0);
  await look("wide-light", { colorScheme: "light" });
  if (views === "all") await look("wide-dark", { colorScheme: "dark" });
  if (views === "all") await look("narrow-light", { colorScheme: "light", viewport: { width: 360, height: 740 } });
  await look("narrow-dark", { colorScheme: "dark", viewport: { width: 360, height: 740 } });
  facts.withoutScripts = await withoutScripts();
} finally {
  await browser.close();
}
console.log(JSON.stringify(facts));
