import type { ErrorObject } from 'ajv/dist/2020';

/** Why a value is refused for which the branches of unions take too long. */
export const TOO_MANY_BRANCHES: ErrorObject = {
  instancePath: '',
  schemaPath: '',
  keyword: 'anyOf',
  params: {},
  message: 'needs too many attempts to find the branches of unions that match',
};

/** Why a value is refused to which recursive schemas apply too often. */
export const TOO_MANY_REFERENCES: ErrorObject = {
  ...TOO_MANY_BRANCHES,
  keyword: '$ref',
  message: 'needs too many steps to validate: recursive schemas apply to its parts again and again',
};

/** Ends the validation of a value with too many errors, or that takes too long. */
export class TooManyErrors extends Error {
  readonly reason: ErrorObject;

  constructor(reason: ErrorObject) {
    super();
    this.reason = reason;
  }
}
