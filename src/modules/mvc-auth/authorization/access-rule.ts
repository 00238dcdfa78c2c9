import { Type, type Static } from '@sinclair/typebox';
import type { Identity } from '../identity';

const names = [
  Type.Literal('guest'),
  Type.Literal('authenticated'),
  // In a list, "guest" would be the name of a user.
  Type.Array(
    Type.String({
      minLength: 1,
      pattern: '^(?!(?:guest|authenticated)$)',
      hint: 'Write "guest" or "authenticated" alone, not in a list: a list has names of users.',
    }),
  ),
] as const;

/** A rule for documentation and files, which have no policies. */
export const readerRule = Type.Union([...names], {
  hint: 'Write "guest", "authenticated", or a list of user names. A group is written "@group", a scope "scope:read".',
});

const policyRule = Type.Object(
  { policy: Type.String({ minLength: 1, description: 'The policy to ask: the name of a service.' }) },
  { additionalProperties: false },
);

export const accessRule = Type.Union([...names, policyRule], {
  description:
    'Who may call it: "guest", "authenticated", a list of user names, groups ("@group") and scopes ("scope:read"), or { "policy": "name" }.',
  hint: 'Write "guest", "authenticated", a list of user names, or { "policy": "name" }. A group is written "@group", a scope "scope:read".',
});

/** Who may call an operation: a group is written `@group`, a scope `scope:read`. */
export type AccessRule = Static<typeof accessRule>;
export type PolicyRule = Extract<AccessRule, { readonly policy: string }>;

export function isPolicyRule(rule: AccessRule): rule is PolicyRule {
  return typeof rule === 'object' && !Array.isArray(rule);
}

export function requiresUser(rule: AccessRule): boolean {
  return rule !== 'guest';
}

/** Whether the rule may refuse an authenticated user. */
export function mayRefuseUsers(rule: AccessRule): boolean {
  return typeof rule === 'object';
}

/** The prefix of groups in rules: a user with the name of a group gains nothing. */
const GROUP = '@';

/** The prefix of scopes in rules: neither names of users nor groups contain a colon in password files. */
const SCOPE = 'scope:';

/** The scopes in a rule, of which one is enough; empty for a rule without any. */
export function scopesIn(rule: AccessRule): readonly string[] {
  if (typeof rule === 'string' || isPolicyRule(rule)) return [];
  return rule.flatMap((one) => (one.startsWith(SCOPE) ? [one.slice(SCOPE.length)] : []));
}

/** Whether a rule permits an identity without asking a policy; false for a rule that names one. */
export function permits(rule: AccessRule, identity: Identity): boolean {
  if (rule === 'guest') return true;
  if (identity.name === null) return false;
  if (rule === 'authenticated') return true;
  return !isPolicyRule(rule) && permittingEntry(rule, identity) !== undefined;
}

/** The first entry of a list that permits a user: a name, a group or a scope; undefined if none does. */
export function permittingEntry(list: readonly string[], identity: Identity): string | undefined {
  return list.find((one) => {
    if (one.startsWith(GROUP)) return identity.groups.includes(one.slice(GROUP.length));
    if (one.startsWith(SCOPE)) return identity.scopes.includes(one.slice(SCOPE.length));
    return one === identity.name;
  });
}
