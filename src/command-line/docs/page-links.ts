/** Maps an address to its replacement; undefined removes the link. */
export type Readdress = (address: string) => string | undefined;

/** A start tag with its attributes in any quoting (HTML, 13.1.2.1). */
const START_TAG = /<[a-zA-Z][^\s/>]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/g;

/** Matched from left to right, because a value may look like an attribute. */
const ATTRIBUTE = /(\s+)([^\s"'<>/=]+)(?:(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

const ADDRESSES: readonly string[] = ['href', 'src'];

/** Elements that need a server. The pages work without them. */
const NEEDS_SERVER = /<(script|form)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };

/** Returns the addresses of links, style sheets and images of a page. */
export function addressesOf(html: string): readonly string[] {
  const found: string[] = [];
  readdress(html, (address) => {
    found.push(address);
    return address;
  });
  return found;
}

/** Converts a page to a static file: removes scripts and forms, and replaces each address. */
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

/** Replaces the links to other formats in a Markdown document. */
export function replaceFormatLinks(markdown: string, replace: Readdress): string {
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
