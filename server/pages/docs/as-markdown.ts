import type { Html } from '../html.ts';

/** Parts that only work in a browser. */
const IGNORED = ['FORM', 'BUTTON', 'DETAILS'];
const HIDDEN_TAB = /<div role="tabpanel"[^>]* hidden>.*?<\/div>/gs;
const LINK = /(\]\(\/docs(?:\/[^)#\s.]*)*)(?=[)#])/g;

/** Returns the main part of a page as Markdown, for programs that read text. Its links lead to other pages in Markdown. */
export async function asMarkdown({ markup }: Html): Promise<string> {
  const { NodeHtmlMarkdown } = await import('node-html-markdown');
  const text = NodeHtmlMarkdown.translate(markup.replaceAll(HIDDEN_TAB, ''), { ignore: IGNORED });
  return `${text.replaceAll(LINK, '$1.md')}\n`;
}
