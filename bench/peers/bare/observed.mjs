// The access log and metrics by hand: a line for each response, one write per turn of the event loop, and counters.
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = createWriteStream(path.join(folder, 'access.log'));

/** Upper limits of the durations of a histogram, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** By method, route and class of status: requests by duration, and their sum in seconds. */
const counters = new Map();
let lines = '';

function flush() {
  file.write(lines);
  lines = '';
}

function count(label, seconds) {
  let counter = counters.get(label);
  if (counter === undefined) counters.set(label, (counter = { counts: new Uint32Array(12), sum: 0 }));
  let bucket = 0;
  while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]) bucket++;
  counter.counts[bucket]++;
  counter.sum += seconds;
}

/**
 * Observes a request from its start to its end.
 * @returns {{ id: string, user: string | null, route: string }} `id` for `X-Request-Id`; `user` and `route` are set
 * later
 */
export function observe(request, response) {
  const startedAt = performance.now();
  const seen = { id: randomUUID(), user: null, route: '' };
  response.on('finish', () => {
    const milliseconds = performance.now() - startedAt;
    const { statusCode: status } = response;
    count(`${request.method} ${seen.route} ${Math.floor(status / 100)}`, milliseconds / 1000);
    if (lines === '') setImmediate(flush);
    lines += `${JSON.stringify({
      level: 30,
      time: new Date().toISOString(),
      method: request.method,
      path: request.url,
      status,
      request_id: seen.id,
      milliseconds,
      user: seen.user,
      address: request.socket.remoteAddress,
    })}\n`;
  });
  return seen;
}
