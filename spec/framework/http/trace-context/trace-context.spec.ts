import fc from 'fast-check';
import { traceContextOf } from '../../../../src/framework/http/trace-context/trace-context';
import {
  formatTraceParent,
  parseTraceParent,
} from '../../../../src/framework/http/trace-context/trace-parent';
import { formatTraceState, parseTraceState } from '../../../../src/framework/http/trace-context/trace-state';
import { growthOf } from '../../../factories/measure/cpu-time';
import { anyText } from '../../../factories/any-text';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const hex = (digits: number) =>
  fc
    .string({
      unit: fc.constantFrom(...Array.from('0123456789abcdef')),
      minLength: digits,
      maxLength: digits,
    })
    .filter((text) => /[^0]/.test(text));
const keyCharacter = fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz0123456789_-*/'));
const key = fc
  .tuple(fc.constantFrom(...Array.from('abcxyz')), fc.string({ unit: keyCharacter, maxLength: 20 }))
  .map(([first, rest]) => first + rest);
const tenant = fc
  .tuple(fc.string({ unit: keyCharacter, maxLength: 20 }), fc.string({ unit: keyCharacter, maxLength: 13 }))
  .map(([one, other]) => `7${one}@v${other}`);
const value = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 256 })
  .filter((text) => !/[,=]/.test(text) && !text.endsWith(' '));
const state = fc.uniqueArray(fc.tuple(fc.oneof(key, tenant), value), {
  maxLength: 32,
  selector: ([name]) => name,
});

describe('traceparent', () => {
  it('is parsed and formatted without loss', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.boolean(), (traceId, parentId, isSampled) => {
        const parent = { traceId, parentId, isSampled };
        expect(parseTraceParent(formatTraceParent(parent))).toEqual(parent);
      }),
    );
  });

  it.each([
    ['other flags', `00-${TRACE}-${PARENT}-ff`, true],
    ['no sampled flag', `00-${TRACE}-${PARENT}-02`, false],
    ['a later version', `cc-${TRACE}-${PARENT}-01`, true],
    ['further fields of a later version', `cc-${TRACE}-${PARENT}-01-what-comes-next`, true],
  ])('is accepted with %s', (_, text, isSampled) => {
    expect(parseTraceParent(text)).toEqual({ traceId: TRACE, parentId: PARENT, isSampled });
  });

  it.each([
    ['the invalid version', `ff-${TRACE}-${PARENT}-01`],
    ['further fields of version 00', `00-${TRACE}-${PARENT}-01-extra`],
    ['characters after the flags of a later version', `cc-${TRACE}-${PARENT}-01.extra`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['two values', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['a line break', `00-${TRACE}-${PARENT}-01\n`],
    ['nothing', ''],
  ])('is ignored with %s', (_, text) => {
    expect(parseTraceParent(text)).toBeUndefined();
    expect(traceContextOf(text, 'a=1')).toMatchObject({ parentId: undefined, state: undefined });
  });

  it('is ignored if it is any other text', () => {
    const valid = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!valid.test(text));
        expect(parseTraceParent(text)).toBeUndefined();
      }),
    );
  });
});

describe('tracestate', () => {
  it('is parsed and formatted without loss, in its order', () => {
    fc.assert(
      fc.property(state, (members) => {
        const text = members.map(([name, one]) => `${name}=${one}`).join(',');
        // A list removes whitespace before a member; a value keeps what is inside.
        const parsed = parseTraceState(text);
        expect(parsed && [...parsed]).toEqual(members);
        expect(formatTraceState(new Map(members))).toBe(text);
      }),
    );
  });

  it('may have whitespace around members, and empty ones', () => {
    expect([...(parseTraceState(' a=1 ,\t,b= 2\t') ?? [])]).toEqual([
      ['a', '1'],
      ['b', ' 2'],
    ]);
    expect(parseTraceState('')?.size).toBe(0);
  });

  it.each([
    ['a member without "="', 'a'],
    ['no key', '=1'],
    ['no value', 'a='],
    ['a capital letter', 'A=1'],
    ['a key that begins with a digit', '1a=1'],
    ['a long key', `${'a'.repeat(257)}=1`],
    ['a long vendor', `a@${'b'.repeat(15)}=1`],
    ['two vendors', 'a@b@c=1'],
    ['a long value', `a=${'1'.repeat(257)}`],
    ['"=" in a value', 'a=1=2'],
    ['a character beyond ASCII', 'a=ä'],
    ['another space at its end', 'a=1\u00a0'],
    ['a tab in a value', 'a=1\t2'],
    ['the same key twice', 'a=1,a=2'],
    ['33 members', Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(',')],
  ])('is discarded as a whole with %s', (_, text) => {
    expect(parseTraceState(text)).toBeUndefined();
    expect(traceContextOf(`00-${TRACE}-${PARENT}-01`, text)).toMatchObject({
      traceId: TRACE,
      state: undefined,
    });
  });

  it.each([
    ['after whitespace', (spaces: string) => `${spaces}a=1`],
    ['with whitespace inside', (spaces: string) => `a=1${spaces}b`],
    ['with whitespace at its end', (spaces: string) => `a=1${spaces}`],
  ])('is parsed in linear time %s', (_, around) => {
    const parse = (size: number): unknown => parseTraceState(around(' '.repeat(size)));
    expect(growthOf(parse, 2_000, 16_000)).toBeLessThan(25);
  });

  it('never breaks parsing', () => {
    fc.assert(fc.property(anyText(), (text) => void parseTraceState(text)));
  });
});

describe('a trace context', () => {
  it('continues the trace of the caller with a span of its own', () => {
    const one = traceContextOf(`00-${TRACE}-${PARENT}-01`, 'a=1, b=2');
    const other = traceContextOf(`00-${TRACE}-${PARENT}-01`, undefined);
    expect(one).toMatchObject({ traceId: TRACE, parentId: PARENT, isSampled: true, state: 'a=1,b=2' });
    expect(one.spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    expect(one.spanId).not.toBe(other.spanId);
    expect(one.headers).toEqual({ traceparent: `00-${TRACE}-${one.spanId}-01`, tracestate: 'a=1,b=2' });
    expect(other.headers).toEqual({ traceparent: `00-${TRACE}-${other.spanId}-01` });
  });

  it('begins a trace without a caller: different ids, valid as a parent', () => {
    const contexts = Array.from({ length: 1_000 }, () => traceContextOf(undefined, 'a=1'));
    for (const { headers, traceId, spanId } of contexts) {
      expect(Object.keys(headers)).toEqual(['traceparent']);
      expect(parseTraceParent(headers.traceparent ?? '')).toEqual({
        traceId,
        parentId: spanId,
        isSampled: false,
      });
    }
    expect(new Set(contexts.flatMap(({ traceId, spanId }) => [traceId, spanId])).size).toBe(2_000);
  });
});
