/** Explanations of database errors for people without experience. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/read-only|former primary/i, 'No server of this address takes changes. Add the primary server, or promote the standby.'],
  [/ECONNREFUSED/, 'Nothing answers at that address. Check host and port, and that PostgreSQL is running.'],
  [/ENOTFOUND|EAI_AGAIN/, 'There is no computer of that name. Check the host.'],
  [/ETIMEDOUT|timeout/i, 'The computer does not answer. Check the host, and that no firewall is between.'],
  [/password authentication|no password|SASL|role ".*" does not exist/i, 'The user or the password is not right.'],
  [/database ".*" does not exist/i, 'The server is there, but it has no database of that name. Create it, or choose another.'],
  [/permission denied/i, 'The user may not create tables in this database. Give it the right to, or choose another user.'],
  [/SSL|TLS|certificate/i, 'The server wants an encrypted connection, or refuses one. Add ?sslmode=require, or take it away.'],
  [/invalid url|scheme|protocol/i, 'The address must begin with postgres:// and name user, host and database.'],
];

/** Messages about the address itself, which need no explanation. */
const OF_ADDRESS = /^The (address|parameter|file of) /;

/** The refusal in plain words; undefined when we cannot say it better than the database itself. */
export function meaningOf(refusal: string): string | undefined {
  if (OF_ADDRESS.test(refusal)) return undefined;
  return MEANINGS.find(([pattern]) => pattern.test(refusal))?.[1];
}
