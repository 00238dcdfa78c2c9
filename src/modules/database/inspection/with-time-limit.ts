import { DatabaseError } from '../adapters/database-error';

/**
 * Waits for an operation of a database, at most for a time. The operation itself continues.
 * @throws DatabaseError if it takes longer
 */
export async function withTimeLimit<T>(operation: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const message = `No response within ${milliseconds / 1000} seconds.`;
    timer = setTimeout(() => reject(new DatabaseError('unavailable', message)), milliseconds);
  });
  try {
    return await Promise.race([operation, limit]);
  } finally {
    clearTimeout(timer);
  }
}
