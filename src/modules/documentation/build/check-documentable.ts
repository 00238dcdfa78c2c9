import { ConfigurationError, describeValue, findUncopyable, formatKeyPath } from '../../../framework';
import type { HostedEndpoint, HostedService } from '../../hosting';

/**
 * Verifies at the start that a service can be documented, because its documentation is built on first use.
 * @returns whether its schemas and examples have the same JSON as immutable copies of them: instances of classes may not
 * @throws ConfigurationError for a function or another value in a schema or an example that cannot be documented
 */
export function checkDocumentable(service: HostedService): boolean {
  const { api, version, name, fields, parameters, operations, entityOperations } = service;
  let isPlain = checkCopyable({ fields, parameters }, `${api}-v${version}/${name}`);
  for (const endpoint of [...operations, ...entityOperations])
    isPlain = checkCopyable(documentedParts(endpoint), endpoint.name) && isPlain;
  return isPlain;
}

/** The parts of a definition that may have any values, and are documented. */
function documentedParts({ definition }: HostedEndpoint): object {
  const { query, fields, response, examples, status_codes } = definition;
  return { query, fields, response, examples, status_codes };
}

function checkCopyable(data: object, where: string): boolean {
  let isPlain = true;
  const found = findUncopyable(data, () => (isPlain = false));
  if (found === undefined) return isPlain;
  throw new ConfigurationError(
    `${where}: ${formatKeyPath(found.path)} is ${describeValue(found.value)}, which cannot be documented. Write a JSON value.`,
  );
}
