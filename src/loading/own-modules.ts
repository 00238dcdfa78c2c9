import { readFileSync, statSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache';
import type { FileVersion, KeptModule } from './code-cache-content';
import { codeCacheFile } from './code-cache-file';
import { deferredImports } from './deferred-imports';
import { withNormalFlags } from './optimization-flags';

/** The folder of the platform's own modules: `dist`. */
const FOLDER = path.dirname(__dirname) + path.sep;

/** What Node compiles around a CommonJS module. */
const [BEFORE, AFTER] = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

/** Node compiles modules that import others while they run: scripts need an experimental function of Node 20 for that. */
const IMPORTS = /\bimport\(/;

/** By then a start has called its functions, and V8 has not yet discarded the code of those that are not called again. */
const STARTED_AFTER_MS = 3_000;

/** After how long work after the start is interrupted for requests, and how long. A large module takes longer to load. */
const [SLICE_MS, PAUSE_MS] = [5, 10];

/** A file of the platform. */
interface ModuleFile {
  readonly file: string;
  readonly version: FileVersion;
}

/** A module with the script of its source. */
interface ScriptModule extends ModuleFile {
  readonly source: string;
  readonly script: Script;
  /** How much compiled code was kept of it, in bytes: 0 if it was compiled from its source. */
  readonly keptBytes: number;
}

/** What transpilers call. */
interface CompilingModule extends Module {
  _compile(source: string, file: string): void;
}

/** A module that may import others when it is used. */
interface LoadedModule {
  readonly module: Module;
  readonly source: string;
}

type ModuleFunction = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: NodeJS.Module,
  file: string,
  folder: string,
) => void;

let shared: OwnModules | undefined;

/**
 * Lets an entry point load the platform's own modules faster than Node does: a relative path is a file or a folder with
 * an index.js, whatever else it could be, and compiled code is kept for the next start. What others require or import are
 * the same modules, because they are in the cache of Node's loader.
 *
 * Modules that are imported on first use are loaded some seconds after the start, in pauses: their first request does not
 * wait for them, and an update that replaces files later does not mix two versions in a process.
 *
 * Does nothing where modules are not those of Node's loader (in Bun, Deno, Jest and bundles), and with source maps.
 *
 * @param entry the `module` of the entry point, before it imports others
 * @param use entry points that load different modules keep their compiled code separately
 */
export function loadOwnModules(entry: NodeJS.Module, use: 'server' | 'commands'): void {
  if (!(entry instanceof Module) || 'bun' in process.versions || 'deno' in process.versions) return;
  // Node reads the source maps of what it compiles itself.
  if (process.sourceMapsEnabled) return;
  shared ??= new OwnModules(new CodeCache(codeCacheFile(FOLDER, use)));
  shared.serve(entry);
}

class OwnModules {
  readonly #cache: CodeCache;
  /** By absolute path as modules name them, without extension. */
  readonly #files = new Map<string, ModuleFile>();
  #scripts: ScriptModule[] = [];
  /** What may have imports that are not yet loaded. */
  #loaded: LoadedModule[] = [];
  /** Undefined while modules are loaded whose code will be kept. */
  #saving: Generator<void, void, void> | undefined;

  constructor(cache: CodeCache) {
    this.#cache = cache;
    setTimeout(() => this.#continue(this.#afterStart()), STARTED_AFTER_MS).unref();
    process.once('exit', () => {
      const saving = (this.#saving ??= this.#save());
      withNormalFlags(() => {
        while (saving.next().done !== true);
      });
    });
  }

  /** Handles what a module requires. */
  serve(module: Module): void {
    module.require = (id: string): unknown => {
      const file = id.startsWith('.') ? this.#fileOf(path.join(module.path, id)) : undefined;
      // Called on the prototype, because tools that trace packages replace the method.
      if (file === undefined)
        return withNormalFlags(() => Module.prototype.require.call(module, id) as unknown);
      const known = require.cache[file.file];
      return known === undefined
        ? withNormalFlags(() => this.#load(file, module))
        : (known.exports as unknown);
    };
  }

  /** The file of a module of the platform; undefined if Node is to find it. */
  #fileOf(name: string): ModuleFile | undefined {
    let found = this.#files.get(name);
    if (found !== undefined || !name.startsWith(FOLDER) || path.extname(name) !== '') return found;
    for (const file of [`${name}.js`, path.join(name, 'index.js')]) {
      const version = statSync(file, { throwIfNoEntry: false });
      if (version === undefined) continue;
      found = { file, version };
      this.#files.set(name, found);
      break;
    }
    return found;
  }

  #load(file: ModuleFile, parent: Module): unknown {
    const module = new Module(file.file, parent);
    module.filename = file.file;
    module.paths = parent.paths;
    this.serve(module);
    require.cache[file.file] = module;
    try {
      this.#execute(file, module);
      module.loaded = true;
    } catch (error) {
      // The next attempt fails in the same way.
      Reflect.deleteProperty(require.cache, file.file);
      throw error;
    }
    return module.exports as unknown;
  }

  #execute({ file, version }: ModuleFile, module: Module): void {
    const kept = this.#cache.find(file, version);
    const code = kept === undefined ? readFileSync(file, 'utf8') : '';
    if (this.#saving === undefined) this.#loaded.push({ module, source: kept?.source ?? code });
    if (IMPORTS.test(code)) {
      (module as CompilingModule)._compile(code, file);
      return;
    }
    const source = kept?.source ?? BEFORE + code + AFTER;
    const script = new Script(source, {
      filename: file,
      columnOffset: -BEFORE.length,
      ...(kept === undefined ? {} : { cachedData: kept.code }),
    });
    const keptBytes = script.cachedDataRejected === true ? 0 : (kept?.code.length ?? 0);
    if (this.#saving === undefined) this.#scripts.push({ file, version, source, script, keptBytes });
    const run = script.runInThisContext() as ModuleFunction;
    run.call(
      module.exports,
      module.exports,
      (id) => module.require(id) as unknown,
      module,
      file,
      module.path,
    );
  }

  /** Loads what modules import on first use, then what those import, and keeps the compiled code of all. */
  *#afterStart(): Generator<void, void, void> {
    for (let next = this.#loaded.pop(); next !== undefined; next = this.#loaded.pop()) {
      for (const id of deferredImports(next.source)) {
        loadIfPossible(next.module, id);
        yield;
      }
    }
    yield* (this.#saving ??= this.#save());
  }

  #continue(work: Iterator<void, void>): void {
    const end = performance.now() + SLICE_MS;
    const isDone = withNormalFlags(() => {
      while (performance.now() < end) if (work.next().done === true) return true;
      return false;
    });
    if (isDone) return;
    setTimeout(() => this.#continue(work), PAUSE_MS).unref();
  }

  /**
   * Keeps the compiled code of new modules, and that of others which has grown since it was kept: V8 compiles a function
   * when it is first called, and a start with further modules calls further functions of all.
   */
  *#save(): Generator<void, void, void> {
    if (this.#scripts.some(({ keptBytes }) => keptBytes === 0) && this.#cache.prepare()) {
      const modules: KeptModule[] = [];
      for (const { script, keptBytes, ...module } of this.#scripts) {
        const code = script.createCachedData();
        if (code.length > keptBytes) modules.push({ ...module, code });
        yield;
      }
      const order = this.#scripts.map(({ file }) => file);
      yield* this.#cache.add(modules, order);
    }
    this.#cache.close();
    this.#scripts = [];
    this.#loaded = [];
  }
}

/** What cannot be loaded fails where it is used. */
function loadIfPossible(module: Module, id: string): void {
  try {
    module.require(id);
  } catch {
    // Loaded again on its first use.
  }
}
