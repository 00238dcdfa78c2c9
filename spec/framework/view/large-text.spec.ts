import { concatChunks, runSync } from '../../../src/framework';
import { LargeText } from '../../../src/framework/view/large-text';

const MEGABYTE = 1_048_576;

/** Parts of up to 256 KiB. */
const parts = Array.from({ length: 160 }, (_, at) => (['a', 'ä', '€', '😀'][at % 4] ?? '').repeat(65_536));
const expected = Buffer.from(parts.join(''));

function encode(text: LargeText, from: readonly string[]): Buffer {
  for (const part of from) runSync(text.append(part));
  return runSync(text.end());
}

describe('A large text', () => {
  it.each([0, 1, 2, 127, 128, 129, 160])('of %d parts has their bytes, in their order', (count) => {
    const some = parts.slice(0, count);
    expect(encode(new LargeText(), some).equals(Buffer.from(some.join('')))).toBe(true);
  });

  it.each([0, 1, 16 * MEGABYTE, 24 * MEGABYTE, expected.length, Number.MAX_SAFE_INTEGER])(
    'is complete if %d bytes may be reserved',
    (maxBytes) => {
      const bytes = encode(new LargeText(maxBytes), [...parts, 'end']);
      expect(bytes.equals(Buffer.concat([expected, Buffer.from('end')]))).toBe(true);
    },
  );

  it('is accepted by the Response of fetch', async () => {
    const bytes = encode(new LargeText(), parts) as Buffer<ArrayBuffer>;
    const received = Buffer.from(await new Response(bytes).arrayBuffer());
    expect(received.equals(expected)).toBe(true);
  });

  it('takes its length in memory twice until a garbage collection, from Node.js 24 on once', () => {
    const length = 64 * MEGABYTE;
    const part = 'a'.repeat(65_536);
    function* chunks(): Generator<string> {
      for (let at = 0; at < length; at += part.length) yield part;
    }

    const before = process.memoryUsage.rss();
    const bytes = runSync(concatChunks(chunks()));
    const taken = process.memoryUsage.rss() - before;
    expect(bytes).toHaveLength(length);
    expect(taken).toBeLessThan((process.versions.node < '24' ? 2.5 : 1.5) * length);
  });
});
