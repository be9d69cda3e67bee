// Keeps a page up to date. A stream only says that something has changed. The page then fetches itself, as its viewer
// sees it, and replaces the parts concerned. Without a stream it polls. A part has an id, `data-on` (kinds of changes)
// and optionally `data-about` (ids of games and players). `data-from` is its address if it is not the page's own.
// `data-turn` is the address of the next page of a wall.
(() => {
  "use strict";
  const live = document.body.dataset.live;
  if (!live) return;
  const KINDS = ["event", "staff", "players", "lists", "round", "calls", "games", "standings", "awards"];
  const SLOW = 300, PROMPT = 20, POLL = 15, AWAY = 8; // seconds between two fetches: with a stream, on
  // pages that few people open, without a stream, while a service is away
  const GAP = 2; // minimum seconds between two fetches of an address
  const SOON = 1, RETURN = 10, RECONNECT = 60; // seconds: spread after a change, after a broken stream, before a new attempt
  const ago = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "always" });
  const planned = new Map(); // address -> timer
  const seen = new Map(); // address -> time of the last fetch
  let stream = null, listened = "", wasOpen = false, missed = false, known = Date.now(), next = 0;

  const away = () => document.getElementById("frag-away");
  const words = () => document.getElementById("away-words")?.content;
  const parts = () => [...document.querySelectorAll("[data-on]")];
  const from = (part) => new URL(part.dataset.from || location.href, location.href).href.split("#")[0];
  const prompt = "prompt" in document.body.dataset;
  const steady = "steady" in document.body.dataset; // an overlay is on the air even while its tab is hidden
  const unseen = () => document.hidden && !steady;
  const own = () => location.href.split("#")[0];
  const all = (within) => new Set(parts().length ? parts().map(from) : [own()]).forEach((address) => plan(address, within));

  const plan = (address, within) => {
    if (planned.has(address)) return;
    const gap = Math.max(0, (seen.get(address) || 0) + GAP * 1000 - Date.now());
    planned.set(address, setTimeout(() => { planned.delete(address); look(address); }, gap + Math.random() * within * 1000));
  };

  const wait = () => {
    const pace = away()?.firstElementChild ? AWAY : stream?.readyState !== EventSource.OPEN ? POLL : prompt ? PROMPT : SLOW;
    next = Date.now() + pace * 1000 * (0.75 + Math.random() / 2);
  };

  const look = async (address, turning = null) => {
    seen.set(address, Date.now());
    try {
      const answer = await fetch(address, { cache: "no-store", headers: { "HX-Request": "true" } });
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !page.body.dataset.live) { location.reload(); return; } // signed out, or the page is gone
      known = Date.now();
      if (!turning && address === own()) document.title = page.title;
      for (const part of parts()) if (part === turning || from(part) === address) take(part, page.getElementById(part.id));
      says(page.getElementById("frag-away"));
    } catch { says(words()); }
    wait();
  };

  // A part stays as it is while the user types into it, has typed, or reads its faults.
  const typed = (field) => {
    if (field.matches("[type=hidden]")) return false;
    if (field.matches(".tick input")) return field.checked; // selected rows stay as they were looked at
    if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
    if (!field.matches("select")) return field.value !== field.defaultValue;
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  };
  const busy = (part) => part.querySelector("[aria-invalid], [role=alert]") !== null
    || [...part.querySelectorAll("input, select, textarea")].some((field) => typed(field) || field === document.activeElement);

  const take = (part, fresh) => {
    if (!fresh || busy(part)) return;
    if (part.matches("[role=status]") && part.textContent === fresh.textContent) return; // a screen reader would read it again
    if (part.dataset.state !== fresh.dataset.state) document.querySelectorAll(".once").forEach((one) => one.remove()); // about an earlier state
    const focus = part.contains(document.activeElement) ? document.activeElement.id : "";
    const kept = (within) => [...within.querySelectorAll("details, .scroll, .frame-scroll")];
    const before = kept(part).map((one) => [one.open, one.scrollLeft]);
    for (const { name } of [...part.attributes]) if (!fresh.hasAttribute(name)) part.removeAttribute(name);
    for (const { name, value } of fresh.attributes) part.setAttribute(name, value);
    part.replaceChildren(...fresh.childNodes);
    const now = kept(part);
    if (now.length === before.length) now.forEach((one, n) => {
      if (one.matches("details")) one.open = before[n][0] || one.open; else one.scrollLeft = before[n][1];
    });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    begin(part);
    hold();
    window.htmx?.process(part);
    document.dispatchEvent(new Event("muster:taken"));
  };

  // The note about services that are away, with its age. An unchanged note is not replaced.
  const bare = (note) => {
    const copy = document.createElement("div");
    copy.append(note.cloneNode(true));
    copy.querySelectorAll("[data-age]").forEach((one) => one.remove());
    return [...copy.querySelectorAll(".note")].map((one) => one.innerHTML).join();
  };
  const says = (what) => {
    const here = away();
    if (!here || !what || bare(what) === bare(here)) return;
    here.replaceChildren(...what.cloneNode(true).childNodes);
    hold();
    begin(here, what === words() ? known : 0);
  };
  // Disable the buttons that need a service while it is away, with the reason. Without a script they can be pressed, and
  // the answer explains the failure.
  const hold = () => {
    const gone = new Map();
    for (const note of document.querySelectorAll("#frag-away [data-away]"))
      for (const service of note.dataset.away.split(" ")) gone.set(service, note.dataset.title);
    for (const button of document.querySelectorAll("[data-needs] form[method=post] button, form[data-needs] button")) {
      const why = gone.get(button.closest("[data-needs]").dataset.needs);
      if (why && (button.dataset.why || button.ariaDisabled !== "true")) {
        button.setAttribute("aria-disabled", "true");
        button.dataset.why = why;
      } else if (!why && button.dataset.why) {
        button.removeAttribute("aria-disabled");
        delete button.dataset.why;
      }
    }
  };
  const stay = (event) => {
    const button = event.type === "submit" ? event.submitter : event.target.closest?.("button");
    if (button?.dataset.why) { event.preventDefault(); event.stopImmediatePropagation(); }
  };
  document.addEventListener("submit", stay, true);
  document.addEventListener("click", stay, true);
  document.addEventListener("htmx:afterSettle", hold);

  const begin = (within, since) => {
    for (const one of within.querySelectorAll("[data-age]")) one.since = since || Date.now() - 1000 * one.dataset.age;
    for (const one of within.querySelectorAll("[data-left]")) one.ends = performance.now() + 1000 * one.dataset.left;
    tick();
  };
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const one of document.querySelectorAll("[data-age]")) {
      one.since ??= Date.now() - 1000 * one.dataset.age; // inserted by someone else, such as htmx
      const age = Math.max(0, Math.round((Date.now() - one.since) / 1000));
      const text = age < 60 ? ago.format(-(age - age % 5), "second") : ago.format(-Math.floor(age / 60), "minute");
      if (one.textContent !== text) one.textContent = text;
    }
    for (const one of document.querySelectorAll("[data-left]")) {
      one.ends ??= performance.now() + 1000 * one.dataset.left;
      const left = Math.abs(Math.round((one.ends - performance.now()) / 1000));
      const hours = Math.floor(left / 3600), minutes = Math.floor(left / 60);
      const text = one.hasAttribute("data-hours") && hours
        ? `${hours}:${two(minutes % 60)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
      if (one.textContent !== text) one.textContent = text;
      if (one.over === undefined) one.over = one.ends < performance.now();
      if (one.over !== one.ends < performance.now()) { one.over = !one.over; all(SOON); }
    }
  };

  const onMessage = (event) => {
    let data = {};
    try { data = JSON.parse(event.data); } catch { /* treat as a change of everything */ }
    const within = prompt ? Math.min(SOON, data.within || SOON) : data.within || SOON;
    if (!parts().length && !KINDS.includes(event.type)) plan(own(), within);
    for (const part of parts()) {
      if (KINDS.includes(event.type) && !part.dataset.on.split(" ").includes(event.type)) continue;
      const about = part.dataset.about?.split(" ");
      const mine = about && data.ids?.some((id) => about.includes(id));
      if (!about || !data.ids || mine) plan(from(part), mine ? SOON : within);
    }
  };

  // The changes that concern this page: with every result, only the phones of its players are woken.
  const concern = () => {
    const shown = parts(), words = (of) => [...new Set(shown.flatMap(of))].sort().join(" ");
    if (!shown.length) return live;
    const named = { on: words((part) => part.dataset.on.split(" ")) };
    if (shown.every((part) => part.dataset.about)) named.about = words((part) => part.dataset.about.split(" "));
    return `${live}?${new URLSearchParams(named)}`;
  };

  const listen = () => {
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    listened = concern();
    stream = new EventSource(listened);
    stream.onopen = () => { if (wasOpen) all(RETURN); wasOpen = true; wait(); };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED && !unseen()) setTimeout(listen, RECONNECT * 1000 * (0.5 + Math.random()));
      wait();
    };
    for (const kind of [...KINDS, "away", "back"]) stream.addEventListener(kind, onMessage);
  };

  // A hidden tab closes its stream: a browser has few connections for all tabs.
  document.addEventListener("visibilitychange", () => {
    if (steady) return;
    if (document.hidden) { stream?.close(); missed = true; return; }
    if (missed) all(SOON);
    missed = wasOpen = false;
    listen();
  });

  window.addEventListener("offline", () => all(0));
  window.addEventListener("online", () => all(SOON));

  const turn = async () => {
    const part = document.querySelector("[data-turn]");
    if (part && !document.hidden) await look(new URL(part.dataset.turn, location.href).href, part);
    turnLater();
  };
  const turnLater = () => {
    const part = document.querySelector("[data-turn]");
    if (part) setTimeout(turn, 1000 * part.dataset.seconds);
  };

  setInterval(() => {
    tick();
    if (stream && !unseen() && listened !== concern()) { stream.close(); wasOpen = false; listen(); }
    if (!unseen() && Date.now() >= next) { wait(); all(SOON); }
  }, 1000);
  begin(document);
  hold();
  wait();
  turnLater();
  if (!unseen()) listen();
})();
