import { errorMessage } from '../errors/error-message';
import findMyWay from 'find-my-way';
import { ConfigurationError } from '../errors/configuration-error';
import { problem } from '../problem/errors';
import {
  assemble,
  assembler,
  expand,
  parametersOf,
  parsePattern,
  type PatternPart,
  type RoutePattern,
} from './pattern';

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

interface Entry<T> {
  readonly route: Route<T>;
  /** The parameter names, in the order of their positional names in find-my-way. */
  readonly names: readonly string[];
}

/**
 * Named routes, on find-my-way. Optional parts are expanded into plain patterns, and parameters are passed to
 * find-my-way with positional names, so that patterns that differ only in names conflict. Routes do not depend on
 * methods: the target decides between 404 and 405.
 */
export class Router<T> {
  readonly #base: string;
  readonly #routes = new Map<string, Route<T>>();
  readonly #byPath = new Map<string, Route<T>>();
  /** Routes for all paths below a path, longest first. */
  readonly #below: { readonly prefix: string; readonly match: RouteMatch<T> }[] = [];
  readonly #lookup = findMyWay({ maxParamLength: 8_192, onBadUrl: noop, caseSensitive: true });

  /** @param base a path prefix of every route, e.g. `/gateway`; may be empty */
  constructor(base = '') {
    this.#base = base;
  }

  /** @throws ConfigurationError if the name or the pattern already exists, or the pattern is invalid */
  add(name: string, pattern: string, target: T): Route<T> {
    const route: Route<T> = { name, pattern: parse(name, pattern), target };
    if (this.#routes.has(name)) throw new ConfigurationError(`Two routes have the name "${name}".`);
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
    if (this.#routes.has(name)) throw new ConfigurationError(`Two routes have the name "${name}".`);
    const prefix = this.#base + path;
    if (this.#below.some((other) => other.prefix === prefix))
      throw new ConfigurationError(`Two routes match all paths below "${route.pattern.text}".`);
    this.#routes.set(name, route);
    this.#below.push({ prefix, match: { route, parameters: {} } });
    this.#below.sort((one, other) => other.prefix.length - one.prefix.length);
    return route;
  }

  #matchBelow(path: string): RouteMatch<T> | undefined {
    return this.#below.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))?.match;
  }

  /**
   * Returns a route that already matches some paths of a pattern.
   * @throws ConfigurationError if the pattern is invalid
   */
  findConflict(pattern: string): Route<T> | undefined {
    return expand(parse(pattern, pattern))
      .map((parts) => this.#byPath.get(this.#base + plainPattern(parts)))
      .find((route) => route !== undefined);
  }

  #addPlain(route: Route<T>, parts: readonly PatternPart[]): void {
    const plain = this.#base + plainPattern(parts);
    const other = this.#byPath.get(plain);
    if (other !== undefined) {
      throw new ConfigurationError(
        `The routes "${other.name}" (${other.pattern.text}) and "${route.name}" (${route.pattern.text}) match the same paths.`,
      );
    }
    this.#byPath.set(plain, route);
    const entry: Entry<T> = { route, names: parametersOf(parts) };
    this.#lookup.on('GET', plain, noop, entry);
  }

  /**
   * Returns the route that matches a path.
   * @param path percent-encoded, without query
   * @throws Problem 400 if the path is not correctly percent-encoded
   */
  match(path: string): RouteMatch<T> | undefined {
    const found = this.#lookup.find('GET', path);
    if (found === null) return this.#matchBelow(path);
    // find-my-way returns its own handler, without a store, for paths that cannot be decoded.
    if (found.store === null) throw problem('bad_target', { path });
    // Otherwise the store is the entry from #addPlain.
    const { route, names } = found.store as Entry<T>;
    const parameters: Record<string, string> = {};
    let at = 0;
    for (const name of names) {
      const value = found.params[positionOf(at++)];
      if (value === undefined || value === '') return this.#matchBelow(path);
      parameters[name] = value;
    }
    return { route, parameters };
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
    const route = this.#routes.get(name);
    if (route === undefined) throw new TypeError(`Route "${name}" does not exist.`);
    return route;
  }

  get base(): string {
    return this.#base;
  }

  get routes(): readonly Route<T>[] {
    return [...this.#routes.values()];
  }
}

function noop(): void {
  // find-my-way requires a handler, which is never called.
}

const POSITIONS = ['p0', 'p1', 'p2', 'p3'];

/** Returns the positional name of a parameter in find-my-way. */
function positionOf(at: number): string {
  return POSITIONS[at] ?? `p${at}`;
}

function parse(name: string, pattern: string): RoutePattern {
  try {
    return parsePattern(pattern);
  } catch (error) {
    throw new ConfigurationError(`The route "${name}": ${errorMessage(error)}`);
  }
}

/** `/countries/:country_code` → `/countries/:p0` */
function plainPattern(parts: readonly PatternPart[]): string {
  let position = 0;
  return parts
    .map((part) => {
      if (part.kind === 'literal') return part.text;
      if (part.kind === 'optional') return '';
      return `:${positionOf(position++)}${part.constraint === undefined ? '' : `(^${part.constraint})`}`;
    })
    .join('');
}
