// Elements, and how a page goes from one picture to the next without losing focus: the new tree is laid over the old one.
// @ts-check

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "defs", "clipPath", "title", "tspan"]);

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * An element, `tag.class#id`. Properties that begin with `on` are handlers, `value` and `checked` are set as properties, `style` is an object.
 * @param {string} tag @param {Record<string, any> | null} [attributes] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes, ...children) {
  const [path, id] = tag.split("#");
  const [name, ...classes] = path.split(".");
  const node = /** @type {any} */ (SHAPES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name));
  node.on = {};
  node.props = {};
  if (id) node.id = id;
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) listen(node, key.slice(2), value);
    else if (key === "value" || key === "checked") node.props[key] = value;
    else if (key === "style") node.css = value;
    else if (key === "class") node.setAttribute("class", [...classes, value].filter(Boolean).join(" "));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  append(node, children);
  set(node, node);
  return node;
}

/** @param {any} node @param {any[]} children */
function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== false && child !== null && child !== undefined) node.append(child instanceof Node ? child : String(child));
  }
}

/** @param {any} node @param {string} type @param {Function} handler */
function listen(node, type, handler) {
  if (!(type in node.on)) node.addEventListener(type, (/** @type {Event} */ event) => node.on[type]?.(event));
  node.on[type] = handler;
}

/** Properties and styles, which the policy allows only this way. @param {any} node @param {any} from */
function set(node, from) {
  for (const [key, value] of Object.entries(from.props ?? {})) {
    // What is being typed is not overwritten.
    const typing = document.activeElement === node && key === "value" && node.type !== "range" && node.tagName === "INPUT";
    if (node[key] !== value && String(node[key]) !== String(value) && !typing) node[key] = value;
  }
  const style = from.css ?? {};
  for (const key of Object.keys(node.shown ?? {})) if (!(key in style)) node.style.removeProperty(key);
  for (const [key, value] of Object.entries(style)) if (node.shown?.[key] !== value) node.style.setProperty(key, String(value));
  node.shown = style;
}

/** Makes `old` look like `next`. @param {any} old @param {any} next */
function lay(old, next) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== next.data) old.data = next.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && name !== "style" && !(name === "open")) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const type of Object.keys(old.on ?? {})) if (!(type in next.on)) old.on[type] = undefined;
  for (const [type, handler] of Object.entries(next.on ?? {})) listen(old, type, /** @type {Function} */ (handler));
  over(old, [...next.childNodes]);
  old.props = next.props;
  old.css = next.css;
  set(old, next);
}

/** The children of `root` become these. @param {any} root @param {any[]} next */
export function over(root, next) {
  const old = [...root.childNodes];
  next.forEach((node, place) => {
    const was = old[place];
    const same = was && was.nodeType === node.nodeType && was.nodeName === node.nodeName && (was.id ?? "") === (node.id ?? "");
    if (same) lay(was, node);
    else if (was) was.replaceWith(node);
    else root.append(node);
  });
  for (const rest of old.slice(next.length)) rest.remove();
}
