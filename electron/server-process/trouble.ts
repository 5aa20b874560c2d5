import { DamagedDatabase } from '#core/platform/integrity';

/** Reason why the service is not running, for the person at the window. */
export interface Trouble {
  readonly title: string;
  /** Explanation and next step, in one or two sentences. */
  readonly words: string;
  /** True if another port solves it. */
  readonly isPortTaken: boolean;
}

const NO_DATABASE = 'The database does not answer';

const SILENT = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const UNKNOWN_HOST = /^(ENOTFOUND|EAI_AGAIN)$/;
const REFUSED = /^(28\w{3}|3D000|42501)$/;
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;
const FULL = /^(ENOSPC|EROFS|EDQUOT|SQLITE_FULL|SQLITE_READONLY\w*)$/;
const DATABASE_FAULT = /^(SERVICE_UNAVAILABLE|DATABASE_ERROR|08\w{3}|57P\w\d|53\w{3}|SQLITE_\w+)$/;

/** Explains why the service stopped or did not start. */
export function troubleOf(cause: unknown, port: number): Trouble {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { code, name, message } = error as NodeJS.ErrnoException;
  const other = (title: string, words: string): Trouble => ({ title, words, isPortTaken: false });
  if (code === 'EADDRINUSE') {
    const words = `Another program on this computer listens on port ${port}. End that program, or let Paydesk use another port.`;
    return { title: `Port ${port} is taken`, words, isPortTaken: true };
  }
  if (error instanceof DamagedDatabase) return other('The database file is damaged', `${message} ${error.instructions}`);
  if (name === 'UnusableFile') return other('The database file cannot be used', message);
  if (name === 'DirectoryInUse') return other('Another Paydesk server has the data', message);
  if (FULL.test(code ?? '')) return other('Nothing can be written', 'The disk with the data is full or can only be read. Make room on it.');
  if (code === 'EACCES' || code === 'EPERM')
    return other('The data cannot be opened', `This user may not open a file that Paydesk needs. ${sentence(message)}`);
  if (SILENT.test(code ?? '')) {
    return other(NO_DATABASE, 'Nobody answers at the database’s address. Start the database, or see whether this computer reaches it.');
  }
  if (UNKNOWN_HOST.test(code ?? '')) {
    return other(NO_DATABASE, 'The database’s computer is not found by its name. See whether this computer is on the network.');
  }
  if (REFUSED.test(code ?? ''))
    return other('The database lets nobody in', `Its user, password or name is no longer right: ${sentence(message)}`);
  if (DAMAGED.test(code ?? ''))
    return other('The database file is damaged', 'Nothing was changed. Restart Paydesk: it says how to restore the data from a backup.');
  // Errors of SQLite are translated where a file is opened; a raw one never reaches the page.
  if (code?.startsWith('SQLITE_')) return other('The database file cannot be used', 'The log contains the reason.');
  if (DATABASE_FAULT.test(code ?? '')) return other(NO_DATABASE, sentence(message));
  return other('The service has stopped', sentence(message));
}

function sentence(words: string): string {
  const trimmed = words.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
