// The bounds of a schema as attributes of an input. The browser marks other values, and does not keep them from being sent.

const NUMBERS = ['integer', 'number'];

/** Returns the only type of a schema; undefined for several. */
const typeOf = ({ type } = {}) => (typeof type === 'string' ? type : undefined);

export const isNumeric = (schema) => NUMBERS.includes(typeOf(schema)) && schema.enum === undefined;

/** Sets type and attributes of an input by its schema. */
export function setBounds(input, schema, required) {
  input.required = required;
  if (!input.matches('input')) return;
  if (isNumeric(schema)) setNumericBounds(input, schema);
  if (typeOf(schema) === 'string') setTextBounds(input, schema);
  // The browser explains its mark.
  input.addEventListener('change', () => (input.title = input.validationMessage));
}

function setNumericBounds(input, { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) {
  input.type = 'number';
  const isInteger = type === 'integer';
  const inner = (bound, step) => (bound === undefined || !isInteger ? bound : bound + step);
  const lowest = [minimum, inner(exclusiveMinimum, 1)].filter((one) => one !== undefined);
  const highest = [maximum, inner(exclusiveMaximum, -1)].filter((one) => one !== undefined);
  if (lowest.length > 0) input.min = Math.max(...lowest);
  if (highest.length > 0) input.max = Math.min(...highest);
  // The steps of an input start at its minimum, those of a schema at zero.
  const isMultiple = multipleOf > 0 && Number.isInteger((Number(input.min) || 0) / multipleOf);
  input.step = isMultiple ? multipleOf : isInteger ? 1 : 'any';
}

function setTextBounds(input, { minLength, maxLength, pattern }) {
  if (minLength !== undefined) input.minLength = minLength;
  if (input.type !== 'text') return;
  // The pattern of an input matches the whole value, and has the flag v: it counts characters. `maxLength` of an input
  // counts UTF-16 units, and longer texts cannot be entered.
  const limit = maxLength === undefined ? '' : `(?=.{0,${maxLength}}$)`;
  const whole = pattern === undefined ? '.*' : `.*(?:${pattern}).*`;
  // The server checks other patterns.
  const usable = [limit + whole, `${limit}.*`].find(isPattern);
  if (usable !== undefined && usable !== '.*') input.pattern = usable;
}

function isPattern(text) {
  try {
    return Boolean(new RegExp(text, 'v'));
  } catch {
    return false;
  }
}
