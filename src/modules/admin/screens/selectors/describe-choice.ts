import type { ExplainedOffer, ExplainedRange, Specificity } from '../../../../framework';
import type { SelectorExplanation } from '../../actions/selectors/selector-actions';

/** A negotiation result, as displayed. */
export interface ChoiceDescription {
  /** The response. */
  readonly outcome: string;
  readonly isAcceptable: boolean;
  readonly ranges: readonly { readonly text: string; readonly description: string }[];
  readonly offers: readonly {
    readonly mediaType: string;
    readonly isChosen: boolean;
    readonly matches: readonly string[];
    readonly description: string;
  }[];
}

const SPECIFICITY: Readonly<Record<Specificity, string>> = {
  any: 'any type',
  type: 'any subtype',
  suffix: 'the suffix',
  'without-parameters': 'the type, without its parameters',
  exact: 'the exact type',
  'with-parameters': 'the type with its parameters',
};

const RANKED_LOWER_BY: Readonly<Record<NonNullable<ExplainedOffer['behindBy']>, string>> = {
  weight: 'lower weight',
  specificity: 'less specific range',
  'range-order': 'range comes later in the header',
  'offer-order': 'listed later in the selector',
};

/** Describes a negotiation: the parsed ranges, the matches of each offer, and the result. */
export function describeChoice({ explanation, viewModel }: SelectorExplanation): ChoiceDescription {
  const { basis, ranges, offers, chosen } = explanation;
  return {
    outcome: outcomeOf(basis, chosen, viewModel),
    isAcceptable: chosen !== undefined,
    ranges: ranges.map((range) => ({ text: range.text, description: describeRange(range) })),
    offers: offers.map((offer) => ({
      mediaType: offer.mediaType,
      isChosen: offer.rank === 1,
      matches: offer.matches.map(
        ({ range, quality, specificity }) =>
          `${range} matches ${SPECIFICITY[specificity]}, weight ${quality}`,
      ),
      description: describeOffer(offer, basis === 'no-ranges'),
    })),
  };
}

function outcomeOf(
  basis: SelectorExplanation['explanation']['basis'],
  chosen: string | undefined,
  viewModel: string | undefined,
): string {
  if (chosen === undefined) {
    return basis === 'malformed'
      ? '406 Not Acceptable: the header contains no valid media range.'
      : '406 Not Acceptable: the response lists the available media types.';
  }
  const result = `${chosen}, rendered by ${viewModel ?? 'none'}`;
  return basis === 'no-ranges' ? `${result}: no Accept header, so the first type is used.` : `${result}.`;
}

function describeRange({ quality }: ExplainedRange): string {
  if (quality === undefined) return 'Invalid: ignored.';
  return quality === 0 ? 'Weight 0: not acceptable.' : `Weight ${quality}.`;
}

function describeOffer({ rank, quality, behindBy }: ExplainedOffer, hasNoHeader: boolean): string {
  if (rank === 1) return hasNoHeader ? 'Chosen: listed first.' : 'Chosen.';
  if (rank !== undefined) {
    return behindBy === undefined ? 'Acceptable.' : `Rank ${rank}: ${RANKED_LOWER_BY[behindBy]}.`;
  }
  return quality === 0
    ? 'Not acceptable: the most specific matching range has weight 0.'
    : 'No matching range.';
}
