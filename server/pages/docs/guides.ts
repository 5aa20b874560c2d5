import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type Endpoint, operationUrl } from './document.ts';

/** A guide of the documentation: a Markdown file of the folder `docs`. */
export interface Guide {
  /** Path below `docs`, without its ending. */
  readonly name: string;
  readonly title: string;
  /** Markdown, whose links lead to other files. */
  readonly text: string;
}

/** Guides under one heading. */
export interface GuideSection {
  readonly title: string;
  readonly guides: readonly Guide[];
}

const LIST = 'README.md';
const SECTION = /^## (.+)$/;
const ENTRY = /^- \[([^\]]+)\]\(([a-z][a-z/-]*)\.md\)$/;
const LINK = /\]\(([^):#\s]*)\.md(#[^)\s]*)?\)/g;
/** Heading of the documents about the source code, which an installation does not contain. */
const OF_SOURCES = 'Developing';

/** Returns the address of a guide's page. */
export const guideUrl = (name: string): string => `/docs/guides/${name}`;

/** Returns the guides in the order of their list; none if this installation contains no documents. */
export function readGuides(): GuideSection[] {
  const folder = findDocs(import.meta.dirname);
  if (folder === null) return [];
  const sections: { title: string; guides: Guide[] }[] = [];
  for (const line of readFileSync(join(folder, LIST), 'utf8').split(/\r?\n/)) {
    const [, title] = SECTION.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, guides: [] });
    const [, label = '', name] = ENTRY.exec(line) ?? [];
    if (name !== undefined) sections.at(-1)?.guides.push({ name, title: label, text: readFileSync(join(folder, `${name}.md`), 'utf8') });
  }
  return sections.filter(({ title, guides }) => title !== OF_SOURCES && guides.length > 0);
}

/**
 * Returns a guide's Markdown with links that work on this server: to pages of other guides, or with `ending` to their Markdown. Links to documents that
 * are not guides become plain text.
 */
export function linked({ name, text }: Guide, guides: ReadonlyMap<string, unknown>, ending: '' | '.md'): string {
  const folder = posix.dirname(name);
  return text
    .replaceAll(LINK, (_, target: string, anchor: string | undefined) => {
      const found = posix.join(folder, target);
      return guides.has(found) ? `](${guideUrl(found)}${ending}${anchor ?? ''})` : '](#)';
    })
    .replaceAll(/\[([^\]]+)\]\(#\)/g, '$1');
}

/** Returns the list of the documentation for programs that read text: each guide and each operation with its address, and the OpenAPI document. */
export function listForReaders(sections: readonly GuideSection[], endpoints: Iterable<Endpoint>): string {
  const lists = sections.map(
    ({ title, guides }) => `## ${title}\n\n${guides.map((guide) => `- [${guide.title}](${guideUrl(guide.name)}.md)`).join('\n')}`,
  );
  const api = [
    '- [OpenAPI document](/openapi.json): every operation with its fields, permissions, errors and examples',
    '- [Error codes](/docs/errors.md): causes and remedies',
    '- [Permissions](/docs/permissions.md): what each operation requires',
    '- [Webhook events](/docs/webhooks.md): the event types with samples',
    '- [Sandbox cards](/docs/sandbox.md): cards and their outcomes',
  ];
  const operations = [...endpoints].map(
    ({ method, path, operation: { operationId, summary } }) => `- [${summary}](${operationUrl(operationId)}.md): ${method} ${path}`,
  );
  return `${['# Paydesk', '> Virtual terminal and back office for card and bank payments, with a payment API on this computer.', `## API\n\n${api.join('\n')}`, ...lists, `## Operations\n\n${operations.join('\n')}`].join('\n\n')}\n`;
}

/** Finds the folder above this file: the server runs from its sources, from a bundle, or from the desktop application. */
function findDocs(folder: string): string | null {
  const docs = join(folder, 'docs');
  if (existsSync(join(docs, LIST))) return docs;
  const parent = dirname(folder);
  return parent === folder ? null : findDocs(parent);
}
