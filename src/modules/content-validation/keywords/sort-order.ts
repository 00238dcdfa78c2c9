import { listItems } from '../../../framework';

/** Whether a text is a list of names, each once, with `-` before those in descending order. */
export function isOrderOf(names: readonly string[], text: string): boolean {
  // Most orders have a single key.
  if (!text.includes(',')) return names.includes(withoutSign(text));
  const keys = orderKeys(names, text).map(withoutSign);
  return keys.every((key, at) => names.includes(key) && keys.indexOf(key) === at);
}

/** The keys of an order between commas; the names may have commas, too. */
export function orderKeys(names: readonly string[], text: string): readonly string[] {
  return text.includes(',') && names.some(hasComma)
    ? listItems(
        text,
        names.flatMap((name) => [name, `-${name}`]),
      )
    : text.split(',');
}

function hasComma(name: string): boolean {
  return name.includes(',');
}

function withoutSign(key: string): string {
  return key.startsWith('-') ? key.slice(1) : key;
}
