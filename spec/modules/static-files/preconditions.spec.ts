import {
  evaluatePreconditions,
  permitsRange,
  validatorsOf,
} from '../../../src/modules/static-files/preconditions';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const mtimeMs = Date.parse(DATE) + 250.125;
const validators = validatorsOf({ size: 12, mtimeMs }, '', mtimeMs + 5_000);
const evaluate = (fields: Readonly<Record<string, string>>) =>
  evaluatePreconditions((name) => fields[name], validators);

describe('the validators of a file', () => {
  it('differ by size, modification time and content coding', () => {
    const now = mtimeMs + 5_000;
    const tags = [
      validatorsOf({ size: 12, mtimeMs }, '', now),
      validatorsOf({ size: 13, mtimeMs }, '', now),
      validatorsOf({ size: 12, mtimeMs: mtimeMs + 0.01 }, '', now),
      validatorsOf({ size: 12, mtimeMs }, 'br', now),
    ].map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(4);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  it('have a weak entity tag while the file may change again at the same time', () => {
    expect(validatorsOf({ size: 12, mtimeMs }, '', mtimeMs + 999).etag).toBe(`W/${validators.etag}`);
    expect(validatorsOf({ size: 12, mtimeMs }, '', mtimeMs + 1_000).etag).toBe(validators.etag);
  });

  it('have whole seconds', () => {
    expect(new Date(validators.lastModified).toUTCString()).toBe(DATE);
  });

  it('have no modification time that is later than that of the response', () => {
    const { lastModified } = validatorsOf({ size: 12, mtimeMs: mtimeMs + 3_600_000 }, '', mtimeMs);
    expect(new Date(lastModified).toUTCString()).toBe(DATE);
  });
});

describe('the preconditions of a request for a file', () => {
  it('are met without any, and with fields that are invalid dates', () => {
    expect(evaluate({})).toBe('met');
    // `Date.parse` reads most of them.
    const later = [
      '2000',
      `${LATER}+0000`,
      `(a) ${LATER}`,
      'Sun Nov  6 08:49:38 1994 (a)',
      '(a) Sun Nov  6 08:49:38 1994',
      'tomorrow',
      'Sun, 99 Nov 1994 08:49:38 GMT',
    ];
    for (const field of later)
      expect([field, evaluate({ 'if-modified-since': field })]).toEqual([field, 'met']);
    expect(evaluate({ 'if-unmodified-since': '1990' })).toBe('met');
  });

  it('compare If-None-Match weakly, and ignore If-Modified-Since next to it', () => {
    expect(evaluate({ 'if-none-match': `"x", W/${validators.etag}` })).toBe('not modified');
    expect(evaluate({ 'if-none-match': '*' })).toBe('not modified');
    expect(evaluate({ 'if-none-match': '"x"', 'if-modified-since': LATER })).toBe('met');
  });

  it('compare dates in all three formats', () => {
    expect(evaluate({ 'if-modified-since': DATE })).toBe('not modified');
    expect(evaluate({ 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' })).toBe('not modified');
    expect(evaluate({ 'if-modified-since': 'Sun Nov  6 08:49:37 1994' })).toBe('not modified');
    expect(evaluate({ 'if-modified-since': EARLIER })).toBe('met');
    expect(evaluate({ 'if-unmodified-since': EARLIER })).toBe('failed');
    expect(evaluate({ 'if-unmodified-since': DATE })).toBe('met');
  });

  it('compare If-Match strongly, and ignore If-Unmodified-Since next to it', () => {
    expect(evaluate({ 'if-match': `"x", ${validators.etag}`, 'if-unmodified-since': EARLIER })).toBe('met');
    expect(evaluate({ 'if-match': '*' })).toBe('met');
    expect(evaluate({ 'if-match': `W/${validators.etag}` })).toBe('failed');
    expect(evaluate({ 'if-match': 'malformed' })).toBe('failed');
  });

  it('permit a range for a strong validator that matches exactly', () => {
    expect(permitsRange(undefined, validators)).toBe(true);
    expect(permitsRange(validators.etag, validators)).toBe(true);
    expect(permitsRange(DATE, validators)).toBe(true);
    for (const other of [LATER, EARLIER, `W/${validators.etag}`, '"x"', 'nonsense'])
      expect(permitsRange(other, validators)).toBe(false);
    const weak = { ...validators, etag: `W/${validators.etag}` };
    expect(permitsRange(weak.etag, weak)).toBe(false);
    expect(permitsRange(DATE, weak)).toBe(false);
  });
});
