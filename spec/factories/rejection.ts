import { Problem } from '../../src/framework';

/** The problem that something is rejected with. @throws Error when it is not rejected, or with another error */
export async function rejectionOf(action: () => Promise<unknown>): Promise<Problem> {
  const outcome: unknown = await action().then(
    () => 'it was done',
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw new Error(`No problem, but ${String(outcome)}.`);
}
