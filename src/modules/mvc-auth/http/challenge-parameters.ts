import { quoted, toFieldText } from './field-text';

/** Parameters that are added to a challenge, e.g. `{ error: 'invalid_token' }` (RFC 6750, 3). */
export type ChallengeParameters = Readonly<Record<string, string>>;

/**
 * Adds parameters to challenges.
 *
 * @example
 * withParameters(['Bearer realm="api"'], { error: 'invalid_token' }); // ['Bearer realm="api", error="invalid_token"']
 */
export function withParameters(
  challenges: readonly string[],
  parameters: ChallengeParameters | undefined,
): readonly string[] {
  if (parameters === undefined) return challenges;
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${quoted(toFieldText(value))}`)
    .join(', ');
  // A challenge of only a scheme has no parameter to separate from.
  return challenges.map((challenge) => `${challenge}${challenge.includes(' ') ? ',' : ''} ${added}`);
}
