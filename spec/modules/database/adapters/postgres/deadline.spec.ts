import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as nextPhase } from 'node:timers/promises';
import { Deadline } from '../../../../../src/modules/database/adapters/postgres/deadline';
import { runMemoryScript } from '../../../../factories/measure/memory-script';

const TIMEOUT = 60_000;
const ignore = (): void => undefined;

/** A step that ends when the test says so. */
function openStep(): { readonly step: Promise<void>; readonly end: () => void } {
  let end = ignore;
  const step = new Promise<void>((resolve) => (end = resolve));
  return { step, end };
}

/** Limits that record whether their signal was read. */
class RecordedLimits {
  readonly controller = new AbortController();
  isRead = false;

  get signal(): AbortSignal {
    this.isRead = true;
    return this.controller.signal;
  }
}

describe('the deadline of an execution', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    // The timer that all steps share ends when none waits.
    jest.advanceTimersByTime(60);
    jest.useRealTimers();
  });

  it('reads the signal of a step only when two checks have found it waiting', async () => {
    const limits = new RecordedLimits();
    const { step, end } = openStep();
    const waited = new Deadline(limits, TIMEOUT).wait(step, ignore);
    jest.advanceTimersByTime(30);
    expect(limits.isRead).toBe(false);
    jest.advanceTimersByTime(30);
    expect(limits.isRead).toBe(true);
    end();
    await waited;
  });

  it('interrupts those of several steps whose signals abort, also before the signal is read', async () => {
    const limits = Array.from({ length: 5 }, () => new RecordedLimits());
    const steps = limits.map(openStep);
    const interrupted: number[] = [];
    const waited = limits.map((one, at) =>
      new Deadline(one, TIMEOUT).wait(steps[at]?.step ?? Promise.resolve(), () => interrupted.push(at)),
    );
    limits[0]?.controller.abort();
    limits[1]?.controller.abort();
    jest.advanceTimersByTime(60);
    limits[4]?.controller.abort();
    for (const { end } of steps) end();
    const results = await Promise.allSettled(waited);
    expect(interrupted).toEqual([0, 1, 4]);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
  });
});

describe('the deadline of an execution whose process is busy', () => {
  it('does not end a step whose result has arrived meanwhile', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [sender] = (await once(server, 'connection')) as [Socket];
    await once(client.on('error', ignore), 'ready');
    const arrived = once(client, 'data');
    // Timers come next, and sockets after them.
    await nextPhase();
    const waited = new Deadline({}, 0).wait(arrived, ignore);
    sender.write('result');
    const end = Date.now() + 400;
    while (Date.now() < end);
    expect(String(await waited)).toBe('result');
    client.destroy();
    server.close();
  });
});

describe('what has waited for a deadline', () => {
  it('is freed without a full garbage collection', async () => {
    const { grown } = await runMemoryScript(path.join(__dirname, 'deadline-memory.mjs'));
    // All of it is 32 MB.
    expect(grown).toBeLessThan(8_000_000);
  });
});
