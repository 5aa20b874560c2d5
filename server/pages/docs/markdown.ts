import { escapeHtml } from '#core/platform/documents';
import type { Html } from '../html.ts';

/** Returns Markdown as HTML: headings, paragraphs, lists without lists in them, tables, code blocks, and code, links and emphasis within a line. */
export function markdown(text: string): Html {
  const blocks = text.replaceAll('\r', '').split(/\n{2,}(?=\S)/);
  return { markup: joinFences(blocks).map(blockOf).join('\n') };
}

/** Joins the parts of a code block that contains empty lines. */
function joinFences(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isOpen = last?.startsWith('```') && !/\n```\s*$/.test(last);
    if (isOpen) joined[joined.length - 1] = `${last}\n\n${block}`;
    else joined.push(block);
  }
  return joined;
}

function blockOf(block: string): string {
  const heading = /^(#{1,4}) +(.+)$/m.exec(block);
  if (heading && block.startsWith('#')) {
    const [line = '', ...rest] = block.split('\n');
    const level = Math.min(4, heading[1]?.length ?? 2);
    const title = line.replace(/^#+ +/, '');
    return `<h${level} id="${anchorOf(title)}">${inline(title)}</h${level}>${rest.length > 0 ? blockOf(rest.join('\n').trim()) : ''}`;
  }
  if (block.startsWith('```')) return `<pre><code>${escapeHtml(block.replace(/^```[^\n]*\n/, '').replace(/\n```\s*$/, ''))}</code></pre>`;
  if (block.startsWith('|')) return tableOf(block.trim().split('\n'));
  if (/^- /.test(block)) return `<ul>${itemsOf(block, /^- /m)}</ul>`;
  if (/^1\. /.test(block)) return `<ol>${itemsOf(block, /^\d+\. /m)}</ol>`;
  return block.trim() === '' ? '' : `<p>${inline(block)}</p>`;
}

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const itemsOf = (block: string, mark: RegExp) =>
  block
    .split(mark)
    .slice(1)
    .map((item) => `<li>${inline(item.replaceAll(/\s*\n\s*/g, ' ').trim())}</li>`)
    .join('');

function tableOf([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string, tag: 'th' | 'td') =>
    row
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<div class="scroll"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Links to files of the project are shown as text, because the server does not serve them. */
function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\((https?:\/\/[^)\s]+|[/#][^)\s]*)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
