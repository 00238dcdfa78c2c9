import type { Configuration } from '../../../../framework';
import { MVC_AUTH_KEY, STATIC_FILES, type AccessRule } from '../../../mvc-auth';
import { isSameValue } from '../../changes/comparison/same-value';
import { DOCUMENTATION } from '../access/adapter-map';
import { ruleWithSource, type RuleWithSource } from '../access/access-origin';
import type { TestedTarget } from './tested-target';

/** The prefix of the names of routes of static files; the path of the folder is behind it. */
const STATIC_ROUTE = 'static-files:';

/** Returns the rule of static files or of documentation with its source; undefined for other routes, and open ones. */
export function routeRule(
  configuration: Configuration,
  rule: AccessRule,
  { name, pattern }: NonNullable<TestedTarget['route']>,
): RuleWithSource | undefined {
  const keys = name.startsWith(STATIC_ROUTE)
    ? [STATIC_FILES + name.slice(STATIC_ROUTE.length), STATIC_FILES]
    : pattern.startsWith('/platform/')
      ? [DOCUMENTATION]
      : [];
  const paths = keys.map((key) => [MVC_AUTH_KEY, 'authorization', key]);
  const path = paths.find((one) => configuration.valueAt(one) !== undefined);
  if (path !== undefined && isSameValue(configuration.valueAt(path), rule))
    return ruleWithSource(configuration, path, rule, 'route');
  if (rule === 'guest' || !keys.includes(DOCUMENTATION)) return undefined;
  return { rule, path: undefined, source: 'visibility', layer: 'hidden' };
}
