import { memberAt, showPath, type Configuration, type KeyPath } from '../../../../framework';
import { HOSTING_KEY } from '../../../hosting';
import { MVC_AUTH_KEY, type AccessRule } from '../../../mvc-auth';
import type { DeclaredVersion } from '../texts/declared-api';

/** An operation of a service, as rules name it. */
export interface RuledOperation {
  readonly service: string;
  readonly part: 'collection' | 'entity' | 'rpc';
  readonly method: string;
}

/** A rule and where it comes from. */
export interface PlacedRule {
  readonly rule: AccessRule;
  /** The key path; undefined where code declares it. */
  readonly path: string | undefined;
  /** The file or module. */
  readonly source: string;
}

/** Where the rule of an operation stands below the key of an API. */
export function rulePath(key: string, { service, part, method }: RuledOperation): KeyPath {
  return [MVC_AUTH_KEY, 'authorization', key, service, ...(part === 'rpc' ? [] : [part]), method];
}

/** The rule that counts for an operation where none stands for its version: for the API, in its definition, or at last for all. */
export function inheritedRule(
  configuration: Configuration,
  version: DeclaredVersion,
  operation: RuledOperation,
): PlacedRule {
  const { api, hosted } = version;
  const ofApi = rulePath(api.name, operation);
  const configured = configuration.valueAt(ofApi);
  // The schema of the section has checked it.
  if (configured !== undefined) return placed(configuration, ofApi, configured as AccessRule);
  const service = ['versions', String(hosted.version), 'services', operation.service];
  const part = operation.part === 'rpc' ? 'methods' : operation.part;
  for (const path of [[...service, part, operation.method], service, []].map((one) => [
    ...one,
    'authorization',
  ])) {
    const declared = memberAt(version.definition, path);
    if (declared === undefined) continue;
    const rule = declared as AccessRule;
    const inConfiguration: KeyPath = [HOSTING_KEY, 'apis', api.name, ...path];
    if (configuration.valueAt(inConfiguration) !== undefined)
      return placed(configuration, inConfiguration, rule);
    const source = `the module "${version.code?.module ?? ''}"`;
    return { rule, path: undefined, source };
  }
  const fallback: KeyPath = [MVC_AUTH_KEY, 'authorization', 'deny_by_default'];
  const rule = configuration.valueAt(fallback) === true ? 'authenticated' : 'guest';
  return placed(configuration, fallback, rule);
}

export function placed(configuration: Configuration, path: KeyPath, rule: AccessRule): PlacedRule {
  return { rule, path: showPath(path), source: configuration.sourceOf(path) };
}
