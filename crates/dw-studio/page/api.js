// Calls of the server that this page came from. Nothing else is ever asked.
// @ts-check
import { locale } from "./messages.js";

/** @param {string} name */
const meta = (name) => document.querySelector(`meta[name="diskwright-${name}"]`)?.getAttribute("content") ?? "";
let token = meta("token");
/** The version of the program that this page is of. */
export const version = meta("version");

/** Why there is no answer. */
export class Failure extends Error {
  /** @param {{what: string, hint?: string, place?: {file: string, line?: number} | null, also?: any[]}} said @param {boolean} gone */
  constructor(said, gone = false) {
    super(said.what);
    this.said = said;
    /** The server does not answer. */
    this.gone = gone;
  }
}

/**
 * @param {string} path @param {BodyInit} body @param {AbortSignal} [signal] @param {string} [lang]
 * @returns {Promise<Response>}
 */
async function send(path, body, signal, lang = locale()) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, { method: "POST", body, signal, headers: { "x-diskwright-token": token, "accept-language": lang } });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Failure({ what: "" }, true);
  }
  if (answer.ok) return answer;
  throw refused(answer.status, await answer.text());
}

/** @param {number} status @param {string} text */
function refused(status, text) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    said = { what: text.split("\n")[0], hint: text.split("\n")[1] };
  }
  return new Failure(said, status === 403);
}

/** Takes the token of a server that took this one's place; whether it lets this browser in. */
export async function renew() {
  const page = await fetch("/", { redirect: "error" }).catch(() => null);
  const found = page?.ok ? /diskwright-token" content="([0-9a-f]+)"/.exec(await page.text()) : null;
  if (found) token = found[1];
  return found !== null;
}

/** Events as they come, until the stream ends. @param {string} path @param {AbortSignal} signal @param {(event: any) => void} got */
export async function events(path, signal, got) {
  const answer = await send(path, "null", signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let held = "";
  for (;;) {
    const part = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (part.done) return;
    const all = (held + decoder.decode(part.value, { stream: true })).split("\n\n");
    held = all.pop() ?? "";
    for (const event of all) if (event.length > 6) got(JSON.parse(event.slice(6)));
  }
}

/** @param {string} path @param {any} [question] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const json = async (path, question, signal) => (await send(path, JSON.stringify(question ?? null), signal)).json();
/** Documents in a language. @param {any} documents @param {string} [lang] @returns {Promise<any>} */
export const say = async (documents, lang) => (await send("say", JSON.stringify(documents), undefined, lang)).json();
/** @param {string} path @param {any} question @param {AbortSignal} [signal] @returns {Promise<string>} */
export const text = async (path, question, signal) => (await send(path, JSON.stringify(question), signal)).text();

/** A recording that is there. @param {any} asked @param {AbortSignal} [signal] @returns {Promise<any>} */
export const observe = async (asked, signal) => (await send(`observe?q=${encodeURIComponent(JSON.stringify(asked))}`, "", signal)).json();

/** Files, which the server reads while they come: what was sent was read. @param {any} asked @param {Blob} file @param {AbortSignal} signal @param {(share: number) => void} read @returns {Promise<any>} */
export const upload = (asked, file, signal, read) =>
  new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/observe?q=${encodeURIComponent(JSON.stringify(asked))}`);
    request.setRequestHeader("x-diskwright-token", token);
    request.setRequestHeader("accept-language", locale());
    request.upload.onprogress = (e) => read(e.loaded / (e.total || 1));
    request.onload = () => (request.status === 200 ? done(JSON.parse(request.responseText)) : failed(refused(request.status, request.responseText)));
    request.onerror = () => failed(new Failure({ what: "" }, true));
    request.onabort = () => failed(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });

/** Whether a file is one that a studio shared. @param {Blob} file */
export const isShared = async (file) => (await file.slice(0, 256).text()).replace(/\s/g, "").startsWith('{"document":"studio"');
/** What is in it. @param {Blob} file @param {AbortSignal} signal @returns {Promise<any>} */
export const opened = async (file, signal) => (await send("open", file, signal)).json();

/** Inventories. @param {any} asked @param {Blob} files @returns {Promise<any>} */
export const estate = async (asked, files) => (await send(`estate?q=${encodeURIComponent(JSON.stringify(asked))}`, files)).json();

/**
 * A run, part by part as it comes.
 * @param {any} question @param {AbortSignal} signal @param {(kind: number, part: any) => void} got
 */
export async function simulate(question, signal, got) {
  const answer = await send("simulate", JSON.stringify(question), signal);
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  let held = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const all = new Uint8Array(held.length + value.length);
    all.set(held);
    all.set(value, held.length);
    let at = 0;
    while (all.length - at >= 5) {
      const view = new DataView(all.buffer, at);
      const length = view.getUint32(0, true);
      if (all.length - at < 5 + length) break;
      const kind = view.getUint8(4);
      const part = all.slice(at + 5, at + 5 + length);
      got(kind, kind === 2 ? columns(part) : JSON.parse(new TextDecoder().decode(part)));
      at += 5 + length;
    }
    held = all.slice(at);
  }
}

/** @param {Uint8Array} part */
function columns(part) {
  const head = new DataView(part.buffer);
  const rows = head.getUint32(4, true);
  const count = rows ? (part.length - 8) / (4 * rows) : 0;
  return { track: head.getUint32(0, true), columns: Array.from({ length: count }, (_, k) => new Float32Array(part.buffer, 8 + 4 * rows * k, rows)) };
}
