import { didYouMean, ConfigurationError } from '../../../../framework';
import type { ApiDefinition, VersionDefinition } from '../definition';

const api: Readonly<Record<keyof ApiDefinition, true>> = {
  name: true,
  description: true,
  license: true,
  contact: true,
  base_path: true,
  visibility: true,
  default_version: true,
  authorization: true,
  cors: true,
  timeout: true,
  heartbeat: true,
  hooks: true,
  versions: true,
};

const version: Readonly<Record<keyof VersionDefinition, true>> = {
  inherits: true,
  deprecated: true,
  sunset: true,
  successor: true,
  release_date: true,
  release_notes: true,
  schemas: true,
  services: true,
};

/** Keys of an API declaration in code. */
export const apiKeys: readonly string[] = Object.keys(api);

/** Keys of a version declaration in code. */
export const versionKeys: readonly string[] = Object.keys(version);

/**
 * Rejects unknown keys. Types and the configuration schema do so too, but not for plain JavaScript, where a
 * misspelt `authorization` would leave an operation open.
 * @param where what has the key, for the message
 * @throws ConfigurationError
 */
export function assertKnownKeys(declared: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(declared).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ConfigurationError(`${where} has an unknown key "${unknown}".${didYouMean(unknown, known)}`);
}
