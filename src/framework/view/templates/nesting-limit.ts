import type { Environment } from 'nunjucks';
import { MAX_NESTING, tooDeep } from './page-parts';
import { withSyntaxPositionFromZero } from './rendering-error';

type Callback = (error: unknown, result?: unknown) => void;

/** What a compiled template runs to include, import or extend it. */
type RootFunction = (
  environment: unknown,
  context: unknown,
  frame: unknown,
  runtime: unknown,
  callback: Callback,
) => void;

/** The members of a Nunjucks template that its types omit. */
interface CompiledTemplate {
  readonly path: string;
  rootRenderFunc: RootFunction;
}

/** A page that is being rendered. */
interface Page {
  /** Templates within each other. */
  depth: number;
  /** More than are allowed. */
  failure: RangeError | undefined;
}

/**
 * Limits how deep the templates of an environment include, import and extend each other, also by names that are known only
 * when they are rendered: a recursion without end would occupy the process until its stack is full.
 */
export function limitNesting(environment: Environment): void {
  const limited = new WeakSet();
  let page: Page = { depth: 0, failure: undefined };
  const counted =
    (render: RootFunction, file: string): RootFunction =>
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
  const limit = (template: CompiledTemplate): void => {
    if (limited.has(template)) return;
    limited.add(template);
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
      throw withSyntaxPositionFromZero(error);
    }
    limit(template);
    (callback as Callback)(null, template);
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
    } finally {
      page = around;
    }
  };
  Object.assign(environment, { getTemplate: withLimit, render: withLimitedDepth });
}
