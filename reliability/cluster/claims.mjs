// Counts of nonces are claimed on three nodes, and each is sent five more times to random nodes, at once and later, while
// nodes and Redis are killed, paused, cleared and replaced by a replica. The history has every result that a client got:
// no count may have been accepted twice.
import { fork } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../scripts/ports.mjs';
import { RedisProcess, TcpProxy } from './redis.mjs';

const NODES = 3;
const REPLAYS = 5;
/** Counts of a nonce. */
const COUNTS = 250;
/** Milliseconds for which a nonce can be used. */
const LIFETIME = 300_000;
const CLIENTS = 4;
/** Counts that wait to be sent again later. */
const KEPT = 50_000;
const RESULTS = ['accepted', 'used', 'stale', 'failed'];
/** Octets of an entry: the number of the count, the node, the result. */
const ENTRY = 6;

const random = (limit) => Math.floor(Math.random() * limit);

/** A process that claims. */
class Node {
  #url;
  #child;
  #pending = new Map();
  #lastId = 0;

  constructor(url) {
    this.#url = url;
  }

  async start() {
    const child = fork(path.join(import.meta.dirname, 'node.mjs'), {
      env: { ...process.env, REDIS_URL: this.#url },
    });
    this.#child = child;
    await new Promise((resolve) => {
      child.on('message', (message) => {
        if (message.isReady) resolve();
        this.#pending.get(message.id)?.(message);
        this.#pending.delete(message.id);
      });
      child.on('exit', resolve);
    });
    child.on('exit', () => {
      for (const settle of this.#pending.values()) settle({});
      this.#pending.clear();
    });
  }

  /** @returns an empty object if the node has ended */
  ask(message) {
    if (!this.#child.connected) return Promise.resolve({});
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#pending.set(id, resolve);
      this.#child.send({ id, ...message }, (error) => {
        if (error) resolve({});
      });
    });
  }

  signal(name) {
    this.#child.kill(name);
  }

  async kill() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** The results that clients got, in a file. */
class History {
  #folder = mkdtempSync(path.join(tmpdir(), 'history-'));
  #file = path.join(this.#folder, 'history');
  #descriptor = openSync(this.#file, 'w');
  entries = 0;

  add(claim, node, result) {
    const entry = Buffer.alloc(ENTRY);
    entry.writeUInt32LE(claim);
    entry.writeUInt8(node, 4);
    entry.writeUInt8(RESULTS.indexOf(result), 5);
    this.#buffered.push(entry);
    this.entries++;
    if (this.#buffered.length >= 10_000) this.#flush();
  }
  #buffered = [];

  #flush() {
    writeSync(this.#descriptor, Buffer.concat(this.#buffered));
    this.#buffered = [];
  }

  /** Reads it again. @returns how often each result occurred, and the counts that were accepted more than once */
  check(claims) {
    this.#flush();
    closeSync(this.#descriptor);
    const accepted = new Uint8Array(claims);
    const attempts = new Uint8Array(claims);
    const totals = RESULTS.map(() => 0);
    const descriptor = openSync(this.#file, 'r');
    const chunk = Buffer.alloc(ENTRY * 100_000);
    for (let read; (read = readSync(descriptor, chunk)) > 0;) {
      for (let at = 0; at < read; at += ENTRY) {
        const [claim, result] = [chunk.readUInt32LE(at), chunk.readUInt8(at + 5)];
        totals[result]++;
        attempts[claim]++;
        if (result === 0) accepted[claim]++;
      }
    }
    closeSync(descriptor);
    rmSync(this.#folder, { recursive: true });
    return {
      totals: Object.fromEntries(RESULTS.map((result, at) => [result, totals[at]])),
      twice: accepted.filter((times) => times > 1).length,
      incomplete: attempts.filter((times) => times !== 1 + REPLAYS).length,
    };
  }
}

/** @param program of Redis; @param pause of a client in milliseconds after the counts of a nonce */
export async function claims(program, amount, report, pause) {
  const [portA, portB] = await freePorts(2);
  let [main, replica] = [
    await new RedisProcess(program, portA).start(),
    await new RedisProcess(program, portB).start(),
  ];
  const follow = (one, other) => one.command('REPLICAOF', '127.0.0.1', `${other.port}`);
  await follow(replica, main);
  const proxy = await TcpProxy.open(main.port);
  const nodes = Array.from({ length: NODES }, () => new Node(`redis://127.0.0.1:${proxy.port}`));
  for (const node of nodes) await node.start();

  const history = new History();
  const issued = [];
  const later = [];
  let [accepted, isRunning, rounds] = [0, true, 0];

  /** Sends counts to random nodes, all at once. */
  async function send(counts) {
    const byNode = nodes.map(() => []);
    for (const claim of counts) byNode[random(NODES)].push(claim);
    await Promise.all(
      byNode.map(async (own, at) => {
        if (own.length === 0) return;
        const claims = own.map((claim) => {
          const { generation, expiresAt } = issued[Math.floor(claim / COUNTS)];
          return [`n${Math.floor(claim / COUNTS)}`, expiresAt, generation, (claim % COUNTS) + 1];
        });
        const { results } = await nodes[at].ask({ claims });
        for (const [one, claim] of own.entries()) {
          const result = results?.[one] ?? 'failed';
          if (result === 'accepted') accepted++;
          history.add(claim, at, result);
        }
      }),
    );
  }

  const shuffled = (list) =>
    list
      .map((one) => [Math.random(), one])
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);

  async function client() {
    while (issued.length * COUNTS < amount || rounds === 0) {
      const at = issued.push(undefined) - 1;
      for (;;) {
        const node = nodes[random(NODES)];
        issued[at] = (await node.ask({ issue: LIFETIME })).issued;
        if (issued[at] !== undefined) break;
        await delay(20);
      }
      const own = Array.from({ length: COUNTS }, (_, count) => at * COUNTS + count);
      const before = accepted;
      // The first request, and three replays of it, in any order, by whichever node.
      await send(shuffled([...own, ...own, ...own, ...own]));
      await send(shuffled(own));
      // Redis is out of reach: clients wait, as Retry-After says.
      if (accepted === before) await delay(50);
      later.push(...own);
      if (pause > 0) await delay(pause);
      // The last replay: long after, also of another generation.
      if (later.length > KEPT) await send(shuffled(later.splice(0, later.length - KEPT)));
    }
  }

  const faults = {
    'node killed': async () => {
      const node = nodes[random(NODES)];
      await node.kill();
      await node.start();
    },
    'node paused': async () => {
      const node = nodes[random(NODES)];
      node.signal('SIGSTOP');
      await delay(500);
      node.signal('SIGCONT');
    },
    'Redis cleared': () => main.command('FLUSHALL'),
    'Redis paused': async () => {
      main.signal('SIGSTOP');
      await delay(400);
      main.signal('SIGCONT');
    },
    'Redis killed and started empty': async () => {
      await main.kill();
      await main.start();
      await follow(replica, main);
    },
    'Redis killed and started with an earlier state': async () => {
      // Not while it saves for its replica.
      for (let saved = false; !saved;) {
        saved = await main.command('SAVE').then(
          () => true,
          () => delay(20, false),
        );
      }
      await delay(300);
      await main.kill();
      await main.start();
      await follow(replica, main);
    },
    'failover to the replica': async () => {
      await main.kill();
      await replica.command('REPLICAOF', 'NO', 'ONE');
      [main, replica] = [replica, main];
      proxy.redirect(main.port);
      await replica.start();
      await follow(replica, main);
    },
  };
  const happened = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));
  async function fail() {
    for (; isRunning; rounds++) {
      for (const [name, fault] of Object.entries(faults)) {
        if (!isRunning) return;
        await fault();
        happened[name]++;
        const before = accepted;
        const end = performance.now() + 30_000;
        while (isRunning && accepted === before && performance.now() < end) await delay(5);
        report.check(!isRunning || accepted > before, `nothing was accepted within 30 s after: ${name}`);
        await delay(500);
      }
    }
  }

  const began = performance.now();
  const failing = fail();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  isRunning = false;
  await failing;
  while (later.length > 0) await send(shuffled(later.splice(0, 2_000)));
  const seconds = (performance.now() - began) / 1_000;
  for (const node of nodes) await node.kill();
  proxy.close();
  await main.close();
  await replica.close();

  const total = issued.length * COUNTS;
  const { totals, twice, incomplete } = history.check(total);
  report.say(
    `${total} counts on ${NODES} nodes, each sent ${1 + REPLAYS} times: ${Object.entries(totals)
      .map(([result, times]) => `${times} ${result}`)
      .join(', ')}; ${Math.round(seconds)} s`,
  );
  report.say(
    `faults: ${Object.entries(happened)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
  );
  report.say(`accepted twice: ${twice}`);
  report.check(twice === 0, `${twice} counts were accepted twice.`);
  report.check(incomplete === 0, `${incomplete} counts were not sent ${1 + REPLAYS} times.`);
  // A history without one of them would prove nothing.
  for (const [result, times] of Object.entries(totals)) report.check(times > 0, `No claim was ${result}.`);
}
