import { isPolicyRule, type AccessRule } from '../../../mvc-auth';
import type { FieldError } from '../../changes/field-errors';

/** Characters not allowed in user and group names; password files separate fields with colons. */
const FORBIDDEN = /[:\p{Cc}]/u;

/** A scope in a rule (RFC 6749, 3.3, scope-token). */
const SCOPE = /^scope:[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Validates a rule; undefined (no rule) is valid. Policies are checked when the change is built. */
export function ruleErrors(rule: AccessRule | undefined, pointer: string): readonly FieldError[] {
  if (rule === undefined || typeof rule === 'string' || isPolicyRule(rule)) return [];
  if (rule.length === 0) {
    return [
      { pointer, message: 'Enter at least one user, a group as "@group", or a scope as "scope:read".' },
    ];
  }
  return rule.flatMap((name) => {
    const error = nameError(name);
    return error === undefined ? [] : [{ pointer, message: `"${name}" is not a valid name: ${error}` }];
  });
}

function nameError(name: string): string | undefined {
  if (name === '') return 'it is empty.';
  if (name === '@') return 'the group name is missing.';
  if (name.trim() !== name) return 'it starts or ends with a space.';
  if (name.startsWith('scope:'))
    return SCOPE.test(name) ? undefined : 'the scope is missing, or has a space, a quote or a backslash.';
  return FORBIDDEN.test(name) ? 'it contains a colon or a control character.' : undefined;
}
