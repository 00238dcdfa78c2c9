import { Type } from '@sinclair/typebox';
import type { ClaimNames } from './claims';

/** The option `realm` of adapters for Bearer tokens. */
export const realmSetting = Type.Optional(
  Type.String({
    title: 'Realm',
    group: 'More',
    pattern: '^[^\\x00-\\x1f\\x7f"\\\\]+$',
    description: 'The realm in challenges; defaults to the name of the adapter.',
    hint: 'Write a readable name without quotes, backslashes and control characters.',
  }),
);

/**
 * An optional text of adapters for Bearer tokens.
 * @param form a title, and the group of options that are rarely set
 */
export const textSetting = (description: string, form: { readonly title: string; readonly group?: string }) =>
  Type.Optional(Type.String({ minLength: 1, description, ...form }));

/** The options of an adapter that name claims. */
interface ClaimOptions {
  readonly name_claim?: string;
  readonly groups_claim?: string;
  readonly scope_claim?: string;
}

/** Returns the configured names, or their defaults. */
export function claimNamesOf(options: ClaimOptions): ClaimNames {
  const { name_claim: name = 'sub', groups_claim: groups = 'groups', scope_claim: scope = 'scope' } = options;
  return { name, groups, scope };
}
