import type { BootstrapEvent, Module } from '../../framework';
import { Validators } from './validators';
import { ValidationListener } from './validation-listener';

export type { ValidationError, Validator } from './validator';
export { Validators } from './validators';
export type { QueryReader } from './query-reader/query-reader';
export { isAnnotation } from './query-reader/text-types';
export { codePointsIn } from './keywords/code-points';
export { formats } from './keywords/formats';
export { formatCheck, restrictsType } from './keywords/format-check';
export { MAX_FOUND } from './error-limits';
export { orderKeys } from './keywords/sort-order';
export { isScalar } from './keywords/value-key';
export { isNumberText } from './text-values';
export { declarationOf } from './members/declared-members';
export { compileShape, shapeCompiler } from './members/member-shape';
export { isHidden, shapeByPattern, type ObjectShape, type Shape } from './members/object-shape';
export { isSlowPattern } from './patterns/slow-pattern';
export {
  failedValidation,
  parameterErrors,
  type BodyCheck,
  type SentBodyCheck,
  type ValidationPolicy,
} from './validation-listener';

/** Validates request bodies and query parameters by JSON Schema before a handler runs. */
export default class ContentValidationModule implements Module {
  readonly name = 'content-validation';
  readonly requires = ['content-negotiation'];

  onBootstrap({ application }: BootstrapEvent): void {
    application.services.set(Validators, new Validators());
    application.events.attachGroup(new ValidationListener());
  }
}
