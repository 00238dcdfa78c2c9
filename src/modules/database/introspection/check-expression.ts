/** The expression of a CHECK constraint, as far as its meaning is known. */
export type CheckExpression =
  | { readonly type: 'and' | 'or'; readonly items: readonly CheckExpression[] }
  | {
      readonly type: 'compare';
      readonly operator: string;
      readonly left: CheckExpression;
      readonly right: CheckExpression;
    }
  | { readonly type: 'in'; readonly subject: CheckExpression; readonly values: readonly CheckExpression[] }
  | { readonly type: 'isNull'; readonly subject: CheckExpression }
  | { readonly type: 'column'; readonly name: string }
  /** The length of a column's text, in characters. */
  | { readonly type: 'length'; readonly name: string }
  | { readonly type: 'value'; readonly value: string | number }
  | { readonly type: 'list'; readonly items: readonly CheckExpression[] }
  /** Anything else. */
  | { readonly type: 'unknown' };

export const UNKNOWN: CheckExpression = { type: 'unknown' };
