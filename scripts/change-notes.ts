import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Areas of the product, in the order in which a version lists its changes. */
const AREAS = [
  'Sales',
  'Front desk',
  'Items',
  'Refunds',
  'Customers',
  'Invoices and links',
  'Disputes',
  'Settlement',
  'Bank and books',
  'Processors',
  'Integration',
  'Security',
  'Operation',
];
const SENTENCES_MAX = 2;
/** Ends of sentences: abbreviations and decimals are followed by no capital. */
const SENTENCE_END = /[.!?](?=\s+[A-Z`*[]|$)/g;

/** A file of `changes`. */
interface ChangeNote {
  readonly path: string;
  readonly text: string;
}

/** Returns the notes of all changes since the last version. */
export function readChangeNotes(): ChangeNote[] {
  return globSync('changes/*.md', { cwd: ROOT })
    .filter((path) => !path.endsWith('README.md'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Returns the area and the sentences of a note. @throws Error with the rule that the note breaks. */
export function parseChangeNote({ path, text }: ChangeNote): { readonly area: string; readonly sentences: string } {
  if (!/^changes\/[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(path)) throw new Error(`${path}: the name must be in kebab case.`);
  const [, area = '', body = ''] = /^area: (.+)\n\n([\s\S]+)$/.exec(text) ?? [];
  if (!AREAS.includes(area)) throw new Error(`${path}: the first line must be \`area: \` with one of ${AREAS.join(', ')}.`);
  const sentences = body.trim().replaceAll(/\s+/g, ' ');
  const count = sentences.match(SENTENCE_END)?.length ?? 0;
  if (count < 1 || count > SENTENCES_MAX) throw new Error(`${path}: the note must have one or two sentences.`);
  return { area, sentences };
}

/** Returns the changelog with a version on top that lists the notes by area. @throws Error if there is no note, or one breaks a rule. */
export function changelogWith(changelog: string, version: string, date: string, notes: readonly ChangeNote[]): string {
  if (notes.length === 0) throw new Error('There are no changes to release: `changes` has no notes.');
  const parsed = notes.map(parseChangeNote);
  const lines = AREAS.flatMap((area) => {
    const own = parsed.filter((note) => note.area === area);
    return own.length === 0 ? [] : [`### ${area}`, '', ...own.map(({ sentences }) => `- ${sentences}`), ''];
  });
  const at = changelog.indexOf('\n## ') + 1;
  return `${changelog.slice(0, at)}## ${version} - ${date}\n\n${lines.join('\n')}\n${changelog.slice(at)}`;
}
