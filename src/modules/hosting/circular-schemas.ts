import { referencesInPlace, resolveReference, StartError, type SchemaNode } from '../../framework';

/**
 * Refuses schemas that lead back to themselves without a step into a value: a validator would never come to an end. One
 * that holds itself, as a tree does, is fine.
 * @param definitions by name, which refer to one another as `#/$defs/…`
 * @param where names the version, for the message
 * @throws StartError
 */
export function assertNoCircles(definitions: SchemaNode, where: string): void {
  const root = { $defs: definitions };
  const sound = new Set<string>();
  const follow = (reference: string, passed: readonly string[]): void => {
    if (sound.has(reference)) return;
    const way = [...passed, reference];
    if (passed.includes(reference)) {
      const circle = way.slice(way.indexOf(reference)).map((one) => one.replace('#/$defs/', ''));
      throw new StartError(
        `${where}: its schemas lead in a circle, without a step into a value: ${circle.join(' → ')}. Take one of these references out.`,
      );
    }
    for (const next of referencesInPlace(resolveReference(root, reference))) follow(next, way);
    sound.add(reference);
  };
  for (const name of Object.keys(definitions)) follow(`#/$defs/${name}`, []);
}
