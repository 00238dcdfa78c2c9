import fc from 'fast-check';
import { accessLine } from '../../../src/modules/operations/access-line';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\u007f', '{"a":1}'),
);

describe('a line of the access log', () => {
  it('is a single line of JSON for any values', () => {
    const line = fc.record({
      time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      method: text,
      path: text,
      status: fc.option(fc.integer({ min: 100, max: 599 })),
      requestId: text,
      milliseconds: fc.nat().map((thousandths) => thousandths / 1000),
      user: fc.option(text),
      address: text,
      code: fc.option(fc.constantFrom('route_not_found', 'bad_json'), { nil: undefined }),
      isAborted: fc.boolean(),
    });
    fc.assert(
      fc.property(line, ({ requestId, isAborted, ...given }) => {
        const { time, method, path, status, milliseconds, user, address, code } = given;
        const members = {
          level: 30,
          time,
          method,
          path,
          status,
          request_id: requestId,
          milliseconds,
          user,
          address,
          ...(code === undefined ? {} : { code }),
        };
        const written = accessLine({ ...given, requestId, isAborted });
        expect(written).toBe(`${JSON.stringify(isAborted ? { ...members, aborted: true } : members)}\n`);
        expect(written.indexOf('\n')).toBe(written.length - 1);
      }),
    );
  });
});
