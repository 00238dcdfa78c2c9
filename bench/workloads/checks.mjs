// The expected response of a server, checked before it is measured.
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { fieldOf } from '../measure/ask.mjs';

/** 200 with this JSON. @param {unknown} expected @param {string} [type] */
export function showsJson(expected, type = 'application/json') {
  return (answer) => deepStrictEqual(jsonOf(answer, type), expected);
}

/** 200 with this entity and any identifier. @param {object} expected @param {string} identifier */
export function showsLike(expected, identifier) {
  return (answer) => {
    const shown = jsonOf(answer, 'application/json');
    deepStrictEqual({ ...shown, [identifier]: expected[identifier] }, expected);
  };
}

/** 200 with a full page like this one, of any items, and links to other pages. @param {object} expected */
export function showsPage(expected) {
  return (answer) => {
    const shown = jsonOf(answer, 'application/json');
    const counts = ({ items, page_size: size, page_count: pages, total_items: total }) => ({
      items: items.length,
      size,
      pages,
      total,
    });
    deepStrictEqual(counts(shown), counts(expected));
    deepStrictEqual(Object.keys(shown.items[0]), Object.keys(expected.items[0]));
    ok(fieldOf(answer, 'link')?.includes('rel="last"'), 'The header Link is missing.');
  };
}

/** This status, and a header with each of these names. @param {number} status @param {...string} names */
export function shows(status, ...names) {
  return (answer) => {
    strictEqual(answer.status, status);
    for (const name of names) ok(fieldOf(answer, name) !== undefined, `The header ${name} is missing.`);
  };
}

function jsonOf(answer, type) {
  strictEqual(answer.status, 200);
  strictEqual(fieldOf(answer, 'content-type')?.split(';')[0], type);
  return JSON.parse(answer.body.toString());
}
