import { resolve } from 'node:path';

/** The last task of each file; process-wide by nature, since files are. Entries are removed after their last task. */
const lastTasks = new Map<string, Promise<unknown>>();

/** Runs the tasks of a file sequentially, first come, first served. */
export async function enqueue<T>(path: string, task: () => Promise<T>): Promise<T> {
  const key = resolve(path);
  const result = (lastTasks.get(key) ?? Promise.resolve()).then(task);
  const ended = result.catch(() => undefined);
  lastTasks.set(key, ended);
  try {
    return await result;
  } finally {
    if (lastTasks.get(key) === ended) lastTasks.delete(key);
  }
}
