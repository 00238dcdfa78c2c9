import { inspect } from 'node:util';
import { StartError } from '../../framework';
import { accessRule, type AccessRule } from './settings';

/**
 * Refuses what is no rule: a schema says so of those that are configured, and types of those that are declared in
 * code, but to authors who write JavaScript nobody does.
 * @param where the place of the rule, for the message
 * @throws StartError that says what it is
 */
export function assertRule(rule: AccessRule, where: string): void {
  const given: unknown = rule;
  if (given === 'guest' || given === 'authenticated' || isPolicy(given)) return;
  const hint = String(accessRule.hint);
  if (!Array.isArray(given)) throw new StartError(`${where} is ${shown(given)}. ${hint}`);
  const at = given.findIndex((one) => typeof one !== 'string' || one === '');
  if (at < 0) return;
  const alone = isPolicy(given[at]) ? ' A policy stands alone, and lets those users pass itself.' : '';
  throw new StartError(`${where} has ${shown(given[at])} in its list of users. ${hint}${alone}`);
}

function isPolicy(rule: unknown): boolean {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return false;
  const policy: unknown = Reflect.get(rule, 'policy');
  return typeof policy === 'string' && policy !== '' && Object.keys(rule).length === 1;
}

function shown(value: unknown): string {
  return inspect(value, { depth: 1, breakLength: Infinity });
}
