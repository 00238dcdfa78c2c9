import { visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { Automaton, EMPTY, NEVER, PatternTooComplex, type Fragment, type Ways } from './automaton';

/** Repetitions from which a lookbehind counts as unbounded. */
const MAX_LOOKBEHIND = 100;

/** The paths of a backtracking engine that searches for a pattern, and its initial positions. */
export interface PatternAutomaton {
  readonly automaton: Automaton;
  readonly first: Ways;
  /** The position of the characters before the match; undefined if it can only begin at the start. */
  readonly search: number | undefined;
  /** Positions after which the text matches, whatever follows: the engine begins at no later character then. */
  readonly complete: ReadonlySet<number>;
}

/** @throws PatternTooComplex for a pattern that cannot be analyzed */
export function automatonOf(pattern: AST.Pattern): PatternAutomaton {
  const automaton = new Automaton();
  const alternatives = pattern.alternatives.map((one) => ({
    isAnchored: isAnchored(one),
    part: sequenceOf(trimmed(one.elements), automaton),
  }));
  const partsOf = (anchored: boolean): Fragment =>
    automaton.choice(
      alternatives.filter(({ isAnchored }) => isAnchored === anchored).map(({ part }) => part),
    );
  if (alternatives.every(({ isAnchored }) => isAnchored))
    return { automaton, first: partsOf(true).first, search: undefined, complete: new Set() };
  // Without "^", the engine tries to match at every character.
  const search = automaton.leaves.length;
  const before = automaton.repeat(() => automaton.addLetter(undefined), 0, Infinity);
  const found = partsOf(false);
  const whole = automaton.choice([partsOf(true), automaton.sequence([before, found])]);
  const complete = new Set(dependsOnContext(pattern) ? [] : found.last.keys());
  return { automaton, first: whole.first, search, complete };
}

/** Whether a match may depend on the characters around it, or on what was matched before. */
function dependsOnContext(pattern: AST.Pattern): boolean {
  let depends = false;
  visitRegExpAST(pattern, {
    onAssertionEnter: ({ kind }) => {
      // Nothing follows the end of the text.
      depends ||= kind !== 'end';
    },
    onBackreferenceEnter: () => {
      depends = true;
    },
  });
  return depends;
}

function isAnchored({ elements: [first] }: AST.Alternative): boolean {
  if (first?.type === 'Assertion') return first.kind === 'start';
  return (
    (first?.type === 'Group' || first?.type === 'CapturingGroup') && first.alternatives.every(isAnchored)
  );
}

/** Drops the optional repetitions of a trailing character: the match is complete before them. */
function trimmed(elements: readonly AST.Element[]): readonly Repeated[] {
  const last = elements.at(-1);
  if (last?.type !== 'Quantifier' || !SINGLE_CHARACTERS.includes(last.element.type)) return elements;
  const { element, min } = last;
  return [...elements.slice(0, -1), { type: 'Quantifier', element, min, max: min }];
}

const SINGLE_CHARACTERS: readonly string[] = ['Character', 'CharacterSet', 'CharacterClass'];

type Repeated =
  Exclude<AST.Element, AST.Quantifier> | Pick<AST.Quantifier, 'type' | 'element' | 'min' | 'max'>;

function sequenceOf(elements: readonly Repeated[], automaton: Automaton): Fragment {
  return automaton.sequence(elements.map((one) => partOf(one, automaton)));
}

function choiceOf(alternatives: readonly AST.Alternative[], automaton: Automaton): Fragment {
  return automaton.choice(alternatives.map(({ elements }) => sequenceOf(elements, automaton)));
}

function partOf(element: Repeated, automaton: Automaton): Fragment {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return automaton.addLetter(element.raw);
    case 'Group':
      if (element.modifiers !== null) throw new PatternTooComplex();
      return choiceOf(element.alternatives, automaton);
    case 'CapturingGroup':
      return choiceOf(element.alternatives, automaton);
    case 'Quantifier':
      return automaton.repeat(() => partOf(element.element, automaton), element.min, element.max);
    case 'Assertion':
      return assertionOf(element, automaton);
    // Could be any text.
    case 'Backreference':
      return automaton.repeat(() => automaton.addLetter(undefined), 0, Infinity);
    case 'ExpressionCharacterClass':
      throw new PatternTooComplex();
  }
}

/** A lookahead is a path that leads nowhere, parallel to the main one. No character follows the end of the text. */
function assertionOf(assertion: AST.Assertion, automaton: Automaton): Fragment {
  if (assertion.kind === 'end') return NEVER;
  if (assertion.kind === 'lookahead') {
    const { first } = choiceOf(assertion.alternatives, automaton);
    return { ...EMPTY, first };
  }
  // A short lookbehind takes constant time; a long one takes as many steps as there are characters.
  if (assertion.kind === 'lookbehind' && assertion.alternatives.some(({ elements }) => elements.some(isLong)))
    throw new PatternTooComplex();
  return EMPTY;
}

function isLong(element: AST.Element): boolean {
  switch (element.type) {
    case 'Quantifier':
      return element.max > MAX_LOOKBEHIND || isLong(element.element);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.some(isLong));
    case 'Assertion':
      return element.kind === 'lookahead' || element.kind === 'lookbehind';
    case 'Backreference':
      return true;
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return false;
  }
}
