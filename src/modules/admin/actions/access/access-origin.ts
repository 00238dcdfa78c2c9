import { memberAt, formatKeyPath, type Configuration, type KeyPath } from '../../../../framework';
import { HOSTING_KEY } from '../../../hosting';
import { MVC_AUTH_KEY, type AccessRule } from '../../../mvc-auth';
import type { DeclaredVersion } from '../texts/declared-api';

/** An operation of a service, as addressed by rules. */
export interface OperationReference {
  readonly service: string;
  readonly part: 'collection' | 'entity' | 'rpc';
  readonly method: string;
}

/** Where a rule is set, most specific first. */
export type RuleLayer =
  /** In the rules of the version. */
  | 'version'
  /** In the rules of all versions of the API. */
  | 'api'
  /** In the declaration of the API, in configuration. */
  | 'configured declaration'
  /** In the declaration of the API, in code. */
  | 'declaration'
  /** `deny_by_default`. */
  | 'default'
  /** For documentation or static files. */
  | 'route'
  /** The visibility of the API or the service that the documentation describes. */
  | 'hidden';

/** An access rule with its source. */
export interface RuleWithSource {
  readonly rule: AccessRule;
  /** The key path; undefined if declared in code. */
  readonly path: string | undefined;
  /** The file or module. */
  readonly source: string;
  readonly layer: RuleLayer;
}

/** Returns the key path of the rules of a version, `Atlas-v1`, or of all versions, `Atlas`. */
export function rulesPath(key: string): readonly string[] {
  return [MVC_AUTH_KEY, 'authorization', key];
}

/** Returns the key path of an operation's rule for the key of an API. */
export function rulePath(key: string, { service, part, method }: OperationReference): KeyPath {
  return [...rulesPath(key), service, ...(part === 'rpc' ? [] : [part]), method];
}

/** Returns the rule of an operation without one for its version: of the API, of its definition, otherwise the default. */
export function inheritedRule(
  configuration: Configuration,
  version: DeclaredVersion,
  operation: OperationReference,
): RuleWithSource {
  const { api, hosted } = version;
  const ofApi = rulePath(api.name, operation);
  const configured = configuration.valueAt(ofApi);
  // Validated by the schema of the section.
  if (configured !== undefined) return ruleWithSource(configuration, ofApi, configured as AccessRule, 'api');
  const service = ['versions', String(hosted.version), 'services', operation.service];
  const part = operation.part === 'rpc' ? 'methods' : operation.part;
  // A QUERY without a rule of its own has that of the GET.
  const isQuery = operation.part === 'collection' && operation.method === 'QUERY';
  if (isQuery && memberAt(version.definition, [...service, part, 'QUERY', 'authorization']) === undefined) {
    const list = { ...operation, method: 'GET' };
    const ofVersion = rulePath(`${api.name}-v${hosted.version}`, list);
    const rule = configuration.valueAt(ofVersion);
    return rule === undefined
      ? inheritedRule(configuration, version, list)
      : ruleWithSource(configuration, ofVersion, rule as AccessRule, 'version');
  }
  for (const path of [[...service, part, operation.method], service, []].map((one) => [
    ...one,
    'authorization',
  ])) {
    const declared = memberAt(version.definition, path);
    if (declared === undefined) continue;
    const rule = declared as AccessRule;
    const inConfiguration: KeyPath = [HOSTING_KEY, 'apis', api.name, ...path];
    if (configuration.valueAt(inConfiguration) !== undefined)
      return ruleWithSource(configuration, inConfiguration, rule, 'configured declaration');
    const source = `the module "${version.code?.module ?? ''}"`;
    return { rule, path: undefined, source, layer: 'declaration' };
  }
  const fallback: KeyPath = [MVC_AUTH_KEY, 'authorization', 'deny_by_default'];
  const rule = configuration.valueAt(fallback) === true ? 'authenticated' : 'guest';
  return ruleWithSource(configuration, fallback, rule, 'default');
}

export function ruleWithSource(
  configuration: Configuration,
  path: KeyPath,
  rule: AccessRule,
  layer: RuleLayer,
): RuleWithSource {
  return { rule, path: formatKeyPath(path), source: configuration.sourceOf(path), layer };
}
