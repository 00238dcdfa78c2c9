import {
  andThen,
  MethodTable,
  problem,
  Problem,
  runCooperatively,
  type MaybePromise,
  type MvcEvent,
  type RouteTarget,
} from '../../../framework';
import { formatOf, type Selector } from '../../content-negotiation';
import { guest, type AccessRule } from '../../mvc-auth';
import { Changelog } from '../changelog/changelog';
import { ChangelogContent } from '../changelog/changelog-content';
import { Comparison } from '../compare/comparison';
import { ComparisonContent } from '../compare/comparison-content';
import { loadContent } from '../build/load-content';
import type { Found, Scope } from '../build/scope-index';
import type { Documentation, Resolution } from '../documentation';

/** Every URL of the documentation: `/platform/documentation[/<api>[-v<version>][/<service>]]`. */
export const DOCUMENTATION_PATTERN = '/platform/documentation[/:api[-v:version(\\d+)][/:service]]';

/** The formats that support comparisons and changelogs. */
const COMPARING: readonly string[] = ['json', 'html', 'markdown'];

/** The template of every view type (specification, A.1). */
const SHOW_TEMPLATE = 'platform-documentation/show';

/** The template of comparisons, because a custom `show` for the specification supports its three types only. */
const COMPARISON_TEMPLATE = 'platform-documentation/comparison';

const CHANGELOG_TEMPLATE = 'platform-documentation/changelog';

declare module '../../../framework' {
  interface MvcEvent {
    /** The requested documentation, for guests and users. */
    documentation?: Resolution;
  }
}

/** The target of the documentation route. */
export class DocumentationRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #documentation: Documentation;
  readonly #access: AccessRule;
  readonly #hasOtherUsers: () => boolean;

  /**
   * @param access who may read the documentation
   * @param hasOtherUsers whether there may be users that no adapter authenticated
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
          const found = shownTo(event);
          const format = event.responseFormat === undefined ? 'json' : formatOf(event.responseFormat);
          if (!isDeferred(found)) return andThen(runCooperatively(loadContent(found, format)), () => found);
          assertSupportsDeferred(format, found);
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

  /** @throws Problem 404 before authentication, unless users may see more */
  select(event: MvcEvent): MaybePromise<void> {
    const scope = scopeOf(event);
    // The number of pages is known when the services are.
    const loading = scope.page === undefined ? undefined : this.#documentation.load(scope);
    return andThen(loading, () => this.#select(event, scope));
  }

  #select(event: MvcEvent, scope: Scope): void {
    const { request } = event;
    const resolution = this.#documentation.resolve(scope, this.#access, request, this.#hasOtherUsers);
    event.documentation = resolution;
    event.guard = resolution.guard;
    event.access = resolution.access;
  }
}

/** Returns what the authenticated client sees. @throws Problem in its place */
function shownTo({ documentation, identity = guest }: MvcEvent): Found | undefined {
  const found = identity.isGuest ? documentation?.forGuests : documentation?.forUsers;
  if (found instanceof Problem) throw found;
  return found;
}

/** The template of a content. */
export function templateOf(content: unknown): string {
  if (content instanceof ChangelogContent) return CHANGELOG_TEMPLATE;
  return content instanceof ComparisonContent ? COMPARISON_TEMPLATE : SHOW_TEMPLATE;
}

/** Whether a content is computed when it is requested. */
export function isDeferred(found: unknown): found is Comparison | Changelog {
  return found instanceof Comparison || found instanceof Changelog;
}

function scopeOf({ parameters, request }: MvcEvent): Scope {
  if (request.rawQuery === '') return parameters;
  const [compare, page] = ['compare', 'page'].map((name) => request.query.get(name) ?? undefined);
  return { ...parameters, compare, page, isChangelog: request.query.has('changelog') };
}

/** @throws Problem 406 for a format that supports neither comparisons nor changelogs */
function assertSupportsDeferred(format: string, found: Comparison | Changelog): void {
  if (COMPARING.includes(format)) return;
  throw problem(
    'format_not_found',
    {
      format,
      formats: COMPARING,
      of: found instanceof Changelog ? 'a changelog' : 'a comparison of versions',
    },
    { extensions: { formats: COMPARING }, fields: [['Vary', 'Accept']] },
  );
}
