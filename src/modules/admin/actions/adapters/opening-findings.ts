import type { OpenAdapter } from '../../../mvc-auth';
import type { CheckResult } from './file-checks';

/**
 * Checks options by opening an adapter of a contributed kind, and disposes of it: only the kind knows its constraints
 * beyond the schema.
 */
export async function checkByOpening(open: () => Promise<OpenAdapter>): Promise<readonly CheckResult[]> {
  try {
    const { adapter } = await open();
    await adapter.dispose();
    return adapter.warnings.map((message) => ({ level: 'warning', pointer: '/options', message }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ level: 'error', pointer: '/options', message }];
  }
}
