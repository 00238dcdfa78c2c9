// The texts of scripts in the language of the pages.
import { language, messages } from './messages.js';

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const alternatives = new Intl.ListFormat(language, { type: 'disjunction' });

/** Returns a message. @param values for its placeholders; `count` selects the plural form */
export function t(key, values = {}) {
  const message = messages[key];
  const form = typeof message === 'string' ? message : message[plurals.select(values.count)];
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number' ? numbers.format(value) : String(value ?? '');
  });
}

/** Joins alternatives: `Digest or Basic`. */
export const anyOf = (items) => alternatives.format(items);
