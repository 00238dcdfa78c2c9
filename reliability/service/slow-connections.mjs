// Connections of clients that send their request slowly, or do not read the response.
import { connect } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

/** Milliseconds between two bytes of a connection. */
const TICK_MS = 2_000;

/** Connections do not send at the same time: each belongs to one of this many groups. */
const GROUPS = 40;

const HOST = 'Host: localhost\r\n';

/** What each kind sends at first, and then again and again. */
const KINDS = {
  headers: { first: `GET /v1/atlas/countries/DE HTTP/1.1\r\n${HOST}X-Slow: `, next: 'a' },
  bodies: {
    first: `POST /load/echo HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"text":"`,
    next: 'a',
  },
  reads: { first: `GET /load/lines?count=1000000 HTTP/1.1\r\n${HOST}\r\n`, next: undefined },
};

class SlowConnection {
  /** The status of the response, or "complete", or "closed" or "reset" without one; undefined while it is open. */
  result;
  #text = '';
  #openedAt = performance.now();
  #unread;

  /** @param {number} unread seconds after which a client that did not read begins to: it learns whether it was disconnected */
  constructor(kind, port, unread) {
    this.kind = kind;
    this.#unread = unread;
    const { first, next } = KINDS[kind];
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('connect', () => this.socket.write(first));
    this.socket.on('error', () => (this.result ??= 'reset'));
    this.socket.on('close', () => (this.result ??= 'closed'));
    if (next === undefined) this.socket.pause();
    this.socket.on('data', (chunk) => this.#read(chunk));
    this.next = next;
  }

  #read(chunk) {
    // The beginning has the status, the end says whether the response is complete.
    this.#text = (this.#text + chunk.toString('latin1')).slice(0, 20);
    if (this.next !== undefined) this.result ??= /^HTTP\/1\.1 (\d{3}) /.exec(this.#text)?.[1];
    else if (chunk.toString('latin1').endsWith('\r\n0\r\n\r\n')) this.result ??= 'complete';
  }

  tick() {
    if (this.result !== undefined || this.socket.connecting) return;
    if (this.next !== undefined) this.socket.write(this.next);
    else if (performance.now() - this.#openedAt > this.#unread * 1_000) this.socket.resume();
  }
}

/** Opens connections at a rate per second, and keeps them slow until the server ends them. */
export class SlowClients {
  connections = [];
  #timers = [];

  /**
   * @param {Record<string, number>} counts of each kind
   * @param {{ rate: number, unread: number }} options connections opened per second; seconds for which clients do not read
   */
  constructor(port, counts, { rate, unread }) {
    const all = Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
    // Alternating kinds.
    const order = all
      .map((kind, at) => [((at * 7919) % all.length) + at / all.length, kind])
      .sort(([a], [b]) => a - b);
    let opened = 0;
    const open = () => {
      for (let times = Math.ceil(rate / 20); times > 0 && opened < order.length; times--)
        this.connections.push(new SlowConnection(order[opened++][1], port, unread));
      if (opened === order.length) clearInterval(opening);
    };
    const opening = setInterval(open, 50);
    this.total = order.length;
    let group = 0;
    const tick = () => {
      group = (group + 1) % GROUPS;
      for (let at = group; at < this.connections.length; at += GROUPS) this.connections[at].tick();
    };
    this.#timers.push(opening, setInterval(tick, TICK_MS / GROUPS));
  }

  get isOpen() {
    return this.connections.length === this.total;
  }

  get open() {
    return this.connections.filter(({ result }) => result === undefined).length;
  }

  /** How often each kind ended how. @returns {Map<string, number>} such as "headers 408" */
  results() {
    const counts = new Map();
    for (const { kind, result = 'open' } of this.connections)
      counts.set(`${kind} ${result}`, (counts.get(`${kind} ${result}`) ?? 0) + 1);
    return counts;
  }

  stop() {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { socket } of this.connections) socket.destroy();
  }
}
