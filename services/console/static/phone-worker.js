// Keeps a player's own pages, and the files that they need, for when there is no network. A page is kept only if the
// console marks it as the player's own. It is removed when they sign out, when someone else signs in, and when the
// console no longer serves it. Nothing else is kept, and nothing is sent from here.
"use strict";
const PAGES = "muster pages", FILES = "muster files";
const MARK = "X-Muster-Keep", KEPT_AT = "X-Muster-Kept-At";
const OWN = /^\/events\/[^/]+\/(table|my-games)$/;
const FILE = /^\/static\/([0-9a-f]{12})\//;
const LEAVE = "/sign-out";
const ENTER = /^((\/operator|\/organiser)?\/come-in|\/sign-ins?|\/events\/[^/]+\/(come-in|join))$/;
const PATIENCE = 6000; // milliseconds: the network of a hall may fail silently
const AWAY = 500; // and above: the console or a service is away; the page may still exist
let left = 0; // number of sign-ins and sign-outs: an answer to an earlier request is not kept

const keepPage = async (path, answer, since) => {
  const text = await answer.text();
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(KEPT_AT, String(Date.now()));
  if (since !== left) return;
  await (await caches.open(PAGES)).put(path, new Response(text, { headers }));
  const version = /\/static\/([0-9a-f]{12})\//.exec(text)?.[1];
  const files = await caches.open(FILES);
  for (const kept of await files.keys()) {
    if (FILE.exec(new URL(kept.url).pathname)?.[1] !== version) await files.delete(kept);
  }
};

const keptPage = async (path) => {
  const kept = await (await caches.open(PAGES)).match(path);
  if (!kept) return undefined;
  const text = await kept.text();
  const at = kept.headers.get(KEPT_AT);
  return new Response(text.replace("<html ", `<html data-kept-at="${at}" `), { headers: kept.headers });
};

const forget = () => { left += 1; return caches.delete(PAGES); };

const page = async (event, path) => {
  const since = left;
  const asked = fetch(event.request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE)).then(() => keptPage(path));
  let answer;
  try {
    answer = await Promise.race([asked, late.then((kept) => kept ?? asked)]);
  } catch (error) {
    const kept = await keptPage(path);
    if (kept) return kept;
    throw error;
  }
  if (answer.headers.has(KEPT_AT)) return answer;
  if (answer.status >= AWAY) return (await keptPage(path)) ?? answer;
  if (answer.ok && answer.headers.has(MARK)) event.waitUntil(keepPage(path, answer.clone(), since));
  else event.waitUntil(caches.open(PAGES).then((pages) => pages.delete(path)));
  return answer;
};

const file = async (path) => {
  const files = await caches.open(FILES);
  const kept = await files.match(path);
  if (kept) return kept;
  const answer = await fetch(path);
  if (answer.ok) await files.put(path, answer.clone());
  return answer;
};

const enter = async (request) => {
  const answer = await fetch(request);
  await forget();
  return answer;
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  const path = url.pathname;
  const reads = request.method === "GET";
  if (path === LEAVE) event.respondWith(forget().then(() => fetch(request)));
  else if (ENTER.test(path) && (url.search || !reads)) event.respondWith(enter(request));
  else if (reads && FILE.test(path)) event.respondWith(file(path));
  else if (reads && request.mode === "navigate" && OWN.test(path)) event.respondWith(page(event, path));
});

// A page that was open before this worker sends its address and files once.
self.addEventListener("message", (event) => {
  const since = left;
  const path = new URL(event.source.url).pathname;
  event.waitUntil((async () => {
    for (const one of event.data.files) if (FILE.test(one)) await file(one);
    if (!OWN.test(path) || await (await caches.open(PAGES)).match(path)) return;
    const answer = await fetch(path, { credentials: "same-origin", redirect: "error" });
    if (answer.ok && answer.headers.has(MARK)) await keepPage(path, answer, since);
  })().catch(() => {})); // without a network: kept next time
});
