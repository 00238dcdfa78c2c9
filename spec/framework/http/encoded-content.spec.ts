import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { concatChunks, runSync, EncodedContent } from '../../../src/framework';

const MEGABYTE = 1_048_576;

describe('A representation', () => {
  it.each([0, 10, MEGABYTE, 3 * MEGABYTE + 1])('of %d bytes is known by their digest', async (length) => {
    const bytes = Buffer.alloc(length, 'abc');
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const representation = new EncodedContent(bytes);

    const { bytes: same, ...others } = await representation.in('identity');
    expect(same).toBe(bytes);
    expect(others).toEqual({ etag: `"${digest}"`, coding: 'identity' });
    // What was made is there at once.
    expect(representation.in('identity')).toMatchObject(others);
  });

  it('is coded once, under a tag of its own', async () => {
    const representation = new EncodedContent('a'.repeat(2 * MEGABYTE));
    const [one, other] = [representation.in('gzip'), representation.in('gzip')];
    expect(other).toBe(one);
    const { bytes, etag, coding } = await one;
    expect(coding).toBe('gzip');
    expect(etag).toBe((await representation.in('identity')).etag.replace(/"$/, '-gzip"'));
    expect(gunzipSync(bytes).equals(representation.bytes)).toBe(true);
  });
});

describe('Pieces of a text', () => {
  it('are put together to a text, or to its bytes where there are many', () => {
    expect(runSync(concatChunks([]))).toBe('');
    expect(runSync(concatChunks(['a', '', 'b']))).toBe('ab');
    const many = Array.from({ length: 900 }, (_, at) => `${at}ä€😀`.repeat(100));
    expect(runSync(concatChunks(many))).toEqual(Buffer.from(many.join('')));
  });

  it('has another entity tag in another format, though the bytes are the same', async () => {
    const tags = await Promise.all(
      ['ApidescModel', 'OpenapiModel', 'ApidescModel'].map(
        async (format) => (await new EncodedContent('{}', format).in('identity')).etag,
      ),
    );
    expect(tags[0]).toBe(tags[2]);
    expect(tags[0]).not.toBe(tags[1]);
  });
});
