// SPDX-License-Identifier: Apache-2.0
// page: sorts and filters the tables of the page, and shows a test when its cell is chosen.
"use strict";
const tests = JSON.parse(document.getElementById("data").textContent);
const number = (n) => n.toLocaleString("en");
// Why a mutant cannot be seen: report.hpp.
const hidden = { "same code": "is the same machine code", "in order": "its threads are in one block",
  "through": "only the scope of a relaxed write differs" };
const share = (part, all) => (all ? (100 * part / all).toPrecision(3) + " %" : "");

function element(name, attributes = {}, ...children) {
  const e = Object.assign(document.createElement(name), attributes);
  e.append(...children);
  return e;
}

// --- the details of a test ---------------------------------------------------------------------------------------------

function rows(head, lines) {
  return element("table", {}, element("thead", {}, element("tr", {}, ...head.map((text) => element("th", {}, text)))),
    element("tbody", {}, ...lines.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))))));
}

function bar(part, all) {
  const e = element("span", { className: "bar", title: share(part, all) });
  e.style.width = 11 * part / Math.max(all, 1) + "rem";
  return e;
}

function show(test) {
  const facts = [[test.form === "ptx" ? "PTX says" : "C++ says", test.verdict], ["in question", element("code", {}, test.exists)],
    ["seen", `${number(test.seen)} of ${number(test.instances)} (${share(test.seen, test.instances)})`],
    ["runs", `${number(test.runs)}, ${number(test.launches)} launches, ${test.seconds.toPrecision(3)} s`], ["kernel", test.kernel]];
  if (test.others) facts.push(["another value", number(test.others)]);
  if (test.missing) facts.push(["no result", number(test.missing)]);
  if (test.endless) facts.push(["an await never ended", number(test.endless)]);
  const list = element("dl");
  for (const [name, value] of facts) list.append(element("dt", {}, name), element("dd", {}, value));
  const states = test.states.map(([state, count, asked]) => [element("code", {}, state), number(count),
    asked ? "in question" : "", bar(count, test.instances)]);
  const mutants = tests.filter((m) => m.mutant_of === test.test && m.placement === test.placement && m.form === test.form)
    .map((m) => [m.test, m.mutation, number(m.seen), share(m.seen, m.instances),
      m.raced ? "has a race" : !m.seen && hidden[m.hidden] ? hidden[m.hidden] : m.endless ? "an await never ended" : ""]);
  const all = element("article", {}, element("form", { method: "dialog" }, element("button", {}, "close")),
    element("h2", {}, `${test.test}, ${test.placement}, ${test.form}`), list, rows(["state", "instances", "", "share"], states));
  if (mutants.length) all.append(rows(["mutant", "weaker", "seen", "share", ""], mutants));
  const dialog = document.getElementById("details");
  dialog.replaceChildren(all);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-test]");
  if (button) show(tests[button.dataset.test]);
  if (event.target.id === "details") event.target.close(); // beside the dialog
});

// --- sorting -----------------------------------------------------------------------------------------------------------

function compare(a, b, sign) { // the first column is text; cells without a test are last
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  return sign * (isNaN(a) || isNaN(b) ? a.localeCompare(b, "en", { numeric: true }) : a - b);
}

for (const table of document.querySelectorAll("main table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const before = head.getAttribute("aria-sort") ?? (column ? "ascending" : "descending"); // numbers: the largest first
    const ascends = before === "descending";
    heads.forEach((one) => one.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", ascends ? "ascending" : "descending");
    const value = (row) => row.cells[column].dataset.value;
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort((x, y) => compare(value(x), value(y), ascends ? 1 : -1)));
  }));
}

// --- filters and the theme ---------------------------------------------------------------------------------------------

const [text, form, kind, count] = ["text", "form", "kind", "count"].map((id) => document.getElementById(id));
function filter() {
  let shown = 0;
  for (const row of document.querySelectorAll("main tbody tr")) {
    const hit = row.cells[0].dataset.value.toLowerCase().includes(text.value.toLowerCase()) &&
      (!form.value || row.dataset.form === form.value) && (!kind.value || row.querySelector("td." + kind.value));
    row.hidden = !hit;
    shown += Boolean(hit);
  }
  count.textContent = `${shown} rows`;
}
for (const control of [text, form, kind]) control.addEventListener("input", filter);
filter();

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
