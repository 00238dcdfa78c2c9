import { Ajv2020, type FuncKeywordDefinition, type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { lengthKeywords } from './length-keywords';
import { tupleNote } from './tuple-note';

/** Compiles JSON Schemas of draft 2020-12. */
export type Ajv = ReturnType<typeof addFormats>;

/** `x-sort-by` lists the names that a text like `-price,name` may hold, each once. */
const sortBy: FuncKeywordDefinition = {
  keyword: 'x-sort-by',
  type: 'string',
  schemaType: 'array',
  validate: (names: readonly string[], text: string) => {
    const keys = text.split(',').map((key) => key.replace(/^-/, ''));
    return keys.every((key, at) => names.includes(key) && keys.indexOf(key) === at);
  },
  errors: false,
};

/** What an instance does to the values that it validates. */
export type Manner = Pick<Options, 'useDefaults' | 'coerceTypes' | 'removeAdditional'>;

/** Keywords of a definition that are written out again wherever it is referred to; a larger one is called. */
const MOST_INLINED = 20;

/** One that finds everything that is wrong, and takes it that schemas are right: {@link assertSchema} says which are. */
export function ajvFor(manner: Manner): Ajv {
  const ajv = new Ajv2020({
    ...manner,
    allErrors: true,
    strict: false,
    // 1e400 is read as Infinity, which no answer could give back.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
    inlineRefs: MOST_INLINED,
  });
  ajv.removeKeyword('maxLength').removeKeyword('minLength').addKeyword(lengthKeywords).addKeyword(sortBy);
  return addFormats(ajv);
}

let shared: Ajv | undefined;

/** @throws Error that says what is wrong with a schema */
export function assertSchema(schema: object): void {
  // The only one that ever compiles the metaschema.
  shared ??= addFormats(new Ajv2020({ strict: false }));
  if (shared.validateSchema(schema) === true) return;
  const note = tupleNote(schema);
  if (note !== undefined) throw new Error(note);
  throw new Error(`schema is invalid: ${shared.errorsText()}`);
}
