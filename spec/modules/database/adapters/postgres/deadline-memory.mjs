// Waits for 2,000 steps in turn, 32 at a time, and prints how much the old generation has grown meanwhile, in bytes. All
// of what waited has about 32 MB. Needs `node --expose-gc` and the build.
import { createRequire } from 'node:module';
import { getHeapSpaceStatistics } from 'node:v8';

const require = createRequire(import.meta.url);
const { Deadline } = require('../../../../../dist/modules/database/adapters/postgres/deadline.js');

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size;

const pending = [];

function begin() {
  // As large as a request with its response.
  const limits = { signal: undefined, kept: Array.from({ length: 1000 }, (_, at) => ({ at })) };
  let end;
  const step = new Promise((resolve) => (end = resolve));
  pending.push({ end, waited: new Deadline(limits, 60_000).wait(step, () => undefined) });
}

for (let count = 0; count < 32; count++) begin();
globalThis.gc();
const before = oldBytes();
for (let count = 0; count < 2000; count++) {
  begin();
  const oldest = pending.shift();
  oldest.end();
  await oldest.waited;
  if (count % 100 === 0) globalThis.gc({ type: 'minor' });
}
console.log(JSON.stringify({ grown: oldBytes() - before }));
for (const { end } of pending) end();
await Promise.all(pending.map(({ waited }) => waited));
