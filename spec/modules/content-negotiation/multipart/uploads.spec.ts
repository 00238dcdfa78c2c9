import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RawConnection } from '../../../factories/http/raw-connection';
import { fieldPart, filePart, writeParts, type WrittenPart } from '../../../factories/http/multipart';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { GalleryModule } from '../../../fixtures/gallery-module';

describe('a form with files', () => {
  const gallery = new GalleryModule();
  let folder: string;
  let platform: TestPlatform;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'uploads-'));
    platform = await startTestPlatform({
      extra: [gallery],
      local: { 'platform-content-negotiation': { uploads: { folder } } },
    });
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => (gallery.files.length = 0));
  /** Expects all temporary files to be removed; cleanup may finish shortly after the response. */
  afterEach(async () => {
    for (let turn = 0; turn < 750 && readdirSync(folder).length > 0; turn++) await setTimeout(20);
    expect(readdirSync(folder)).toEqual([]);
  });

  const send = (body: Buffer | FormData, type?: string) =>
    platform.request('/gallery/uploads', {
      method: 'POST',
      body: body instanceof FormData ? body : new Uint8Array(body),
      ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
    });
  const sendParts = (parts: readonly WrittenPart[]) =>
    send(writeParts(parts), 'multipart/form-data; boundary=edge');
  const good = [fieldPart('title', 'A cup'), filePart('picture', 'cup.txt', 'a cup')];

  it('names a file that is sent twice, though it has a single value', async () => {
    const answer = await sendParts([...good, filePart('picture', 'saucer.txt', 'a saucer')]);
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/picture', keyword: 'maxItems', message: 'is given twice, but has a single value' },
    ]);
  });

  it('passes its fields and files to the handler', async () => {
    const form = new FormData();
    form.append('title', 'Käse');
    form.append('year', '1889');
    form.append('tags', 'food');
    form.append('picture', new Blob(['yellow'], { type: 'text/plain' }), '../../käse.txt');
    form.append('more', new Blob(['x'.repeat(250_000)]), 'x.bin');
    const answer = await send(form);
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toEqual({
      title: 'Käse',
      year: 1889,
      tags: ['food'],
      files: [
        { name: 'picture', filename: 'käse.txt', type: 'text/plain', size: 6 },
        { name: 'more', filename: 'x.bin', type: 'application/octet-stream', size: 250_000 },
      ],
      lengths: [6, 250_000],
    });
    expect(gallery.files.map(({ existed }) => existed)).toEqual([true, true]);
    expect(gallery.files.every(({ path: file }) => file.startsWith(folder) && !file.includes('käse'))).toBe(
      true,
    );
  });

  it('parses a field of type application/json', async () => {
    const place = fieldPart('place', '{"city":"Ghent"}', 'Content-Type: application/json');
    expect(await bodyOf(await sendParts([...good, place]))).toMatchObject({ place: { city: 'Ghent' } });
    const twice = fieldPart('place', '{"city":"Ghent","city":"Bruges"}', 'Content-Type: application/json');
    const refused = await sendParts([...good, twice]);
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      400,
      {
        detail: 'The body is not valid JSON: the member "city" is a duplicate, at /place/city.',
        errors: [{ pointer: '/place/city' }],
      },
    ]);
    const broken = await sendParts([...good, fieldPart('a/b', '{"city":', 'Content-Type: application/json')]);
    expect([broken.status, (await bodyOf(broken)).errors]).toMatchObject([400, [{ pointer: '/a~1b' }]]);
  });

  it.each([0, 1, 2])('names the index of a repeated JSON field that is not valid: %i', async (invalid) => {
    const fields = [0, 1, 2].map((at) =>
      fieldPart('a/b', at === invalid ? '{"city":1,"city":2}' : '{}', 'Content-Type: application/json'),
    );
    const refused = await sendParts([...good, ...fields]);
    expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([
      400,
      [{ pointer: `/a~1b/${invalid}/city` }],
    ]);
  });

  it('removes its files when the handler fails', async () => {
    const answer = await sendParts([fieldPart('title', 'fail'), filePart('picture', 'a.txt', 'a')]);
    expect(answer.status).toBe(409);
    expect(gallery.files).toHaveLength(1);
  });

  it.each([
    [
      [fieldPart('title', 'x'), filePart('picture', 'a.txt', 'a')],
      '/title',
      'must have at least 2 characters',
    ],
    [[fieldPart('title', 'A cup')], '/picture', 'is required'],
    [
      [fieldPart('title', 'A cup'), fieldPart('picture', 'text')],
      '/picture',
      'must be a file of the type image/* or text/plain, of at most 200000 bytes, in a form (multipart/form-data)',
    ],
    [
      [fieldPart('title', 'A cup'), filePart('picture', 'a.exe', 'MZ', 'application/x-msdownload')],
      '/picture',
      'must be a file of the type',
    ],
    [
      [fieldPart('title', 'A cup'), filePart('picture', 'a.png', Buffer.alloc(200_001), 'image/png')],
      '/picture',
      'must be a file of the type',
    ],
    [[...good, fieldPart('year', 'soon')], '/year', 'must be integer'],
    [[...good, fieldPart('colour', 'red')], '/colour', 'unknown member'],
    // What browsers send for a file input without a file.
    [[fieldPart('title', 'A cup'), filePart('picture', '', '')], '/picture', 'is required'],
  ])('is rejected with 422 for an invalid field (%#)', async (parts, pointer, message) => {
    const answer = await sendParts(parts);
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      expect.objectContaining({ pointer, message: expect.stringContaining(message) as unknown }),
    ]);
  });

  it('is the only source of files: JSON cannot provide one', async () => {
    const answer = await platform.request('/gallery/uploads', sendJson({ title: 'A cup', picture: 'text' }));
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toMatchObject([{ pointer: '/picture', keyword: 'x-file' }]);
  });

  it.each([
    ['files', 3, [...good, ...[1, 2, 3].map((n) => filePart('more', `${n}.txt`, 'x'))]],
    ['file_size', 300_000, [...good, filePart('more', 'x', Buffer.alloc(300_001))]],
    ['fields', 5, [...good, ...Array.from({ length: 6_000 }, () => fieldPart('tags', 'x'))]],
    ['field_size', 1_000, [...good, fieldPart('tags', 'x'.repeat(1_001))]],
  ])('is rejected with 413 above the limit of %s', async (name, value, parts) => {
    const answer = await sendParts(parts);
    expect(answer.status).toBe(413);
    expect((await bodyOf(answer)).limit).toEqual({ name, value });
    expect(gallery.files).toEqual([]);
  });

  /** The status of an upload to a platform with another folder for temporary files. */
  const uploadTo = async (other: TestPlatform): Promise<number> => {
    const { status } = await other.request('/gallery/uploads', {
      method: 'POST',
      body: new Uint8Array(writeParts(good)),
      headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
    });
    await other.stop();
    return status;
  };
  const startWith = (uploads: string, files: Record<string, string> = {}): Promise<TestPlatform> =>
    startTestPlatform({
      extra: [new GalleryModule()],
      local: { 'platform-content-negotiation': { uploads: { folder: uploads } } },
      files,
    });

  it('is stored in a folder that is created by the first one', async () => {
    expect(await uploadTo(await startWith('data/uploads/new'))).toBe(200);
  });

  it('is rejected with 507 if its files cannot be stored, and nothing is removed', async () => {
    const other = await startWith('data/notes.txt/uploads', { 'data/notes.txt': '' });
    expect(await uploadTo(other)).toBe(507);
    const messages = other.log.lines.map(({ message }) => message);
    expect(messages).not.toContain('Could not remove the uploaded files of a request.');
  });

  it('may have more file inputs without a file than files', async () => {
    const inputs = (count: number) => Array.from({ length: count }, () => filePart('more', '', ''));
    const answer = await sendParts([...inputs(4), ...good, ...inputs(4)]);
    expect([answer.status, (await bodyOf(answer)).lengths]).toEqual([200, [5]]);
    const unnamed = await sendParts([...good, filePart('more', '', 'x'.repeat(250_000)), ...inputs(1)]);
    expect((await bodyOf(unnamed)).lengths).toEqual([5, 250_000]);
    const refused = await sendParts([...good, ...inputs(20)]);
    expect([refused.status, (await bodyOf(refused)).limit]).toEqual([413, { name: 'files', value: 3 }]);
  });

  it('is rejected with 413 above the total limit, with or without Content-Length', async () => {
    const large = [200_000, 250_000, 100_000].map((size) => filePart('more', 'x', Buffer.alloc(size)));
    expect((await sendParts([...good, ...large])).status).toBe(413);
    const chunk = writeParts([...good, ...large]);
    const head =
      'POST /gallery/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=edge\r\n' +
      `Transfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n`;
    const whole = Buffer.concat([Buffer.from(head), chunk, Buffer.from('\r\n0\r\n\r\n')]);
    expect((await sendRaw(platform.origin, whole)).status).toBe(413);
  });

  it.each([
    ['without its last boundary', writeParts(good).subarray(0, -10), 'multipart/form-data; boundary=edge'],
    ['without a boundary', writeParts(good), 'multipart/form-data'],
    ['with a boundary that is too long', writeParts(good), `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['with a different boundary', writeParts(good), 'multipart/form-data; boundary=other'],
    [
      'with a part that is not a field',
      writeParts([{ head: ['X: y'], content: '' }]),
      'multipart/form-data; boundary=edge',
    ],
    [
      'with a part with a header of 64 KB',
      writeParts([...good, fieldPart('tags', 'x', `X: ${'x'.repeat(65_536)}`)]),
      'multipart/form-data; boundary=edge',
    ],
    [
      'with a field named __proto__',
      writeParts([...good, fieldPart('__proto__', 'x')]),
      'multipart/form-data; boundary=edge',
    ],
    [
      'with a field that is not UTF-8',
      writeParts([...good, { ...fieldPart('tags', ''), content: Buffer.from([0xff]) }]),
      'multipart/form-data; boundary=edge',
    ],
  ])('is rejected with 400 %s', async (_, body, type) => {
    const answer = await send(body, type);
    expect(answer.status).toBe(400);
    expect(gallery.files).toEqual([]);
  });

  it('is rejected with 415 for text in another charset', async () => {
    const latin = fieldPart('tags', 'x', 'Content-Type: text/plain; charset=iso-8859-1');
    expect((await sendParts([...good, latin])).status).toBe(415);
    const whole = await send(writeParts(good), 'multipart/form-data; boundary=edge; charset=latin1');
    expect(whole.status).toBe(415);
  });

  it('removes its files when the client disconnects early', async () => {
    const body = writeParts([...good, filePart('more', 'x', Buffer.alloc(200_000))]);
    const connection = await RawConnection.open(platform.origin);
    connection.write(
      'POST /gallery/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=edge\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body.subarray(0, 100_000).toString()}`,
    );
    for (let turn = 0; turn < 1500 && readdirSync(folder).length === 0; turn++) await setTimeout(10);
    expect(readdirSync(folder)).toHaveLength(1);
    connection.destroy();
  });

  it('leaves the connection usable, even if it was rejected', async () => {
    const body = writeParts([...good, filePart('more', 'x', Buffer.alloc(400_000))]);
    const head = (length: number): string =>
      `POST /gallery/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n`;
    const small = writeParts(good);
    const bytes = Buffer.concat([
      Buffer.from(head(body.length)),
      body,
      Buffer.from(head(small.length)),
      small,
    ]);
    const { text } = await sendRaw(platform.origin, bytes, 1_000);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});
