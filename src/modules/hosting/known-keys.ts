import { nearest, StartError } from '../../framework';
import type { ApiDefinition, VersionDefinition } from './definition';

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
  versions: true,
};

const version: Readonly<Record<keyof VersionDefinition, true>> = {
  inherits: true,
  deprecated: true,
  sunset: true,
  successor: true,
  schemas: true,
  services: true,
};

/** What an API may say in code. */
export const apiKeys: readonly string[] = Object.keys(api);

/** What a version may say in code. */
export const versionKeys: readonly string[] = Object.keys(version);

/**
 * Refuses a key that nobody reads: the schema says so of what is configured, and types of what is declared in code,
 * but a misspelt `authorization` in plain JavaScript would leave its operation open.
 * @param where names what has the key, for the message
 * @throws StartError
 */
export function assertKnownKeys(declared: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(declared).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  throw new StartError(
    `${where} has an unknown key "${unknown}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
  );
}
