import { isPolicyRule, permittingEntry, type AccessRule, type Identity } from '../../../mvc-auth';
import type { RuleLayer } from '../access/access-origin';
import { isRefusedBefore, type Grounds } from './rule-test';

/** Explains a verdict: one sentence for each step, in the order in which a request takes them. */
export function reasonsFor(grounds: Grounds): readonly string[] {
  const { target, evaluation } = grounds;
  return [
    `The request addresses ${target.route === undefined ? target.name : `the route ${target.route.pattern}`}.`,
    guardReason(grounds),
    identityReason(grounds),
    ...(isRefusedBefore(evaluation) ? [] : ruleReasons(grounds)),
    ...grounds.customListeners.map(
      (event) =>
        `A module listens to "${event}" and may decide otherwise; its listeners are not called here.`,
    ),
  ];
}

function guardReason({ target, entry }: Grounds): string {
  const adapters = target.guard?.descriptions ?? [];
  const set =
    entry === undefined
      ? ''
      : entry.source === undefined
        ? ' (the only adapter, without a map)'
        : ` (platform-mvc-auth.authentication.map["${entry.key}"], ${entry.source})`;
  if (adapters.length === 0) return `No adapter guards it${set}: credentials are not read.`;
  const names = adapters.map(({ name, realm }) => `"${name}" (realm "${realm}")`);
  return adapters.length === 1
    ? `The adapter ${String(names[0])} guards it${set}.`
    : `The adapters ${names.join(' and ')} guard it${set}.`;
}

function identityReason({ target, evaluation, adapter, hasReaders }: Grounds): string {
  const of = adapter === undefined ? '' : ` of the adapter "${adapter}"`;
  switch (evaluation.identification) {
    case 'always guest':
      return `${target.method} requests are never authenticated, as CORS preflights have no credentials: the request is a guest's.`;
    case 'ignored':
      return `The credentials${of} are not read there: the request is a guest's.`;
    case 'refused':
      return `The credentials${of} are read, but that adapter does not guard it: they are refused, unless an adapter that guards it has the same user and password.`;
    case 'unreachable':
      return 'Requests from this address or with this host name are refused before credentials are read.';
    case 'verified':
      return `The request is of ${describeIdentity(evaluation.identity)}.`;
    case 'custom':
      if (hasReaders)
        return `The request is assumed to be of ${describeIdentity(evaluation.identity)}, who has signed in with OpenID Connect.`;
      return `A module may identify the request; it is assumed to be of ${describeIdentity(evaluation.identity)}.`;
    case 'guest':
      return "The request has no credentials: it is a guest's.";
  }
}

function describeIdentity({ name, groups, scopes }: Identity): string {
  const list = (noun: string, names: readonly string[]): string =>
    names.length === 0 ? `no ${noun}s` : `the ${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
  return `the user "${name ?? ''}" with ${list('group', groups)} and ${list('scope', scopes)}`;
}

const LAYERS: Readonly<Record<RuleLayer, string>> = {
  version: 'set for this version',
  api: 'set for all versions of the API',
  'configured declaration': 'declared by the API in configuration',
  declaration: 'declared by the API',
  default: 'the default for operations without a rule',
  route: 'set for what the route serves',
  hidden: 'as the documentation is hidden from guests',
};

function ruleReasons({ target, evaluation, origin, isAnswered }: Grounds): readonly string[] {
  const { rule, method } = target;
  if (isAnswered)
    return [
      method === 'OPTIONS'
        ? 'OPTIONS is answered before authorization, with the methods of the path: the rule does not apply.'
        : `The path does not support ${method}: the rule does not apply.`,
    ];
  const text = `The rule is ${describeRule(rule)}`;
  const from =
    origin === undefined
      ? ''
      : `, ${LAYERS[origin.layer]} (${[origin.path, origin.source].filter((one) => one !== undefined).join(', ')})`;
  return [`${text}${from}.`, decisionReason(rule, evaluation.identity, evaluation.decision)];
}

/** `"authenticated"`, `["ada", "@staff"]` or `{ "policy": "owner" }` */
function describeRule(rule: AccessRule): string {
  if (typeof rule === 'string') return `"${rule}"`;
  if (isPolicyRule(rule)) return `{ "policy": "${rule.policy}" }`;
  return `[${rule.map((one) => `"${one}"`).join(', ')}]`;
}

function decisionReason(rule: AccessRule, identity: Identity, decision: boolean | undefined): string {
  if (isPolicyRule(rule))
    return decision === undefined
      ? `The policy "${rule.policy}" decides from the request itself, and is not called here.`
      : 'Guests are refused without calling the policy.';
  if (rule === 'guest') return 'It permits everyone.';
  if (identity.isGuest) return 'It refuses guests.';
  if (rule === 'authenticated') return 'It permits every user.';
  const entry = permittingEntry(rule, identity);
  return entry === undefined
    ? 'None of its entries is the name, a group or a scope of the user.'
    : `Its entry "${entry}" permits the user.`;
}
