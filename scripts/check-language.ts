import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{core,server,electron,renderer,shared,migrations,scripts,cli,simulators,examples,test}/**/*.{ts,tsx}';
const DOCUMENTS = '{*.md,docs/**/*.md,test/*.md}';
const EXCEPTIONS = new Set([
  // Contains the words.
  'scripts/check-language.ts',
]);

/** Words that mark a sentence which names no subject. `docs/glossary.md` has the words to use instead. */
const WORDS =
  /\b(told|whoever|anew|of ours|of theirs|became of|all the same|goes on|comes back|came back|given back|gives back|lets go|let go|a moment ago|nobody's|somebody's|somebody|what became|beneath|for itself|takings|comes to)\b/i;
/** A docstring starts with a noun phrase or a verb in the third person, never with a clause. */
const OPENING = /^(What|Who|Whose|Whom|Whoever|Whether|How|Where|That|Those|Its|So many|As many|As far)\b/;
const COMMENT = /\/\*\*([\s\S]*?)\*\/|^\s*\/\/(?! ?biome-ignore) ?(.*)$/gm;
const TITLE =
  /\b(?:test|describe|onBothDatabases|onAnyDatabase|describeOnBothDatabases|describeOnAnyDatabase)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** Texts with a space, which are sentences on screens, in messages and in responses. */
const TEXT = /(['"`])((?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*)\1/g;

interface Finding {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Returns the comments, test titles, texts and sentences of documents that break a rule of the language, with their lines. */
function findUnclearTexts(): Finding[] {
  const sources = globSync(SOURCES, { cwd: ROOT }).filter((path) => !EXCEPTIONS.has(path));
  const documents = globSync(DOCUMENTS, { cwd: ROOT });
  return [...sources.toSorted().flatMap(checkSource), ...documents.toSorted().flatMap(checkDocument)];
}

function checkSource(path: string): Finding[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const finding = (index: number, text: string): Finding => ({ path, line: source.slice(0, index).split('\n').length, text });
  const comments = [...source.matchAll(COMMENT)].flatMap((match) => {
    const docstring = match[1]?.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
    const text = docstring ?? match[2] ?? '';
    return WORDS.test(text) || (docstring !== undefined && OPENING.test(docstring)) ? [finding(match.index, text)] : [];
  });
  const pattern = path.startsWith('test/') ? TITLE : TEXT;
  const texts = [...source.matchAll(pattern)].flatMap((match) =>
    WORDS.test(match[2] ?? '') ? [finding(match.index, match[2] ?? '')] : [],
  );
  return [...comments, ...texts];
}

/** Checks the prose of a document; code blocks are left out. */
function checkDocument(path: string): Finding[] {
  const prose = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  return prose.split('\n').flatMap((text, index) => (WORDS.test(text) ? [{ path, line: index + 1, text }] : []));
}

if (import.meta.main) {
  const findings = findUnclearTexts();
  for (const { path, line, text } of findings) console.error(`${path}:${line} ${text}`);
  if (findings.length > 0) {
    console.error(`${findings.length} texts need a clear subject: see docs/glossary.md.`);
    process.exitCode = 1;
  }
}
