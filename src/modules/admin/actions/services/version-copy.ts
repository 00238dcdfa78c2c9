import { objectOf, type ConfigEdit, type ConfigObject, type Configuration } from '../../../../framework';
import { isVersionNumber, VERSION_NUMBERS } from '../../../hosting';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { copiesOf, layeredEdits } from '../layered-edits';
import {
  declaredVersion,
  definitionPath,
  versionDefinitionPath,
  type DeclaredVersion,
} from '../texts/declared-api';
import { unsetEdit } from '../unset-edit';
import { copiedAccess } from './kept-access';

/** Keys of a version that describe its life, which a copy does not have. */
const LIFECYCLE: readonly string[] = ['deprecated', 'sunset', 'successor', 'release_date', 'release_notes'];

interface VersionCopy {
  readonly api: string;
  readonly from: number;
  readonly to: number;
  /** Whether requests without a version are still answered by the current default. */
  readonly isDefaultKept: boolean;
}

/** Adds a copy of a version, with its access rules and adapters. @throws Problem 404, 422 for an invalid or existing number */
export async function prepareVersionCopy(
  { configuration, running }: ConfigurationChanges,
  { api, from, to, isDefaultKept }: VersionCopy,
): Promise<Change> {
  const declared = await declaredVersion(running, api, from);
  if (!isVersionNumber(to)) throw invalid([{ pointer: '/to', message: `Enter ${VERSION_NUMBERS}.` }]);
  if (declared.api.versions.some((one) => one.version === to))
    throw invalid([{ pointer: '/to', message: `Version ${to} already exists. Choose another number.` }]);
  const path = versionDefinitionPath(api, to);
  const value = declared.code === undefined ? copyOf(configuration, api, from) : { inherits: from };
  return {
    summary: `Added version ${to} of ${api}, a copy of version ${from}.`,
    subject: definitionPath(api),
    edits: [
      ...copiesOf(versionDefinitionPath(api, from), path, layeredEdits(configuration, path, value)),
      ...copiedAccess(configuration, api, from, to),
      ...defaultEdits(configuration, declared, isDefaultKept),
    ],
  };
}

/** With references to environment variables as written: their values may be secret. */
function copyOf(configuration: Configuration, api: string, from: number): ConfigObject {
  const value = configuration.writtenAt(versionDefinitionPath(api, from));
  return Object.fromEntries(Object.entries(objectOf(value)).filter(([key]) => !LIFECYCLE.includes(key)));
}

/** Without a default, the highest version answers requests that name none. */
function defaultEdits(
  configuration: Configuration,
  { api: { name, defaultVersion }, definition, code }: DeclaredVersion,
  isKept: boolean,
): readonly ConfigEdit[] {
  const path = definitionPath(name, ['default_version']);
  if (isKept) return layeredEdits(configuration, path, defaultVersion);
  if (definition.default_version === undefined) return [];
  const edit = unsetEdit(configuration, path);
  // Only null removes the default that code declares.
  return [code?.definition.default_version === undefined ? edit : { ...edit, value: null }];
}
