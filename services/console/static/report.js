// Keeps a report on this phone while there is no network, and sends it later. It counts once: the idempotency key was
// made with the form. Without this file the form is sent like any other.
(() => {
  "use strict";
  const note = document.getElementById("kept");
  if (!note) return;
  const place = `report ${location.pathname} ${note.dataset.player}`; // one per player of this phone
  const RETRY = 5000; // milliseconds
  const REFUSED = 422; // the page returns with its faults
  const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  let sending = false;
  let tried = null; // time of the last failed attempt

  let held = null; // without storage, kept as long as the page is open
  const read = () => { try { return localStorage.getItem(place) ?? held; } catch { return held; } };
  const keep = (body) => {
    held = body;
    try { body === null ? localStorage.removeItem(place) : localStorage.setItem(place, body); } catch { /* held has it */ }
  };
  const show = () => {
    const form = document.querySelector("form[data-keep]");
    const waits = read() !== null;
    const kept = document.getElementById("kept");
    if (!kept) return; // the player has signed out
    document.getElementById("kept-sends").hidden = !sending || tried !== null;
    document.getElementById("kept-waits").hidden = sending && tried === null;
    document.getElementById("kept-tried").hidden = tried === null;
    if (tried !== null) {
      document.getElementById("kept-at").textContent = tried.toLocaleTimeString(document.documentElement.lang, CLOCK);
    }
    kept.hidden = !waits;
    if (form) form.hidden = waits;
  };

  // Use the CSRF token of the current page: a new sign-in has another one.
  const signed = (body) => {
    const token = document.querySelector("input[name=csrf_token]");
    const fields = new URLSearchParams(body);
    if (token) fields.set("csrf_token", token.value);
    return fields.toString();
  };

  const send = async () => {
    const kept = read();
    if (kept === null || sending) return;
    const body = signed(kept);
    sending = true;
    show();
    try {
      const answer = await fetch(location.pathname, {
        method: "POST", body, // The next page is loaded below and shows the message there.
        headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      });
      const taken = answer.redirected && new URL(answer.url).pathname === location.pathname;
      if (!taken && answer.status !== REFUSED) return; // unknown outcome, or signed out: try again later
      const text = await answer.text();
      if (read() !== kept) return;
      keep(null);
      tried = null;
      if (taken) { location.replace(answer.url); return; }
      const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
      if (!main) return;
      document.querySelector("main").replaceChildren(...main.childNodes);
      document.dispatchEvent(new Event("muster:taken"));
      document.querySelector("[role=alert]")?.focus();
    } catch { /* no network: keep the report */ } finally {
      sending = false;
      show();
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-keep]") || event.submitter?.value === "look") return;
    event.preventDefault();
    if (read() === null) keep(new URLSearchParams(new FormData(form, event.submitter)).toString());
    send();
  });
  document.addEventListener("click", (event) => {
    if (event.target.id === "kept-now") send();
    if (event.target.id === "kept-drop") { keep(null); show(); }
  });
  document.addEventListener("muster:taken", show); // live.js has replaced the form
  window.addEventListener("online", send);
  setInterval(send, RETRY);
  show();
  send();
})();
