import {
  Listeners,
  MethodTable,
  priorities,
  problem,
  Problem,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type RouteTarget,
} from '../../../framework';
import { formatOf, type ResponseFormat, type Selector } from '../../content-negotiation';
import { guest, requiresUser, type AccessRule } from '../../mvc-auth';
import { Comparison } from '../compare/comparison';
import { ComparisonContent } from '../compare/comparison-content';
import type { Documentation, Found, Scope } from '../documentation';
import { reachableGuard } from './reachable-guard';
import { ReadersRoute } from './readers-route';

/** Everything below the one URL: `/platform/documentation[/<api>[-v<version>][/<service>]]`. */
export const DOCUMENTATION_PATTERN = '/platform/documentation[/:api[-v:version(\\d+)][/:service]]';

/** The formats that have words for the difference of two versions. */
const COMPARING: readonly string[] = ['json', 'html', 'markdown'];

/** The template that shows every view type (specification, A.1). */
const SHOW_TEMPLATE = 'platform-documentation/show';

/** Comparisons have one of their own: a `show` written from the specification knows its three types only. */
const COMPARISON_TEMPLATE = 'platform-documentation/comparison';

declare module '../../../framework' {
  interface MvcEvent {
    /** What of the documentation was asked for; a problem where that is told to users only. */
    documentation?: Found | Problem;
  }
}

/** What the route of the documentation leads to. */
export class DocumentationRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #documentation: Documentation;
  readonly #access: AccessRule;
  readonly #hasOtherUsers: () => boolean;

  /**
   * @param access who may read the documentation
   * @param hasOtherUsers whether there may be users without any adapter
   */
  constructor(
    documentation: Documentation,
    selector: Selector,
    access: AccessRule,
    hasOtherUsers: () => boolean,
  ) {
    this.#documentation = documentation;
    this.#access = access;
    this.#hasOtherUsers = hasOtherUsers;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'documentation',
        handler: (event: MvcEvent) => {
          const found = this.#foundFor(event);
          if (!(found instanceof Comparison)) return found;
          assertCompares(event.responseFormat);
          return found.content();
        },
        negotiation: Object.freeze({
          selector,
          contentTypes: [],
          bodyLimit: 0,
          cached: true,
          template: templateOf,
          formatParameter: 'format',
        }),
      }),
    });
  }

  /**
   * @throws Problem 404 for what is not documented, which names what is. Where guests may not read that, or users may
   * be told more, the problem waits until it is known who asks.
   */
  select(event: MvcEvent): void {
    const scope = scopeOf(event);
    const isClosed = requiresUser(this.#access);
    const withheld = this.#documentation.withheld(scope);
    const guard = this.#documentation.guardOf(scope, withheld === 'service' && !isClosed);
    event.guard = reachableGuard(guard, this.#access, event.request);
    // Where nobody can sign in, what is hidden is not found, like what is not there.
    const isAsked = withheld !== undefined && event.guard !== undefined;
    const access = isAsked && !isClosed ? 'authenticated' : this.#access;
    event.access = access;
    try {
      event.documentation = this.#documentation.find(scope, requiresUser(access) ? 'users' : 'guests');
    } catch (error) {
      const mayBeTold = requiresUser(access) || (withheld !== undefined && this.#hasOtherUsers());
      if (!(error instanceof Problem) || !mayBeTold) throw error;
      event.documentation = error;
    }
  }

  /** What guests are told was found before it was known who asks; users may be told more. */
  #foundFor(event: MvcEvent): Found | undefined {
    const { documentation: found, identity = guest, access = this.#access } = event;
    const isSettled = identity.isGuest || requiresUser(access);
    if (!isSettled) return this.#documentation.find(scopeOf(event), 'users');
    if (found instanceof Problem) throw found;
    return found;
  }
}

function templateOf(content: unknown): string {
  return content instanceof ComparisonContent ? COMPARISON_TEMPLATE : SHOW_TEMPLATE;
}

function scopeOf({ parameters, request }: MvcEvent): Scope {
  const compare = request.rawQuery === '' ? null : request.query.get('compare');
  return compare === null ? parameters : { ...parameters, compare };
}

/** @throws Problem 406 for a format that has no words for differences */
function assertCompares(representation: ResponseFormat | undefined): void {
  const format = representation === undefined ? 'json' : formatOf(representation);
  if (COMPARING.includes(format)) return;
  throw problem(
    'format_not_found',
    { format, formats: COMPARING, of: 'a comparison of versions' },
    { extensions: { formats: COMPARING }, fields: [['Vary', 'Accept']] },
  );
}

function selects(target: RouteTarget | undefined): target is DocumentationRoute | ReadersRoute {
  return target instanceof DocumentationRoute || target instanceof ReadersRoute;
}

/** At `route`, finds what of the documentation is asked for. */
export class DocumentationListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        (event) => {
          const target = event.match?.route.target;
          if (selects(target)) target.select(event);
        },
        priorities.route.scope,
      ),
    ];
  }
}
