import { _, Name, type CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';

const KEYWORD = 'unevaluatedItems';

/**
 * Completes Ajv's `unevaluatedItems` (JSON Schema 2020-12, 11.2). In generated code, the number of evaluated items is
 * undefined if neither the matching branch of a union nor a reference evaluates any. Ajv compares the length of a list with it
 * as it is, and accepts all items.
 * @returns undefined if the instance does not have the keyword
 */
export function unevaluatedItemsOf(ajv: Ajv2020): CodeKeywordDefinition | undefined {
  const known = ajv.getKeyword(KEYWORD);
  if (typeof known !== 'object' || !('code' in known)) return undefined;
  const { code, ...definition } = known;
  return {
    ...definition,
    keyword: KEYWORD,
    code(context) {
      const { gen, it } = context;
      const { items } = it;
      if (items instanceof Name) gen.if(_`${items} === undefined`, () => gen.assign(items, 0));
      code(context);
    },
  };
}
