/** Characters of a text that are told. */
const LONGEST = 40;

/**
 * What a value is that somebody gave by mistake, for messages.
 *
 * @example
 * whatIs('Milk') // 'the text "Milk"'
 * whatIs(Books) // 'the class Books'
 * whatIs(new Map()) // 'an object of the class Map'
 */
export function whatIs(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the text ${JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value)}`;
    case 'function':
      return `${/^class\b/.test(Function.prototype.toString.call(value)) ? 'the class' : 'a function'} ${value.name}`.trimEnd();
    case 'symbol':
    case 'bigint':
      return `a ${typeof value}`;
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : ofClass(value);
    default:
      return String(value);
  }
}

function ofClass(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return name === '' || name === 'Object' ? 'an object' : `an object of the class ${name}`;
}
