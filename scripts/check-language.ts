import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{core,server,electron,renderer,shared,migrations,scripts,examples}/**/*.{ts,tsx}';
const GENERATED = new Set(['renderer/client/api-types.ts']);

/** Words that mark a sentence which names no subject. `docs/glossary.md` has the words to use instead. */
const WORDS =
  /\b(told|whoever|anew|of ours|of theirs|became of|all the same|goes on|comes back|came back|given back|gives back|lets go|let go|a moment ago|nobody's|somebody's)\b/i;
/** A docstring starts with a noun phrase or a verb in the third person, never with a clause. */
const OPENING = /^(What|Who|Whose|Whom|Whoever|Whether|How|Where|That|Those|Its|So many|As many|As far)\b/;

interface Finding {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Returns the comments of the sources that break a rule of the language, with their lines. */
export function findUnclearComments(): Finding[] {
  return globSync(SOURCES, { cwd: ROOT })
    .filter((path) => !GENERATED.has(path) && path !== 'scripts/check-language.ts')
    .toSorted()
    .flatMap((path) => {
      const source = readFileSync(join(ROOT, path), 'utf8');
      return [...source.matchAll(/\/\*\*([\s\S]*?)\*\/|^\s*\/\/(?! ?biome-ignore) ?(.*)$/gm)].flatMap((match) => {
        const docstring = match[1]?.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
        const text = docstring ?? match[2] ?? '';
        const isUnclear = WORDS.test(text) || (docstring !== undefined && OPENING.test(docstring));
        return isUnclear ? [{ path, line: source.slice(0, match.index).split('\n').length, text }] : [];
      });
    });
}

if (import.meta.main) {
  const findings = findUnclearComments();
  for (const { path, line, text } of findings) console.error(`${path}:${line} ${text}`);
  if (findings.length > 0) {
    console.error(`${findings.length} comments need a subject: see docs/glossary.md.`);
    process.exitCode = 1;
  }
}
