"use strict";
// Shows a game step by step: the board, the seats, the place in the chart, and the lines of the log of each step.
const find = (id) => document.getElementById(id);
const game = JSON.parse(find("game").textContent);
const last = game.steps.length - 1;
const lines = [...document.querySelectorAll("#log li")];
const slider = find("step");
let step = last, timer = 0, shown = [];

// What stands in each province at each step, and the number of the first log line of each step. Scores and empires are
// left out where they are as before.
const boards = [], firsts = [0];
game.steps.forEach((now, number) => {
  const [count, , , changes, vp, empires] = now;
  if (!vp) now[4] = game.steps[number - 1][4];
  if (!empires) now[5] = game.steps[number - 1][5];
  const board = boards.length ? [...boards.at(-1)] : [];
  for (let i = 0; i < changes.length; i += 4) board[changes[i]] = changes.slice(i + 1, i + 4);
  boards.push(board);
  firsts.push(firsts.at(-1) + count);
});
const turnAt = (number) => game.turns.findLastIndex(([first]) => first <= number);

function drawBoard() {
  const board = boards[step], before = boards[Math.max(step - 1, 0)];
  board.forEach((place, index) => {
    const [holder, pawns, fort] = place, code = game.codes[index];
    const land = find("at-" + code), token = find("pawns-" + code), castle = find("fort-" + code);
    const now = holder !== before[index][0] ? " now" : "";
    if (shown[index] === place + now) return;
    shown[index] = place + now;
    land?.setAttribute("class", "holder " + game.holders[holder] + now);
    castle?.setAttribute("class", fort ? "fort" : "fort none");
    if (!token) return;
    token.setAttribute("class", "token " + (pawns ? game.holders[holder] : "none"));
    token.querySelector(".seat").textContent = game.seats[holder];
    token.querySelector(".number").textContent = pawns;
  });
}

function drawSeats() {
  const [, , acting, , vp, empires] = game.steps[step];
  const best = Math.max(...vp);
  vp.forEach((points, index) => {
    const row = find("seat-" + (index + 1));
    row.classList.toggle("acting", acting === index + 1 && step < last);
    row.classList.toggle("best", points === best && vp.some((other) => other < best));
    row.querySelector(".points").textContent = points;
    row.querySelector(".share").style.width = Math.min(100, 100 * points / game.target) + "%";
    const names = [empires[2 * index], empires[2 * index + 1]].map((empire) => game.empires[empire]);
    row.querySelector("small").textContent = names.filter(Boolean).join(" · ");
  });
}

function drawText() {
  const turn = turnAt(step);
  find("when").textContent = game.turns[turn]?.[1] ?? "";
  find("count").textContent = step + " / " + last;
  find("remark").textContent = game.turns[turn]?.[2] ?? "";
  const said = lines.slice(firsts[step], firsts[step + 1]);
  const happened = said.filter((line) => line.className !== "note").map((line) => {
    const item = document.createElement("li");
    item.textContent = line.textContent;
    return item;
  });
  find("what").replaceChildren(...happened);
  if (find("note")) find("note").textContent = said.find((line) => line.className === "note")?.textContent ?? "";
  slider.value = step;
  slider.setAttribute("aria-valuetext", find("when").textContent + ", " + find("count").textContent);
}

const chart = document.querySelector("#vp svg");
const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
mark.setAttribute("class", "now");
mark.setAttribute("d", `M0 ${game.chart.top}v${game.chart.down}`);
chart.append(mark);
const across = (moment) => game.chart.left + game.chart.across * moment / game.chart.last;

function go(wanted) {
  step = Math.min(Math.max(wanted, 0), last);
  drawBoard();
  drawSeats();
  drawText();
  mark.setAttribute("transform", `translate(${across(game.steps[step][1])} 0)`);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  drawPlay();
}
function tick() {
  if (step >= last) return pause();
  go(step + 1);
  timer = setTimeout(tick, 700 / find("pace").value);
}
function toggle() {
  if (timer) return pause();
  if (step >= last) step = -1;
  timer = 1;
  tick();
  drawPlay();
}
function drawPlay() {
  find("play").classList.toggle("playing", timer !== 0);
  find("play").setAttribute("aria-label", timer ? game.pause : game.play);
  find("what").setAttribute("aria-live", timer ? "off" : "polite");
}
function jump(wanted) {
  pause();
  go(wanted);
}
function turn(direction) {
  const here = turnAt(step), start = game.turns[here]?.[0] ?? 0;
  if (direction > 0) jump(game.turns[here + 1]?.[0] ?? last);
  else jump(step > start ? start : game.turns[here - 1]?.[0] ?? 0);
}
function pace(direction) {
  const choice = find("pace");
  choice.selectedIndex = Math.min(Math.max(choice.selectedIndex + direction, 0), choice.options.length - 1);
}

const buttons = {
  first: () => jump(0), back: () => turn(-1), less: () => jump(step - 1), play: toggle,
  more: () => jump(step + 1), on: () => turn(1), last: () => jump(last),
};
for (const [id, press] of Object.entries(buttons)) find(id).addEventListener("click", press);
slider.addEventListener("input", () => jump(Number(slider.value)));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = find("film").contains(document.activeElement), tag = document.activeElement?.tagName;
  const keys = { "<": () => pace(-1), ">": () => pace(1) };
  if (tag !== "SELECT") {
    keys.ArrowLeft = event.shiftKey ? buttons.back : buttons.less;
    keys.ArrowRight = event.shiftKey ? buttons.on : buttons.more;
  }
  if (!["BUTTON", "SELECT", "SUMMARY"].includes(tag)) keys[" "] = toggle;
  if (inside && tag !== "SELECT") {
    Object.assign(keys, { ArrowUp: buttons.back, ArrowDown: buttons.on, Home: buttons.first, End: buttons.last });
  }
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// A click on the chart goes to the step of that moment, a click on the map enlarges what is there.
chart.addEventListener("click", (event) => {
  const box = chart.getBoundingClientRect();
  const x = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
  jump(game.steps.findLastIndex(([, moment]) => across(moment) <= Math.max(x, game.chart.left)));
});
const map = find("board");
map.addEventListener("click", (event) => {
  const box = map.firstElementChild.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  if (map.classList.toggle("large")) {
    map.scrollTo(x * map.scrollWidth - map.clientWidth / 2, y * map.scrollHeight - map.clientHeight / 2);
  }
});

const goToAddress = () => {
  const wanted = location.hash.slice(1);
  if (/^\d+$/.test(wanted)) jump(Number(wanted));
};
addEventListener("hashchange", goToAddress);
find("film").classList.add("alive");
go(last);
drawPlay();
goToAddress();
