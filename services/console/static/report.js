// A report that the network does not take is kept on this phone and sent when it can be, once: its key was made with
// the form, so the service takes a second sending for the first. Without this file the form is sent as any form.
(() => {
  "use strict";
  const note = document.getElementById("kept");
  if (!note) return;
  const place = `report ${location.pathname} ${note.dataset.player}`; // who plays on this phone next has their own
  const RETRY = 5000; // milliseconds
  const REFUSED = 422; // the page comes back with its faults
  const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  let sending = false;
  let tried = null; // when the network took it last for nothing

  let held = null; // where the browser keeps nothing, as long as the page is open
  const read = () => { try { return localStorage.getItem(place) ?? held; } catch { return held; } };
  const keep = (body) => {
    held = body;
    try { body === null ? localStorage.removeItem(place) : localStorage.setItem(place, body); } catch { /* held has it */ }
  };
  const show = () => {
    const form = document.querySelector("form[data-keep]");
    const waits = read() !== null;
    const kept = document.getElementById("kept");
    if (!kept) return; // the page of somebody who is signed in no more
    document.getElementById("kept-sends").hidden = !sending || tried !== null;
    document.getElementById("kept-waits").hidden = sending && tried === null;
    document.getElementById("kept-tried").hidden = tried === null;
    if (tried !== null) {
      document.getElementById("kept-at").textContent = tried.toLocaleTimeString(document.documentElement.lang, CLOCK);
    }
    kept.hidden = !waits;
    if (form) form.hidden = waits;
  };

  // The token of the page at hand: whoever signed out and in again since has another one.
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
        method: "POST", body, // The page that follows is loaded once more below, and says there what was done.
        headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      });
      const taken = answer.redirected && new URL(answer.url).pathname === location.pathname;
      if (!taken && answer.status !== REFUSED) return; // not known, or signed out: the same again later
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
    } catch { /* no network: what is kept stays kept */ } finally {
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
