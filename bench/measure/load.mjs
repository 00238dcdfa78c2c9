// Load over persistent raw connections: each sends its next request when the last response is complete.
import { connect } from 'node:net';
import { setImmediate } from 'node:timers';
import { AnswerReader } from './answer-reader.mjs';
import { Latencies } from './latencies.mjs';

/** Seconds that the last responses may take. */
const MAX_SILENCE_S = 30;

/**
 * What a connection has just read, one buffer for all of them: Node allocates 64 KB for each read otherwise, and garbage
 * collection stops every connection.
 */
const received = Buffer.allocUnsafeSlow(65_536);

/**
 * @param {object} options
 * @param {number} options.port of 127.0.0.1
 * @param {string} [options.from] local address of the connections
 * @param {number} options.connections
 * @param {number} [options.seconds] after which nothing more is sent
 * @param {number} [options.requests] after which nothing more is sent; defaults to as many as fit into the time
 * @param {() => string} options.next the bytes of the next request
 * @param {() => string} [options.first] the request that opens a connection; defaults to the next. If requests are
 *   slow, pass a fast one: the server would close the other open connections meanwhile
 * @param {number} [options.expect] the status of every response; defaults to any 2xx
 * @returns {Promise<{ requests: number, failed: number, seconds: number, p50: number, p99: number }>}
 *   `failed` counts responses with another status, except those to `first`; latencies are in milliseconds
 * @throws Error when the server closes a connection, or stops responding
 */
export async function load({
  port,
  from,
  connections,
  seconds = Infinity,
  requests = Infinity,
  next,
  first = next,
  expect,
}) {
  const latencies = new Latencies();
  const run = { port, from, next: first, latencies, expect, end: 0, left: requests, failed: 0 };
  // Each connection is opened by an uncounted request: servers delay new connections, so that requests of others
  // overtake theirs, which increasing counts do not survive.
  const opened = [];
  for (let at = 0; at < connections; at++) opened.push(await open(run));
  if (first !== next) run.failed = 0;
  run.next = next;
  const started = performance.now();
  run.end = started + seconds * 1000;
  // A sleeping generator is woken by the server's write, whose kernel time includes the wake-up: a quarter of an
  // unguarded request, varying with the generator's load.
  let running = true;
  const stayAwake = () => {
    if (running) setImmediate(stayAwake);
  };
  if (process.env.BENCH_ASLEEP !== '1') stayAwake();
  const deadline = watch(port, opened, seconds);
  try {
    await Promise.all(opened.map((connection) => connection.converse()));
  } finally {
    running = false;
    clearTimeout(deadline);
    for (const connection of opened) connection.close();
  }
  return {
    requests: latencies.count,
    failed: run.failed,
    seconds: (performance.now() - started) / 1000,
    p50: latencies.at(0.5),
    p99: latencies.at(0.99),
  };
}

/** Ends connections whose server does not respond any more. */
function watch(port, connections, seconds) {
  if (seconds === Infinity) return undefined;
  return setTimeout(
    () => {
      for (const connection of connections) connection.fail(new Error(`The server at port ${port} hangs.`));
    },
    (seconds + MAX_SILENCE_S) * 1000,
  );
}

/** Connects, and waits for the response to a first request. */
function open(run) {
  return new Promise((resolve, reject) => {
    const connection = new Connection(run, resolve, reject);
    connection.ask();
  });
}

class Connection {
  #run;
  #socket;
  #answer = new AnswerReader();
  #sentAt = 0;
  #onAnswer;
  #onFailure;
  /** The error that ended it, perhaps before any request. */
  #failure;

  constructor(run, onOpened, onFailure) {
    this.#run = run;
    this.#onFailure = onFailure;
    this.#onAnswer = () => onOpened(this);
    this.#socket = connect({
      port: run.port,
      host: '127.0.0.1',
      localAddress: run.from,
      onread: { buffer: received, callback: (length) => this.#receive(length) },
    });
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => this.fail(error));
    this.#socket.on('close', () =>
      this.fail(new Error(`The server at port ${run.port} closed a persistent connection.`)),
    );
  }

  ask() {
    this.#run.left--;
    this.#sentAt = performance.now();
    this.#socket.write(this.#run.next(), 'latin1');
  }

  /**
   * Sends requests repeatedly. Settles when the time, or the number of requests, is used up. @returns {Promise<void>}
   */
  converse() {
    return new Promise((resolve, reject) => {
      const run = this.#run;
      const goOn = () => {
        if (run.left > 0 && performance.now() < run.end) this.ask();
        else resolve();
      };
      this.#onFailure = reject;
      if (this.#failure !== undefined) throw this.#failure;
      this.#onAnswer = () => {
        run.latencies.add(performance.now() - this.#sentAt);
        goOn();
      };
      goOn();
    });
  }

  close() {
    this.#onFailure = () => undefined;
    this.#socket.destroy();
  }

  fail(error) {
    this.#failure ??= error;
    this.#onFailure(this.#failure);
  }

  #receive(length) {
    if (this.#answer.take(received.subarray(0, length))) this.#judge();
    return true;
  }

  #judge() {
    const { expect } = this.#run;
    const { status } = this.#answer;
    if (expect === undefined ? status < 200 || status > 299 : status !== expect) this.#run.failed++;
    this.#onAnswer();
  }
}
