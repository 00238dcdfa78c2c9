import {
  _,
  Name,
  str,
  type AnySchema,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type SchemaCxt,
} from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';
import { alwaysValidSchema, Type } from 'ajv/dist/compile/util';
import { extendCode } from './extend-code';

/**
 * Replaces Ajv's `contains` (JSON Schema 2020-12, 10.3.1.3), with the same errors. For a schema with `unevaluatedItems`, Ajv
 * counts all items as evaluated, also those that do not match.
 */
export const containsKeyword: CodeKeywordDefinition = {
  keyword: 'contains',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'prefixItems',
  trackErrors: true,
  error: {
    message: ({ params: { min, max } }) =>
      max === undefined
        ? str`must contain at least ${min} valid item(s)`
        : str`must contain at least ${min} and no more than ${max} valid item(s)`,
    params: ({ params: { min, max } }) =>
      max === undefined ? _`{minContains: ${min}}` : _`{minContains: ${min}, maxContains: ${max}}`,
  },
  code(context) {
    const { gen, data, it, parentSchema } = context;
    const schema = context.schema as AnySchema;
    const { minContains: min = 1, maxContains: max } = parentSchema as Record<string, number | undefined>;
    const isRecorded = it.opts.unevaluated === true;
    if (min === 0 && max === undefined && !isRecorded) return;
    context.setParams({ min, max });
    const isMet = (count: Code): Code =>
      max === undefined ? _`${count} >= ${min}` : _`${count} >= ${min} && ${count} <= ${max}`;
    if (alwaysValidSchema(it, schema)) {
      if (isRecorded) it.items = true;
      context.pass(isMet(_`${data}.length`));
      return;
    }
    const count = gen.let('count', 0);
    const positions = isRecorded ? gen.const('positions', _`[]`) : undefined;
    const matches = gen.name('_valid');
    gen.forRange('i', 0, _`${data}.length`, (i) => {
      const item = { keyword: 'contains', dataProp: i, dataPropType: Type.Num, compositeRule: true } as const;
      context.subschema(item, matches);
      gen.if(matches, () => {
        gen.code(_`${count}++`);
        if (positions !== undefined) gen.code(_`${positions}.push(${i})`);
        const isDecided = max === undefined ? _`${count} >= ${min}` : _`${count} > ${max}`;
        if (max !== undefined || positions === undefined) gen.if(isDecided, () => gen.break());
      });
    });
    context.result(isMet(count), () => {
      context.reset();
      if (positions !== undefined) gen.code(_`self.contained.push({list: ${data}, positions: ${positions}})`);
    });
  },
};

/** Items of a list that a `contains` evaluates. */
export interface ContainedItems {
  readonly list: unknown;
  readonly positions: readonly number[];
}

/**
 * Returns the positions of the items of a list that `contains` evaluates; undefined if there are none.
 * @param found those of several lists
 */
export function containedIn(
  list: unknown,
  found: readonly ContainedItems[],
): ReadonlySet<number> | undefined {
  const own = found.filter((one) => one.list === list);
  return own.length === 0 ? undefined : new Set(own.flatMap(({ positions }) => positions));
}

/** Returns the position of the first item that is not evaluated; the length of the list if all are. Called by generated code. */
function firstUnevaluated(list: readonly unknown[], from: number, contained?: ReadonlySet<number>): number {
  let at = from;
  while (contained?.has(at) === true) at++;
  return Math.min(at, list.length);
}

/** Replaces Ajv's `unevaluatedItems` (11.2), which knows the number of evaluated items only. */
export function replaceUnevaluatedItems(ajv: Ajv2020): void {
  const marks = new WeakMap<SchemaCxt, Name>();
  ajv
    .addKeyword({
      keyword: FIRST,
      before: '$dynamicRef',
      code: ({ gen, it }: KeywordCxt) => {
        marks.set(it, gen.var('marked', _`self.contained.length`));
      },
    })
    .removeKeyword('unevaluatedItems')
    .addKeyword(unevaluatedItemsKeyword((it) => marks.get(it)));
  const first = ajv.getKeyword(FIRST);
  if (typeof first === 'object') first.implements = ['unevaluatedItems'];
  // What a schema evaluates that must not match does not count.
  extendCode(ajv, 'not', (context, code) => {
    const mark = markContained(context);
    code(context);
    forgetContained(context, mark);
  });
}

/** Runs before the other keywords of a schema with `unevaluatedItems`: those of other schemas evaluate nothing for it. */
const FIRST = 'x-unevaluated-items';

const unevaluatedItemsKeyword = (markOf: (it: SchemaCxt) => Name | undefined): CodeKeywordDefinition => ({
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: ['boolean', 'object'],
  error: {
    message: ({ params: { at, contained } }) =>
      _`${contained} === undefined ? "must NOT have more than " + ${at} + " items" : "must NOT have the item at position " + ${at}`,
    params: ({ params: { at } }) => _`{limit: ${at}}`,
  },
  code(context) {
    const { gen, data, it } = context;
    const schema = context.schema as AnySchema;
    const { items = 0 } = it;
    if (items === true) return;
    it.items = true;
    if (alwaysValidSchema(it, schema)) return;
    const contained = gen.const('contained', _`self.takeContained(${data}, ${markOf(it)})`);
    // It is true if all are evaluated, and may be unknown.
    const evaluated =
      items instanceof Name ? _`${items} === true ? ${data}.length : ${items} ?? 0` : _`${items}`;
    const from = gen.const('from', evaluated);
    if (schema === false) {
      const first = gen.scopeValue('func', { ref: firstUnevaluated });
      const at = gen.const('at', _`${first}(${data}, ${from}, ${contained})`);
      context.setParams({ at, contained });
      context.fail(_`${at} < ${data}.length`);
      return;
    }
    const valid = gen.var('valid', true);
    gen.forRange('i', from, _`${data}.length`, (i) => {
      gen.if(_`${contained} === undefined || !${contained}.has(${i})`, () => {
        context.subschema({ keyword: 'unevaluatedItems', dataProp: i, dataPropType: Type.Num }, valid);
        if (it.allErrors !== true) gen.if(_`!${valid}`, () => gen.break());
      });
    });
    context.ok(valid);
  },
});

/** Writes code that notes how many items are evaluated; returns undefined if no schema asks for it. */
export function markContained({ gen, it }: KeywordCxt): Name | undefined {
  return it.opts.unevaluated === true ? gen.const('marked', _`self.contained.length`) : undefined;
}

/** Writes code that forgets the items evaluated since, because their schema does not match. */
export function forgetContained({ gen }: KeywordCxt, mark: Name | undefined): void {
  if (mark !== undefined) gen.code(_`self.contained.length = ${mark}`);
}
