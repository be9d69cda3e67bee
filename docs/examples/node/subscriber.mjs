// Print every result as it comes, and keep the latest of each game in results.sqlite3.
//
// A message on the broker only says that there is something to read. What there is comes from the public feed, in one
// order, from the cursor that this program keeps: so nothing is missed and nothing comes twice, whatever dies.

import { setTimeout as sleep } from "node:timers/promises";
import amqp from "amqplib";
import Database from "libsql";

const { BROKER_URL, SCORING_URL, TOKEN, MUSTER_EXCHANGE = "muster.events" } = process.env;
const QUEUE = "club-site.results";
const LOOK_MS = 5_000; // so often without a message, since any message may be lost

const db = new Database("results.sqlite3");
db.exec("CREATE TABLE IF NOT EXISTS results (tournament, game, line, PRIMARY KEY (tournament, game))");
db.exec("CREATE TABLE IF NOT EXISTS cursor (one INTEGER PRIMARY KEY CHECK (one = 1), feed TEXT NOT NULL)");
db.exec("INSERT OR IGNORE INTO cursor VALUES (1, '')");
const readCursor = db.prepare("SELECT feed FROM cursor");
const writeCursor = db.prepare("UPDATE cursor SET feed = ?");
const replaceLine = db.prepare(
  "INSERT INTO results VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line WHERE line <> excluded.line",
);

/** The results of a page and the cursor behind it, together or not at all; returns the lines that are new. */
const keep = db.transaction((results, cursor) => {
  const changed = results.filter((one) => replaceLine.run(one.tournament, one.game, lineAbout(one)).changes > 0);
  writeCursor.run(cursor);
  return changed.map(lineAbout);
});

function lineAbout({ tournament_name, round, table, players: [one, two], binds, status }) {
  const points = (side) => Object.values(side?.values ?? {})[0] ?? "?";
  const said = binds ? "binding" : status;
  return (
    `${tournament_name}, round ${round}, table ${table}: ` +
    `${one?.name} ${points(one)} – ${points(two)} ${two?.name} (${said})`
  );
}

/** Read the feed from the cursor to its end. */
async function catchUp() {
  for (;;) {
    const query = new URLSearchParams({ view: "results", limit: "500", after: readCursor.get().feed });
    const headers = TOKEN ? { Authorization: `Bearer ${TOKEN}` } : {}; // without one: public tournaments
    const answer = await fetch(`${SCORING_URL}/feed?${query}`, { headers, signal: AbortSignal.timeout(30_000) });
    if (!answer.ok) throw new Error(`the feed answers ${answer.status}: ${await answer.text()}`);
    const lines = (await answer.text()).split("\n").filter(Boolean);
    const results = lines.map((line) => JSON.parse(line).data);
    for (const line of keep(results, answer.headers.get("Muster-Feed-Cursor"))) console.log(line);
    if (!answer.headers.get("Link")) return;
  }
}

/** Listen until the connection or the queue is gone, which ends as an error. */
async function listen() {
  const url = new URL(BROKER_URL);
  url.searchParams.set("heartbeat", "20");
  const connection = await amqp.connect(url.href, { timeout: 10_000 });
  const gone = new Promise((_, reject) => {
    connection.on("error", reject);
    connection.on("close", () => reject(new Error("the connection is closed")));
  });
  gone.catch(() => {}); // it is waited for below, and may fail before
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => {}); // whatever is asked of it next fails with the reason
    await channel.prefetch(100);
    await channel.assertQueue(QUEUE, { durable: true, arguments: { "x-queue-type": "quorum" } });
    await channel.bindQueue(QUEUE, MUSTER_EXCHANGE, "scoring.#");
    let latest = null;
    let deleted = false;
    let ring = () => {};
    await channel.consume(QUEUE, (message) => {
      if (message) latest = message;
      else deleted = true;
      ring();
    });
    for (;;) {
      const told = latest;
      latest = null;
      await catchUp(); // at first with what happened while nobody listened
      if (told) channel.ack(told, true); // and all before it
      if (deleted) throw new Error("the queue was deleted");
      if (latest) continue;
      const stop = new AbortController();
      const bell = new Promise((resolve) => (ring = resolve));
      await Promise.race([gone, bell, sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => {})]);
      stop.abort();
    }
  } finally {
    connection.close().catch(() => {}); // it may be closed already
  }
}

for (;;) {
  try {
    await listen();
  } catch (error) {
    console.error(`trying again in two seconds: ${error.message || error.code || error}`);
    await sleep(2_000);
  }
}
