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
