import { ConfigurationError, describeValue, findUncopyable, formatKeyPath } from '../../../framework';
import type { HostedEndpoint, HostedService } from '../../hosting';

/**
 * Verifies at the start that a service can be documented, because its documentation is built on first use.
 * @throws ConfigurationError for a function or another value in a schema or an example that cannot be documented
 */
export function assertDocumentable(service: HostedService): void {
  const { api, version, name, fields, parameters, operations, entityOperations } = service;
  assertCopyable({ fields, parameters }, `${api}-v${version}/${name}`);
  for (const endpoint of [...operations, ...entityOperations])
    assertCopyable(documentedParts(endpoint), endpoint.name);
}

/** The parts of a definition that may have any values, and are documented. */
function documentedParts({ definition }: HostedEndpoint): object {
  const { query, fields, response, examples, status_codes } = definition;
  return { query, fields, response, examples, status_codes };
}

function assertCopyable(data: object, where: string): void {
  const found = findUncopyable(data);
  if (found === undefined) return;
  throw new ConfigurationError(
    `${where}: ${formatKeyPath(found.path)} is ${describeValue(found.value)}, which cannot be documented. Write a JSON value.`,
  );
}
