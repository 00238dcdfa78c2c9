import type { ErrorObject } from 'ajv/dist/2020';
import { formatPointer, isList, isPlainObject, lazily } from '../../framework';
import { shortPointer } from './error-limits';
import { ErrorMessages } from './error-messages';
import { mergeLiteralUnionErrors } from './compile/literal-unions';
import { dropUnknown } from './members/drop-unknown';
import { compileShape } from './members/member-shape';
import type { CompiledSchema } from './compile/schema-compiler';
import type { ValidationError, Validator } from './validator';

/** @param compiled compiles the schema on first use */
export function toValidator(compiled: () => CompiledSchema): Validator {
  return (value) => {
    const { accepts, errorsOf, isAltering } = compiled();
    // Errors are those of the value as it was sent.
    const own = isAltering ? copyOf(value) : value;
    if (accepts(own)) return { value: own };
    return { errors: toValidationErrors(mergeLiteralUnionErrors(errorsOf(value))) };
  };
}

/**
 * @param unknown `drop` returns a validator that removes first what no part of the schema declares
 * @param validate returned otherwise
 */
export function withoutUnknown(
  schema: object,
  unknown: 'refuse' | 'drop' | undefined,
  validate: Validator,
): Validator {
  if (unknown !== 'drop') return validate;
  const shape = lazily(() => compileShape({ ...schema }, false));
  return (value) => validate(dropUnknown(value, shape()));
}

/** Copies lists and plain objects; files, for example, stay the same. */
export function copyOf(value: unknown): unknown {
  if (isList(value)) return value.map(copyOf);
  if (!isPlainObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
  return Object.getPrototypeOf(value) === null ? Object.assign(Object.create(null) as object, copy) : copy;
}

/** Several branches of a schema may find the same error. */
function toValidationErrors(errors: readonly ErrorObject[]): readonly ValidationError[] {
  const messages = new ErrorMessages();
  const known = new Map<string, number>();
  const distinct = new Map<string, ValidationError>();
  for (const error of errors) {
    const { keyword } = error;
    const pointer = pointerOf(error);
    const message = messages.of(error);
    // The keys are as short as the locations, not as the messages.
    const number = known.get(message) ?? known.size;
    known.set(message, number);
    distinct.set(`${number} ${pointer}`, { pointer, keyword, message });
  }
  return [...distinct.values()];
}

function pointerOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty }: Record<string, unknown> = params;
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return shortPointer(typeof member === 'string' ? instancePath + formatPointer([member]) : instancePath);
}
