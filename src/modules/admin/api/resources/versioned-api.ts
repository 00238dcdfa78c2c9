import { Type } from '@sinclair/typebox';
import { problem, type Application } from '../../../../framework';
import { Catalogue, parseVersionNumber } from '../../../hosting';

export const versionParameter = Type.String({
  description: 'The API with its version.',
  examples: ['Atlas-v1'],
});

/** A version of an API. */
export interface VersionedApi {
  readonly api: string;
  readonly version: number;
}

/** Parses a name such as `Atlas-v1`. @throws Problem 404 for an invalid name */
export function versionIn(name: string): VersionedApi {
  const [, api, digits = ''] = /^(.+)-v(\d+)$/.exec(name) ?? [];
  const version = parseVersionNumber(digits);
  if (api !== undefined && version !== undefined) return { api, version };
  throw problem('name_not_found', { kind: 'version of an API', name, names: ['<Api>-v<number>'] });
}

export async function versionsOf({ services }: Application): Promise<readonly VersionedApi[]> {
  const { apis } = await services.get(Catalogue);
  return apis.flatMap(({ name, versions }) => versions.map(({ version }) => ({ api: name, version })));
}
