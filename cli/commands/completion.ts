import { Argument, type Command } from 'commander';
import { FLOWS } from '../triggers/flows.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command with the words that may follow it. */
interface Completed {
  readonly name: string;
  readonly description: string;
  readonly words: readonly string[];
}

const EXAMPLES = `
Examples:
  $ source <(paydesk completion bash)
  $ paydesk completion zsh > ~/.zfunc/_paydesk
  $ paydesk completion fish > ~/.config/fish/completions/paydesk.fish`;

export function addCompletion(paydesk: Command): void {
  paydesk
    .command('completion')
    .description('print the completion of commands, options and event types for a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell](completed(paydesk))));
}

function completed(paydesk: Command): Completed[] {
  const global = paydesk.options.map(({ long }) => long ?? '');
  return paydesk.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    words: [
      ...(command.name() === 'trigger' ? Object.keys(FLOWS) : []),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      ...command.commands.map((nested) => nested.name()),
      ...command.options.map(({ long }) => long ?? ''),
      ...global,
      '--help',
    ],
  }));
}

const bashCase = ({ name, words }: Completed) => `    ${name}) words="${words.join(' ')}" ;;`;

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `_paydesk() {
  local words="${commands.map(({ name }) => name).join(' ')}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${commands.map(bashCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _paydesk paydesk
`,
  zsh: (commands) => `#compdef paydesk
_paydesk() {
  local -a commands=(${commands.map(({ name, description }) => `'${name}:${quoted(description)}'`).join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')}; _files ;;`).join('\n')}
  esac
}
# A file of $fpath is the first call of its function. A script that is sourced registers the function.
if [[ "$funcstack[1]" == _paydesk ]]; then _paydesk "$@"; else compdef _paydesk paydesk; fi
`,
  fish: (commands) => `complete -c paydesk -n __fish_use_subcommand -f
${commands
  .flatMap(({ name, description, words }) => [
    `complete -c paydesk -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
    `complete -c paydesk -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`,
  ])
  .join('\n')}
`,
};

const quoted = (text: string) => text.replaceAll("'", '’').replaceAll(':', ' ');
