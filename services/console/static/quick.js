// Quick entry on the round board: sends each result in the background, so that the next one can be typed at once. A
// result that is refused, or that needs an answer, comes back into the form; while another one is being typed, it waits
// in the list below the form.
(() => {
  "use strict";
  const FIELDS = ["table", "points_1", "points_2"];
  const LINE = /^\s*(.{1,20}?)[ ;]+(\d{1,6})[ :;-]+(\d{1,6})\s*$/; // all three in the first field
  const MISTYPED = /^\s*(\d{1,6})[ ;]+([^\s:;]{1,20})[ :;-]+([^\s:;]{1,20})\s*$/; // a score that is no number
  const KEPT = 8; // lines that stay in the list
  let sent = 0, asked = 0;

  const current = () => document.getElementById("quick");
  const said = () => document.getElementById("quick-said");
  const field = (form, name) => form.elements.namedItem(name);
  const isBlank = (form) => FIELDS.every((name) => !field(form, name).value.trim());
  const parse = (text) => new DOMParser().parseFromString(text, "text/html");
  const HEADERS = { "HX-Request": "true" };

  const name = (form, first, second) => {
    form.querySelector("[for=quick-1] bdi").textContent = first || form.dataset.first;
    form.querySelector("[for=quick-2] bdi").textContent = second || form.dataset.second;
  };

  const drop = (form) => {
    for (const one of FIELDS) field(form, one).removeAttribute("aria-invalid");
    form.querySelectorAll(".fault, [data-question]").forEach((one) => one.remove());
    form.querySelectorAll(".is-wrong").forEach((one) => one.classList.remove("is-wrong"));
  };

  const clear = (form) => {
    for (const one of FIELDS) field(form, one).value = "";
    drop(form);
    name(form);
    field(form, "table").focus();
  };

  const show = (fresh) => {
    current().replaceWith(fresh);
    (fresh.querySelector("[data-question] input, [data-question] select, [aria-invalid]") || field(fresh, "table")).focus();
  };

  const line = (text) => {
    const one = document.createElement("li");
    one.className = "row";
    one.append(Object.assign(document.createElement("span"), { textContent: text }));
    said().prepend(one);
    while (said().children.length > KEPT) said().lastElementChild.remove();
    return one;
  };

  // Offer a refused result again; put it back at once unless another one is being typed.
  const refuse = (one, text, fresh) => {
    if (isBlank(current())) { one.remove(); show(fresh); return; }
    const again = Object.assign(document.createElement("button"), { type: "button", className: "btn is-small" });
    again.textContent = current().dataset.again;
    again.addEventListener("click", () => { one.remove(); show(fresh); });
    one.classList.add("fault");
    one.firstElementChild.textContent = text;
    one.append(again);
  };

  const send = async (form) => {
    const data = new URLSearchParams(new FormData(form));
    data.set("key", `${data.get("key").slice(0, 100)}-${++sent}`);
    const copy = form.cloneNode(true); // what was typed, if there is no answer
    for (const one of FIELDS) field(copy, one).value = data.get(one);
    const [table, first, second] = FIELDS.map((one) => data.get(one));
    const summary = `${form.dataset.table} ${table}: ${first} : ${second}`;
    const one = line(`${summary} …`);
    clear(form);
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: HEADERS });
      const page = parse(await answer.text());
      const entered = page.querySelector("#quick-said li"), fresh = page.getElementById("quick");
      if (entered) one.replaceWith(entered);
      else if (fresh) refuse(one, [summary, ...[...fresh.querySelectorAll(".fault")].map((fault) => fault.textContent)].join(" – "), fresh);
      else throw new Error(answer.statusText);
    } catch { refuse(one, `${summary} – ${form.dataset.away}`, copy); }
  };

  // Enter goes to the next empty field, and sends from the last one: a number pad has no Tab.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form !== current()) return;
    event.preventDefault();
    const table = field(form, "table");
    const parts = LINE.exec(table.value) || (table.inputMode === "numeric" && MISTYPED.exec(table.value)) || [];
    parts.slice(1).forEach((value, n) => { field(form, FIELDS[n]).value = value; });
    const empty = FIELDS.map((one) => field(form, one)).find((one) => !one.value.trim());
    if (empty) empty.focus(); else send(form);
  });

  // A question is about the table and the scores that it was asked for: it goes when they change.
  document.addEventListener("input", (event) => {
    const form = current();
    if (!form?.contains(event.target) || ![...FIELDS, "venue"].includes(event.target.name)) return;
    if (form.querySelector("[data-question]")) drop(form);
  });

  // Name the players of a table as soon as its number is there.
  document.addEventListener("change", async (event) => {
    const form = current();
    if (!form?.contains(event.target) || !["table", "venue"].includes(event.target.name)) return;
    const mine = ++asked, typed = new URLSearchParams(new FormData(form));
    if (!typed.get("table") || LINE.test(typed.get("table"))) { name(form); return; }
    const asks = new URLSearchParams(["table", "venue", "round"].map((one) => [one, typed.get(one) ?? ""]));
    try {
      const answer = await fetch(`${form.action}?${asks}`, { headers: HEADERS });
      const fresh = parse(await answer.text()).getElementById("quick");
      if (mine !== asked || !fresh || field(form, "table").value !== typed.get("table")) return;
      name(form, ...["quick-1", "quick-2"].map((id) => fresh.querySelector(`[for=${id}] bdi`).textContent));
    } catch { /* the form works without names */ }
  });
})();
