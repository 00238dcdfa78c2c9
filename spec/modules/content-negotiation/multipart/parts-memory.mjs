// Reads a part that arrives in 200,000 chunks of one byte, and prints how much the heap has grown before its end, in bytes.
// Needs `node --expose-gc` and the build.
import { createRequire } from 'node:module';
import { finished } from 'node:stream/promises';

const require = createRequire(import.meta.url);
const { readParts } = require('../../../../dist/modules/content-negotiation/multipart/parts.js');

const used = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

let grown = 0;

async function* chunks() {
  yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n');
  const byte = Buffer.from('a');
  const before = used();
  for (let count = 0; count < 200_000; count++) yield byte;
  grown = used() - before;
  yield Buffer.from('\r\n--edge--\r\n');
}

await readParts(chunks(), 'edge', ({ content }) => finished(content.resume()));
console.log(JSON.stringify({ grown }));
