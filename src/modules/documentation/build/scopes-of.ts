import { scopesIn, type AccessRule } from '../../mvc-auth';
import type { ScopesData } from '../model/data';

/** Returns the scopes that a rule permits; undefined for a rule without any. */
export function scopesOf(rule: AccessRule): ScopesData | undefined {
  const scopes = scopesIn(rule);
  if (scopes.length === 0 || !Array.isArray(rule)) return undefined;
  return { anyOf: [...new Set(scopes)], othersPermitted: scopes.length < rule.length };
}

/** The message of the 403 for credentials without these scopes. */
export function scopeRefusal({ anyOf, othersPermitted }: ScopesData): string {
  const names = anyOf.map((scope) => `"${scope}"`).join(' or ');
  const others = othersPermitted ? ', except for users that are permitted by name or group' : '';
  return `The scope ${names} is required${others} (insufficient_scope)`;
}
