import { _, Name, type AnySchema, type KeywordCxt } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';
import { alwaysValidSchema, setEvaluated } from 'ajv/dist/compile/util';
import { forgetContained, markContained, replaceUnevaluatedItems } from './contains';
import { extendCode } from './extend-code';

/** Keywords that apply to objects only. */
const OBJECT_KEYWORDS = ['dependencies', 'dependentSchemas', 'patternProperties'];

/** Keywords that apply another schema, and after which the evaluated members are those that its function has. */
export const REFERENCES = ['$dynamicRef', '$recursiveRef', '$ref'];

/**
 * Completes Ajv's record of the members and items that a schema evaluates (JSON Schema 2020-12, 11.2 and 11.3). See also
 * {@link startEvaluated}.
 */
export function completeEvaluated(ajv: Ajv2020): void {
  if (ajv.opts.unevaluated !== true) return;
  for (const keyword of OBJECT_KEYWORDS)
    extendCode(ajv, keyword, (context, code) => {
      const { it } = context;
      const { items } = it;
      startEvaluated(context);
      code(context);
      // For a list, this code does not run, and its items would be unknown.
      Object.assign(it, { items });
    });
  for (const keyword of REFERENCES)
    extendCode(ajv, keyword, (context, code) => {
      code(context);
      copyEvaluated(context);
    });
  extendCode(ajv, 'if', (context, code) => {
    startEvaluated(context);
    if (hasClause(context)) {
      mergeIfValid(context);
      code(context);
    } else evaluateCondition(context);
  });
  replaceUnevaluatedItems(ajv);
}

/**
 * Declares what the schema evaluates before other schemas add to it. Ajv declares it within the first of them that matches:
 * without a match, it would be what a previous item of a list evaluated, and lack what other keywords do. An object
 * with a prototype would have evaluated members such as `constructor`.
 */
export function startEvaluated({ gen, it }: KeywordCxt): void {
  if (it.opts.unevaluated !== true) return;
  const { items, props } = it;
  if (props !== true && !(props instanceof Name)) {
    it.props = gen.var('props', _`{__proto__: null}`);
    setEvaluated(gen, it.props, props ?? {});
  }
  if (items !== true && !(items instanceof Name)) it.items = gen.var('items', items ?? 0);
}

/** Whether a condition has a `then` or `else` that can fail. Ajv does not try it otherwise. */
function hasClause({ it, parentSchema }: KeywordCxt): boolean {
  const { then, else: otherwise } = parentSchema as Record<string, AnySchema | undefined>;
  return [then, otherwise].some((one) => one !== undefined && !alwaysValidSchema(it, one));
}

/** A condition evaluates members also without `then` and `else` (JSON Schema 2020-12, 10.2.2.1). */
function evaluateCondition(context: KeywordCxt): void {
  const options = { compositeRule: true, createErrors: false, allErrors: false } as const;
  mergeIfValid(context);
  const condition = context.subschema({ keyword: 'if', ...options }, context.gen.name('_valid'));
  context.mergeEvaluated(condition);
  context.reset();
}

/** Makes a condition evaluate members only if it is valid (10.2.2.1): Ajv adds its members always. */
function mergeIfValid(context: KeywordCxt): void {
  const mark = markContained(context);
  const merge = context.mergeEvaluated.bind(context);
  const write = context.subschema.bind(context);
  let valid: Name | undefined;
  context.subschema = (applied, name) => {
    valid = name;
    return write(applied, name);
  };
  context.mergeEvaluated = (schema) => {
    if (valid !== undefined)
      context.gen.if(
        valid,
        () => {
          merge(schema, Name);
        },
        () => {
          forgetContained(context, mark);
        },
      );
  };
}

/** Later keywords add members to the object, which would remain those of the other schema for all further values. */
function copyEvaluated({ gen, it }: KeywordCxt): void {
  const { props } = it;
  if (props instanceof Name) gen.assign(props, _`${props} === true || {__proto__: null, ...${props}}`);
}
