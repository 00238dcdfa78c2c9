// Load over raw keep-alive connections: each sends its next request when the last answer is complete.
import { connect } from 'node:net';
import { setImmediate } from 'node:timers';

/**
 * @param {object} options
 * @param {number} options.port of 127.0.0.1
 * @param {number} options.connections
 * @param {number} options.seconds
 * @param {() => string} options.next the bytes of the next request, made beforehand so that making them costs nothing
 * @returns {Promise<{ requests: number, failed: number, seconds: number, p50: number, p99: number }>}
 *   `failed` counts answers that are not 2xx; latencies are in milliseconds
 */
export async function load({ port, connections, seconds, next }) {
  const latencies = [];
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  // A generator that sleeps is woken by the server's own write, which pays for it in the kernel: a quarter of an
  // unguarded request, and more or less of it as the generator is less or more busy.
  let running = true;
  const stayAwake = () => {
    if (running) setImmediate(stayAwake);
  };
  if (process.env.BENCH_ASLEEP !== '1') stayAwake();
  await Promise.all(
    Array.from({ length: connections }, () => converse(port, next, end, latencies, () => failed++)),
  );
  running = false;
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requests: latencies.length, failed, seconds: elapsed, p50: at(0.5), p99: at(0.99) };
}

function converse(port, next, end, latencies, onFailure) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let answer = '';
    const send = () => {
      if (performance.now() >= end) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(next());
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (part) => {
      answer += part;
      const head = answer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < head + 4 + length) return;
      latencies.push(performance.now() - sentAt);
      if (answer[9] !== '2') onFailure();
      answer = '';
      send();
    });
  });
}
