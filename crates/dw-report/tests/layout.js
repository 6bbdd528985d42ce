// Faults of the page's layout, as a list of sentences: what is too wide, texts that meet, cells too small for their text, charts with
// nothing in them.
(() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`the page is ${wide} px wider than its window`);
  const name = (e) => (e.textContent || e.tagName).trim().replace(/\s+/g, " ").slice(0, 60);
  const boxed = (e) => {
    for (let p = e.parentElement; p; p = p.parentElement)
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(p).overflowX)) return true;
    return false;
  };
  for (const e of document.querySelectorAll("body *")) {
    const box = e.getBoundingClientRect();
    if (e.closest("details:not([open]) > :not(summary)")) continue;
    if (box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !boxed(e))
      faults.push(`${e.tagName} "${name(e)}" reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${innerWidth}`);
  }
  for (const figure of document.querySelectorAll("figure")) {
    if (figure.closest("details:not([open]) > :not(summary)")) continue;
    const title = name(figure.querySelector("figcaption"));
    const texts = [...figure.querySelectorAll("svg text, .name, .text, figcaption > span, .legend li")]
      .filter((e) => e.getClientRects().length > 0)
      .map((e) => [name(e), e.getBoundingClientRect()]);
    for (let i = 0; i < texts.length; i++)
      for (let j = i + 1; j < texts.length; j++) {
        const [a, b] = [texts[i][1], texts[j][1]];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 0.5 && down > 0.5) faults.push(`${title}: "${texts[i][0]}" and "${texts[j][0]}" overlap`);
      }
    const drawn = [...figure.querySelectorAll("path.line, rect.bar, rect.flow, rect.wall")].filter((e) => {
      const box = e.getBoundingClientRect();
      const frame = e.closest("svg").getBoundingClientRect();
      const inside = box.right >= frame.left && box.left <= frame.right && box.bottom >= frame.top && box.top <= frame.bottom;
      return !e.closest(".legend") && inside && box.width + box.height > 3;
    });
    if (drawn.length === 0) faults.push(`${title}: nothing is drawn`);
  }
  // Blocks of text, as far as their glyphs reach: each row of the page has room of its own.
  const texts = [...document.querySelectorAll("h1, h2, h3, h4, p, dt, dd, main li:not(:has(details)), figcaption, caption, summary")]
    .filter((e) => e.getClientRects().length > 0 && !e.closest("details:not([open]) > :not(summary), .hidden, .unseen"))
    .map((e) => {
      const range = document.createRange();
      range.selectNodeContents(e);
      return [e, range.getBoundingClientRect()];
    });
  for (let i = 0; i < texts.length; i++)
    for (let j = i + 1; j < texts.length; j++) {
      const [a, b] = [texts[i], texts[j]];
      if (a[0].contains(b[0]) || b[0].contains(a[0])) continue;
      const across = Math.min(a[1].right, b[1].right) - Math.max(a[1].left, b[1].left);
      const down = Math.min(a[1].bottom, b[1].bottom) - Math.max(a[1].top, b[1].top);
      if (across > 1 && down > 3) faults.push(`"${name(a[0])}" and "${name(b[0])}" overlap`);
    }
  for (const cell of document.querySelectorAll("th, td"))
    if (cell.getClientRects().length > 0 && cell.scrollWidth > cell.clientWidth + 1) faults.push(`"${name(cell)}" does not fit its cell`);
  return { faults, figures: document.querySelectorAll("figure").length, texts: document.querySelectorAll("figure svg text").length };
})()
