import type { AST } from '@eslint-community/regexpp';
import { Automaton, EMPTY, NEVER, PatternTooComplex, type Fragment, type Ways } from './automaton';

/** Repetitions that are as good as endless. */
const MANY = 100;

/** What an engine that backtracks goes through when it looks for a pattern in a text, and where it begins. */
export interface PatternAutomaton {
  readonly automaton: Automaton;
  readonly first: Ways;
}

/**
 * @throws TooLarge for a pattern that nobody can tell anything of
 */
export function automatonOf(pattern: AST.Pattern): PatternAutomaton {
  const automaton = new Automaton();
  const made = pattern.alternatives.map((one) => ({
    isAnchored: isAnchored(one),
    part: sequenceOf(trimmed(one.elements), automaton),
  }));
  const partsOf = (anchored: boolean): Fragment =>
    automaton.choice(made.filter(({ isAnchored }) => isAnchored === anchored).map(({ part }) => part));
  // Without "^" it is tried at every letter of the text.
  const anywhere = automaton.sequence([
    automaton.repeat(() => automaton.addLetter(undefined), 0, Infinity),
    partsOf(false),
  ]);
  const whole = made.every(({ isAnchored }) => isAnchored)
    ? partsOf(true)
    : automaton.choice([partsOf(true), anywhere]);
  return { automaton, first: whole.first };
}

function isAnchored({ elements: [first] }: AST.Alternative): boolean {
  if (first?.type === 'Assertion') return first.kind === 'start';
  return (
    (first?.type === 'Group' || first?.type === 'CapturingGroup') && first.alternatives.every(isAnchored)
  );
}

/** A letter that may be repeated at the end, with nothing behind: a match is there before it is. */
function trimmed(elements: readonly AST.Element[]): readonly Repeated[] {
  const last = elements.at(-1);
  if (last?.type !== 'Quantifier' || !LETTERS.includes(last.element.type)) return elements;
  const { element, min } = last;
  return [...elements.slice(0, -1), { type: 'Quantifier', element, min, max: min }];
}

const LETTERS: readonly string[] = ['Character', 'CharacterSet', 'CharacterClass'];

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
    // Whatever was matched before, of any length.
    case 'Backreference':
      return automaton.repeat(() => automaton.addLetter(undefined), 0, Infinity);
    case 'ExpressionCharacterClass':
      throw new PatternTooComplex();
  }
}

/** What is looked for ahead is a way that leads nowhere, beside that which goes on; at the end, no letter follows. */
function assertionOf(assertion: AST.Assertion, automaton: Automaton): Fragment {
  if (assertion.kind === 'end') return NEVER;
  if (assertion.kind === 'lookahead') {
    const { first } = choiceOf(assertion.alternatives, automaton);
    return { ...EMPTY, first };
  }
  // Looking back by a few letters takes as long everywhere; by many, it is as often as there are letters.
  if (assertion.kind === 'lookbehind' && assertion.alternatives.some(({ elements }) => elements.some(isLong)))
    throw new PatternTooComplex();
  return EMPTY;
}

function isLong(element: AST.Element): boolean {
  switch (element.type) {
    case 'Quantifier':
      return element.max > MANY || isLong(element.element);
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
