import { Type } from '@sinclair/typebox';
import { RANGES } from '../../actions/dashboard/points';

/** The query of what is shown over a time. */
export const minutesQuery = Type.Object({
  minutes: Type.Optional(
    Type.Union(
      RANGES.map((range) => Type.Literal(range)),
      { default: 15, description: 'The time to show, until now.' },
    ),
  ),
});
