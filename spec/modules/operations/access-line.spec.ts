import fc from 'fast-check';
import { accessLine, operationMembers } from '../../../src/modules/operations/access-line';
import { anyText } from '../../factories/any-text';

const text = fc.oneof(fc.string(), anyText(), fc.constantFrom('"', '\\', '\n', '\u007f', '{"a":1}'));

describe('a line of the access log', () => {
  it('is a single line of JSON for any values', () => {
    const line = fc.record({
      time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      method: text,
      path: text,
      status: fc.option(fc.integer({ min: 100, max: 599 })),
      requestId: text,
      traceId: fc.constant('0af7651916cd43dd8448eb211c80319c'),
      milliseconds: fc.nat().map((thousandths) => thousandths / 1000),
      bytes: fc.nat(),
      user: fc.option(text),
      address: text,
      code: fc.option(fc.constantFrom('route_not_found', 'bad_json'), { nil: undefined }),
      operation: fc.option(fc.record({ api: text, version: fc.nat(), operation: text }), { nil: undefined }),
      abortedBy: fc.constantFrom(undefined, 'client' as const, 'shutdown' as const),
    });
    fc.assert(
      fc.property(line, ({ requestId, traceId, abortedBy, operation, ...given }) => {
        const { time, method, path, status, milliseconds, bytes, user, address, code } = given;
        const members = {
          level: 30,
          time,
          method,
          path,
          status,
          request_id: requestId,
          trace_id: traceId,
          milliseconds,
          bytes,
          user,
          address,
          ...operation,
          ...(code === undefined ? {} : { code }),
        };
        const fixed = operation === undefined ? '' : operationMembers(operation);
        const written = accessLine({ ...given, requestId, traceId, abortedBy, operation: fixed });
        const expected = JSON.stringify({
          ...members,
          ...(abortedBy === 'client' ? { aborted: true } : {}),
          ...(abortedBy === 'shutdown' ? { cut_off: true } : {}),
        });
        // Compared as text as well: the order of the members.
        expect(JSON.stringify(JSON.parse(written))).toBe(expected);
        expect(written.indexOf('\n')).toBe(written.length - 1);
        expect(written).not.toMatch(/[\u007f-\u009f\u2028-\u202e]/);
      }),
    );
  });
});
