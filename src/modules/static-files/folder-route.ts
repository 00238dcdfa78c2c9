import {
  canonicalPath,
  joinTarget,
  MethodTable,
  parseAccept,
  percentDecoded,
  problem,
  Response,
  type MvcEvent,
  type RouteTarget,
} from '../../framework';
import { requiresUser, type AccessRule, type Guard } from '../mvc-auth';
import { cacheControlOf } from './cache-control';
import { filePathOf, hasExtension, type FilePath } from './file-path';
import { fileResponse } from './file-response';
import { locateFile, type FoundFile } from './locate-file';
import { DEFAULT_HEADERS, type FolderSettings } from './settings';

/** The file that stands for a folder. */
const INDEX = 'index.html';

/** How often a file is looked for again that was replaced while it was opened. */
const ATTEMPTS = 3;

/** A folder that is served. */
export interface ServedFolder extends Pick<FolderSettings, 'fallback' | 'immutable' | 'max_age' | 'headers'> {
  /** The path of its URLs, with the base path; empty for the root. */
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
  readonly access: AccessRule;
  readonly guard: Guard | undefined;
  /** Other folders that require a user; absolute. Those in this one are served by their own rules only. */
  readonly guarded: readonly string[];
  /** Whether a path belongs to an API or a page of the platform. */
  readonly isReserved: (path: string) => boolean;
}

/** Serves the files of a folder at the paths that no other route matches. */
export class FolderRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #folder: ServedFolder;
  readonly #fields: readonly (readonly [string, string])[];
  /** Undefined if the folder sets the field itself. */
  readonly #cacheControl: ((path: string) => string) | undefined;
  readonly #fallback: readonly string[] | undefined;

  constructor(folder: ServedFolder) {
    const { path, access, guard, fallback, headers, immutable = [], max_age: maxAge = 0 } = folder;
    this.#folder = folder;
    this.#fields = [
      ...Object.entries(withHeaders(headers)),
      ...(requiresUser(access) ? (guard?.vary ?? []) : []).map((name) => ['Vary', name] as const),
    ];
    this.#cacheControl = hasField(headers, 'cache-control')
      ? undefined
      : cacheControlOf({ maxAge, immutable, isPrivate: requiresUser(access) });
    this.#fallback = fallback?.split('/');
    const handler = (event: MvcEvent): Promise<Response> => this.#respond(event);
    this.methods = new MethodTable({ GET: Object.freeze({ name: `files of ${path || '/'}`, handler }) });
  }

  /** @throws Problem 404 for paths of APIs, and of pages of the platform */
  select(event: MvcEvent): void {
    const { isReserved, guard, access } = this.#folder;
    const { path } = event.request;
    if (isReserved(percentDecoded(path) ?? path)) {
      // As without a front end: the pages of the platform have 404s of their own.
      event.match = undefined;
      throw problem('route_not_found', { path });
    }
    if (!requiresUser(access)) return;
    event.guard = guard;
    event.access = access;
  }

  async hasPath(path: string): Promise<boolean> {
    const named = this.#named(path);
    return named !== undefined && (await this.#find(named)) !== undefined;
  }

  #named(path: string): FilePath | undefined {
    // Without needless escapes, as the route was matched.
    return filePathOf(canonicalPath(path).slice(this.#folder.path.length));
  }

  async #respond(event: MvcEvent): Promise<Response> {
    const { path, rawQuery } = event.request;
    const named = this.#named(path);
    for (let attempt = 0; attempt < ATTEMPTS && named !== undefined; attempt++) {
      const found = await this.#find(named);
      if (found === 'folder')
        return new Response(308, null, [['Location', joinTarget(`${path}/`, rawQuery)]]);
      const response =
        found === undefined ? await this.#fallBack(event, named) : await this.#send(event, found);
      if (response === 'none') break;
      if (response !== undefined) return response;
    }
    // A client that accepts pages receives the fallback.
    const varies = this.#fallback !== undefined && named !== undefined && !hasExtension(named);
    throw problem('route_not_found', { path }, varies ? { fields: [['Vary', 'Accept']] } : {});
  }

  /** Returns the file that is named, the index of a folder, or that the path of a folder lacks its slash. */
  async #find({ segments, isDirectory }: FilePath): Promise<FoundFile | 'folder' | undefined> {
    const { folder, guarded } = this.#folder;
    if (!isDirectory) {
      const found = await locateFile(folder, segments, guarded);
      if (found?.stats.isFile() === true) return found;
      if (found === undefined) return undefined;
    }
    const index = await locateFile(folder, [...segments, INDEX], guarded);
    if (index?.stats.isFile() !== true) return undefined;
    return isDirectory ? index : 'folder';
  }

  async #fallBack(event: MvcEvent, named: FilePath): Promise<Response | 'none' | undefined> {
    if (this.#fallback === undefined || hasExtension(named)) return 'none';
    if (!acceptsHtml(event.request.header('accept'))) return 'none';
    const found = await locateFile(this.#folder.folder, this.#fallback);
    if (found?.stats.isFile() !== true) return 'none';
    const response = await this.#send(event, found);
    response?.fields.addToList('Vary', 'Accept');
    return response;
  }

  #send(event: MvcEvent, found: FoundFile): Promise<Response | undefined> {
    const cacheControl = this.#cacheControl?.(found.path);
    const caching = cacheControl === undefined ? [] : [['Cache-Control', cacheControl] as const];
    return fileResponse(event, found, [...this.#fields, ...caching]);
  }
}

/** The defaults, and what a folder sets; names are case-insensitive. */
function withHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const defaults = Object.entries(DEFAULT_HEADERS).filter(([name]) => !hasField(headers, name.toLowerCase()));
  return { ...Object.fromEntries(defaults), ...headers };
}

/** @param field in lower case */
function hasField(headers: Readonly<Record<string, string>> = {}, field: string): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === field);
}

/** Whether a client asks for a page: browsers name HTML when they navigate, and neither scripts nor images do. */
function acceptsHtml(accept = ''): boolean {
  return parseAccept(accept).some(
    ({ type, subtype, quality }) => type === 'text' && subtype === 'html' && quality > 0,
  );
}
