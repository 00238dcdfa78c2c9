import { hasReferencesOnly, type JsonFile, type KeyPath, type Steps } from '../../../../framework';
import { MASK } from '../../changes/comparison/difference';

/** Offsets of a part of a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A configuration file, parsed, with its text. */
export interface ConfigurationText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly file: JsonFile;
}

/** Returns a part of the text of a configuration file with every secret masked, in steps. */
export function* maskedSteps(
  { text, file }: ConfigurationText,
  isSecret: (path: KeyPath) => boolean,
  { from, to }: TextRange = { from: 0, to: text.length },
): Steps<string> {
  const positions = yield* file.positions();
  let [masked, at] = ['', from];
  function* visit(node: number, path: KeyPath): Steps<void> {
    if (positions.end(node) <= from || positions.start(node) >= to) return;
    const isList = positions.isList(node);
    if (isList || positions.isObject(node)) {
      let index = 0;
      for (const child of positions.children(node))
        yield* visit(child, [...path, isList ? index++ : positions.keyOf(child)]);
      yield;
      return;
    }
    const [start, end] = [positions.valueStart(node), positions.end(node)];
    const value = text.slice(start, end);
    // Without the quotation marks.
    const isReference = hasReferencesOnly(value.slice(1, -1));
    if (start < from || value === 'null' || isReference || !isSecret(path)) return;
    masked += text.slice(at, start) + JSON.stringify(MASK);
    at = end;
  }
  yield* visit(0, []);
  return masked + text.slice(at, to);
}
