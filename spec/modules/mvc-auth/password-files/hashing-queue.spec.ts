import {
  HashingOverloadError,
  HashingQueue,
} from '../../../../src/modules/mvc-auth/password-files/hashing-queue';

function task(): { run: () => Promise<string>; end: () => void; fail: () => void } {
  let end = (): void => undefined;
  let fail = (): void => undefined;
  const promise = new Promise<string>((resolve, reject) => {
    end = () => resolve('done');
    fail = () => reject(new Error('failed'));
  });
  return { run: () => promise, end: () => end(), fail: () => fail() };
}

describe('the queue for hashing', () => {
  it('runs a few at a time, in the order of arrival, and never more, whatever fails', async () => {
    const queue = new HashingQueue({ atOnce: 2, limit: 10 });
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const jobs = Array.from({ length: 8 }, (_, index) =>
      queue.run(async () => {
        order.push(index);
        running++;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        if (index % 3 === 0) throw new Error('failed');
        return index;
      }),
    );
    const results = await Promise.allSettled(jobs);
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(await queue.run(() => Promise.resolve('again'))).toBe('again');
  });

  it('turns away whom it has no room for, and takes others again later', async () => {
    const queue = new HashingQueue({ atOnce: 1, limit: 1 });
    const first = task();
    const running = queue.run(first.run);
    const waiting = queue.run(() => Promise.resolve('waited'));
    await expect(queue.run(() => Promise.resolve('late'))).rejects.toThrow(HashingOverloadError);
    first.end();
    expect(await Promise.all([running, waiting])).toEqual(['done', 'waited']);
    expect(await queue.run(() => Promise.resolve('later'))).toBe('later');
  });
});
