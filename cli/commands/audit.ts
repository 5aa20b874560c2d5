import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

interface Verification {
  readonly valid: boolean;
  readonly entries: number;
  readonly archivedEntries: number;
  readonly firstBadId: string | null;
  readonly reason: string | null;
  readonly lastEntry: { readonly position: number; readonly hash: string } | null;
  readonly uncomparedAnchors: number;
}

interface VerifyOptions {
  readonly anchor: readonly string[];
  readonly anchorFile?: string;
}

/** The server takes at most 50 anchors. Each proves everything before it, so that those of a file need not be all. */
const ANCHORS_MAX = 50;
const HASH_LENGTH = 32;

const EXAMPLES = `
An anchor is the number and the hash of an entry, noted outside of the database: "Audit log" of a printed Z report, a daily email, lastEntry of
an earlier verification, or a line of the file that receives the audit log. The exit code is 6 if the log is not what it was.

Examples:
  $ paydesk audit verify
  $ paydesk audit verify --anchor 1204:9f2c41d07be35a18
  $ paydesk audit verify --anchor-file /mnt/worm/audit.jsonl --json`;

export function addAudit(paydesk: Command): void {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  const audit = paydesk.command('audit').description('verify the audit log').addHelpText('after', EXAMPLES);
  audit
    .command('verify')
    .description('verify the chain of the audit log, and that it contains noted entries')
    .option('--anchor <position:hash>', 'a noted entry; may be repeated', collect, [])
    .option('--anchor-file <file>', 'file that received the audit log as JSON lines, or a text with anchors, such as saved emails')
    .addHelpText('after', EXAMPLES)
    .action(async ({ anchor, anchorFile }: VerifyOptions, command: Command) => {
      const connection = new Connection(command);
      const found = anchorFile === undefined ? [] : await anchorsIn(anchorFile, connection.required('tenantId'));
      const anchors = [...anchor, ...evenly(found, ANCHORS_MAX - anchor.length)];
      const query = anchors.length === 0 ? {} : { anchors: anchors.join(',') };
      const result = await (await connection.asAdministrator()).get<Verification>('/audit-logs/verify', { query });
      outputOf(command).write(result, textOf(result, anchors.length));
      if (!result.valid) process.exitCode = EXIT.different;
    });
}

/** An anchor in a text, such as an email. */
const IN_TEXT = /(?<![\w:])[1-9]\d{0,14}:[0-9a-f]{16,64}(?![\w:])/g;

/** Returns the anchors of a file in their order: an account's entries of a sent log, of which a torn last line is left out, or the anchors of a text. */
async function anchorsIn(file: string, tenantId: string): Promise<string[]> {
  const anchors: string[] = [];
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const entry = parsed(line);
      if (entry === undefined) anchors.push(...(line.match(IN_TEXT) ?? []));
      else if (entry.tenantId === tenantId) anchors.push(`${Number(entry.position)}:${String(entry.hash).slice(0, HASH_LENGTH)}`);
    }
  } catch (error) {
    throw new CommandFailure(EXIT.usage, `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (anchors.length === 0) throw new CommandFailure(EXIT.usage, `${file} has no anchor and no entry of the account ${tenantId}.`);
  return anchors;
}

/** Returns the entry of a line of a sent log; undefined for a line of a text. A torn line of a log has neither. */
function parsed(line: string): { tenantId?: unknown; position?: unknown; hash?: unknown } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}

/** Returns at most `count` values, evenly spread, with the last one. */
function evenly(values: readonly string[], count: number): string[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: Math.max(0, count) }, (_, index) => values[Math.ceil(((index + 1) * values.length) / count) - 1] ?? '');
}

function textOf(
  { valid, entries, archivedEntries, firstBadId, reason, lastEntry, uncomparedAnchors }: Verification,
  anchors: number,
): string {
  if (!valid) return `The audit log is broken${firstBadId === null ? '' : ` at ${firstBadId}`}: ${reason}.`;
  const archived = archivedEntries === 0 ? '' : `; the first ${archivedEntries} are in archives, which are verified there`;
  const others = uncomparedAnchors === 0 ? '' : `; the others name entries in archives that are not on the computer of the server`;
  const compared = anchors === 0 ? '' : ` ${anchors - uncomparedAnchors} of ${anchors} anchors match${others}.`;
  const last = lastEntry === null ? '' : `\nLast entry, to be noted: ${lastEntry.position}:${lastEntry.hash}`;
  return `${entries} entries, none changed, removed or moved${archived}.${compared}${last}`;
}
