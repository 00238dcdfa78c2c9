import { formatKeyPath, memberAt, objectOf, problem, type Configuration } from '../../../../framework';
import type { Change, CopyEdit } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import {
  declaredVersion,
  definitionPath,
  versionDefinitionPath,
  type DeclaredVersion,
} from '../texts/declared-api';
import { unsetEdit } from '../unset-edit';
import { guardedServices } from './guarded-service';
import { accessEditsFor, isRemoval } from './service-access';

/** What disappears with a version of an API. */
export interface VersionRemoval {
  readonly api: string;
  readonly version: number;
  /** Whether it is the only version, with which the API disappears. */
  readonly isLast: boolean;
  /** Where it is declared. */
  readonly source: string;
  /** Why it cannot be removed here; undefined if it can. */
  readonly refusal: string | undefined;
  /** Such as `Product (/products[/:id])`. */
  readonly services: readonly string[];
  /** Key paths of the access rules and adapters that are removed as well. */
  readonly access: readonly string[];
  /** The version that answers requests without one afterwards; undefined if the API disappears. */
  readonly nextDefault: number | undefined;
  /** The tag of the API. */
  readonly tag: string;
}

/** Describes what disappears with a version. @throws Problem 404 */
export async function reviewVersionRemoval(
  changes: ConfigurationChanges,
  api: string,
  version: number,
): Promise<VersionRemoval> {
  const { configuration } = changes;
  const declared = await declaredVersion(changes.running, api, version);
  const others = declared.api.versions.map((one) => one.version).filter((one) => one !== version);
  const { defaultVersion } = declared.api;
  return {
    api,
    version,
    isLast: others.length === 0,
    source: sourceOf(configuration, declared, api, version),
    refusal: refusalOf(configuration, declared, api, version),
    services: declared.hosted.services.map(({ name, route }) => `${name} (${route})`),
    access: accessEditsAfter(configuration, declared)
      .filter(isRemoval)
      .map((edit) => formatKeyPath(edit.path)),
    nextDefault: defaultVersion === version ? others.at(-1) : defaultVersion,
    tag: changes.tagOf(definitionPath(api)),
  };
}

/** Removes a version, and with the last one its API. @throws Problem 404, 409 for a version in code, 422 for one that others inherit */
export async function prepareVersionRemoval(
  changes: ConfigurationChanges,
  api: string,
  version: number,
): Promise<Change> {
  const { configuration } = changes;
  const declared = await declaredVersion(changes.running, api, version);
  const path = versionDefinitionPath(api, version);
  if (isCode(declared, version))
    throw problem('overruled', {
      path: formatKeyPath(path),
      source: sourceOf(configuration, declared, api, version),
    });
  const { isLast, refusal } = await reviewVersionRemoval(changes, api, version);
  if (refusal !== undefined) throw invalid([{ pointer: '', message: refusal }]);
  const defaultPath = definitionPath(api, ['default_version']);
  const isDefault = configuration.valueAt(defaultPath) === version;
  const removed = isLast ? [definitionPath(api)] : [path, ...(isDefault ? [defaultPath] : [])];
  return {
    summary: isLast ? `Removed the API ${api}.` : `Removed version ${version} of ${api}.`,
    subject: definitionPath(api),
    edits: [
      ...removed.map((one) => unsetEdit(configuration, one)),
      ...accessEditsAfter(configuration, declared),
    ],
  };
}

function accessEditsAfter(configuration: Configuration, declared: DeclaredVersion): readonly CopyEdit[] {
  const left = guardedServices(declared.api).filter(({ version }) => version !== declared.hosted.version);
  return accessEditsFor(configuration, declared, left);
}

function isCode({ code }: DeclaredVersion, version: number): boolean {
  return memberAt(code?.definition, ['versions', String(version)]) !== undefined;
}

function sourceOf(
  configuration: Configuration,
  declared: DeclaredVersion,
  api: string,
  version: number,
): string {
  if (isCode(declared, version)) return `the module "${declared.code?.module ?? ''}"`;
  return configuration.sourceOf(versionDefinitionPath(api, version));
}

function refusalOf(
  configuration: Configuration,
  declared: DeclaredVersion,
  api: string,
  version: number,
): string | undefined {
  if (isCode(declared, version))
    return `It is declared in ${sourceOf(configuration, declared, api, version)}: delete it there.`;
  const versions = objectOf(configuration.valueAt(definitionPath(api, ['versions'])));
  const inheriting = Object.keys(versions).filter((key) => memberAt(versions[key], ['inherits']) === version);
  if (inheriting.length === 0) return undefined;
  return `${inheriting.length === 1 ? 'Version' : 'Versions'} ${inheriting.join(', ')} of ${api} ${inheriting.length === 1 ? 'inherits' : 'inherit'} from version ${version}. Delete ${inheriting.length === 1 ? 'it' : 'them'} first.`;
}
