import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { concatChunks, runSync, EncodedContent } from '../../../src/framework';

const MEGABYTE = 1_048_576;

describe('Encoded content', () => {
  it.each([0, 10, MEGABYTE, 3 * MEGABYTE + 1])(
    'of %d bytes has their digest as its entity tag',
    async (length) => {
      const bytes = Buffer.alloc(length, 'abc');
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
      const content = new EncodedContent(bytes);

      const { bytes: same, ...others } = await content.in('identity');
      expect(same).toBe(bytes);
      expect(others).toEqual({ etag: `"${digest}"`, coding: 'identity' });
      expect(content.in('identity')).toMatchObject(others);
    },
  );

  it('is compressed once, with an entity tag of its own', async () => {
    const content = new EncodedContent('a'.repeat(2 * MEGABYTE));
    const [one, other] = [content.in('gzip'), content.in('gzip')];
    expect(other).toBe(one);
    const { bytes, etag, coding } = await one;
    expect(coding).toBe('gzip');
    expect(etag).toBe((await content.in('identity')).etag.replace(/"$/, '-gzip"'));
    expect(gunzipSync(bytes).equals(content.bytes)).toBe(true);
  });

  it('keeps no other memory than its bytes', async () => {
    const content = new EncodedContent('a'.repeat(3_000));
    const kept = [content.bytes, (await content.in('gzip')).bytes, (await content.in('br')).bytes];
    expect(kept.map(({ buffer }) => buffer.byteLength)).toEqual(kept.map(({ length }) => length));
  });
});

describe('concatChunks()', () => {
  it('returns a string, or a buffer for many chunks', () => {
    expect(runSync(concatChunks([]))).toBe('');
    expect(runSync(concatChunks(['a', '', 'b']))).toBe('ab');
    const many = Array.from({ length: 900 }, (_, at) => `${at}ä€😀`.repeat(100));
    expect(runSync(concatChunks(many))).toEqual(Buffer.from(many.join('')));
  });

  it('gives equal bytes in different formats different entity tags', async () => {
    const tags = await Promise.all(
      ['ApidescModel', 'OpenapiModel', 'ApidescModel'].map(
        async (format) => (await new EncodedContent('{}', format).in('identity')).etag,
      ),
    );
    expect(tags[0]).toBe(tags[2]);
    expect(tags[0]).not.toBe(tags[1]);
  });
});
