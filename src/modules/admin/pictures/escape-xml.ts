import { escapeHtml } from '../../documentation';

/** Escapes text for elements and quoted attributes, and replaces characters that XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(/\p{Cs}|[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd'));
}
