// Prints as JSON, in bytes, what a negotiator keeps of 20,000 clients with an Accept field of their own.
import { createRequire } from 'node:module';
import { usedMemory } from '../../../factories/measure/used-memory.mjs';

const { Negotiator } = createRequire(import.meta.url)('../../../../dist/framework/index.js');

const negotiator = new Negotiator(['text/html']);
const before = usedMemory();
for (let client = 0; client < 20_000; client++) {
  negotiator.choose(`text/html, application/x-${client}-${'x'.repeat(400)}`);
}
const kept = usedMemory() - before;
if (negotiator.choose('text/html') !== 'text/html') throw new Error('The negotiator does not work.');
console.log(JSON.stringify({ kept }));
