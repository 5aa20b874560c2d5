import { escapeHtml } from '#core/platform/documents';

/** Escaped markup, created only by html``. */
export interface Html {
  readonly markup: string;
}

/** Values of a template: texts are escaped, lists are joined, and absent values are left out. */
type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Returns a part of a page. Every text value is escaped, in elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += markupOf(part) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}
