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

/** A named route and what it leads to. */
export interface Route<T> {
  readonly name: string;
  readonly pattern: RoutePattern;
  readonly target: T;
}

/** The route of a request, with its parameters decoded. */
export interface RouteMatch<T> {
  readonly route: Route<T>;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Entry<T> {
  readonly route: Route<T>;
  /** Its parameters in their order, by which find-my-way knows them. */
  readonly names: readonly string[];
}

/**
 * Named routes over find-my-way. Optional parts are expanded into plain patterns, and parameters are known
 * to find-my-way by their position, so that two spellings of one pattern are seen as the conflict they are.
 * Methods are not its concern: a pattern stands once, and what it leads to tells 404 from 405.
 */
export class Router<T> {
  readonly #base: string;
  readonly #routes = new Map<string, Route<T>>();
  readonly #byPath = new Map<string, Route<T>>();
  readonly #lookup = findMyWay({ maxParamLength: 8_192, onBadUrl: nothing, caseSensitive: true });

  /** @param base a path before every route, e.g. `/gateway`; empty for none */
  constructor(base = '') {
    this.#base = base;
  }

  /** @throws ConfigurationError when the name or the pattern is taken, or the pattern cannot be */
  add(name: string, pattern: string, target: T): Route<T> {
    const route: Route<T> = { name, pattern: parse(name, pattern), target };
    if (this.#routes.has(name)) throw new ConfigurationError(`Two routes have the name "${name}".`);
    this.#routes.set(name, route);
    for (const parts of expand(route.pattern)) this.#addPlain(route, parts);
    return route;
  }

  /**
   * The route that has some of the paths of a pattern already.
   * @throws ConfigurationError for a pattern that cannot be
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
    this.#lookup.on('GET', plain, nothing, entry);
  }

  /**
   * The route of a path.
   * @param path percent-encoded, without query
   * @returns undefined when no route fits
   * @throws Problem 400 when the path is not correctly percent-encoded
   */
  match(path: string): RouteMatch<T> | undefined {
    const found = this.#lookup.find('GET', path);
    if (found === null) return undefined;
    // find-my-way finds a handler of its own, without a store, for what cannot be decoded.
    if (found.store === null) throw problem('bad_target', { path });
    // The store is otherwise what #addPlain put there.
    const { route, names } = found.store as Entry<T>;
    const parameters: Record<string, string> = {};
    let at = 0;
    for (const name of names) {
      const value = found.params[positionOf(at++)];
      if (value === undefined || value === '') return undefined;
      parameters[name] = value;
    }
    return { route, parameters };
  }

  /** The path of a named route. @throws TypeError for an unknown name or a missing parameter */
  assemble(name: string, parameters: Readonly<Record<string, string | number>> = {}): string {
    return this.#base + assemble(this.#named(name).pattern, parameters);
  }

  /**
   * The same for many paths that differ in one parameter.
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

function nothing(): void {
  // Only looked up, never called: find-my-way wants a handler.
}

const POSITIONS = ['p0', 'p1', 'p2', 'p3'];

/** What find-my-way knows a parameter by. */
function positionOf(at: number): string {
  return POSITIONS[at] ?? `p${at}`;
}

function parse(name: string, pattern: string): RoutePattern {
  try {
    return parsePattern(pattern);
  } catch (error) {
    throw new ConfigurationError(
      `The route "${name}": ${error instanceof Error ? error.message : String(error)}`,
    );
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
