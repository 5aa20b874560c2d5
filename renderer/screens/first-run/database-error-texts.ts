import { t } from '#renderer/base/language';

/** Explanations of database errors for people without experience. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/read-only|former primary/i, t('No server of this address accepts changes. Add the primary server, or promote the standby.')],
  [/ECONNREFUSED/, t('No server responds at this address. Check the host, the port and whether PostgreSQL is running.')],
  [/ENOTFOUND|EAI_AGAIN/, t('There is no computer with this name. Check the host.')],
  [/ETIMEDOUT|timeout/i, t('The computer isn’t responding. Check the host and any firewall in between.')],
  [/password authentication|no password|SASL|role ".*" does not exist/i, t('The user or the password is wrong.')],
  [/database ".*" does not exist/i, t('The server has no database with this name. Create it, or choose another database.')],
  [/permission denied/i, t('The user can’t create tables in this database. Grant this right, or choose another user.')],
  [/SSL|TLS|certificate/i, t('The server requires or rejects an encrypted connection. Add or remove ?sslmode=require.')],
  [/invalid url|scheme|protocol/i, t('The URL must begin with postgres:// and contain user, host and database.')],
];

/** Messages about the address itself, which need no explanation. */
const ADDRESS_MESSAGE = /^The (address|parameter|file of) /;

/** Returns an explanation of a database error; undefined for an unknown error. */
export function explainDatabaseError(message: string): string | undefined {
  if (ADDRESS_MESSAGE.test(message)) return undefined;
  return EXPLANATIONS.find(([pattern]) => pattern.test(message))?.[1];
}
