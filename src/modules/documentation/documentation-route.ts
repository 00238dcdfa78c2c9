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
} from '../../framework';
import { formatOf, type Representation, type Selector } from '../content-negotiation';
import { guest, needsUser, type AccessRule } from '../mvc-auth';
import type { DocumentationContent } from './content';
import type { Documentation } from './documentation';
import { GuideRoute } from './guides/guide-route';
import { SearchRoute } from './search/search-route';

/** Everything below the one URL: `/platform/documentation[/<api>[-v<version>][/<service>]]`. */
export const DOCUMENTATION_PATTERN = '/platform/documentation[/:api[-v:version(\\d+)][/:service]]';

/** The formats that have words for the difference of two versions. */
const COMPARING: readonly string[] = ['json', 'html', 'markdown'];

/** The template that shows every view type (specification, A.1). */
const SHOW_TEMPLATE = 'platform-documentation/show';

declare module '../../framework' {
  interface MvcEvent {
    /** What of the documentation was asked for; a problem where that is told to users only. */
    documentation?: DocumentationContent | Problem;
  }
}

/** What the route of the documentation leads to. */
export class DocumentationRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #documentation: Documentation;
  readonly #access: AccessRule;

  /** @param access who may read the documentation */
  constructor(documentation: Documentation, selector: Selector, access: AccessRule) {
    this.#documentation = documentation;
    this.#access = access;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'documentation',
        handler: ({ documentation: found, identity = guest, representation }: MvcEvent) => {
          if (found instanceof Problem) throw found;
          if (found?.type === 'comparison') assertCompares(representation);
          return found?.type === 'apiList' ? documentation.listFor(identity) : found;
        },
        negotiation: Object.freeze({
          selector,
          contentTypes: [],
          bodyLimit: 0,
          cached: true,
          template: SHOW_TEMPLATE,
          formatParameter: 'format',
        }),
      }),
    });
  }

  /**
   * @throws Problem 404 for what is not documented, which names what is. Where guests may not read that, the
   * problem waits until it is known who asks.
   */
  select(event: MvcEvent): void {
    const { api } = event.parameters;
    const compare = event.request.rawQuery === '' ? undefined : event.request.query.get('compare');
    const access =
      this.#documentation.isHidden(api) && !needsUser(this.#access) ? 'authenticated' : this.#access;
    event.access = access;
    try {
      const { content, guard } = this.#documentation.find({
        ...event.parameters,
        compare: compare ?? undefined,
      });
      event.documentation = content;
      event.guard = guard;
    } catch (error) {
      if (!(error instanceof Problem) || !needsUser(access)) throw error;
      event.documentation = error;
      event.guard = this.#documentation.guardOf(api);
    }
  }
}

/** @throws Problem 406 for a format that has no words for differences */
function assertCompares(representation: Representation | undefined): void {
  const format = representation === undefined ? 'json' : formatOf(representation);
  if (COMPARING.includes(format)) return;
  throw problem(
    'format_not_found',
    { format, formats: COMPARING },
    { extensions: { formats: COMPARING }, fields: [['Vary', 'Accept']] },
  );
}

function selects(target: RouteTarget | undefined): target is DocumentationRoute | SearchRoute | GuideRoute {
  return [DocumentationRoute, SearchRoute, GuideRoute].some((one) => target instanceof one);
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
