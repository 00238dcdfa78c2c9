import path from 'node:path';
import { runMemoryScript } from '../../../factories/memory-script';

describe('A field of a form', () => {
  it('takes no more memory when it arrives in tiny chunks', async () => {
    const { grown } = await runMemoryScript(path.join(__dirname, 'form-memory.mjs'));
    // It was a hundred bytes and more for each.
    expect(grown).toBeLessThan(200_000 * 20);
  });
});
