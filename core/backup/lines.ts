import { readLines } from './container.ts';
import { damaged } from './refused.ts';
import { type Directive, isRow, type Manifest, PARTS, type TableHead } from './rows.ts';

/** Names of tables and columns become part of statements. */
const PLAIN_NAME = /^[a-z][a-z0-9_]{0,62}$/;
const BLOCK = 500;

/** Receives the rows of a backup. */
export interface Target {
  begin(head: TableHead): Promise<void> | void;
  rows(rows: readonly string[]): Promise<void> | void;
}

/** Contents of an open backup, line by line. */
export interface Opened {
  readonly manifest: Manifest;
  readonly rest: Iterator<string>;
}

/** Opens a backup and reads what it says of itself. Throws BackupRefused. */
export function openBackup(path: string, masterKey: Buffer): Opened {
  const lines = readLines(path, masterKey);
  const first = directive(lines.next().value ?? '');
  if (!('manifest' in first)) throw damaged('it does not say what it holds');
  return { manifest: first.manifest, rest: lines };
}

function directive(line: string): Directive {
  try {
    return JSON.parse(line) as Directive;
  } catch {
    throw damaged('a line of it cannot be read');
  }
}

/** Copies every row to a target, table by table. Returns the number of rows. */
export async function copyInto(target: Target, { rest }: Opened): Promise<number> {
  let open: TableHead | null = null;
  let block: string[] = [];
  let ofTable = 0;
  let rows = 0;
  const flush = async () => {
    if (block.length > 0) await target.rows(block);
    block = [];
  };
  for (let next = rest.next(); !next.done; next = rest.next()) {
    const line = next.value;
    if (isRow(line)) {
      if (open === null) throw damaged('a row of it belongs to no table');
      block.push(line);
      ofTable += 1;
      if (block.length >= BLOCK) await flush();
      continue;
    }
    const said = directive(line);
    if ('begin' in said && open === null) {
      open = checked(said.begin);
      ofTable = 0;
      await target.begin(open);
    } else if ('end' in said && said.end.rows === ofTable) {
      await flush();
      rows += ofTable;
      open = null;
    } else throw damaged('its tables do not follow one another as they should');
  }
  if (open !== null) throw damaged('its last table has no end');
  return rows;
}

function checked(head: TableHead): TableHead {
  const isPlain = [head.table, ...head.columns].every((name) => PLAIN_NAME.test(name)) && PARTS.includes(head.part);
  if (!isPlain) throw damaged('it names a table that cannot be');
  return head;
}
