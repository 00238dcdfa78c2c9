import type { Environment } from 'nunjucks';
import { separateErrors, type CompiledTemplate, type RenderFunction } from './compiled-template';
import { MAX_NESTING, tooDeep } from './page-parts';
import { renderingError, syntaxError } from './rendering-error';

/** A page that is being rendered. */
interface Page {
  /** Templates within each other. */
  depth: number;
  /** The first error: it ends the page. */
  failure: Error | undefined;
}

/**
 * Ends a page with its first error, which has the file, line and column that it occurred in. Limits how deep the templates of
 * an environment include, import and extend each other, also by names that are known only when they are rendered: a recursion
 * without end would occupy the process until its stack is full.
 *
 * @param functions the names of functions that all templates have
 */
export function watchPages(environment: Environment, functions: readonly string[]): void {
  const watched = new WeakSet();
  let page: Page = { depth: 0, failure: undefined };
  const counted =
    (render: RenderFunction, file: string): RenderFunction =>
    (env, context, frame, runtime, callback) => {
      const own = page;
      if (own.depth >= MAX_NESTING) own.failure ??= tooDeep(file);
      // What follows would be as deep. Without the callback nothing follows; after an error, loops would continue, and each
      // template around would make the message longer.
      if (own.failure !== undefined) return;
      const depth = ++own.depth;
      // What follows in the template around runs within the callback.
      render(env, context, frame, runtime, (error, result) => {
        own.depth = depth - 1;
        callback(error, result);
      });
    };
  const watch = (template: CompiledTemplate): void => {
    if (watched.has(template)) return;
    watched.add(template);
    separateErrors(template, (error, file) => (page.failure ??= renderingError(error, file, functions)));
    template.rootRenderFunc = counted(template.rootRenderFunc, template.path);
  };
  const getTemplate = environment.getTemplate.bind(environment) as (...args: unknown[]) => unknown;
  // Compiled templates and `render` pass a callback, as the last argument.
  const withLimit = (...args: unknown[]): unknown => {
    const callback = args.pop();
    if (typeof callback !== 'function') return getTemplate(...args, callback);
    const [name, , parent, ignoreMissing] = args;
    let template: CompiledTemplate;
    try {
      // Compiled at once: Nunjucks throws syntax errors of included templates later, where they would end the process.
      template = getTemplate(name, true, parent, ignoreMissing) as CompiledTemplate;
    } catch (error) {
      page.failure ??= syntaxError(error);
      throw error;
    }
    watch(template);
    (callback as (error: null, template: CompiledTemplate) => void)(null, template);
    return undefined;
  };
  const render = environment.render.bind(environment) as (...args: unknown[]) => unknown;
  const withLimitedDepth = (...args: unknown[]): unknown => {
    // A helper may render a page within another one.
    const around = page;
    const own: Page = { depth: 0, failure: undefined };
    page = own;
    try {
      const text = render(...args);
      if (own.failure !== undefined) throw own.failure;
      return text;
    } catch (error) {
      if (own.failure !== undefined) throw own.failure;
      throw error;
    } finally {
      page = around;
    }
  };
  Object.assign(environment, { getTemplate: withLimit, render: withLimitedDepth });
}
