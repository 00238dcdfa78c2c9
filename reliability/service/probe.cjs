// Loaded before the server: measures the heap after a garbage collection, and counts active resources, when asked.
const { setTimeout: delay } = require('node:timers/promises');
const { isMainThread } = require('node:worker_threads');

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
  for (let time = 0; time < 4; time++) {
    globalThis.gc();
    await delay(20);
  }
  process.send({ heap: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo().length });
}
