import {
  Listeners,
  MethodTable,
  priorities,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type RouteTarget,
} from '../../framework';
import type { Selector } from '../content-negotiation';
import type { DocumentationContent } from './content';
import type { Documentation } from './documentation';

/** Everything below the one URL: `/platform/documentation[/<api>[-v<version>][/<service>]]`. */
export const DOCUMENTATION_PATTERN = '/platform/documentation[/:api[-v:version(\\d+)][/:service]]';

/** The template that shows every view type (specification, A.1). */
const SHOW_TEMPLATE = 'platform-documentation/show';

declare module '../../framework' {
  interface MvcEvent {
    /** What of the documentation was asked for. */
    documentation?: DocumentationContent;
  }
}

/** What the route of the documentation leads to. */
export class DocumentationRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #documentation: Documentation;

  constructor(documentation: Documentation, selector: Selector) {
    this.#documentation = documentation;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'documentation',
        handler: (event: MvcEvent) => event.documentation,
        negotiation: Object.freeze({
          selector,
          contentTypes: [],
          bodyLimit: 0,
          template: SHOW_TEMPLATE,
          formatParameter: 'format',
        }),
      }),
    });
  }

  /** @throws Problem 404 for what is not documented */
  select(event: MvcEvent): void {
    const { content, guard } = this.#documentation.find(event.parameters);
    event.documentation = content;
    event.guard = guard;
  }
}

/** At `route`, finds what of the documentation is asked for. */
export class DocumentationListener extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'route',
        (event) => {
          const target = event.match?.route.target;
          if (target instanceof DocumentationRoute) target.select(event);
        },
        priorities.route.scope,
      ),
    ];
  }
}
