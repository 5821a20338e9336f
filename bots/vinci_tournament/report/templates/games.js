// Shows the games of a large league, a page at a time, filtered. No ampersand or less-than sign: the page is XML, too.
"use strict";
const ROWS = 50;
const form = document.getElementById("filters"), rows = document.getElementById("rows"), told = document.getElementById("told");
const fields = ["bot", "result", "opponent", "forfeits", "block", "page"];

async function unpacked() {
  const packed = Uint8Array.from(atob(document.getElementById("packed").textContent.trim()), one => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function element(name, text, parent, style) {
  const made = document.createElement(name);
  made.textContent = text;
  if (style) made.className = style;
  if (parent) parent.append(made);
  return made;
}

function link(path, text, parent) {
  element("a", text, parent).href = path.split("/").map(encodeURIComponent).join("/");
}

function start(data) {
  const games = [];
  let block = 0;
  for (let number = 0; data.blocks.length > number; number++) {
    block += data.blocks[number];
    const vp = data.vp.map(column => column[number]);
    const ranks = data.ranks[number] || vp.map(own => 1 + vp.filter(other => other > own).length);
    const rotation = data.rotations[number], circle = data.line_ups[data.line_up[number]];
    const bots = circle.map((first, seat) => circle[(seat + rotation) % circle.length]);
    games.push({block, key: block + "-" + rotation, bots, vp, ranks,
      rounds: data.rounds[number], actions: data.actions[number], forfeits: data.forfeits[number] || {}});
  }
  for (const name of ["bot", "opponent"]) {
    data.bots.forEach((bot, number) => { element("option", bot, form.elements[name]).value = number; });
  }

  function fits(game, wanted) {
    if (wanted.block) if (game.block !== Number(wanted.block)) return false;
    if (wanted.forfeits) if (Object.keys(game.forfeits).length === 0) return false;
    const seats = game.bots.map((bot, seat) => seat).filter(seat => {
      if (wanted.bot) if (game.bots[seat] !== Number(wanted.bot)) return false;
      if (wanted.result) if (game.ranks[seat] !== Number(wanted.result)) return false;
      return true;
    });
    if (seats.length === 0) return false;
    return wanted.opponent ? seats.some(seat => game.bots.some((bot, other) => seat === other ? false : bot === Number(wanted.opponent))) : true;
  }

  function row(game) {
    const line = element("tr", "", rows);
    link("games/" + game.key + ".jsonl", game.key, element("td", "", line));
    game.bots.forEach((bot, seat) => {
      const cell = element("td", "", line);
      element("span", data.bots[bot], cell, game.ranks[seat] === 1 ? "who first" : "who");
      element("br", "", cell);
      element("small", game.vp[seat] + " VP, rank " + game.ranks[seat], cell);
      if (game.forfeits[seat]) {
        cell.append(" ");
        const why = "✗ " + game.forfeits[seat];
        if (data.files[bot]) link("games/" + game.key + "." + (seat + 1) + "." + data.files[bot] + ".log", why, cell);
        else cell.append(why);
      }
    });
    element("td", game.rounds, line, "number");
    element("td", game.actions, line, "number");
  }

  function show() {
    const wanted = Object.fromEntries(fields.map(name => [name, form.elements[name].type === "checkbox" ? form.elements[name].checked : form.elements[name].value]));
    const found = games.filter(game => fits(game, wanted));
    const pages = Math.max(1, Math.ceil(found.length / ROWS));
    const page = Math.min(Math.max(1, Math.floor(Number(wanted.page)) || 1), pages);
    form.elements.page.value = page;
    form.elements.page.max = pages;
    form.elements.before.disabled = page === 1;
    form.elements.after.disabled = page === pages;
    rows.replaceChildren();
    found.slice((page - 1) * ROWS, page * ROWS).forEach(row);
    told.textContent = found.length + " of " + games.length + " games; page " + page + " of " + pages;
    const state = new URLSearchParams();
    for (const name of fields) if (wanted[name]) state.set(name, name === "page" ? page : wanted[name] === true ? "on" : wanted[name]);
    if (shown) history.replaceState(null, "", "#games:" + state);
    shown = true;
  }

  function turned(pages) {
    form.elements.page.value = Number(form.elements.page.value) + pages;
    show();
  }

  let shown = false;
  const state = new URLSearchParams(location.hash.startsWith("#games:") ? location.hash.slice(7) : "");
  for (const [name, value] of state) {
    if (!fields.includes(name)) continue;
    if (form.elements[name].type === "checkbox") form.elements[name].checked = true;
    else form.elements[name].value = value;
  }
  form.elements.before.addEventListener("click", () => turned(-1));
  form.elements.after.addEventListener("click", () => turned(1));
  form.addEventListener("change", event => { if (event.target.name !== "page") form.elements.page.value = 1; show(); });
  form.addEventListener("submit", event => event.preventDefault());
  form.hidden = false;
  show();
  if (state.size) document.getElementById("games").scrollIntoView();
}

unpacked().then(start).catch(error => { told.textContent = "This browser cannot show the games here (" + error + "); they are in games.csv."; });
