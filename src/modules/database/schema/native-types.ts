import { Type, type TSchema } from '@sinclair/typebox';

interface NativeType {
  readonly description: string;
  readonly pattern?: string;
  readonly examples: readonly string[];
  /** Whether its values have an order, so that they can be filtered and sorted. */
  readonly isOrdered: boolean;
}

const RANGE = '^(empty|[\\[(].*[\\])])$';
const MULTIRANGE = '^\\{.*\\}$';

const ordered = (description: string, pattern: string, ...examples: string[]): NativeType => ({
  description,
  pattern,
  examples,
  isOrdered: true,
});
const unordered = (description: string, ...examples: string[]): NativeType => ({
  description,
  examples,
  isOrdered: false,
});

/** ISO 8601, 5.5.2, where any part may be negative, as PostgreSQL has it (8.5.4). */
const DURATION =
  '^P(?=[-\\dT])(-?\\d+Y)?(-?\\d+M)?(-?\\d+W)?(-?\\d+D)?(T(?=[-\\d])(-?\\d+H)?(-?\\d+M)?(-?\\d+(\\.\\d{1,6})?S)?)?$';

/** Types of PostgreSQL with a notation of their own, by name in `pg_type`. The database parses their values. */
const TYPES: Readonly<Record<string, NativeType>> = {
  inet: ordered(
    'An IPv4 or IPv6 address, with an optional prefix length.',
    '^[\\dA-Fa-f.:]+(/\\d{1,3})?$',
    '192.0.2.1',
    '2001:db8::1',
  ),
  cidr: ordered('An IPv4 or IPv6 network.', '^[\\dA-Fa-f.:]+(/\\d{1,3})?$', '192.0.2.0/24', '2001:db8::/32'),
  macaddr: ordered('A MAC address.', '^[\\dA-Fa-f]{2}([:-][\\dA-Fa-f]{2}){5}$', '08:00:2b:01:02:03'),
  macaddr8: ordered(
    'A MAC address in the EUI-64 format.',
    '^[\\dA-Fa-f]{2}([:-][\\dA-Fa-f]{2}){7}$',
    '08:00:2b:01:02:03:04:05',
  ),
  interval: ordered('A duration (ISO 8601).', DURATION, 'P1DT2H30M'),
  timetz: ordered(
    'A time with its offset from UTC.',
    '^\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?([Zz]|[+-]\\d\\d(:\\d\\d){0,2})$',
    '10:30:00+02',
  ),
  bit: ordered('A string of bits.', '^[01]*$', '101'),
  varbit: ordered('A string of bits.', '^[01]*$', '101'),
  oid: ordered('An object identifier.', '^\\d{1,10}$', '1259'),
  pg_lsn: ordered('A position in the write-ahead log.', '^[\\dA-Fa-f]{1,8}/[\\dA-Fa-f]{1,8}$', '16/B374D848'),
  int4range: ordered('A range of integers.', RANGE, '[1,10)'),
  int8range: ordered('A range of integers.', RANGE, '[1,10)'),
  numrange: ordered('A range of decimals.', RANGE, '[1.5,10)'),
  daterange: ordered('A range of dates.', RANGE, '[2026-01-01,2026-02-01)'),
  tsrange: ordered('A range of timestamps.', RANGE, '["2026-01-01 10:00:00","2026-01-01 11:00:00")'),
  tstzrange: ordered('A range of timestamps.', RANGE, '["2026-01-01 10:00:00+00","2026-01-01 11:00:00+00")'),
  int4multirange: ordered('Ranges of integers.', MULTIRANGE, '{[1,3),[5,10)}'),
  int8multirange: ordered('Ranges of integers.', MULTIRANGE, '{[1,3),[5,10)}'),
  nummultirange: ordered('Ranges of decimals.', MULTIRANGE, '{[1.5,3),[5,10)}'),
  datemultirange: ordered('Ranges of dates.', MULTIRANGE, '{[2026-01-01,2026-02-01)}'),
  tsmultirange: ordered(
    'Ranges of timestamps.',
    MULTIRANGE,
    '{["2026-01-01 10:00:00","2026-01-01 11:00:00")}',
  ),
  tstzmultirange: ordered(
    'Ranges of timestamps.',
    MULTIRANGE,
    '{["2026-01-01 10:00:00+00","2026-01-01 11:00:00+00")}',
  ),
  xml: unordered('An XML document or fragment.', '<name>Lamp</name>'),
  point: unordered('A point.', '(1.5,2)'),
  line: unordered('A line: A, B and C of Ax + By + C = 0.', '{1,-1,0}'),
  lseg: unordered('A line segment.', '[(0,0),(1,1)]'),
  box: unordered('A box, by two opposite corners.', '(1,1),(0,0)'),
  path: unordered('A path: open in brackets, closed in parentheses.', '[(0,0),(1,1)]'),
  polygon: unordered('A polygon.', '((0,0),(1,1),(1,0))'),
  circle: unordered('A circle: its center and radius.', '<(0,0),1>'),
};

export const nativeTypes: ReadonlySet<string> = new Set(Object.keys(TYPES));

/**
 * The schema of the values of a native type.
 * @param declared with its length: `bit(3)`
 */
export function nativeSchema(base: string, declared: string): TSchema {
  const known = TYPES[base];
  if (known === undefined) return Type.String();
  const { description, pattern, examples } = known;
  const [, varying, bits] = /^bit( varying)?\((\d+)\)/.exec(declared) ?? [];
  if (bits !== undefined) {
    const length = varying === undefined ? bits : `0,${bits}`;
    return Type.String({ description, pattern: `^[01]{${length}}$`, examples: ['1'.repeat(Number(bits))] });
  }
  return Type.String({ description, ...(pattern === undefined ? {} : { pattern }), examples: [...examples] });
}

/** Whether the values of a native type can be compared. */
export function isOrdered(base: string): boolean {
  return TYPES[base]?.isOrdered ?? false;
}

/** `1 year 2 mons -3 days +04:05:06.7`, the notation of PostgreSQL unless it is configured (8.5.5). */
const INTERVAL =
  /^(?:(-?\d+) years? ?)?(?:([+-]?\d+) mons? ?)?(?:([+-]?\d+) days? ?)?(?:([+-])?(\d+):(\d\d):(\d\d(?:\.\d+)?))?$/;

/** Converts an interval of PostgreSQL to a duration of ISO 8601; one in another notation is returned as it is. */
export function isoDuration(text: string): string {
  const match = INTERVAL.exec(text);
  if (text === '' || match === null) return text;
  const [, years, months, days, sign, hours, minutes, seconds = ''] = match;
  const part = (value: string | undefined, unit: string, prefix = ''): string =>
    value === undefined || Number(value) === 0
      ? ''
      : `${prefix}${value.replace(/^\+|^0+(?=\d)/g, '')}${unit}`;
  const negative = sign === '-' ? '-' : '';
  const date = part(years, 'Y') + part(months, 'M') + part(days, 'D');
  const time =
    part(hours, 'H', negative) +
    part(minutes, 'M', negative) +
    part(seconds === '' ? undefined : seconds, 'S', negative);
  if (date + time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}
