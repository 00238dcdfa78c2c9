import { closestMatch, ConfigurationError, listNames, type Configuration } from '../../../../framework';
import { HOSTING_KEY } from '../../hosting-key';
import type { ApiDefinition, ResolvedApi } from '../definition';

/**
 * Rejects APIs without versions and services without a route that only configuration names, if others exist: the
 * configuration is meant to change one of those, or one that was renamed.
 * @param declared APIs of modules, by name
 * @throws ConfigurationError with the place of each, and the name that was meant
 */
export function assertNoMisspeltNames(
  apis: readonly ResolvedApi[],
  declared: ReadonlyMap<string, { readonly definition: ApiDefinition }>,
  configuration: Configuration,
): void {
  const messages: string[] = [];
  const look = (
    path: readonly string[],
    [what, lacks]: readonly [string, string],
    names: readonly string[],
  ): void => {
    const at = [HOSTING_KEY, 'apis', ...path];
    const name = path.at(-1) ?? '';
    if (names.length === 0 || configuration.valueAt(at) === undefined) return;
    const meant = closestMatch(name, names);
    const advice = meant === undefined ? `Available: ${listNames(names)}.` : `Did you mean "${meant}"?`;
    messages.push(
      `${configuration.sourceOf(at)}: ${at.join('.')}: ${what} "${name}" is not declared, and has no ${lacks} here. ${advice}`,
    );
  };
  const hasVersions = ({ versions }: ResolvedApi): boolean => Object.keys(versions).length > 0;
  const complete = apis.filter(hasVersions).map(({ name }) => name);
  for (const api of apis) {
    const { name, versions } = api;
    const code = declared.get(name)?.definition.versions;
    if (code === undefined && !hasVersions(api)) look([name], ['the API', 'versions'], complete);
    for (const [version, { services = {} }] of Object.entries(versions)) {
      const others = Object.keys(services).filter((service) => isComplete(services[service]));
      for (const [service, definition] of Object.entries(services)) {
        if (isComplete(definition) || code?.[Number(version)]?.services?.[service] !== undefined) continue;
        look([name, 'versions', version, 'services', service], ['the service', 'route'], others);
      }
    }
  }
  if (messages.length > 0) throw new ConfigurationError(messages.join('\n'));
}

/** Whether a definition is more than changes to another one. */
function isComplete(definition: object | undefined): boolean {
  return definition !== undefined && ('route' in definition || 'kind' in definition);
}
