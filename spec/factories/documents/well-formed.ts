/** The names of the elements, if they are well-formed XML. */
export function elementsOf(xml: string): readonly string[] {
  const token = /<(\/?)(\w+)((?: [\w:-]+="[^"<>]*")*)(\/?)>|[^<>]+/gy;
  const [open, names]: [string[], string[]] = [[], []];
  let end = 0;
  for (const [text, closing, name = '', , empty] of xml.matchAll(token)) {
    end += text.length;
    expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    if (name === '') continue;
    if (closing === '/') expect(open.pop()).toBe(name);
    else names.push(name);
    if (closing === '' && empty === '') open.push(name);
  }
  expect([open, end]).toEqual([[], xml.length]);
  return names;
}
