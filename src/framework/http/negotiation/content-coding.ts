/** The supported codings besides `identity`, preferred first. */
const CODINGS = ['br', 'gzip'] as const;

/** A content coding (RFC 9110, 8.4.1); `identity` for none. */
export type ContentCoding = (typeof CODINGS)[number] | 'identity';

/**
 * Returns the coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3), the smaller one between equals; `identity` if
 * none is acceptable, which is better than no response.
 *
 * @param available the codings to choose from besides `identity`; defaults to all
 * @example negotiateCoding('gzip, deflate, br') // 'br'
 */
export function negotiateCoding(
  field: string | undefined,
  available: readonly (typeof CODINGS)[number][] = CODINGS,
): ContentCoding {
  if (field === undefined) return 'identity';
  const weights = new Map(field.split(',').map(memberOf));
  const weightOf = (coding: ContentCoding): number => {
    const own = weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined);
    // `identity` is acceptable unless excluded, as the last choice.
    return own ?? weights.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0);
  };
  return available.reduce<ContentCoding>((best, coding) => {
    const weight = weightOf(coding);
    return weight > 0 && (best === 'identity' ? weight >= weightOf(best) : weight > weightOf(best))
      ? coding
      : best;
  }, 'identity');
}

function memberOf(member: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = member.split(';');
  const [text] = parameters.flatMap((one) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(one)?.[1] ?? []);
  const weight = text === undefined ? 1 : Number(text);
  return [coding.trim().toLowerCase(), Number.isFinite(weight) ? Math.min(1, weight) : 0];
}
