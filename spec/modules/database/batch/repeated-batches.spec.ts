import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from '../../../../src/framework';
import type {
  DatabaseAdapter,
  SqlExecutor,
} from '../../../../src/modules/database/adapters/database-adapter';
import { DatabaseError } from '../../../../src/modules/database/adapters/database-error';
import { executeBatch } from '../../../../src/modules/database/batch/execute-batch';
import { executorOf } from '../../../../src/modules/database/batch/transaction-scope';

const conflicting = {
  transaction: (action: (executor: SqlExecutor) => Promise<unknown>) =>
    action({ execute: () => Promise.reject(new DatabaseError('conflict', 'Another one was first.')) }),
} as unknown as DatabaseAdapter;

/** Executes a batch of one operation, which first meets another transaction and then has this status. */
async function repeated(status: number): Promise<{ readonly error: unknown; readonly attempts: number }> {
  let attempts = 0;
  const handle = async (_: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    attempts += 1;
    if (attempts === 1) {
      const executor = await executorOf(conflicting);
      await Promise.resolve(executor.execute({ text: '', kind: 'write' }, [])).catch(() => undefined);
    }
    outgoing.writeHead(attempts === 1 ? 409 : status, { 'Content-Type': 'application/json' }).end('{}');
  };
  const request = { header: () => undefined, address: '198.51.100.7', scheme: 'http' };
  const context = { event: { request }, signal: new AbortController().signal };
  const batch = executeBatch(
    { handle, router: { has: () => false } } as unknown as Application,
    [{ method: 'GET', path: '/products' }],
    context as unknown as Parameters<typeof executeBatch>[2],
  );
  const error = await batch.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, attempts };
}

describe('a batch that is repeated after a conflict', () => {
  // Digest counts and quotas are for one attempt.
  it.each([401, 429])('is the conflict where the repetition is %d', async (status) => {
    const { error, attempts } = await repeated(status);
    expect(error).toMatchObject({ status: 409 });
    expect(attempts).toBe(2);
  });

  it('fails with another problem of the repetition', async () => {
    expect((await repeated(422)).error).toMatchObject({ status: 422 });
  });

  it('has the results of the repetition', async () => {
    expect((await repeated(200)).error).toBeUndefined();
  });
});
