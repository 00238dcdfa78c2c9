import { EventContext } from '../../../../src/modules/hosting/context';
import { assertNotAborted, DatabaseError } from '../../../../src/modules/database/adapters/database-error';
import { testEvent } from '../../../../src/testing';

describe('the check that a write is not late', () => {
  it('throws when the signal is aborted', () => {
    const { signal } = new AbortController();
    expect(() => assertNotAborted({ signal })).not.toThrow();
    expect(() => assertNotAborted({ signal: AbortSignal.abort() })).toThrow(DatabaseError);
    const cause = expect.objectContaining({ name: 'AbortError' }) as Error;
    expect(() => assertNotAborted({ signal: AbortSignal.abort() })).toThrow(
      expect.objectContaining({ cause }) as Error,
    );
  });

  it('does not create the signal of a request', () => {
    const event = testEvent();
    assertNotAborted(new EventContext(event, 'Shop', 1));
    expect(event.abortController).toBeUndefined();
  });

  it('throws after the timeout of a request, and after its client has disconnected', () => {
    const timedOut = testEvent();
    timedOut.abortController = new AbortController();
    timedOut.abortController.abort();
    const disconnected = testEvent();
    disconnected.outgoing.destroy();
    for (const event of [timedOut, disconnected])
      expect(() => assertNotAborted(new EventContext(event, 'Shop', 1))).toThrow(DatabaseError);
  });
});
