type Callback = (error: unknown, result?: unknown) => void;

/** What a compiled template runs to render itself, or one of its blocks. */
export type RenderFunction = (
  environment: unknown,
  context: RenderContext,
  frame: unknown,
  runtime: unknown,
  callback: Callback,
) => void;

/** What templates that extend each other share while they are rendered. */
interface RenderContext {
  /** Renders the block that a block replaces. */
  getSuper: (environment: unknown, name: string, block: RenderFunction, ...rest: unknown[]) => unknown;
}

/** The members of a Nunjucks template that its types omit. */
export interface CompiledTemplate {
  readonly path: string;
  readonly blocks: Record<string, RenderFunction>;
  rootRenderFunc: RenderFunction;
}

/**
 * Separates the errors of render functions from each other: Nunjucks runs what follows an included template within the
 * included one, and blocks within the template that is extended, and would report their errors with a position there.
 *
 * @param report receives each error with the file of the template that it occurred in
 */
export function separateErrors(
  template: CompiledTemplate,
  report: (error: unknown, file: string) => void,
): void {
  const { blocks, path } = template;
  const separated =
    (render: RenderFunction): RenderFunction =>
    (env, context, frame, runtime, callback) => {
      const thrown: unknown[] = [];
      render(env, context, frame, runtime, (error, result) => {
        if (error) report(error, path);
        try {
          callback(error, result);
        } catch (failed) {
          thrown.push(failed);
        }
      });
      if (thrown.length > 0) throw thrown[0];
    };
  template.rootRenderFunc = separated(template.rootRenderFunc);
  const replacements = new Map<RenderFunction, RenderFunction>();
  const prepared = new WeakSet<RenderContext>();
  // A block names itself when it calls super(). Once per context: what follows a block runs within it.
  const prepare = (context: RenderContext): void => {
    if (prepared.has(context)) return;
    prepared.add(context);
    const { getSuper } = context;
    context.getSuper = (env, name, block, ...rest) =>
      getSuper.call(context, env, name, replacements.get(block) ?? block, ...rest);
  };
  for (const [name, block] of Object.entries(blocks)) {
    const render = separated(block);
    const replacement: RenderFunction = (env, context, ...rest) => {
      prepare(context);
      render(env, context, ...rest);
    };
    replacements.set(block, replacement);
    blocks[name] = replacement;
  }
}
