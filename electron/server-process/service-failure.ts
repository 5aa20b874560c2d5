import { DamagedDatabase, LostInstallation, MixedInstallation } from '#core/database/integrity';
import { serviceText, t } from '../language/index.ts';

/** Reason why the service is not running, as shown to a person, in the language of the application. */
export interface ServiceFailure {
  readonly title: string;
  /** Explanation and next step, in one or two sentences. */
  readonly explanation: string;
  /** True if another port solves it. */
  readonly isPortTaken: boolean;
}

const NO_CONNECTION = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const UNKNOWN_HOST = /^(ENOTFOUND|EAI_AGAIN)$/;
const LOGIN_REFUSED = /^(28\w{3}|3D000|42501)$/;
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;
const NOT_WRITABLE = /^(ENOSPC|EROFS|EDQUOT|SQLITE_FULL|SQLITE_READONLY\w*)$/;
const DATABASE_FAULT = /^(SERVICE_UNAVAILABLE|DATABASE_ERROR|08\w{3}|57P\w\d|53\w{3}|SQLITE_\w+)$/;

/** Explains why the service stopped or did not start. */
export function explainServiceFailure(cause: unknown, port: number): ServiceFailure {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const { code, name, message } = error as NodeJS.ErrnoException;
  const other = (title: string, explanation: string): ServiceFailure => ({ title, explanation, isPortTaken: false });
  if (code === 'EADDRINUSE') {
    const explanation = t('Another program on this computer uses port {{port}}. Close that program, or let Paydesk use another port.', {
      port,
    });
    return { title: t('Port {{port}} is in use', { port }), explanation, isPortTaken: true };
  }
  if (error instanceof DamagedDatabase)
    return other(t('The database file is damaged'), `${serviceText(message)} ${serviceText(error.instructions)}`);
  if (error instanceof MixedInstallation || error instanceof LostInstallation)
    return other(t('The data of this installation are incomplete'), serviceText(message));
  if (name === 'UnusableFile') return other(t('The database file cannot be used'), serviceText(message));
  if (name === 'DirectoryInUse') return other(t('Another Paydesk server uses the data'), serviceText(message));
  if (NOT_WRITABLE.test(code ?? ''))
    return other(
      t('The data cannot be written'),
      t('The disk with the data is full or read-only. Free up space, or make the disk writable.'),
    );
  if (code === 'EACCES' || code === 'EPERM')
    return other(
      t('The data cannot be opened'),
      t('The current user has no permission for a file that Paydesk needs. {{reason}}', { reason: sentence(message) }),
    );
  if (NO_CONNECTION.test(code ?? '')) {
    return other(
      t('The database isn’t responding'),
      t('Nothing responds at the address of the database. Start the database, or check that this computer can reach it.'),
    );
  }
  if (UNKNOWN_HOST.test(code ?? '')) {
    return other(
      t('The database isn’t responding'),
      t('The host name of the database was not found. Check that this computer is on the network.'),
    );
  }
  if (LOGIN_REFUSED.test(code ?? ''))
    return other(
      t('The database refuses the connection'),
      t('Its user, password or database name is not valid: {{reason}}', { reason: sentence(message) }),
    );
  if (DAMAGED.test(code ?? ''))
    return other(
      t('The database file is damaged'),
      t('Nothing was changed. Restart Paydesk to see how to restore the data from a backup.'),
    );
  // Messages of SQLite are translated where a file is opened; the page never shows an untranslated one.
  if (code?.startsWith('SQLITE_')) return other(t('The database file cannot be used'), t('The log contains the reason.'));
  if (DATABASE_FAULT.test(code ?? '')) return other(t('The database isn’t responding'), sentence(message));
  return other(t('The service has stopped'), sentence(message));
}

function sentence(text: string): string {
  const trimmed = serviceText(text.trim());
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
