import { setImmediate as nextTurn } from 'node:timers/promises';
import { Observers } from '../../../src/framework';

interface Happenings {
  completed: { readonly path: string };
}

function observed(): { observers: Observers<Happenings>; failures: [unknown, string][] } {
  const failures: [unknown, string][] = [];
  return { observers: new Observers((error, name) => failures.push([error, name])), failures };
}

describe('Observers', () => {
  it('are all notified', () => {
    const { observers } = observed();
    const notifications: string[] = [];
    observers.observe('completed', ({ path }) => notifications.push(`a ${path}`));
    observers.observe('completed', ({ path }) => notifications.push(`b ${path}`));
    observers.notify('completed', { path: '/x' });
    expect(notifications).toEqual(['a /x', 'b /x']);
  });

  it('are functions', () => {
    const { observers } = observed();
    expect(() => observers.observe('completed', undefined as unknown as () => void)).toThrow(
      "observe('completed', observer) needs a function, not undefined.",
    );
  });

  it('that throw affect neither the others nor the caller', () => {
    const { observers, failures } = observed();
    const other = jest.fn();
    const error = new Error('disk full');
    observers.observe('completed', () => {
      throw error;
    });
    observers.observe('completed', other);
    observers.notify('completed', { path: '/' });
    expect(other).toHaveBeenCalledTimes(1);
    expect(failures).toEqual([[error, 'completed']]);
  });

  it('that reject are reported, and affect nothing else', async () => {
    const { observers, failures } = observed();
    observers.observe('completed', () => Promise.reject(new Error('no collector')));
    observers.notify('completed', { path: '/' });
    await nextTurn();
    expect(failures).toEqual([[expect.objectContaining({ message: 'no collector' }), 'completed']]);
  });

  it('that are asynchronous are not awaited', () => {
    const { observers } = observed();
    const other = jest.fn();
    observers.observe('completed', () => new Promise(() => undefined));
    observers.observe('completed', other);
    observers.notify('completed', { path: '/' });
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('are not notified after they are removed', () => {
    const { observers } = observed();
    const observer = jest.fn();
    const end = observers.observe('completed', observer);
    observers.notify('completed', { path: '/1' });
    end();
    observers.notify('completed', { path: '/2' });
    expect(observer.mock.calls).toEqual([[{ path: '/1' }]]);
  });
});
