const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for elements and quoted attributes, and replaces characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return text
    .replace(/\p{Cs}|[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
