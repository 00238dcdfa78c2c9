import { ConfigurationError } from '../../../framework';
import { STORE_FORMAT, type Head } from './configuration-store';

/** @throws ConfigurationError for a store of another version of the software */
export function assertFormat(head: Head | undefined): void {
  if (head === undefined || head.format === STORE_FORMAT) return;
  const advice =
    head.format > STORE_FORMAT
      ? 'Upgrade this node.'
      : 'Upgrade all nodes at once, with a platform-cluster.prefix of its own for this version.';
  throw new ConfigurationError(
    `The configuration store has the format ${head.format}; this version of the software reads and writes ${STORE_FORMAT}. ${advice}`,
  );
}
