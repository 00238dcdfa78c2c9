// The environment of jest for Node, where each worker compiles and loads a module once instead of once per suite. V8 caches
// the code of scripts, with their functions, but not that of functions compiled by `vm.compileFunction`, which jest uses;
// and it may discard what has not run for a while.
const vm = require('node:vm');
const v8 = require('node:v8');
const { TestEnvironment } = require('jest-environment-node');

v8.setFlagsFromString('--no-flush-bytecode');

const { compileFunction } = vm;

/**
 * As `vm.compileFunction`, for what jest compiles, which is for the context of a suite: modules without `import()`, whose
 * callback would prevent the cache.
 */
function compileOnce(source, parameters, options) {
  if (options?.parsingContext === undefined || source.includes('import('))
    return compileFunction(source, parameters, options);
  const head = `(function(${parameters.join(',')}){`;
  const script = new vm.Script(`${head}${source}\n})`, {
    filename: options.filename,
    columnOffset: -head.length,
  });
  return script.runInContext(options.parsingContext);
}

vm.compileFunction = compileOnce;

/**
 * One environment for all suites of a worker, so that modules stay loaded from one suite to the next (see
 * `test-runtime.cjs`). Its context has a global object of its own, not one whose globals are looked up in a proxy: each
 * `Object`, `Promise` and `Buffer` of the tested code would take 0.2 µs.
 */
class Environment extends TestEnvironment {
  static #only;
  /** The properties of `process` and `Error` before the first suite. */
  #initial;

  constructor(config, context) {
    if (Environment.#only !== undefined) return Environment.#only;
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    const { process, Error } = this.global;
    this.#initial = [process, Error].map((one) => [one, Object.getOwnPropertyDescriptors(one)]);
    Environment.#only = this;
  }

  /** Restores what a suite may have changed, instead of discarding the context. */
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const [one, properties] of this.#initial) {
      for (const name of Reflect.ownKeys(one)) if (!Object.hasOwn(properties, name)) delete one[name];
      Object.defineProperties(one, properties);
    }
    const { env } = this.global.process;
    for (const name of Object.keys(env)) delete env[name];
    Object.assign(env, process.env);
  }
}

module.exports = Environment;
