import type { ExplainedOffer, ExplainedRange, Specificity } from '../../../framework';
import type { SelectorExplanation } from '../actions/selectors/selector-actions';

/** A choice among representations as a page tells it. */
export interface ToldChoice {
  /** What is answered. */
  readonly outcome: string;
  readonly isAcceptable: boolean;
  readonly ranges: readonly { readonly text: string; readonly told: string }[];
  readonly offers: readonly {
    readonly mediaType: string;
    readonly isChosen: boolean;
    readonly fits: readonly string[];
    readonly told: string;
  }[];
}

const SPECIFICITY: Readonly<Record<Specificity, string>> = {
  any: 'any type',
  type: 'any subtype',
  suffix: 'the suffix',
  'without-parameters': 'the type, without the parameters it asks for',
  exact: 'the type itself',
  'with-parameters': 'the type with its parameters',
};

const BEHIND: Readonly<Record<NonNullable<ExplainedOffer['behindBy']>, string>> = {
  weight: 'its weight is lower',
  specificity: 'its range is less specific',
  'range-order': 'its range stands later in the field',
  'offer-order': 'the selector lists it later',
};

/** Tells a choice step by step: the ranges of the field, what fits each offer, and what decides. */
export function tellChoice({ explanation, viewModel }: SelectorExplanation): ToldChoice {
  const { basis, ranges, offers, chosen } = explanation;
  return {
    outcome: outcomeOf(basis, chosen, viewModel),
    isAcceptable: chosen !== undefined,
    ranges: ranges.map((range) => ({ text: range.text, told: tellRange(range) })),
    offers: offers.map((offer) => ({
      mediaType: offer.mediaType,
      isChosen: offer.rank === 1,
      fits: offer.fits.map(
        ({ range, quality, specificity }) => `${range} names ${SPECIFICITY[specificity]}, weight ${quality}`,
      ),
      told: tellOffer(offer, basis === 'no-wish'),
    })),
  };
}

function outcomeOf(
  basis: SelectorExplanation['explanation']['basis'],
  chosen: string | undefined,
  viewModel: string | undefined,
): string {
  if (chosen === undefined) {
    return basis === 'unreadable'
      ? '406 Not Acceptable: nothing of the field can be read as a media range.'
      : '406 Not Acceptable: the answer lists the types that there are.';
  }
  const made = `${chosen}, made by ${viewModel ?? 'nobody'}`;
  return basis === 'no-wish' ? `${made}: without a wish, the first type is taken.` : `${made}.`;
}

function tellRange({ quality }: ExplainedRange): string {
  if (quality === undefined) return 'Cannot be read: it does not count.';
  return quality === 0 ? 'Weight 0: not acceptable.' : `Weight ${quality}.`;
}

function tellOffer({ rank, quality, behindBy }: ExplainedOffer, isWithoutWish: boolean): string {
  if (rank === 1) return isWithoutWish ? 'Taken: it stands first.' : 'Taken.';
  if (rank !== undefined) {
    return behindBy === undefined ? 'Acceptable.' : `Place ${rank}: ${BEHIND[behindBy]}.`;
  }
  return quality === 0 ? 'Refused: the most specific range that fits has the weight 0.' : 'No range fits.';
}
