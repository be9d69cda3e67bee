"""Print every result as it comes, and keep the latest of each game in results.sqlite3."""

import json
import os
import sqlite3
import sys
import time

import httpx
from kombu import Connection, Consumer, Exchange, Queue
from kombu.exceptions import KombuError

SCORING, REGISTRATION = os.environ["SCORING_URL"], os.environ["REGISTRATION_URL"]
RESULTS = {f"Result{done}" for done in ("Reported", "Confirmed", "Disputed", "Ruled", "Corrected", "Voided")}

exchange = Exchange(os.environ.get("MUSTER_EXCHANGE", "muster.events"), type="topic", durable=True)
queue = Queue("club-site.results", exchange, routing_key="scoring.#", queue_arguments={"x-queue-type": "quorum"})
http = httpx.Client(headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}, timeout=10)
db = sqlite3.connect("results.sqlite3")
with db:
    db.execute("CREATE TABLE IF NOT EXISTS results (tournament, game, line, PRIMARY KEY (tournament, game))")
    db.execute("CREATE TABLE IF NOT EXISTS cursor (one INTEGER PRIMARY KEY CHECK (one = 1), feed)")
    db.execute("INSERT OR IGNORE INTO cursor VALUES (1, 0)")


def cursor():
    return db.execute("SELECT feed FROM cursor").fetchone()[0]


def line_about(tournament, game):
    answer = http.get(f"{SCORING}/tournaments/{tournament}/games/{game}")
    if answer.status_code == 404:  # its round was withdrawn since
        return f"{tournament}, {game}: withdrawn"
    found = answer.raise_for_status().json()
    name = http.get(f"{REGISTRATION}/tournaments/{tournament}").raise_for_status().json()["name"]
    points = (
        [next(iter(found["score"][side].values())) for side in ("values_1", "values_2")] if "score" in found else "??"
    )
    said = "binding" if found["binds"] else found["status"]
    where = f"{name}, round {found['round']}, table {found['table']}"
    return f"{where}: {found['name_1']} {points[0]} – {points[1]} {found['name_2']} ({said})"


def take(event):
    if event["feedposition"] <= cursor():  # it came before
        return
    new = None
    with db:  # the result and the cursor together, or neither
        if event["type"] in RESULTS:
            new = (event["tournament"], event["data"]["game"], line_about(event["tournament"], event["data"]["game"]))
            replaced = "ON CONFLICT DO UPDATE SET line = excluded.line WHERE line <> excluded.line"
            changed = db.execute(f"INSERT INTO results VALUES (?, ?, ?) {replaced}", new).rowcount
        db.execute("UPDATE cursor SET feed = ?", [event["feedposition"]])
    if new and changed:
        print(new[2], flush=True)


def catch_up():
    while lines := http.get(f"{SCORING}/log", params={"after": cursor()}).raise_for_status().text.splitlines():
        for line in lines:
            take(json.loads(line))


def on_message(message):
    event = json.loads(message.body)
    if event["feedposition"] > cursor() + 1:  # the messages between them are lost, and the feed has their events
        catch_up()
    take(event)
    message.ack()


while True:
    try:
        connection = Connection(os.environ["BROKER_URL"], heartbeat=20)
        with connection, Consumer(connection, [queue], on_message=on_message):
            catch_up()  # with what happened while nobody listened
            while True:
                try:
                    connection.drain_events(timeout=5)
                except TimeoutError:  # nothing came
                    connection.heartbeat_check()
    except (OSError, KombuError, httpx.HTTPError, *connection.connection_errors, *connection.channel_errors) as error:
        print(f"trying again in two seconds: {error}", file=sys.stderr)
        time.sleep(2)
