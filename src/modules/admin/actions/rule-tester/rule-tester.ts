import { Problem, type Request } from '../../../../framework';
import {
  AuthenticatedIdentity,
  evaluateAccess,
  guest,
  Guards,
  hasCustomAuthentication,
  hasCustomAuthorization,
  isPolicyRule,
  toVerificationProblem,
  type AssumedClient,
  type AuthenticationAdapter,
} from '../../../mvc-auth';
import type { HostedEndpoint } from '../../../hosting';
import { readersCanSignIn } from '../../../openid';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { ROUTE_PREFIX } from '../../pages/page-routes';
import type { ApiAccess } from '../access/api-access';
import { adapterNames } from '../access/adapter-map';
import type { RuleQuestion, Who } from './question';
import { reasonsFor } from './reasons';
import { remediesFor } from './remedies';
import { routeRule } from './route-rule';
import { isRefusedBefore, type Grounds, type RuleTest, type Verdict } from './rule-test';
import { testedTarget, type TestedTarget } from './tested-target';

/** Says whether a request would be permitted, and why, with the functions that decide requests. Nothing is sent. */
export class RuleTester {
  readonly #changes: ConfigurationChanges;
  readonly #access: ApiAccess;

  constructor(changes: ConfigurationChanges, access: ApiAccess) {
    this.#changes = changes;
    this.#access = access;
  }

  /**
   * @param request of the administrator: the tested one has its address and host name
   * @throws Problem 422 with pointers for an unknown adapter, user or operation, 503 if the users cannot be read
   */
  async test({ who, what }: RuleQuestion, request: Request): Promise<RuleTest> {
    const client = { ...(await this.#clientOf(who)), origin: request };
    const { running } = this.#changes;
    let target: TestedTarget;
    try {
      target = await testedTarget(running, what, request);
    } catch (error) {
      if (what.kind === 'operation' || !(error instanceof Problem)) throw error;
      return notRouted(`${what.method} ${what.path}`, error);
    }
    if (target.route?.name.startsWith(ROUTE_PREFIX) === true) {
      const message = 'Pages of the admin have a sign-in of their own: access rules do not apply to them.';
      throw invalid([{ pointer: '/path', message }]);
    }
    const { events } = running;
    const isCustom = hasCustomAuthentication(events);
    const hasReaders = target.isDocumentation && (await readersCanSignIn(running.services));
    const isReader = hasReaders && client.adapter === undefined;
    const evaluation = evaluateAccess(target, client, isCustom || isReader);
    const { endpoint, route } = target;
    return testOf({
      target,
      evaluation,
      adapter: client.adapter?.name,
      origin:
        endpoint !== undefined
          ? await this.#access.ruleOf(endpoint)
          : route && routeRule(this.#changes.configuration, target.rule, route),
      entry: endpoint && this.#access.mapEntryOf(endpoint, endpoint.service),
      isAnswered: isAnswered(target),
      hasReaders,
      customListeners: [
        ...(isCustom ? ['authentication' as const] : []),
        ...(hasCustomAuthorization(events) ? ['authorization' as const] : []),
      ],
    });
  }

  async #clientOf(who: Who): Promise<Omit<AssumedClient, 'origin'>> {
    if (who.kind === 'guest') return { identity: guest, adapter: undefined };
    if (who.kind === 'user') return this.#userOf(who);
    const { name, groups, scopes } = who;
    if (name === '') throw invalid([{ pointer: '/name', message: 'Enter the name of the user.' }]);
    return {
      identity: new AuthenticatedIdentity(name, groups, scopes),
      adapter: who.adapter === undefined ? undefined : await this.#adapter(who.adapter),
    };
  }

  async #userOf({
    adapter: adapterName,
    name,
  }: Extract<Who, { kind: 'user' }>): Promise<Omit<AssumedClient, 'origin'>> {
    const adapter = await this.#adapter(adapterName);
    if (adapter.lookUp === undefined) {
      const message = `The adapter "${adapterName}" knows users from their credentials only. Enter the name, groups and scopes instead.`;
      throw invalid([{ pointer: '/adapter', message }]);
    }
    let found;
    try {
      found = await adapter.lookUp(name);
    } catch (error) {
      throw toVerificationProblem(error);
    }
    if (found === undefined) {
      const message = `The adapter "${adapterName}" has no user "${name}" that can sign in.`;
      throw invalid([{ pointer: '/name', message }]);
    }
    return { identity: new AuthenticatedIdentity(found.username, found.groups, found.scopes), adapter };
  }

  /** @throws Problem 422 */
  async #adapter(name: string): Promise<AuthenticationAdapter> {
    const guards = await this.#changes.running.services.get(Guards);
    const found = guards.adapter(name)?.adapter;
    if (found !== undefined) return found;
    const known = adapterNames(this.#changes.configuration).join(', ') || 'none';
    const message =
      name === ''
        ? 'Choose the adapter of the user.'
        : `Adapter "${name}" does not exist. Available: ${known}.`;
    throw invalid([{ pointer: '/adapter', message }]);
  }
}

/** The result for a request that fails before authentication, for every client. */
function notRouted(target: string, error: Problem): RuleTest {
  return {
    ...failed('not found', error),
    target,
    operation: null,
    rule: null,
    path: null,
    source: null,
    policy: null,
    identity: guest,
    reasons: ['The request fails before authentication, for every client.'],
    remedies: [],
  };
}

type Outcome = Pick<RuleTest, 'verdict' | 'status' | 'code' | 'detail' | 'challenges'>;

function testOf(grounds: Grounds): RuleTest {
  const { target, origin, evaluation, isAnswered } = grounds;
  const rule = isAnswered || isRefusedBefore(evaluation) ? null : target.rule;
  return {
    ...outcomeOf(grounds),
    target: target.name,
    operation: operationOf(target.endpoint),
    rule,
    path: rule === null ? null : (origin?.path ?? null),
    source: rule === null ? null : (origin?.source ?? null),
    policy: rule !== null && isPolicyRule(rule) ? rule.policy : null,
    identity: evaluation.identity,
    reasons: reasonsFor(grounds),
    remedies: remediesFor(grounds),
  };
}

/** The outcome, in the order in which requests are processed. */
function outcomeOf({ target, evaluation }: Grounds): Outcome {
  const { problem, decision, identity } = evaluation;
  if (isRefusedBefore(evaluation) && problem !== undefined) return failed('refused', problem);
  try {
    const response = target.respondToMethod();
    if (response instanceof Problem) return failed('not found', response);
    if (response !== undefined) return succeeded('permitted', response.status);
    if (problem !== undefined) return failed('refused', problem);
    return decision === undefined
      ? succeeded('undecided', null)
      : succeeded('permitted', target.successStatus(identity));
  } catch (error) {
    if (error instanceof Problem) return failed('not found', error);
    throw error;
  }
}

function succeeded(verdict: Verdict, status: number | null): Outcome {
  return { verdict, status, code: null, detail: null, challenges: [] };
}

function failed(verdict: Verdict, { status, code, detail, fields }: Problem): Outcome {
  const challenges = fields.flatMap(([name, value]) => (name === 'WWW-Authenticate' ? [value] : []));
  return { verdict, status, code: code ?? null, detail, challenges };
}

function operationOf(endpoint: HostedEndpoint | undefined): RuleTest['operation'] {
  if (endpoint === undefined) return null;
  const { api, version, service, part, method } = endpoint;
  return { api, version, service, part, method };
}

/** Whether a method is answered or refused before authorization. */
function isAnswered({ respondToMethod }: TestedTarget): boolean {
  return respondToMethod() !== undefined;
}
