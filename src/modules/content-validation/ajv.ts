import { Ajv2020, type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { allSubschemas, describeValue, isSchema, lazily } from '../../framework';
import { lengthKeywords, readOnlyKeyword, sortKeyword } from './keywords/keywords';

/** Compiles JSON Schemas of draft 2020-12. */
export type Ajv = ReturnType<typeof addFormats>;

/** What an instance does to the values that it validates. */
export type ValidationMode = Pick<Options, 'useDefaults' | 'coerceTypes' | 'removeAdditional'>;

/** Keywords of a definition that are written out again wherever it is referred to; a larger one is called. */
const MAX_INLINED = 20;

/** One that finds everything that is wrong, and takes it that schemas are right: {@link assertSchema} says which are. */
export function createAjv(manner: ValidationMode): Ajv {
  const ajv = new Ajv2020({
    ...manner,
    allErrors: true,
    strict: false,
    // 1e400 is read as Infinity, which no answer could give back.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
    inlineRefs: MAX_INLINED,
  });
  ajv
    .removeKeyword('maxLength')
    .removeKeyword('minLength')
    .addKeyword(lengthKeywords)
    .addKeyword(sortKeyword)
    .addKeyword(readOnlyKeyword);
  return addFormats(ajv);
}

/** The only instance that compiles the metaschema. */
const metaschema = lazily(() => addFormats(new Ajv2020({ strict: false })));

/** @throws Error that says what is wrong with a schema */
export function assertSchema(schema: object): void {
  const ajv = metaschema();
  if (ajv.validateSchema(schema) === true) return;
  const note = tupleNote(schema);
  if (note !== undefined) throw new Error(note);
  throw new Error(`schema is invalid: ${ajv.errorsText()}`);
}

/**
 * What to say of a schema that is none because of a list of items of several types, as drafts before 2020-12 write it,
 * and TypeBox's `Type.Tuple` does.
 * @returns undefined where there is no such list
 */
function tupleNote(schema: object): string | undefined {
  const tuple = isSchema(schema)
    ? allSubschemas(schema).find(({ items }) => Array.isArray(items))
    : undefined;
  if (tuple === undefined) return undefined;
  return (
    `it has ${describeValue(tuple.items)} as its "items", as Type.Tuple makes it and JSON Schema wrote it before 2020-12. ` +
    "Write Type.Unsafe<[A, B]>({ type: 'array', prefixItems: [a, b], items: false, minItems: 2 }) instead"
  );
}
