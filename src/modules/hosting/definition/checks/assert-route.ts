import { ConfigurationError, parametersOf, parsePattern, errorMessage } from '../../../../framework';

/** @throws ConfigurationError for an invalid route, and one with a reserved parameter */
export function assertRoute(route: string, where: string): void {
  let parameters: readonly string[];
  try {
    parameters = parametersOf(parsePattern(route).parts);
  } catch (error) {
    throw new ConfigurationError(`${where}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  if (!parameters.includes('version')) return;
  throw new ConfigurationError(
    `${where}: the route ${route} has a parameter "version", which is reserved for the version of the API.`,
  );
}
