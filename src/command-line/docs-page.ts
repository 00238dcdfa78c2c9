/** What takes the place of an address; undefined where there is nothing to lead to. */
export type Readdress = (address: string) => string | undefined;

/** A start tag with its attributes, however they are quoted (HTML, 13.1.2.1). */
const START_TAG = /<[a-zA-Z][^\s/>]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/g;

/** One attribute after the other: a value may look like an attribute. */
const ATTRIBUTE = /(\s+)([^\s"'<>/=]+)(?:(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

const ADDRESSES: readonly string[] = ['href', 'src'];

/** What needs a server: a page is complete without it. */
const NEEDS_SERVER = /<(script|form)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };

/** The addresses that a page links to, or needs. */
export function addressesOf(html: string): readonly string[] {
  const found: string[] = [];
  readdress(html, (address) => {
    found.push(address);
    return address;
  });
  return found;
}

/** A page for files: without scripts and forms, each address replaced, or taken away where nothing is there. */
export function readdress(html: string, replace: Readdress): string {
  return html.replace(NEEDS_SERVER, '').replace(START_TAG, (tag) =>
    tag.replace(
      ATTRIBUTE,
      (
        attribute,
        space: string,
        name: string,
        equals: string | undefined,
        ...rest: (string | undefined)[]
      ) => {
        if (equals === undefined || !ADDRESSES.includes(name.toLowerCase())) return attribute;
        const written = rest.slice(0, 3).find((value) => value !== undefined) ?? '';
        const address = replace(decode(written));
        return address === undefined ? '' : `${space}${name}${equals}"${encode(address)}"`;
      },
    ),
  );
}

/** The same of a document in Markdown: its own links to other formats of what it describes. */
export function readdressFormats(markdown: string, replace: Readdress): string {
  return markdown.replace(
    /\]\((\?format=[\w-]+)\)/g,
    (link, address: string) => `](${replace(address) ?? address})`,
  );
}

function decode(value: string): string {
  return value.replace(/&(amp|quot|#39|lt|gt);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

function encode(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
