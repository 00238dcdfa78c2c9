import pino from 'pino';
import { LeveledLog, ModuleLog } from '../../../src/framework/logging/log-levels';
import type { Log } from '../../../src/framework';

const UNREADABLE = '[cannot be read: Error: a getter]';

/** Adds an accessor that throws. */
function throwing(name = 'b', target: object = {}): object {
  const get = (): never => {
    throw new Error('a getter');
  };
  return Object.defineProperty(target, name, { enumerable: true, get });
}

describe('A line whose details cannot all be logged', () => {
  let lines: unknown[];
  let log: Log;
  beforeEach(() => {
    lines = [];
    log = new LeveledLog(
      pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) }),
      { level: 'info', levels: {} },
    );
  });

  it('has its message, the reason, and what can be read of an error', () => {
    const err = throwing('detail', new Error('broken'));
    log.error({ request_id: '7', err }, 'An observer failed.');
    expect(lines).toEqual([
      {
        level: 50,
        request_id: '7',
        msg: 'An observer failed. Some of its details could not be logged: Error: a getter',
        err: expect.objectContaining({
          message: 'broken',
          stack: expect.stringContaining('log-levels.spec') as unknown,
          detail: UNREADABLE,
        }) as unknown,
      },
    ]);
  });

  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const odd = {
    toJSON: () => {
      throw Object.create(null);
    },
  };

  it.each([
    ['a member', { a: 1, b: throwing() }, { a: 1 }],
    ['the module', throwing('module', { a: 1 }), { a: 1, module: UNREADABLE }],
    ['a getter', throwing('b', { a: 1 }), { a: 1, b: UNREADABLE }],
    [
      'what a getter of an error says',
      throwing('message', new Error('broken')),
      { err: { message: UNREADABLE } },
    ],
    ['a value that toJSON throws, which has no text', { a: 1, odd }, { a: 1 }],
    ['details that cannot be read at all', revoked(), {}],
  ])('has the others: %s', (_, details, expected) => {
    for (const target of [log, new ModuleLog(log, 'notes')]) {
      target.error(details, 'Failed.');
      expect(lines.pop()).toMatchObject({ ...expected, msg: expect.stringMatching(/^Failed\./) as unknown });
    }
  });
});
