import { closestMatch } from '../../../framework';
import type { Api } from '../model/api';

/** A page that a path may have been meant for. */
export interface ClosePage {
  /** The path, or the name, that is documented there. */
  readonly name: string;
  /** What it belongs to, e.g. `Country of Atlas v2`. */
  readonly within: string;
  readonly url: string;
}

interface Route {
  readonly segments: readonly string[];
  readonly page: ClosePage;
}

/** Longer paths are no slip of the pen, and comparing them would be work for nothing. */
const LONGEST_PATH = 200;
const MOST_SEGMENTS = 16;
const MOST_PAGES = 3;

/**
 * Finds the documented paths and names nearest to a path that leads nowhere. Compared segment by segment, so that an
 * unknown path costs little however many there are.
 */
export class ClosestPages {
  /** By the number of their segments. */
  readonly #routes = new Map<number, Route[]>();
  /** Names of APIs and services. */
  readonly #names = new Map<string, ClosePage>();
  /** The segments that are the same in every call of a route. */
  readonly #words = new Set<string>();

  /**
   * @param apis those that everybody may know of
   * @param home the URL path of their list
   */
  constructor(apis: readonly Api[], home: string) {
    for (const api of apis) {
      const url = `${home}/${encodeURIComponent(api.getName())}-v${api.getVersion()}`;
      const within = `${api.getName()} v${api.getVersion()}`;
      const isDefault = api.getVersion() === api.getDefaultVersion();
      if (isDefault) {
        this.#names.set(api.getName(), { name: api.getName(), within: 'API', url });
      }
      for (const service of api.getServices()) {
        const page = { url: `${url}/${encodeURIComponent(service.getName())}` };
        const inService = `${service.getName()} of ${within}`;
        if (isDefault || !this.#names.has(service.getName()))
          this.#names.set(service.getName(), { ...page, name: service.getName(), within });
        for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
          for (const path of service.getPaths(operation)) {
            this.#add(`${api.getBaseUrl()}${api.getVersionPath()}${path}`, { ...page, within: inService });
            if (isDefault) this.#add(`${api.getBaseUrl()}${path}`, { ...page, within: inService });
          }
        }
      }
    }
    this.#add(home, { url: home, within: 'the list of APIs' });
  }

  #add(path: string, page: Omit<ClosePage, 'name'>): void {
    const segments = segmentsOf(path);
    const alike = this.#routes.get(segments.length) ?? [];
    this.#routes.set(segments.length, alike);
    if (alike.some(({ page: { name } }) => name === path)) return;
    alike.push({ segments, page: { ...page, name: path } });
    for (const segment of segments) if (!isParameter(segment)) this.#words.add(segment);
  }

  /** The nearest, the best first; none where nothing is near. */
  to(path: string): readonly ClosePage[] {
    if (path.length > LONGEST_PATH) return [];
    const segments = segmentsOf(decoded(path));
    if (segments.length > MOST_SEGMENTS) return [];
    const slips = segments.map((segment) => [segment, ...this.#meant(segment)]);
    const near = (this.#routes.get(segments.length) ?? []).flatMap(({ segments: route, page }) => {
      const cost = costOf(route, slips);
      return cost === undefined ? [] : [{ cost, page }];
    });
    if (near.length > 0) {
      // Of routes that fit alike, one without parameters is nearer than one that takes anything.
      return near
        .sort((a, b) => a.cost - b.cost || a.page.name.split(':').length - b.page.name.split(':').length)
        .slice(0, MOST_PAGES)
        .map(({ page }) => ({ ...page, name: filledIn(page.name, segments) }));
    }
    const last = segments.at(-1) ?? '';
    const name = this.#names.has(last) ? last : closestMatch(last, this.#names.keys());
    const named = name === undefined ? undefined : this.#names.get(name);
    return named === undefined ? [] : [named];
  }

  /** The other word that a segment was perhaps meant to be: `repo` may be a word elsewhere, and `repos` the one here. */
  #meant(segment: string): readonly string[] {
    const others = this.#words.has(segment)
      ? [...this.#words].filter((word) => word !== segment)
      : this.#words;
    const word = closestMatch(segment, others);
    return word === undefined ? [] : [word];
  }
}

/** How many segments have to be read as another word; undefined where the route does not fit even so. */
function costOf(route: readonly string[], slips: readonly (readonly string[])[]): number | undefined {
  let cost = 0;
  for (const [at, segment] of route.entries()) {
    if (isParameter(segment)) continue;
    const slip = slips[at]?.indexOf(segment) ?? -1;
    if (slip < 0) return undefined;
    cost += slip;
  }
  return cost;
}

/** The path of a route with what stands in the place of its parameters. */
function filledIn(path: string, segments: readonly string[]): string {
  const own = segmentsOf(path).map((segment, at) => (isParameter(segment) ? segments[at] : segment));
  return `/${own.join('/')}`;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
