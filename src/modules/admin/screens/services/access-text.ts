import { isList, isObject, listOf, type ConfigValue } from '../../../../framework';

/** The text of the rule that permits no user. */
const NOBODY = 'nobody';

/** Formats an access rule for a text field; empty without a rule. */
export function accessText(rule: ConfigValue | undefined): string {
  if (typeof rule === 'string') return rule;
  if (isObject(rule) && typeof rule.policy === 'string') return `policy:${rule.policy}`;
  return isList(rule) && rule.length === 0 ? NOBODY : listOf(rule).join(', ');
}

/**
 * Returns the submitted rule as a member of a declaration, without one for an empty field. A text that is not changed
 * keeps the current rule: texts cannot express all rules, as names may contain commas.
 */
export function submittedRule(
  text: string,
  current: ConfigValue | undefined,
): { readonly authorization?: ConfigValue } {
  if (current !== undefined && text === accessText(current).trim()) return { authorization: current };
  return text === '' ? {} : { authorization: ruleIn(text) };
}

function ruleIn(text: string): ConfigValue {
  if (text === 'guest' || text === 'authenticated') return text;
  if (text === NOBODY) return [];
  if (text.startsWith('policy:')) return { policy: text.slice('policy:'.length).trim() };
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
