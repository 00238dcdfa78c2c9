import type { OpenAdapter } from '../../../mvc-auth';
import type { Finding } from './adapter-findings';

/**
 * What an adapter of a contributed kind says when it is opened with options; it is closed again at once.
 * Only the kind knows what its options must meet beside their schema.
 */
export async function findingsOfOpening(open: () => Promise<OpenAdapter>): Promise<readonly Finding[]> {
  try {
    const { adapter } = await open();
    await adapter.dispose();
    return adapter.warnings.map((message) => ({ level: 'warning', pointer: '/options', message }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ level: 'error', pointer: '/options', message }];
  }
}
