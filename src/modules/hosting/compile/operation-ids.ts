import { ConfigurationError } from '../../../framework';
import type { HostedService } from '../hosted-endpoint';

const OPERATION_ID = /^[!-~]{1,200}$/;

/**
 * Checks the declared operation ids of a version.
 * @throws ConfigurationError for an id of several operations, and for one that is not visible ASCII
 */
export function assertOperationIds(services: readonly HostedService[], where: string): void {
  const known = new Map<string, string>();
  for (const { name, operations, entityOperations } of services) {
    for (const { definition, part, method } of [...operations, ...entityOperations]) {
      // The query of a collection is a second method of its GET.
      const { operation_id: id } = definition;
      if (id === undefined || method === 'QUERY') continue;
      const operation = [name, ...(part === 'rpc' ? [] : [part]), method].join('.');
      if (!OPERATION_ID.test(id))
        throw new ConfigurationError(
          `${where}: the operation_id ${JSON.stringify(id)} of ${operation} must have at most 200 visible ASCII characters without spaces.`,
        );
      const other = known.get(id);
      if (other !== undefined)
        throw new ConfigurationError(
          `${where}: ${other} and ${operation} have the same operation_id "${id}". Rename one of them.`,
        );
      known.set(id, operation);
    }
  }
}
