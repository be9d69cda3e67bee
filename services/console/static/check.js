// Checks a result while it is typed: shows the fault of a field once the user has left it, and asks scoring for the
// outcome. It never sends a report. Without this file the browser checks the bounds of each field, and a button shows
// the outcome.
(() => {
  "use strict";
  const FORM = "form[data-look]";
  const WAIT = 400; // milliseconds after the last key
  let left = new Set(); // names of fields that the user has left
  let found = new Map(); // name of a field -> its fault according to scoring
  let timer = 0, asking = null;

  const fields = (form) => [...form.querySelectorAll("input, select")].filter((field) => field.name && field.type !== "hidden");
  const named = (form, name) => fields(form).filter((field) => field.name === name);
  const value = (form, name) => new FormData(form).get(name) ?? "";
  const shown = (field) => field.checkVisibility();

  // The fault that the browser finds. A hidden field has none: it is not sent either.
  const own = (field) => {
    if (field.validity.valid || !shown(field)) return "";
    return field.dataset.wrong || field.validationMessage;
  };

  const say = (form, name) => {
    const line = form.querySelector(`#${CSS.escape(`${name}-f`)}`);
    const these = named(form, name);
    if (!line || !these.length) return "";
    const text = left.has(name) ? own(these[0]) || (shown(these[0]) && found.get(name)) || "" : "";
    if (line.textContent !== text) line.textContent = text;
    line.closest(".field").classList.toggle("is-wrong", text !== "");
    for (const field of these) {
      if (text && field.type !== "radio") field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
    }
    return text;
  };
  const sayAll = (form) => new Set(fields(form).map((field) => field.name)).forEach((name) => say(form, name));

  // Show the groups of fields that belong to the chosen answer.
  const choose = (form) => {
    for (const group of form.querySelectorAll("[data-only]")) group.hidden = value(form, group.dataset.only) !== group.dataset.value;
  };

  // Open the question that decides the game as soon as scoring needs its answer, and fold it when it no longer does.
  const askDecider = (form) => {
    const part = form.querySelector("[data-decider]");
    if (!part) return;
    const needed = found.has(part.dataset.decider);
    const answered = value(form, part.dataset.decider) !== "";
    part.querySelector("[data-needed]").hidden = !needed;
    if (needed) { part.open = true; part.opened = true; } else if (part.opened && !answered) part.open = part.opened = false;
  };

  const begin = () => {
    for (const form of document.querySelectorAll(FORM)) {
      form.noValidate = true; // faults appear next to the field, in the language of the page
      choose(form);
      for (const line of form.querySelectorAll(".fault")) { // rendered with the page: it stays until the field changes
        if (line.textContent) { left.add(line.id.slice(0, -2)); found.set(line.id.slice(0, -2), line.textContent); }
      }
    }
  };

  const sum = (form) => form.querySelector("#frag-sum");
  const unchecked = (form) => { sum(form)?.replaceChildren(Object.assign(document.createElement("span"), { textContent: sum(form).dataset.unchecked })); };

  const look = async (form) => {
    asking?.abort();
    const mine = asking = new AbortController();
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.dataset.look, { method: "POST", body, signal: mine.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const given = page.getElementById("frag-sum");
      if (!given || mine !== asking || !form.isConnected) return;
      found = new Map([...page.querySelectorAll("[data-fault-of]")].map((one) => [one.dataset.faultOf, one.textContent]));
      askDecider(form);
      if (sum(form) && sum(form).innerHTML !== given.innerHTML) sum(form).replaceChildren(...given.childNodes);
      sayAll(form);
    } catch (error) {
      if (error.name === "AbortError") return;
      found = new Map();
      unchecked(form);
      sayAll(form);
    }
  };
  const soon = (form) => { clearTimeout(timer); timer = setTimeout(look, WAIT, form); };

  const changed = (event) => {
    const form = event.target.closest(FORM);
    if (!form || !event.target.name) return;
    found.delete(event.target.name);
    choose(form);
    say(form, event.target.name);
    soon(form);
  };
  document.addEventListener("input", changed);
  document.addEventListener("change", (event) => { if (event.target.matches("select, [type=radio], [type=checkbox]")) changed(event); });
  document.addEventListener("focusout", (event) => {
    const form = event.target.closest?.(FORM);
    if (!form || !event.target.name) return;
    left.add(event.target.name);
    say(form, event.target.name);
  });
  document.addEventListener("wheel", (event) => { // a wheel over a number would change it unseen
    if (event.target === document.activeElement && event.target.matches("[type=number]")) event.target.blur();
  }, { passive: true });

  // Runs before report.js: an invalid form is not sent and keeps what was typed.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(FORM) || event.submitter?.formNoValidate) return;
    for (const field of fields(form)) left.add(field.name);
    sayAll(form);
    const first = fields(form).find((field) => own(field));
    if (!first) { clearTimeout(timer); asking?.abort(); return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    first.focus();
  });
  document.addEventListener("muster:taken", () => { left = new Set(); found = new Map(); begin(); });
  begin();
})();
