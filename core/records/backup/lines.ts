import { damaged } from './backup-refused.ts';
import { readLines } from './container.ts';
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
  readonly lines: Iterator<string>;
}

/** Opens a backup and reads its manifest. @throws BackupRefused. */
export function openBackup(path: string, masterKey: Buffer): Opened {
  const lines = readLines(path, masterKey);
  const first = directive(lines.next().value ?? '');
  if (!('manifest' in first)) throw damaged('its manifest is missing');
  return { manifest: first.manifest, lines: lines };
}

function directive(line: string): Directive {
  try {
    return JSON.parse(line) as Directive;
  } catch {
    throw damaged('one of its lines cannot be read');
  }
}

/** Copies every row to a target, table by table. Returns the number of rows. */
export async function copyInto(target: Target, { lines: rest }: Opened): Promise<number> {
  let openTable: TableHead | null = null;
  let block: string[] = [];
  let rowsOfTable = 0;
  let rows = 0;
  const flush = async () => {
    if (block.length > 0) await target.rows(block);
    block = [];
  };
  for (let next = rest.next(); !next.done; next = rest.next()) {
    const line = next.value;
    if (isRow(line)) {
      if (openTable === null) throw damaged('one of its rows belongs to no table');
      block.push(line);
      rowsOfTable += 1;
      if (block.length >= BLOCK) await flush();
      continue;
    }
    const directiveLine = directive(line);
    if ('begin' in directiveLine && openTable === null) {
      openTable = checked(directiveLine.begin);
      rowsOfTable = 0;
      await target.begin(openTable);
    } else if ('end' in directiveLine && directiveLine.end.rows === rowsOfTable) {
      await flush();
      rows += rowsOfTable;
      openTable = null;
    } else throw damaged('the order of its tables is wrong');
  }
  if (openTable !== null) throw damaged('the end of its last table is missing');
  return rows;
}

function checked(head: TableHead): TableHead {
  const isPlain = [head.table, ...head.columns].every((name) => PLAIN_NAME.test(name)) && PARTS.includes(head.part);
  if (!isPlain) throw damaged('it contains an invalid table name');
  return head;
}
