import { isPolicyRule, type AccessRule } from '../../../mvc-auth';
import { isRefusedBefore, type Grounds } from './rule-test';

/** Returns what would permit a refused request: alternatives, in sentences. Empty for other requests. */
export function remediesFor({
  target,
  evaluation,
  isAnswered,
  hasReaders,
  customListeners,
}: Grounds): readonly string[] {
  if (evaluation.problem === undefined || (isAnswered && !isRefusedBefore(evaluation))) return [];
  const { guard, rule } = target;
  const { identification } = evaluation;
  if (identification === 'unreachable')
    return ['Send the request from a network and with a host name that the adapter allows.'];
  const names = guard?.descriptions.map(({ name }) => `"${name}"`) ?? [];
  if (identification === 'refused') {
    return [
      `Use credentials of ${names.join(' or ')}${requirementOf(rule)}.`,
      'Or map the adapter of the credentials to the API.',
    ];
  }
  if (hasReaders && evaluation.identity.isGuest) {
    const ways = [...names, 'OpenID Connect'];
    return [
      `Sign in with ${ways.join(' or ')} as a user${requirementOf(rule)}.`,
      'Or change the rule to "guest".',
    ];
  }
  if (names.length === 0 && !hasReaders) {
    const isCustom = customListeners.includes('authentication');
    return [
      ...(isCustom ? [`Let the module identify a user${requirementOf(rule)}.`] : []),
      `Map an adapter to the API, and sign in as a user${requirementOf(rule)}.`,
      'Or change the rule to "guest".',
    ];
  }
  return evaluation.identity.isGuest
    ? [
        `Sign in with ${names.join(' or ')} as a user${requirementOf(rule)}.`,
        'Or change the rule to "guest".',
      ]
    : [
        `Use credentials of a user${requirementOf(rule)}.`,
        'Or add the user, or one of its groups or scopes, to the rule.',
      ];
}

/** What a rule requires of a user, as the end of a sentence. */
function requirementOf(rule: AccessRule): string {
  if (rule === 'guest' || rule === 'authenticated') return '';
  if (isPolicyRule(rule)) return ` that the policy "${rule.policy}" permits`;
  const alternatives = rule.map((one) => {
    if (one.startsWith('@')) return `in the group "${one.slice(1)}"`;
    if (one.startsWith('scope:')) return `with the scope "${one.slice('scope:'.length)}"`;
    return `named "${one}"`;
  });
  return alternatives.length === 0 ? ', which the empty rule never permits' : ` ${alternatives.join(' or ')}`;
}
