import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

interface Recording {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly steps: number;
}

const EXAMPLES = `
Examples:
  $ paydesk record start "Refund twice"
  $ paydesk record stop refund-twice.jsonl
  $ paydesk replay refund-twice.jsonl`;

export function addRecord(paydesk: Command): void {
  const record = paydesk
    .command('record')
    .description('record what programs do with the sandbox, for `replay`')
    .addHelpText('after', EXAMPLES);
  record
    .command('start')
    .description('start a recording; one of an account runs at a time')
    .argument('<name>', 'name of the recording')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, _options, command: Command) => {
      const office = await new Connection(command).asAdministrator();
      const recording = await office.post<Recording>('/sandbox/recordings', { name });
      outputOf(command).write(recording, `Recording ${recording.name}. Stop it with: paydesk record stop FILE`);
    });
  record
    .command('stop')
    .description('stop the recording, and write its file')
    .argument('<file>', 'file to write, as JSON Lines')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, _options, command: Command) => {
      const connection = new Connection(command);
      const office = await connection.asAdministrator();
      // The recording that runs is the newest one.
      const [newest] = await office.get<Recording[]>('/sandbox/recordings', { query: { limit: 1 } });
      if (newest?.state !== 'recording') throw new CommandFailure(EXIT.failed, 'No recording is running.');
      const { id, name, steps } = await office.post<Recording>('/sandbox/recordings/{id}/stop', undefined, { params: { id: newest.id } });
      const response = await (await connection.fileRequest())(`/sandbox/recordings/${id}/file`);
      await writeFile(file, await response.text());
      outputOf(command).write({ id, name, steps, file }, `Wrote ${steps} ${steps === 1 ? 'step' : 'steps'} to ${file}.`);
    });
}
