import pino from 'pino';
import { LeveledLog } from '../../../src/framework/logging/log-levels';

describe('A line whose error cannot be logged', () => {
  it('has its message and other details, and the reason', () => {
    const lines: unknown[] = [];
    const log = new LeveledLog(
      pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) }),
      { level: 'info', levels: {} },
    );
    const err = Object.defineProperty(new Error('broken'), 'detail', {
      enumerable: true,
      get: () => {
        throw new Error('a getter');
      },
    });
    log.error({ request_id: '7', err }, 'An observer failed.');
    expect(lines).toEqual([
      {
        level: 50,
        request_id: '7',
        msg: 'An observer failed. Its details could not be logged: Error: a getter',
      },
    ]);
  });
});
