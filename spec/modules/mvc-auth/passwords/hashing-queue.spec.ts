import {
  HashingAbortedError,
  HashingOverloadError,
  HashingQueue,
} from '../../../../src/modules/mvc-auth/passwords/hashing-queue';

function task(): { run: () => Promise<string>; end: () => void } {
  let end = (): void => undefined;
  const promise = new Promise<string>((resolve) => {
    end = () => resolve('done');
  });
  return { run: () => promise, end: () => end() };
}

describe('the hashing queue', () => {
  it('runs a few jobs at a time, those of a client in order, and never more, whatever fails', async () => {
    const queue = new HashingQueue({ concurrency: 2, limit: 10 });
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const jobs = Array.from({ length: 8 }, (_, index) =>
      queue.run(
        async () => {
          order.push(index);
          running++;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running--;
          if (index % 3 === 0) throw new Error('failed');
          return index;
        },
        { client: 'a' },
      ),
    );
    const results = await Promise.allSettled(jobs);
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(await queue.run(() => Promise.resolve('again'), { client: 'a' })).toBe('again');
  });

  it('rejects clients when it is full, and accepts others later', async () => {
    const queue = new HashingQueue({ concurrency: 1, limit: 1 });
    const first = task();
    const running = queue.run(first.run, { client: 'a' });
    const waiting = queue.run(() => Promise.resolve('waited'), { client: 'b' });
    const late = queue.run(() => Promise.resolve('late'), { client: 'c' });
    await expect(late).rejects.toThrow(HashingOverloadError);
    await expect(late).rejects.toMatchObject({ scope: 'server', retryAfter: 5 });
    first.end();
    expect(await Promise.all([running, waiting])).toEqual(['done', 'waited']);
    expect(await queue.run(() => Promise.resolve('later'), { client: 'c' })).toBe('later');
  });

  it('rejects a client with too many pending jobs, and no other client', async () => {
    const queue = new HashingQueue({ concurrency: 1, limit: 100 });
    const first = task();
    const mine = { client: 'a', pendingPerClient: 3 };
    const pending = Array.from({ length: 3 }, () => queue.run(first.run, mine));
    const late = queue.run(first.run, mine);
    await expect(late).rejects.toMatchObject({ scope: 'address', retryAfter: 1 });
    const other = queue.run(() => Promise.resolve('other'), { client: 'b', pendingPerClient: 3 });
    first.end();
    expect(await Promise.all(pending)).toEqual(['done', 'done', 'done']);
    expect(await other).toBe('other');
    expect(await queue.run(first.run, mine)).toBe('done');
  });

  it('schedules clients in turns, a new client directly after the running jobs', async () => {
    const queue = new HashingQueue({ concurrency: 1, limit: 100 });
    const order: string[] = [];
    const first = task();
    const run = (client: string, name: string): Promise<unknown> =>
      queue.run(
        () => {
          order.push(name);
          return first.run();
        },
        { client },
      );
    const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
    jobs.push(run('b', 'b1'), run('b', 'b2'), run('c', 'c1'));
    first.end();
    await Promise.all(jobs);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('drops aborted jobs before they start, and frees their place immediately', async () => {
    const queue = new HashingQueue({ concurrency: 1, limit: 1 });
    const first = task();
    const running = queue.run(first.run, { client: 'a' });
    const gone = new AbortController();
    const begun = jest.fn(() => Promise.resolve('never'));
    const dropped = queue.run(begun, { client: 'a', signal: gone.signal, pendingPerClient: 2 });
    gone.abort();
    await expect(dropped).rejects.toThrow(HashingAbortedError);
    const next = queue.run(() => Promise.resolve('next'), { client: 'a', pendingPerClient: 2 });
    await expect(queue.run(begun, { client: 'b', signal: gone.signal })).rejects.toThrow(HashingAbortedError);
    first.end();
    expect(await Promise.all([running, next])).toEqual(['done', 'next']);
    expect(begun).not.toHaveBeenCalled();
  });

  it('does not interrupt running jobs', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const first = task();
    const gone = new AbortController();
    const running = queue.run(first.run, { client: 'a', signal: gone.signal });
    gone.abort();
    first.end();
    expect(await running).toBe('done');
  });
});
