import { RANGES, type Range } from '../actions/dashboard/points';

const DEFAULT_RANGE: Range = 15;

/** A link of the choice of a time. */
interface RangeLink {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** The time that charts show: the parameter `range`, in minutes. */
export function rangeOf(query: URLSearchParams): Range {
  return RANGES.find((range) => String(range) === query.get('range')) ?? DEFAULT_RANGE;
}

/** The links to the times that charts can show. @param page the URL path of the page with the charts */
export function rangeLinks(current: Range, page: string): readonly RangeLink[] {
  return RANGES.map((minutes) => ({
    label: minutes === 60 ? '1 hour' : `${minutes} minutes`,
    href: `${page}?range=${minutes}`,
    isCurrent: minutes === current,
  }));
}
