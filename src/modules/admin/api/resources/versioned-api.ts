import { Type } from '@sinclair/typebox';
import { problem, type Application } from '../../../../framework';
import { Catalogue } from '../../../hosting';

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
  const [, api, digits] = /^(.+)-v([1-9]\d{0,8})$/.exec(name) ?? [];
  if (api !== undefined && digits !== undefined) return { api, version: Number(digits) };
  throw problem('name_not_found', { kind: 'version of an API', name, names: ['<Api>-v<number>'] });
}

export async function versionsOf({ services }: Application): Promise<readonly VersionedApi[]> {
  const { apis } = await services.get(Catalogue);
  return apis.flatMap(({ name, versions }) => versions.map(({ version }) => ({ api: name, version })));
}
