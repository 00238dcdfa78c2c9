import fc from 'fast-check';
import type { RequestTrace } from '../../../../src/modules/operations/request-trace/request-trace';
import { TraceStore } from '../../../../src/modules/operations/request-trace/trace-store';

function trace(id: string, path = '/'): RequestTrace {
  return {
    id,
    at: '2026-11-22T20:00:00.000Z',
    method: 'GET',
    path,
    status: 200,
    code: null,
    duration: 1,
    user: null,
    operation: null,
    trace_id: '1'.repeat(32),
    span_id: '1'.repeat(16),
    query: [],
    aborted: false,
    truncated: false,
    entries: [],
  };
}

describe('the traces in memory', () => {
  it('are the latest ones, newest first', () => {
    const store = new TraceStore({ keep: 2, maxBytes: 1_000_000 });
    for (const id of ['a', 'b', 'c']) store.add(trace(id));
    expect(store.list().map(({ id }) => id)).toEqual(['c', 'b']);
    expect(store.find('a')).toBeUndefined();
    expect(store.find('b')).toEqual(trace('b'));
    store.add(trace('b', '/later'));
    expect(store.find('b')?.path).toBe('/later');
  });

  it('never exceed their limits, also when these change', () => {
    const paths = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        paths,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5_000 }),
        (all, keep, maxBytes) => {
          const store = new TraceStore({ keep: 100, maxBytes: 100_000 });
          all.forEach((path, at) => store.add(trace(String(at), path)));
          store.setLimits({ keep, maxBytes });
          const kept = store.list().map(({ id }) => store.find(id));
          const bytes = kept.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0);
          expect(kept.length).toBeLessThanOrEqual(keep);
          expect([bytes, bytes <= maxBytes]).toEqual([store.bytes, true]);
        },
      ),
    );
  });

  it('are removed together', () => {
    const store = new TraceStore({ keep: 2, maxBytes: 1_000_000 });
    store.add(trace('a'));
    store.clear();
    expect([store.list(), store.bytes]).toEqual([[], 0]);
  });
});
