// Reads a field that arrives in 200,000 chunks of one byte, and prints how much memory it takes before its end, in bytes.
// Needs `node --expose-gc` and the build.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { readForm } = require('../../../../dist/modules/content-negotiation/multipart/form.js');

const used = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

let grown = 0;

async function* chunks() {
  yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n');
  const before = used();
  for (let count = 0; count < 200_000; count++) yield Buffer.from('a');
  grown = used() - before;
  yield Buffer.from('\r\n--edge--\r\n');
}

const event = { request: { chunks, reserve: () => undefined } };
const limits = { files: 0, file_size: 0, fields: 1, field_size: 1_000_000, total: 1_000_000 };
await readForm(event, 'multipart/form-data; boundary=edge', { folder: '', limits });
console.log(JSON.stringify({ grown }));
