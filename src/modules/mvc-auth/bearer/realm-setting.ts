import { Type } from '@sinclair/typebox';

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
