"use strict";
// Tables whose rows are more than a page: all of them are in the page as data, and a filter finds them.
(() => {
  const PAGE = 200;
  const lang = document.documentElement.lang;
  const field = (id) => document.getElementById("rows-" + id);
  const [words, level, family] = ["words", "level", "family"].map(field);
  const number = (n) => n.toLocaleString(lang);
  const made = (name, text) => { const e = document.createElement(name); e.textContent = text; return e; };

  const tables = [...document.querySelectorAll("script[data-rows]")].map((data) => {
    const box = data.parentElement;
    const { texts, rows, column } = JSON.parse(data.textContent);
    const low = texts.map((text) => text.toLowerCase());
    const heads = [...box.querySelectorAll("thead th")];
    const [body, pager] = [box.querySelector("tbody"), box.querySelector(".pager")];
    const [before, after] = pager.querySelectorAll("button");
    let found = rows;
    let first = 0;

    const cell = (text, place, row) => {
      const e = made(place === 0 ? "th" : "td", text);
      if (place === 0) e.scope = "row"; else e.dataset.label = heads[place].textContent;
      if (heads[place].classList.contains("n")) e.classList.add("n");
      if (place > 0 && ["", "-", "–"].includes(text)) e.classList.add("none");
      if (place === column && row.level) e.classList.add(row.level);
      return e;
    };
    const draw = () => {
      body.replaceChildren(...found.slice(first, first + PAGE).map((row) => {
        const line = document.createElement("tr");
        line.append(...row.cells.map((text, place) => cell(texts[text], place, row)));
        return line;
      }));
      const last = Math.min(first + PAGE, found.length);
      pager.querySelector("output").textContent = (found.length === 0 ? "0" : number(first + 1) + " – " + number(last)) + " / " + number(found.length);
      [before.disabled, after.disabled] = [first === 0, last >= found.length];
      pager.hidden = false;
    };
    before.onclick = () => { first -= PAGE; draw(); };
    after.onclick = () => { first += PAGE; draw(); };
    return () => {
      const parts = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const kind = family.value + level.value;
      const is = (own) => (!family.value || own[0] === family.value) && (!level.value || own[1] === level.value);
      // A text that many rows have is searched once.
      const has = parts.map((part) => low.map((text) => text.includes(part)));
      found = rows.filter((row) => (!kind || row.kinds.some(is)) && has.every((of) => of[row.also] || row.cells.some((text) => of[text])));
      first = 0;
      draw();
    };
  });
  const all = () => tables.forEach((fit) => fit());
  [words, level, family].forEach((one) => { one.oninput = all; });
  field("filter").hidden = false;
  all();
})();
