/** The visible text of a page, with single spaces. */
export function textOf(page: string): string {
  const main = page.slice(page.indexOf('<main'));
  return decoded(main.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,])/g, '$1');
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#92;', '\\')
    .replaceAll('&amp;', '&');
}
