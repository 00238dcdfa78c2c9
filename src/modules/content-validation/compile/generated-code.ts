import { isInherited } from '../../../framework';

/** The errors of a function that Ajv has generated, or of a keyword, copied after the earlier ones. */
const COPIED_ERRORS = /vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\)/g;

/** An error added by generated code, which has the instance as `self`. */
const ADDED_ERROR = /(vErrors\.push\((err\d+)\);\})errors\+\+;/g;

/** A member that generated code compares with undefined, before it sets a default. */
const ABSENT_MEMBER = /\b(data\d*)\.([A-Za-z]\w*) === undefined/g;

/** Sets the default of a member that every object inherits: Ajv checks own members for other keywords only. */
export function withOwnDefaults(code: string): string {
  return code.replace(ABSENT_MEMBER, (comparison, object: string, name: string) =>
    isInherited(name) ? `!Object.hasOwn(${object}, "${name}")` : comparison,
  );
}

/** Appends errors, instead of copying all for each further one, and passes them to the instance. */
export function withCountedErrors(code: string): string {
  return code
    .replace(COPIED_ERRORS, 'vErrors === null ? $1 : $1.reduce((all, one) => (all.push(one), all), vErrors)')
    .replace(ADDED_ERROR, '$1errors++;self.addError($2);');
}
