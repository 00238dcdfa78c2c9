// Loaded before the server: measures the heap after a garbage collection, and counts active resources, when asked.
const { setTimeout: delay } = require('node:timers/promises');
const { isMainThread } = require('node:worker_threads');

const MAX_COLLECTIONS = 4;
/** Octets: a collection that releases less is the last one. */
const SETTLED = 100_000;

if (isMainThread) answerMeasurements();

function answerMeasurements() {
  process.on('message', () => {
    void measure();
  });
  // The server may end while the channel is open.
  process.channel.unref();
}

async function measure() {
  // What a collection releases may be held by finalizers until the next one.
  let [heap, before] = [collect(), Infinity];
  for (let time = 1; time < MAX_COLLECTIONS && before - heap > SETTLED; time++) {
    await delay(20);
    [heap, before] = [collect(), heap];
  }
  process.send({ heap, resources: process.getActiveResourcesInfo().length });
}

function collect() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
