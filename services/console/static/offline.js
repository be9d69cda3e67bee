// Shows the age of a page that was kept, and registers the worker that keeps the player's pages. Browsers allow it over
// HTTPS and on this machine.
(() => {
  "use strict";
  const root = document.documentElement;
  const note = document.getElementById("offline");
  if (root.dataset.keptAt && note) {
    const at = new Date(Number(root.dataset.keptAt));
    const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: document.body.dataset.zone || undefined };
    let time;
    try { time = at.toLocaleTimeString(root.lang, form); } catch { time = at.toLocaleTimeString(root.lang); } // an unknown zone
    document.getElementById("offline-at").textContent = time;
    note.hidden = false;
    window.addEventListener("online", () => location.reload());
  }
  if (!window.isSecureContext || !navigator.serviceWorker) return;
  window.addEventListener("load", async () => {
    try {
      await navigator.serviceWorker.register("/phone-worker.js");
      const { active } = await navigator.serviceWorker.ready;
      const files = performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname);
      active.postMessage({ files });
    } catch { /* this browser keeps no pages */ }
  });
})();
