import { spawnSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { program } from '../../../cli/main.ts';
import { FULL } from '../../support/tier.ts';

/** Returns the script that `paydesk completion` prints. */
async function scriptFor(shell: string): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await program().parseAsync(['completion', shell], { from: 'user' });
  const script = String(written.mock.calls[0]?.[0]);
  written.mockRestore();
  return script;
}

/** Runs a script in a shell. Returns the lines that it writes. */
function run(shell: string, options: readonly string[], script: string): string[] {
  const { stdout, stderr, status } = spawnSync(shell, [...options, '-c', script], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Each shell with the lines that its completion offers for the last word of a command line. */
const SHELLS = [
  {
    shell: 'bash',
    offers: (script: string, words: readonly string[]) =>
      run(
        'bash',
        ['--norc'],
        `${script}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _paydesk; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ),
  },
  {
    shell: 'zsh',
    // The completion system works in an interactive shell only, so its functions are replaced by ones that print.
    offers: (script: string, words: readonly string[]) =>
      run(
        'zsh',
        ['-f'],
        `compdef() { }; _files() { }; compadd() { print -l -- "$@" }; _describe() { print -l -- "\${(@)commands%%:*}" }
${script}
words=(${words.join(' ')}); CURRENT=${words.length}; _paydesk`,
      ).filter((word) => word.startsWith(words.at(-1) ?? '')),
  },
  {
    shell: 'fish',
    offers: (script: string, words: readonly string[]) =>
      run('fish', ['--no-config'], `${script}\ncomplete -C '${words.join(' ')}'`).map((line) => line.split('\t')[0] ?? ''),
  },
];

for (const { shell, offers } of SHELLS) {
  const isPresent = spawnSync(shell, ['--version']).status === 0;
  // Not every computer has the others, and the everyday tier proves the same everywhere.
  describe(`completion in ${shell}${isPresent ? '' : ` (not run: there is no ${shell})`}`, shell === 'bash' ? {} : FULL, () => {
    test.runIf(isPresent)('offers commands, event types, arguments and options', async () => {
      const script = await scriptFor(shell);
      const last = (...words: string[]) => offers(script, ['paydesk', ...words]).toSorted();
      expect(last('re')).toEqual(['record', 'recover-key', 'replay', 'restore']);
      expect(last('trigger', 'transaction.d')).toEqual(['transaction.declined']);
      expect(last('simulator', 'author')).toEqual(['authorizenet']);
      expect(last('record', 'st')).toEqual(['start', 'stop']);
      expect(last('listen', '--f')).toEqual(['--forward', '--from']);
    });
  });
}
