import type { Integrity } from './integrity.ts';

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Returns true if SQLite found that a file is damaged or is not a database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** A database file that cannot be used, for a reason other than damage. Keeps SQLite's code. */
class UnusableFile extends Error {
  override name = 'UnusableFile';
  readonly code: string;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = codeOf(cause);
  }
}

const readOnly = (file: string) =>
  `The database file ${file} can only be read. Allow the user who runs Paydesk to write this file and its folder.`;

/** Reasons by the beginning of the code of SQLite or of the system; the first that fits counts. */
const REASONS: readonly (readonly [string, (file: string) => string])[] = [
  [
    'SQLITE_FULL',
    (file) => `The disk is full, so the database file ${file} cannot be opened. Make room on this disk and start Paydesk again.`,
  ],
  ['SQLITE_READONLY', readOnly],
  ['EACCES', readOnly],
  ['EPERM', readOnly],
  ['EROFS', readOnly],
  ['SQLITE_BUSY', (file) => `Another program uses the database file ${file}. Close that program and start Paydesk again.`],
  [
    'SQLITE_CANTOPEN',
    (file) => `The database file ${file} cannot be opened. Allow the user who runs Paydesk to read and write this file and its folder.`,
  ],
  [
    'SQLITE_IOERR',
    (file) => `The disk reported an error while the database file ${file} was read or written. Check the disk and its free space.`,
  ],
  ['SQLITE_', (file) => `The database file ${file} cannot be used. The log contains the reason.`],
];

/** Translates an error of SQLite while a file is opened, so that its raw text never reaches a user. Other errors are returned unchanged. */
export function startError(error: unknown, file: string, integrity: Integrity): unknown {
  if (isDamage(error)) return integrity.report(file, (error as Error).message);
  const code = codeOf(error);
  const [, textFor] = REASONS.find(([prefix]) => code.startsWith(prefix)) ?? [];
  return textFor ? new UnusableFile(textFor(file), error) : error;
}
