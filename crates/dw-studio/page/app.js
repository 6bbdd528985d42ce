// The studio: one picture of what is known, drawn again whenever that changes.
// @ts-check
import { Failure, json, renew, version } from "./api.js";
import * as design from "./design.js";
import { h, show } from "./dom.js";
import { money, percent, short } from "./format.js";
import { LANGUAGES, load, locale, preferred, t } from "./messages.js";
import * as live from "./live.js";
import * as screens from "./screens.js";
import * as simulation from "./simulate.js";
import { judgedAs, look } from "./simulate.js";
import { canUndo, fromAddress, keep, keepAnew, state, undo } from "./state.js";

const SCREENS = ["recording", "checklist", "designs", "simulate", "compare", "live"];
const THEMES = ["", "light", "dark"];
const EXPORTS = ["report.html", "plan.json", "requirements.toml", "rig.toml", "az.sh", "main.bicep", "main.tf", "linux.sh", "windows.ps1", "verify.fio", "verify.xml"];

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
let drawing = false;

/** Draws with the next frame. */
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    show(app, view());
    title();
  });
}

function title() {
  document.title = state.title ? `${state.title} · diskwright studio` : "diskwright studio";
  if (state.theme) document.documentElement.dataset.theme = state.theme;
  else delete document.documentElement.dataset.theme;
}

/** Width that the middle of the workspace has. */
function room() {
  const width = document.documentElement.clientWidth;
  if (width >= 1280) return width - 190 - 320 - 96;
  if (width >= 900) return width - 64 - 300 - 80;
  return width - 32;
}

function view() {
  if (!state.hello) return [h("p.hint.wait", null, state.gone ? t("gone") : t("working"))];
  const { screen } = state.design;
  const body = { recording: screens.recordingScreen, checklist: screens.checklistScreen, designs: screens.designsScreen, simulate: () => simulation.simulateScreen(room()), compare: () => simulation.compareScreen(room()), live: () => live.liveScreen(room()) };
  live.watched(screen === "live");
  return [
    h("a.skip", { href: "#main", onclick: (/** @type {any} */ e) => { e.preventDefault(); document.getElementById("main")?.focus(); } }, t("skip")),
    header(), banner(), verdict(),
    h("div.frame", null, steps(), h("main#main", { tabindex: -1 }, h("h1.unseen", null, t(`screen-${screen}`)), (/** @type {any} */ (body)[screen] ?? body.simulate)())),
    state.help && help(),
  ];
}

function header() {
  const menu = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any[]} */ items, /** @type {string} */ title = "") =>
    h("div.menu", null,
      h("button", { type: "button", id: `menu-${name}`, "aria-expanded": String(state.menu === name), "aria-haspopup": "true", title: title || undefined, "aria-label": title ? `${title}: ${label}` : undefined, onclick: () => { state.menu = state.menu === name ? "" : name; draw(); } }, label, h("span.caret", { "aria-hidden": "true" }, "▾")),
      state.menu === name && h("ul", null, items));
  return h("header", null,
    h("span.brand", null, logo(), h("span", null, "diskwright")),
    h("button.source", { type: "button", title: t("screen-recording"), onclick: () => go("recording") }, state.title || t("no-recording"), state.recording && state.design.source >= 0 && state.hello.sources[state.design.source]?.example && h("span.badge", null, t("example"))),
    h("span.tools", null,
      h("button.icon", { type: "button", disabled: !canUndo(), title: `${t("undo")} (Ctrl-Z)`, "aria-label": t("undo"), onclick: () => back() }, "↶"),
      h("button.icon", { type: "button", title: t(`theme-${state.theme || "system"}`), "aria-label": t(`theme-${state.theme || "system"}`), onclick: () => { state.theme = THEMES[(THEMES.indexOf(state.theme) + 1) % 3]; draw(); } }, state.theme === "dark" ? "☾" : state.theme === "light" ? "☀" : "◐"),
      h("button", { type: "button", id: "share", onclick: () => share() }, state.copied ? `✓ ${t("copied")}` : t("share")),
      menu("language", /** @type {any} */ (LANGUAGES)[locale()] ?? locale(), Object.entries(LANGUAGES).map(([lang, name]) => h("li", null, h("button", { type: "button", id: `language-${lang}`, lang, "aria-current": lang === locale() ? "true" : undefined, onclick: () => design.speak(lang) }, name))), t("language")),
      state.plan?.plan && menu("export", t("export"), EXPORTS.map((name) => h("li", null, h("button", { type: "button", id: `export-${name.replace(".", "-")}`, disabled: !!state.busy.export, onclick: () => design.exported(name) }, h("strong", null, name), h("span.soft", null, t(`export-${name.replace(".", "-")}`)))))),
      h("button.icon", { type: "button", title: `${t("keys")} (?)`, "aria-label": t("keys"), onclick: () => { state.help = !state.help; draw(); } }, "?")));
}

const logo = () => h("svg", { viewBox: "0 0 32 32", width: 26, height: 26, "aria-hidden": "true" }, h("rect.mark", { width: 32, height: 32, rx: 8 }), h("path", { d: "M4 11h7l4 3h2l4-3h7v10h-7l-4-3h-2l-4 3H4z", fill: "#fff" }));

function banner() {
  if (state.gone) return h("p.banner.over", { role: "alert" }, state.stranger ? t("stranger") : t("gone"), h("button", { type: "button", onclick: () => again() }, t("try-again")));
  if (state.hello.version !== version) return h("p.banner", { role: "alert" }, t("older", { page: version, server: state.hello.version }), h("button", { type: "button", onclick: () => location.reload() }, t("reload")));
  if (state.refused.export) return h("p.banner.over", { role: "alert" }, state.refused.export.what, h("button", { type: "button", onclick: () => { delete state.refused.export; draw(); } }, t("close")));
  return null;
}

/** What the design comes to, in a line. */
function verdict() {
  if (!state.estimate || !state.plan?.plan) {
    return h("section.verdict-line.empty#verdict", { "aria-label": t("verdict") }, h("p", null, state.refused.plan || (state.plan && !state.plan.plan) ? t("no-plan-yet") : state.busy.plan || state.busy.source || state.busy.drop ? t("working") : t("no-plan-yet")));
  }
  const now = simulation.snapshot();
  const f = simulation.figures(now);
  const changed = Object.keys(state.design.changes).length > 0;
  const { verdict: judged } = f;
  const disks = f.volumes.map((/** @type {any} */ v) => v.said.replace(" x ", " × ")).join(" + ");
  return h("section.verdict-line#verdict", { "aria-label": t("verdict"), class: look(judged) },
    h("div.what", null, h("strong", null, `${(f.vm ?? "").replace("Standard_", "")} + ${disks}`), h("span.soft", null, changed ? t("changed-by-hand") : t(`design-${/^\d+$/.test(state.design.chosen) ? "other" : state.design.chosen}`), ` · ${f.asked === 1 ? "" : `× ${short(f.asked)} `}${t("of-load")}`)),
    h("div", null, h("strong", null, money(f.monthly, f.currency)), h("span.soft", null, t("a-month"))),
    h("div", null, h("strong", null, percent(f.headroom)), h("span.soft", null, t("headroom"))),
    h("div", null, h("strong", null, f.narrowest ?? "–"), h("span.soft", null, t("bottleneck"))),
    h("div.state", { title: judged.answer.text }, h("strong", null, judgedAs(judged)), h("span.soft.why", null, why(judged))));
}

/** Why it is not met, or on which condition. @param {any} judged */
const why = (judged) => judged.checks.filter((/** @type {any} */ check) => check.state === judged.state).flatMap((/** @type {any} */ check) => (check.why ?? []).map((/** @type {any} */ one) => one.text)).join("; ") || t("all-met");

function steps() {
  const ready = { recording: true, checklist: !!state.recording, designs: !!state.plan, simulate: !!state.estimate, compare: !!state.estimate, live: !!state.hello.emulation };
  return h("nav", { "aria-label": t("screens") }, h("ol", null, SCREENS.map((name, k) =>
    h("li", null, h("button", { type: "button", id: `step-${name}`, "aria-current": state.design.screen === name ? "page" : undefined, class: /** @type {any} */ (ready)[name] ? "" : "later", onclick: () => go(name) },
      h("span.step", null, k + 1), h("span.label", null, t(`screen-${name}`)), name === "compare" && state.pinned && h("span.badge", null, "A|B"))))));
}

function help() {
  const keys = [["1 – 6", t("key-screens")], ["← →", t("key-arrows")], ["Shift ← →", t("key-shift")], ["P", t("key-pin")], ["B", t("key-break")], ["E", t("key-export")], ["Ctrl Z", t("key-undo")], ["Esc", t("key-escape")], ["?", t("key-help")]];
  return h("div.dialog", { role: "dialog", "aria-modal": "true", "aria-label": t("keys") }, h("div.sheet", null, h("h2", null, t("keys")),
    h("dl", null, keys.map(([key, what]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what)))),
    h("button.primary", { type: "button", id: "help-close", onclick: () => { state.help = false; draw(); } }, t("close"))));
}

/** @param {string} screen */
function go(screen) {
  state.design.screen = screen;
  state.menu = "";
  keep();
  draw();
}

function back() {
  // What is being read again belongs to what stands there now.
  if (state.busy.groups) return;
  const [was, grouped] = [JSON.stringify(state.design.wishes), JSON.stringify(state.design.groups)];
  if (!undo()) return;
  if (grouped !== JSON.stringify(state.design.groups)) design.regrouped();
  else if (was !== JSON.stringify(state.design.wishes)) {
    if (design.planned()) design.plan();
    else Object.assign(state, { plan: null, estimate: null });
  }
  else if (state.plan?.plan) design.choose(state.design.chosen, false);
  draw();
}

async function share() {
  keep();
  try {
    await navigator.clipboard.writeText(location.href);
    state.copied = true;
    setTimeout(() => { state.copied = false; draw(); }, 2000);
  } catch {
    prompt(t("share"), location.href);
  }
  draw();
}

addEventListener("keydown", (e) => {
  const node = /** @type {HTMLElement} */ (e.target);
  if (e.key === "Escape") {
    if (state.help) { state.help = false; document.getElementById("step-" + state.design.screen)?.focus(); }
    else if (state.menu) { const was = state.menu; state.menu = ""; document.getElementById(`menu-${was}`)?.focus(); }
    else if (!design.cancel()) return;
    draw();
    return;
  }
  const writes = node.tagName === "SELECT" || node.tagName === "TEXTAREA" || (node.tagName === "INPUT" && /** @type {HTMLInputElement} */ (node).type !== "range");
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !e.shiftKey && !writes) { e.preventDefault(); back(); return; }
  if (writes || e.ctrlKey || e.metaKey || e.altKey || !state.hello) return;
  const number = Number(e.key);
  if (number >= 1 && number <= SCREENS.length) { go(SCREENS[number - 1]); document.getElementById("main")?.focus({ preventScroll: true }); }
  else if (e.key === "?") { state.help = true; draw(); requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("help-close")?.focus())); }
  else if (e.key.toLowerCase() === "p") simulation.pin();
  else if (e.key.toLowerCase() === "b" && state.estimate) design.breakIt();
  else if (e.key.toLowerCase() === "e" && state.plan?.plan) { state.menu = "export"; draw(); requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("export-report-html")?.focus())); }
});
addEventListener("click", (e) => {
  if (state.menu && !(/** @type {HTMLElement} */ (e.target).closest(".menu"))) { state.menu = ""; draw(); }
});
addEventListener("resize", draw);
addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
  e.preventDefault();
  const file = e.dataTransfer?.files[0];
  if (file && !(/** @type {HTMLElement} */ (e.target).closest(".drop"))) { state.design.screen = "recording"; design.drop(file); }
});

/** Between two questions to a server that does not answer. */
const AGAIN = 2000;
let asking = false;

/** Asks the server again after it was gone. Another one in its place knows neither this page nor its recording. @param {Promise<any>} [asked] */
async function again(asked) {
  if (asking) return;
  asking = true;
  try {
    const hello = await (asked ?? json("hello")).catch(async (e) => {
      if (!(e instanceof Failure) || !e.said.what) throw e;
      state.stranger = true;
      if (!(await renew())) throw e;
      const hello = await json("hello");
      state.hello = hello;
      await design.reopened();
      return hello;
    });
    state.hello = hello;
    state.gone = state.stranger = false;
    if (state.recording && state.estimate) await design.estimated("load");
  } catch (e) {
    if (e instanceof Failure && !e.said.what) state.stranger = false;
    state.gone = true;
  }
  asking = false;
  draw();
}
setInterval(() => { if (state.gone && state.hello && !document.hidden) again(); }, AGAIN);

async function begin() {
  design.drawsWith(draw);
  screens.redrawsWith(draw);
  simulation.redrawsWith(draw);
  live.redrawsWith(draw);
  const hello = json("hello");
  hello.catch(() => { /* `again` says it, once there are words for it. */ });
  await load(preferred());
  const shared = fromAddress();
  await again(hello);
  if (!state.hello) return;
  if (state.design.source >= state.hello.sources.length) {
    state.design.source = 0;
    keepAnew();
  }
  if (state.design.source >= 0) await design.open(state.design.source, false);
  else state.design.screen = "recording";
  if (!shared) keep();
  draw();
}
begin();
