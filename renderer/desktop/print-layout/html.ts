import { language } from '#renderer/base/language';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML. The result is one line without control characters, which a printer would interpret. */
export function escapeHtml(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ');
  return plain.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Returns a complete HTML document. */
export function htmlDocument(title: string, style: string, body: string): string {
  return `<!doctype html><html lang="${language()}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}
