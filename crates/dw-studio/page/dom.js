// What a page should look like as a tree of plain values, and how the document goes from one tree to the next: only what differs is touched,
// so that focus stays, and a picture for each frame costs little.
// @ts-check

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "defs", "clipPath", "title", "tspan"]);

/** @typedef {{ name: string, id: string, attributes: Record<string, string>, on: Record<string, Function>, props: Record<string, any>,
 *   css: Record<string, any>, children: (Tree | string)[] }} Tree */
/** @typedef {Tree | string | number | false | null | undefined} Child */

/** @type {Map<string, [string, string, string]>} */
const tags = new Map();

/** Name, classes and id of `tag.class#id`. @param {string} tag */
function parts(tag) {
  const known = tags.get(tag);
  if (known) return known;
  const [path, id = ""] = tag.split("#");
  const [name, ...classes] = path.split(".");
  /** @type {[string, string, string]} */
  const found = [name, classes.join(" "), id];
  tags.set(tag, found);
  return found;
}

/**
 * An element, `tag.class#id`. Properties that begin with `on` are handlers, `value` and `checked` are set as properties, `style` is an object.
 * @param {string} tag @param {Record<string, any> | null} [given] @param {...(Child | Child[])} children
 * @returns {Tree}
 */
export function h(tag, given, ...children) {
  const [name, classes, id] = parts(tag);
  /** @type {Tree} */
  const tree = { name, id, attributes: {}, on: {}, props: {}, css: {}, children: [] };
  if (id) tree.attributes.id = id;
  if (classes) tree.attributes.class = classes;
  for (const key in given) {
    const value = given[key];
    if (value === undefined || value === null || value === false) continue;
    if (key === "style") tree.css = value;
    else if (key === "value" || key === "checked") tree.props[key] = value;
    else if (key.startsWith("on")) tree.on[key.slice(2)] = value;
    else if (key === "class") tree.attributes.class = classes && value ? `${classes} ${value}` : classes || value;
    else tree.attributes[key] = value === true ? "" : String(value);
  }
  tree.id = tree.attributes.id ?? "";
  add(tree.children, children);
  return tree;
}

/** @param {(Tree | string)[]} to @param {any[]} children */
function add(to, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(to, child);
    else if (child !== false && child !== null && child !== undefined) to.push(typeof child === "object" ? child : String(child));
  }
}

/** @param {Tree | string} tree @returns {any} */
function made(tree) {
  /** @type {any} */
  let node;
  if (typeof tree === "string") {
    node = document.createTextNode(tree);
  } else {
    node = SHAPES.has(tree.name) ? document.createElementNS(SVG, tree.name) : document.createElement(tree.name);
    for (const key in tree.attributes) node.setAttribute(key, tree.attributes[key]);
    for (const type in tree.on) listen(node, type);
    for (const child of tree.children) node.append(made(child));
    set(node, tree, {});
  }
  node.tree = tree;
  return node;
}

/** The handler is that of the tree that is shown when the event comes. @param {any} node @param {string} type */
function listen(node, type) {
  node.heard ??= new Set();
  if (node.heard.has(type)) return;
  node.heard.add(type);
  node.addEventListener(type, (/** @type {Event} */ event) => node.tree.on[type]?.(event));
}

/** Properties and styles, which the policy allows only this way. @param {any} node @param {Tree} tree @param {Record<string, any>} shown the styles that it has */
function set(node, tree, shown) {
  for (const key in tree.props) {
    const value = tree.props[key];
    // What is being typed is not overwritten.
    const typing = key === "value" && node.tagName === "INPUT" && node.type !== "range" && document.activeElement === node;
    if (node[key] !== value && String(node[key]) !== String(value) && !typing) node[key] = value;
  }
  for (const key in shown) if (!(key in tree.css)) node.style.removeProperty(key);
  for (const key in tree.css) if (shown[key] !== tree.css[key]) node.style.setProperty(key, String(tree.css[key]));
}

/** Makes a node look like `tree`; false where it is another kind of node. @param {any} node @param {Tree | string} tree */
function lay(node, tree) {
  // A node that something else put there has no tree.
  const was = node.tree;
  if (was === tree) return true;
  if (typeof tree === "string") {
    if (typeof was !== "string") return false;
    node.data = node.tree = tree;
    return true;
  }
  if (was?.name !== tree.name || was.id !== tree.id) return false;
  // Whether details are open is for whoever looks at them.
  for (const key in was.attributes) if (!(key in tree.attributes) && key !== "open") node.removeAttribute(key);
  for (const key in tree.attributes) if (was.attributes[key] !== tree.attributes[key]) node.setAttribute(key, tree.attributes[key]);
  for (const type in tree.on) listen(node, type);
  over(node, tree.children);
  node.tree = tree;
  set(node, tree, was.css);
  return true;
}

/** The children of `root` become these. @param {any} root @param {Child[]} children */
export function show(root, children) {
  /** @type {(Tree | string)[]} */
  const next = [];
  add(next, children);
  over(root, next);
}

/** @param {any} root @param {(Tree | string)[]} next */
function over(root, next) {
  let node = root.firstChild;
  for (const tree of next) {
    const after = node?.nextSibling ?? null;
    if (!node) root.append(made(tree));
    else if (!lay(node, tree)) node.replaceWith(made(tree));
    node = after;
  }
  while (node) {
    const after = node.nextSibling;
    node.remove();
    node = after;
  }
}
