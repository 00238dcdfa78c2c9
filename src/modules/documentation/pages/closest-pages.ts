import { closestMatch, percentDecoded, type Steps } from '../../../framework';
import type { Api } from '../model/api';
import type { Service } from '../model/service';

/** A documented page that is similar to a path. */
export interface ClosePage {
  /** The documented path or name. */
  readonly name: string;
  /** The parent, e.g. `Country of Atlas v2`. */
  readonly within: string;
  readonly url: string;
}

interface Route {
  readonly segments: readonly string[];
  readonly page: ClosePage;
}

/** Longer paths are not typos, and comparing them would be expensive. */
const MAX_PATH_LENGTH = 200;
const MAX_SEGMENTS = 16;
const MAX_PAGES = 3;

/**
 * Finds the documented paths and names most similar to an unknown path. Comparing by segment keeps the cost of an
 * unknown path low.
 */
export class ClosestPages {
  readonly #home: string;
  readonly #paths = new Set<string>();
  /** By the number of segments. */
  readonly #routes = new Map<number, Route[]>();
  /** Names of APIs and services. */
  readonly #names = new Map<string, ClosePage>();
  /** The literal segments of all routes. */
  readonly #words = new Set<string>();

  private constructor(home: string) {
    this.#home = home;
  }

  /**
   * Indexes the pages of APIs in steps of one service.
   * @param apis the APIs that are visible to everybody
   * @param home the URL path of the list of APIs
   */
  static *build(apis: readonly Api[], home: string): Steps<ClosestPages> {
    const pages = new ClosestPages(home);
    for (const api of apis) {
      if (api.getVersion() === api.getDefaultVersion())
        pages.#names.set(api.getName(), { name: api.getName(), within: 'API', url: pages.#urlOf(api) });
      for (const service of api.getServices()) {
        pages.#addService(api, service);
        yield;
      }
    }
    pages.#add(home, { url: home, within: 'the list of APIs' });
    return pages;
  }

  #urlOf(api: Api): string {
    return `${this.#home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
  }

  #addService(api: Api, service: Service): void {
    const name = service.getName();
    const within = `${api.getName()} v${api.getVersion()}`;
    const isDefault = api.getVersion() === api.getDefaultVersion();
    const url = `${this.#urlOf(api)}/${encodeURIComponent(name)}`;
    if (isDefault || !this.#names.has(name)) this.#names.set(name, { url, name, within });
    const page = { url, within: `${name} of ${within}` };
    for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
      for (const path of service.getPaths(operation)) {
        this.#add(`${api.getBaseUrl()}${api.getVersionPath()}${path}`, page);
        if (isDefault) this.#add(`${api.getBaseUrl()}${path}`, page);
      }
    }
  }

  #add(path: string, page: Omit<ClosePage, 'name'>): void {
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    const segments = segmentsOf(path);
    const sameLength = this.#routes.get(segments.length) ?? [];
    this.#routes.set(segments.length, sameLength);
    sameLength.push({ segments, page: { ...page, name: path } });
    for (const segment of segments) if (!isParameter(segment)) this.#words.add(segment);
  }

  /** Returns the most similar pages, the best first; none if nothing is similar. */
  to(path: string): readonly ClosePage[] {
    if (path.length > MAX_PATH_LENGTH) return [];
    const segments = segmentsOf(percentDecoded(path) ?? path);
    if (segments.length > MAX_SEGMENTS) return [];
    const candidates = segments.map((segment) => [segment, ...this.#similarTo(segment)]);
    const near = (this.#routes.get(segments.length) ?? []).flatMap(({ segments: route, page }) => {
      const cost = costOf(route, candidates);
      return cost === undefined ? [] : [{ cost, page }];
    });
    if (near.length > 0) {
      // For equal costs, routes with fewer parameters first.
      return near
        .sort((a, b) => a.cost - b.cost || a.page.name.split(':').length - b.page.name.split(':').length)
        .slice(0, MAX_PAGES)
        .map(({ page }) => ({ ...page, name: withSegments(page.name, segments) }));
    }
    const last = segments.at(-1) ?? '';
    const name = this.#names.has(last) ? last : closestMatch(last, this.#names.keys());
    const page = name === undefined ? undefined : this.#names.get(name);
    return page === undefined ? [] : [page];
  }

  /** Returns the most similar other segment of a route, if any. A known segment may be wrong here, too. */
  #similarTo(segment: string): readonly string[] {
    const others = this.#words.has(segment)
      ? [...this.#words].filter((word) => word !== segment)
      : this.#words;
    const word = closestMatch(segment, others);
    return word === undefined ? [] : [word];
  }
}

/** Returns the number of segments to correct; undefined if the route does not match even then. */
function costOf(route: readonly string[], candidates: readonly (readonly string[])[]): number | undefined {
  let cost = 0;
  for (const [at, segment] of route.entries()) {
    if (isParameter(segment)) continue;
    const candidate = candidates[at]?.indexOf(segment) ?? -1;
    if (candidate < 0) return undefined;
    cost += candidate;
  }
  return cost;
}

/** Returns the path of a route with its parameters replaced. */
function withSegments(path: string, segments: readonly string[]): string {
  const own = segmentsOf(path).map((segment, at) => (isParameter(segment) ? segments[at] : segment));
  return `/${own.join('/')}`;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
