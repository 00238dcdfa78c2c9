import { ConfigurationError } from '../errors/configuration-error';
import { errorMessage } from '../errors/error-message';
import { problem } from '../problem/errors';
import { hasPathPrefix } from '../text/path-prefix';
import { canonicalPath, percentDecoded } from '../text/percent-encoding';
import { isInherited } from '../values/own-members';
import { LaterRoutes } from './later-routes';
import { PathTree, type Found, type ParameterNames } from './path-tree';
import { assemble, assembler } from './path-assembly';
import { expand, parametersOf, parsePattern, type PatternPart, type RoutePattern } from './pattern';
import { segmentsOf } from './segment';

/** A named route and its target. */
export interface Route<T> {
  readonly name: string;
  readonly pattern: RoutePattern;
  readonly target: T;
}

/** A matched route with its decoded parameters. */
export interface RouteMatch<T> {
  readonly route: Route<T>;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Below<T> {
  readonly prefix: string;
  readonly match: RouteMatch<T>;
}

/**
 * Named routes, by the segments of their paths. Optional parts are expanded into plain patterns. Patterns that differ only
 * in the names of parameters conflict. Routes do not depend on methods: the target decides between 404 and 405.
 */
export class Router<T> {
  readonly #base: string;
  readonly #routes = new Map<string, Route<T>>();
  /** Routes for all paths below a path, longest first. */
  readonly #below: Below<T>[] = [];
  readonly #tree = new PathTree<Route<T>>();
  readonly #later = new LaterRoutes();
  /** Equal names of parameters, which are one object: most services name theirs alike. */
  readonly #parameters = new Map<string, ParameterNames>();

  /** @param base a path prefix of every route, e.g. `/gateway`; may be empty */
  constructor(base = '') {
    this.#base = base;
  }

  /** @throws ConfigurationError if the name or the pattern already exists, or the pattern is invalid */
  add(name: string, pattern: string, target: T): Route<T> {
    const route: Route<T> = { name, pattern: parse(name, pattern), target };
    if (this.has(name)) throw new ConfigurationError(`Two routes have the name "${name}".`);
    this.#routes.set(name, route);
    for (const parts of expand(route.pattern)) this.#addPlain(route, parts);
    return route;
  }

  /**
   * Adds a route for all paths below a path that no other route matches; the longest such path wins. Other paths pay
   * nothing for it.
   *
   * @param path without a slash at its end; empty for all paths
   * @throws ConfigurationError if the name or the path already exists
   */
  addBelow(name: string, path: string, target: T): Route<T> {
    const route: Route<T> = { name, pattern: parse(name, path === '' ? '/' : path), target };
    if (this.has(name)) throw new ConfigurationError(`Two routes have the name "${name}".`);
    const prefix = this.#base + path;
    if (this.#below.some((other) => other.prefix === prefix))
      throw new ConfigurationError(`Two routes match all paths below "${route.pattern.text}".`);
    this.#routes.set(name, route);
    this.#below.push({ prefix, match: { route, parameters: {} } });
    this.#below.sort((one, other) => other.prefix.length - one.prefix.length);
    return route;
  }

  /**
   * Adds routes when they are first needed: to match a path below theirs, to find out whether others conflict with them, or
   * to list all. Until then, each request pays for a comparison.
   *
   * @param of `path`: literal text that all of their patterns begin with, without a slash at its end; `names`: what all of
   *   their names begin with
   * @param add adds them; called again only after it has failed
   */
  addLater({ path, names }: { readonly path: string; readonly names: string }, add: () => void): void {
    const segments = segmentsOf(this.#base, path === '' ? [] : parse(path, path).parts);
    const isNamed = (): boolean => [...this.#routes.keys()].some((name) => name.startsWith(names));
    if (this.#tree.hasBelow(segments) || isNamed()) add();
    else this.#later.push({ prefix: this.#base + path, segments, names, add });
  }

  #findBelow(path: string): Below<T> | undefined {
    if (this.#below.length === 0) return undefined;
    const canonical = canonicalPath(path);
    return this.#below.find(({ prefix }) => hasPathPrefix(canonical, prefix));
  }

  /**
   * Returns a route that already matches some paths of a pattern.
   * @throws ConfigurationError if the pattern is invalid
   */
  findConflict(pattern: string): Route<T> | undefined {
    this.#later.addAll();
    return expand(parse(pattern, pattern))
      .map((parts) => this.#tree.get(segmentsOf(this.#base, parts)))
      .find((route) => route !== undefined);
  }

  #addPlain(route: Route<T>, parts: readonly PatternPart[]): void {
    const names = parametersOf(parts);
    const absent = parametersOf(route.pattern.parts).filter(
      (name) => isInherited(name) && !names.includes(name),
    );
    const segments = segmentsOf(this.#base, parts);
    if (!this.#later.isEmpty) this.#later.addConflicting(segments);
    const other = this.#tree.add(segments, route, this.#shared({ names, absent }));
    if (other === undefined) return;
    throw new ConfigurationError(
      `The routes "${other.name}" (${other.pattern.text}) and "${route.name}" (${route.pattern.text}) match the same paths.`,
    );
  }

  #shared(parameters: ParameterNames): ParameterNames {
    const key = `${parameters.names.join('/')}//${parameters.absent.join('/')}`;
    const known = this.#parameters.get(key) ?? parameters;
    this.#parameters.set(key, known);
    return known;
  }

  /**
   * Returns the route that matches a path.
   * @param path percent-encoded, without query
   * @throws Problem 400 if the path is not correctly percent-encoded
   */
  match(path: string): RouteMatch<T> | undefined {
    if (!this.#later.isEmpty) this.#later.addFor(path);
    const values: string[] = [];
    const found = this.#find(path, values);
    if (found === undefined) return this.#findBelow(path)?.match;
    const {
      entry: route,
      parameters: { names, absent },
    } = found;
    const parameters: Record<string, string> = {};
    let at = 0;
    for (const name of names) parameters[name] = values[at++] ?? '';
    for (const name of absent) Object.assign(parameters, { [name]: undefined });
    return { route, parameters };
  }

  /**
   * Returns how specific the route of a path is, to compare paths: infinite for a pattern, the length of the path below which
   * another route matches, and 0 without a route.
   */
  specificity(path: string): number {
    if (percentDecoded(path) === undefined) return 0;
    try {
      if (!this.#later.isEmpty) this.#later.addFor(path);
    } catch {
      // The request gets this error when its path is matched.
      return Infinity;
    }
    return this.#tree.find(path, []) === undefined ? (this.#findBelow(path)?.prefix.length ?? 0) : Infinity;
  }

  #find(path: string, values: string[]): Found<Route<T>> | undefined {
    try {
      return this.#tree.find(path, values);
    } catch (error) {
      if (error instanceof URIError) throw problem('bad_target', { path });
      throw error;
    }
  }

  /** Builds the path of a named route. @throws TypeError for an unknown name or a missing parameter */
  assemble(name: string, parameters: Readonly<Record<string, string | number>> = {}): string {
    return this.#base + assemble(this.#named(name).pattern, parameters);
  }

  /**
   * Precomputes paths that differ in one parameter.
   * @param open the name of that parameter
   * @throws TypeError for an unknown name or a missing parameter
   */
  assembler(
    name: string,
    open: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ): (value: string) => string {
    const path = assembler(this.#named(name).pattern, open, parameters);
    return this.#base === '' ? path : (value) => this.#base + path(value);
  }

  #named(name: string): Route<T> {
    const route = this.has(name) ? this.#routes.get(name) : undefined;
    if (route === undefined) throw new TypeError(`Route "${name}" does not exist.`);
    return route;
  }

  get base(): string {
    return this.#base;
  }

  /** Whether a route has this name. */
  has(name: string): boolean {
    if (!this.#later.isEmpty) this.#later.addNamed(name);
    return this.#routes.has(name);
  }

  /** All routes, in the order in which they were added; adds those that are added later. */
  get routes(): readonly Route<T>[] {
    this.#later.addAll();
    return [...this.#routes.values()];
  }
}

function parse(name: string, pattern: string): RoutePattern {
  try {
    return parsePattern(pattern);
  } catch (error) {
    throw new ConfigurationError(`The route "${name}": ${errorMessage(error)}`);
  }
}
