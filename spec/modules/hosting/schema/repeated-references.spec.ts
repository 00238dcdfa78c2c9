import { isAnnotated } from '../../../../src/framework';
import { declarationOf } from '../../../../src/modules/content-validation';
import { mergePatchSchema } from '../../../../src/modules/hosting/schema/patch/patch-schema';
import { memberSchema, withMember } from '../../../../src/modules/hosting/schema/member-schema';
import { Type } from '../../../../src/platform';

const LEVELS = 30;

/** Definitions of which each refers to the next one twice: the number of paths doubles with each level. */
const schemaOf = (keyword: string, siblings: object, own: object) => {
  const next = (at: number) => ({
    [keyword]: [0, 1].map((one) => ({ ...refTo(at), ...siblings, title: `${one}` })),
  });
  const refTo = (at: number) => ({ $ref: `#/$defs/S${at}` });
  const $defs = Array.from({ length: LEVELS }, (_, at): [string, object] => [
    `S${at}`,
    {
      type: 'object',
      properties: { [`m${at}`]: { type: 'integer' } },
      ...(at + 1 < LEVELS ? next(at + 1) : {}),
    },
  ]);
  return Type.Unsafe<object>({ type: 'object', ...next(0), ...own, $defs: Object.fromEntries($defs) });
};

const keywords = ['allOf', 'anyOf', 'oneOf'];
const ways = keywords.flatMap((keyword): [string, object, object][] => [
  [keyword, {}, {}],
  [keyword, { description: 'Both.' }, {}],
  [keyword, { minProperties: 0 }, { unevaluatedProperties: false }],
]);

describe.each(ways)(
  'definitions of which each refers to the next one twice, in %s next to %j and in %j',
  (...way) => {
    const schema = schemaOf(...way);

    it('declare each of their members once', () => {
      const declaring = declarationOf(schema, schema);
      expect(declaring).toHaveLength('unevaluatedProperties' in way[2] ? LEVELS + 1 : LEVELS);
    });

    it('have a member that only the last one declares', () => {
      expect(memberSchema(schema, `m${LEVELS - 1}`)).toMatchObject({ type: 'integer' });
      expect(memberSchema(schema, 'other')).toBeUndefined();
      expect(isAnnotated(schema, schema, 'readOnly')).toBe(false);
    });

    it('get an identifier', () => {
      expect(withMember(schema, 'id', Type.String())).toMatchObject({
        properties: { id: { type: 'string' } },
      });
    });

    it('have a merge patch of their size', () => {
      const patch = JSON.stringify(mergePatchSchema(schema));
      expect(patch).toContain(`"m${LEVELS - 1}":{"type":["integer","null"]}`);
      expect(patch.length).toBeLessThan(4 * JSON.stringify(schema).length);
    });
  },
);
