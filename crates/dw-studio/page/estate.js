// The estate: an inventory's machines by the money that cannot be used, filtered as one types; only rows that are seen are made.
// @ts-check
import { Failure, estate as opened, json } from "./api.js";
import { estimated, planned, say } from "./design.js";
import { h } from "./dom.js";
import { money, number } from "./format.js";
import { locale, t } from "./messages.js";
import { refusal } from "./simulate.js";
import { keep, state } from "./state.js";
import { sizeOf } from "./ui.js";

/** Pixels that a row is high, and that the table is; rows made beyond what is seen. */
const ROW = 34;
const HEIGHT = 560;
const BEYOND = 8;

/** Its words: few open this screen, so they come with it. @type {Record<string, Record<string, string>>} */
const WORDS = {
  en: { drop: "Drop an inventory here", formats: "Output of {commands}, or files of {exports}; several files are joined", open: "{machines} machines, {disks} disks", lost: "{saves} a month cannot be used or is saved by warnings alone, of {cost}", counts: "errors {errors}, warnings {warnings}, notes {notes}", filter: "Filter by name, size, region, tag=value", shown: "{shown} of {all}", cost: "a month", saves: "saves a month", level: "findings", tags: "tags", error: "error", warning: "warning", note: "note", whatif: "Its rig on What if", needs: "With a recording that is planned, its load can be put on this machine", unlike: "Its volumes ({own}) are not as many as those of the recording ({asked})", size: "size" },
  sv: { drop: "Släpp en inventering här", formats: "Utskrift av {commands}, eller filer från {exports}; flera filer förenas", open: "{machines} maskiner, {disks} diskar", lost: "{saves} per månad kan inte nyttjas eller sparas enbart genom varningar, av {cost}", counts: "fel {errors}, varningar {warnings}, anmärkningar {notes}", filter: "Filtrera på namn, storlek, region, tagg=värde", shown: "{shown} av {all}", cost: "per månad", saves: "sparar per månad", level: "fynd", tags: "taggar", error: "fel", warning: "varning", note: "anmärkning", whatif: "Dess rigg i Tänk om", needs: "Med en inspelning som är planerad kan dess last läggas på maskinen", unlike: "Dess volymer ({own}) är inte lika många som inspelningens ({asked})", size: "storlek" },
  ru: { drop: "Перетащите сюда инвентарь", formats: "Вывод {commands} или файлы {exports}; несколько файлов объединяются", open: "машин: {machines}, дисков: {disks}", lost: "{saves} в месяц нельзя использовать или экономится только по предупреждениям, из {cost}", counts: "ошибок {errors}, предупреждений {warnings}, замечаний {notes}", filter: "Фильтр: имя, размер, регион, тег=значение", shown: "{shown} из {all}", cost: "в месяц", saves: "экономит в месяц", level: "находки", tags: "теги", error: "ошибка", warning: "предупреждение", note: "замечание", whatif: "Её конфигурация в «Что если»", needs: "С записью, для которой есть план, её нагрузку можно подать на эту машину", unlike: "Её томов ({own}) не столько, сколько в записи ({asked})", size: "размер" },
  ja: { drop: "ここにインベントリをドロップ", formats: "{commands} の出力、または {exports} のファイル。複数のファイルは結合されます", open: "マシン {machines}、ディスク {disks}", lost: "月額 {cost} のうち {saves} は使えないか、警告だけで節約できます", counts: "エラー {errors}、警告 {warnings}、注意 {notes}", filter: "名前、サイズ、リージョン、タグ=値で絞り込む", shown: "{all} 件中 {shown} 件", cost: "月額", saves: "月の節約", level: "指摘", tags: "タグ", error: "エラー", warning: "警告", note: "注意", whatif: "この構成を「もしも」で見る", needs: "計画済みの記録があれば、その負荷をこのマシンにかけられます", unlike: "ボリューム（{own}）の数が記録（{asked}）と一致しません", size: "サイズ" },
  "zh-Hans": { drop: "把清单拖到这里", formats: "{commands} 的输出，或 {exports} 的文件；多个文件会合并", open: "机器 {machines}，磁盘 {disks}", lost: "每月 {cost} 中有 {saves} 无法利用或仅凭警告即可节省", counts: "错误 {errors}，警告 {warnings}，提示 {notes}", filter: "按名称、规格、区域、标签=值筛选", shown: "{shown} / {all}", cost: "每月", saves: "每月节省", level: "发现", tags: "标签", error: "错误", warning: "警告", note: "提示", whatif: "在“假设”中查看其配置", needs: "有已规划的记录时，可将其负载放到这台机器上", unlike: "其卷（{own}）与记录的卷（{asked}）数量不同", size: "规格" },
};
/** Where an inventory comes from. */
const SOURCES = { commands: "`az vm list -d -o json`, `az disk list -o json`, `aws ec2 describe-instances`, `aws ec2 describe-volumes`, `kubectl get nodes,pv`", exports: "Resource Graph, Terraform, CloudFormation" };
/** @param {string} id @param {Record<string, string>} [values] */
const w = (id, values = {}) => (WORDS[locale()] ?? WORDS.en)[id].replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

let draw = () => {};
/** @type {any} */
let open = null;
/** @type {any[]} Rows that fit, each with its place. */
let shown = [];
/** @type {string[]} What is searched of each row. */
let words = [];
let filter = "";
let top = 0;
let chosen = -1;
/** @type {any} */
let detail = null;
/** @type {any} */
let refused = null;
let busy = false;

function fitting() {
  const parts = filter.toLowerCase().split(/\s+/).filter(Boolean);
  shown = open.rows.map((/** @type {any} */ row, /** @type {number} */ place) => ({ row, place })).filter((/** @type {any} */ one) => parts.every((part) => words[one.place].includes(part)));
}

/** @param {() => Promise<void>} work */
async function trying(work) {
  busy = true;
  refused = null;
  draw();
  try {
    await work();
  } catch (e) {
    if (!(e instanceof Failure)) throw e;
    if (e.gone) state.gone = true;
    else { refused = e.said; say(e.said.what); }
  } finally {
    busy = false;
    draw();
  }
}

/** @param {File[]} files */
const drop = (files) => trying(async () => {
  const found = await opened({ files: files.map((file) => [file.name, file.size]) }, new Blob(files));
  open = found;
  words = found.rows.map((/** @type {any} */ row) => [row[0], row[1], row[2], row[5], row[7]].join(" ").toLowerCase());
  [filter, top, chosen, detail] = ["", 0, -1, null];
  fitting();
  say(w("open", { machines: number(found.machines), disks: number(found.disks) }));
});

/** @param {number} place */
const choose = (place) => trying(async () => {
  chosen = place;
  detail = await json("machine", { estate: open.estate, place });
});

/** The machine's rig takes the place of the plan's. */
/** The volumes of its rig: name and text. @returns {[string, string][]} */
const volumes = () => detail.rig.split("[[volume]]").slice(1).map((/** @type {string} */ text) => [/^name = "(.*)"$/m.exec(text)?.[1] ?? "", text]);
const named = () => volumes().map(([name]) => name).join(", ");
const recorded = () => state.plan.plan.volumes.map((/** @type {any} */ one) => one.name);

/** Each recorded volume with the one of the rig that it is put on: of its name, else of a name with it in, else the next; none where there are not as
 * many. The disk that the system starts from counts where it was recorded. */
function pairs() {
  const [all, asked] = [volumes(), recorded()];
  const left = all.length === asked.length ? all : all.filter(([, text]) => !/^mount = "\/"$/m.test(text));
  if (left.length !== asked.length) return null;
  const take = (/** @type {(one: string) => boolean} */ is) => left.splice(left.findIndex(([one]) => is(one)), left.some(([one]) => is(one)) ? 1 : 0)[0];
  const found = asked.map((/** @type {string} */ name) => [name, take((one) => one === name) ?? take((one) => one.includes(name))]);
  return found.map((/** @type {any[]} */ [name, one]) => [name, ...(one ?? left.shift())]);
}

/** @param {string[][]} chosen */
function tried(chosen) {
  const [head] = detail.rig.split("[[volume]]");
  state.rig = [head, ...chosen.map(([name, one, text]) => text.replace(`name = "${one}"`, () => `name = "${name}"`))].join("[[volume]]");
  state.design.changes = {};
  state.design.screen = "whatif";
  keep();
  estimated("load");
  draw();
}

const chooser = () => h("label.button.primary", { for: "estate-files" }, t("choose-file"), h("input.unseen#estate-files", { type: "file", multiple: true, onchange: (e) => { const files = [...e.target.files]; e.target.value = ""; if (files.length) drop(files); } }));

const zone = () => h("section.door.drop.estate-drop", {
  ondragover: (e) => { e.preventDefault(); e.currentTarget.classList.add("over"); },
  ondragleave: (e) => e.currentTarget.classList.remove("over"),
  ondrop: (e) => { e.preventDefault(); e.currentTarget.classList.remove("over"); const files = [...e.dataTransfer.files]; if (files.length) drop(files); },
}, h("h2", null, w("drop")), h("p.soft", null, w("formats", SOURCES)), chooser(), busy && h("p.hint", { role: "status" }, t("reading")), refused && refusal(refused));

function table() {
  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const rows = shown.slice(first, first + Math.ceil(HEIGHT / ROW) + 2 * BEYOND);
  const cells = [t("machine"), w("size"), t("region"), w("cost"), w("saves"), w("level"), w("tags")];
  const currency = open.cost.currency;
  return h("div.estate-table", { role: "table", "aria-label": t("screen-estate"), "aria-rowcount": String(shown.length + 1) },
    h("div.estate-row.estate-head", { role: "row", "aria-rowindex": "1" }, cells.map((name) => h("span", { role: "columnheader" }, name))),
    h("div.estate-rows#estate-rows", { role: "rowgroup", tabindex: 0, "aria-label": t("screen-estate"), style: { "max-height": `${HEIGHT}px` }, onscroll: (e) => { top = e.target.scrollTop; draw(); } },
      h("div.estate-all", { role: "presentation", style: { height: `${shown.length * ROW}px`, "padding-top": `${first * ROW}px` } },
        rows.map(({ row, place }, k) => h("div.estate-row", { role: "row", "aria-rowindex": String(first + k + 2), class: place === chosen ? "chosen" : "" },
          h("span", { role: "cell" }, h("button.link", { type: "button", onclick: () => choose(place) }, row[0])),
          h("span", { role: "cell" }, sizeOf(row[1])), h("span", { role: "cell" }, row[2] ?? ""),
          h("span", { role: "cell" }, row[3] === null ? "?" : money(row[3], currency, 0)), h("span", { role: "cell" }, row[4] > 0 ? money(row[4], currency, 0) : ""),
          h("span", { role: "cell" }, row[5] ? `${w(row[5])} ${row[6]}` : ""), h("span", { role: "cell", title: row[7] }, row[7]))))));
}

function panel() {
  if (!detail) return null;
  const ready = !!detail.rig && !!state.recording && planned() && !!state.plan?.plan;
  const names = ready ? pairs() : null;
  return h("section.panel.estate-one", { "aria-label": detail.machine.name },
    h("div.head", null, h("h2", null, detail.machine.name), h("span.soft", null, sizeOf(detail.machine.size)),
      h("button#estate-whatif", { type: "button", disabled: !names, onclick: () => tried(/** @type {string[][]} */ (names)) }, w("whatif"))),
    !ready && h("p.hint", null, detail.why ?? w("needs")),
    ready && h("p.hint", null, names ? names.map((/** @type {string[]} */ [name, one]) => `${name} → ${one}`).join(", ") : w("unlike", { own: named(), asked: recorded().join(", ") })),
    h("ul", null, detail.findings.map((/** @type {any} */ one) => h("li", null, h("strong", null, `${one.code} ${w(one.level)}`), ` ${one.disk ? `${one.disk}: ` : ""}${one.says.text}`, one.remedy && h("span.soft", null, ` ${one.remedy.what.text}`)))),
    detail.rig && h("details", null, h("summary", null, "rig.toml"), h("pre", { tabindex: 0 }, detail.rig)));
}

/** @param {() => void} drawn */
export function estateScreen(drawn) {
  draw = drawn;
  if (!open) return h("div.estate", null, zone());
  return h("div.estate", null,
    h("p.estate-sum", null, h("strong", null, w("open", { machines: number(open.machines), disks: number(open.disks) })), ` · ${w("lost", { saves: money(open.saves, open.cost.currency, 0), cost: money(open.cost.monthly, open.cost.currency, 0) })} · ${w("counts", { errors: number(open.counts.errors), warnings: number(open.counts.warnings), notes: number(open.counts.notes) })}`),
    h("div.bar", null, h("label.field", { for: "estate-filter" }, h("span", null, w("filter")), h("input#estate-filter", { type: "search", value: filter, spellcheck: "false", autocomplete: "off", oninput: (e) => { filter = e.target.value; top = 0; fitting(); const rows = document.getElementById("estate-rows"); if (rows) rows.scrollTop = 0; draw(); } })),
      h("span.soft#estate-count", { role: "status" }, w("shown", { shown: number(shown.length), all: number(open.rows.length) })), chooser(), busy && h("span.hint", null, t("working"))),
    refused && refusal(refused), panel(), table(), open.doubts.length > 0 && h("ul.soft", null, open.doubts.map((/** @type {any} */ one) => h("li", null, one.text))));
}
