import path from 'node:path';
import type { MvcEvent } from '../../../../src/framework';
import { readForm } from '../../../../src/modules/content-negotiation/multipart/form';
import { runMemoryScript } from '../../../factories/measure/memory-script';

describe('A field of a form', () => {
  it('takes no more memory when it arrives in tiny chunks', async () => {
    const { grown } = await runMemoryScript(path.join(__dirname, 'form-memory.mjs'));
    // It was a hundred bytes and more for each.
    expect(grown).toBeLessThan(200_000 * 20);
  });

  it('reserves the bytes that it has received, however they arrive', async () => {
    let reserved = 0;
    async function* chunks() {
      for (let count = 0; count < 100; count++) {
        yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n');
        // Separately, so that each is a chunk of the field.
        for (const text of ['a', 'b'])
          yield await new Promise<Buffer>((resolve) => setImmediate(resolve, Buffer.from(text)));
        yield Buffer.from('\r\n');
      }
      yield Buffer.from('--edge--\r\n');
    }
    const event = { request: { chunks, reserve: (bytes: number) => (reserved += bytes) } };
    const limits = { files: 0, file_size: 0, fields: 100, field_size: 1_000, total: 1_000_000 };
    // A form needs nothing else of the event.
    const form = await readForm(event as unknown as MvcEvent, 'multipart/form-data; boundary=edge', {
      folder: '',
      limits,
      depth: 1,
      members: 1,
    });
    expect(form).toEqual({ a: Array.from({ length: 100 }, () => 'ab') });
    expect(reserved).toBe(200);
  });
});
