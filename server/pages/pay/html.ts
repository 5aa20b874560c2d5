import { escapeHtml } from '#core/platform/documents';

/** Markup that may be sent: made by html`` alone. */
export interface Html {
  readonly markup: string;
}

/** Values of a template: texts are escaped, lists joined, and absent values give nothing. */
type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A piece of a page. Every text put into it is escaped, in elements and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += written(part) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(written).join('');
}
