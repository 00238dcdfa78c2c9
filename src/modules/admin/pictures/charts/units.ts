/** Formats a value with its unit, briefly. */
export type Unit = (value: number) => string;

/** `12.3/s` */
export const perSecond: Unit = (value) => `${short(value)}/s`;

/** `12/min` */
export const perMinute: Unit = (value) => `${short(value)}/min`;

/** Of a share from 0 to 1: `2.5%` */
export const percent: Unit = (value) => `${short(value * 100)}%`;

/** Of seconds: `340 µs`, `1.2 ms`, `2 s` */
export const duration: Unit = (seconds) => {
  if (seconds === 0) return '0 ms';
  if (seconds < 0.000_999_5) return `${short(seconds * 1e6)} µs`;
  return seconds < 0.999_5 ? `${short(seconds * 1e3)} ms` : `${short(seconds)} s`;
};

/** Decimal: `128 MB` */
export const bytes: Unit = (value) => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value * 1.0005) / 3));
  return `${short(value / 1000 ** power)} ${units[power] ?? ''}`;
};

/** `12`, `1.2k` */
export const count: Unit = (value) => short(value);

/** Three significant digits. */
function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 999_500) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 999.5) return `${Number((value / 1e3).toPrecision(3))}k`;
  if (size > 0 && size < 0.001) return '<0.001';
  return String(Number(value.toPrecision(3)));
}
