import { isPolicyRule, type AccessRule } from '../../../mvc-auth';
import type { FieldError } from '../invalid';

/** What names of users and groups cannot hold: a colon would end them in a password file. */
const ODD = /[:\p{Cc}]/u;

/** What is wrong with a rule; undefined stands for none, and is right. Which policies there are shows when it is tried. */
export function ruleErrors(rule: AccessRule | undefined, pointer: string): readonly FieldError[] {
  if (rule === undefined || typeof rule === 'string' || isPolicyRule(rule)) return [];
  if (rule.length === 0) {
    return [{ pointer, message: 'Name at least one user, or a group as "@group".' }];
  }
  return rule.flatMap((name) => {
    const fault = faultOf(name);
    return fault === undefined ? [] : [{ pointer, message: `"${name}" can be no name: ${fault}` }];
  });
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'it is empty.';
  if (name === '@') return 'the name of the group is missing.';
  if (name.trim() !== name) return 'it begins or ends with a space.';
  return ODD.test(name) ? 'it has a colon or a control character.' : undefined;
}
