import {
  _,
  Name,
  type AnySchema,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type SchemaCxt,
} from 'ajv';
import { alwaysValidSchema } from 'ajv/dist/compile/util';
import type { BranchChoice } from './branch-choice';
import { forgetContained, markContained } from './contains';
import { startEvaluated } from './evaluated';

/** Writes code that chooses among the branches of a union before they are tried. */
type Choice = (context: KeywordCxt) => BranchChoice;

/**
 * Replaces Ajv's `oneOf`, at the same position and with the same errors. Ajv nests the code of each branch in that of the one
 * before: a union of a thousand objects took seconds to compile, and a larger one overflowed the stack.
 */
export const oneOfKeyword = (choose: Choice): CodeKeywordDefinition => ({
  keyword: 'oneOf',
  schemaType: 'array',
  trackErrors: true,
  before: 'allOf',
  error: {
    message: 'must match exactly one schema in oneOf',
    params: ({ params }) => _`{passingSchemas: ${params.passing}}`,
  },
  code(context) {
    const { gen, it } = context;
    const valid = gen.let('valid', false);
    const passing = gen.let('passing', null);
    const isDecided = gen.let('decided', false);
    const removed = marked(context, true);
    const matches = gen.name('_valid');
    context.setParams({ passing });
    const mayMatch = choose(context);
    startEvaluated(context);
    branchesOf(context).forEach((schema, at) => {
      gen.if(both(_`!${isDecided}`, mayMatch(at)), () => {
        const branch = alwaysValidSchema(it, schema) ? undefined : tryBranch(context, at, matches, removed);
        if (branch === undefined) gen.var(matches, true);
        gen.if(
          _`${matches} && ${valid}`,
          () =>
            gen
              .assign(valid, false)
              .assign(isDecided, true)
              .assign(passing, _`[${passing}, ${at}]`),
          () =>
            gen.if(matches, () => {
              gen.assign(valid, true).assign(passing, at);
              if (branch !== undefined) context.mergeEvaluated(branch, Name);
            }),
        );
      });
    });
    removeAgain(context, valid, removed);
    respond(context, valid);
  },
});

/** Replaces Ajv's `anyOf` for the same reason. */
export const anyOfKeyword = (choose: Choice): CodeKeywordDefinition => ({
  keyword: 'anyOf',
  schemaType: 'array',
  trackErrors: true,
  before: 'oneOf',
  error: { message: 'must match a schema in anyOf' },
  code(context) {
    const { gen, it } = context;
    // All branches that match evaluate members (JSON Schema 2020-12, 11.3).
    const triesAll = it.opts.unevaluated === true;
    const branches = branchesOf(context);
    if (!triesAll && branches.some((schema) => alwaysValidSchema(it, schema))) return;
    const valid = gen.let('valid', false);
    const removed = marked(context, triesAll);
    const matches = gen.name('_valid');
    const mayMatch = choose(context);
    startEvaluated(context);
    branches.forEach((_schema, at) => {
      const attempt = (): void => {
        const branch = tryBranch(context, at, matches, removed);
        // A recursive union has a power of its depth of matches, which make no errors.
        if (triesAll) gen.if(_`${valid} && ${matches}`, () => gen.code(_`self.addMatch()`));
        gen.assign(valid, _`${valid} || ${matches}`);
        context.mergeValidEvaluated(branch, matches);
      };
      const condition = triesAll ? mayMatch(at) : both(_`!${valid}`, mayMatch(at));
      if (condition === undefined) attempt();
      else gen.if(condition, attempt);
    });
    removeAgain(context, valid, removed);
    respond(context, valid);
  },
});

/** The members that branches remove from a value, in generated code, which has the instance as `self`. */
interface Removed {
  /** How many were removed before the union. */
  readonly mark: Name;
  /** Those that matching branches have removed, if others are tried after them, for which they are restored. */
  readonly taken: Name | undefined;
}

/** @param triesMore whether branches are tried after one that matches */
function marked({ gen }: KeywordCxt, triesMore: boolean): Removed {
  return {
    mark: gen.const('removed', _`self.removed.length`),
    taken: triesMore ? gen.let('taken') : undefined,
  };
}

/** Writes the code of a branch, and that which restores the members that it removes, for the next branch. */
function tryBranch(context: KeywordCxt, at: number, matches: Name, { mark, taken }: Removed): SchemaCxt {
  const { gen, keyword } = context;
  const evaluated = markContained(context);
  const branch = context.subschema({ keyword, schemaProp: at, compositeRule: true }, matches);
  if (evaluated !== undefined)
    gen.if(_`!${matches}`, () => {
      forgetContained(context, evaluated);
    });
  const restore = (): unknown => gen.code(_`self.restore(${mark})`);
  if (taken === undefined) gen.if(_`!${matches} && self.removed.length > ${mark}`, restore);
  else
    gen.if(_`self.removed.length > ${mark}`, () =>
      gen.if(matches, () => gen.assign(taken, _`self.restore(${mark}, ${taken})`), restore),
    );
  return branch;
}

function both(condition: Code, other: Code | undefined): Code {
  return other === undefined ? condition : _`${condition} && ${other}`;
}

function removeAgain({ gen }: KeywordCxt, valid: Name, { taken }: Removed): void {
  if (taken !== undefined) gen.if(_`${valid} && ${taken}`, () => gen.code(_`self.removeAgain(${taken})`));
}

/** The metaschema has been checked. */
function branchesOf({ schema }: KeywordCxt): readonly AnySchema[] {
  return schema as readonly AnySchema[];
}

/** The errors of branches are those of the union, unless one matches. */
function respond(context: KeywordCxt, valid: Name): void {
  context.result(
    valid,
    () => context.reset(),
    () => context.error(true),
  );
}
