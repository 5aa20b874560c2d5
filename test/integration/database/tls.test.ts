import { chmod, chown, copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectWritable } from '#core/database';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { queryServer } from '../../support/postgres-standby.ts';
import { until } from '../../support/until.ts';

const TLS = join(import.meta.dirname, '../../support/tls');
const CA = join(TLS, 'ca.pem');
const STRANGER = join(TLS, 'stranger.pem');
const IDENTITY = `sslcert=${join(TLS, 'receiver.pem')}&sslkey=${join(TLS, 'receiver-key.pem')}`;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(['-c', 'fsync=off']);
});
afterAll(() => server?.stop());

/** Returns true if the connection of an address is encrypted. */
async function isEncrypted(parameters: string, host = '127.0.0.1', user = ''): Promise<boolean> {
  const url = new URL(`${server.url}/postgres?${parameters}`);
  url.hostname = host;
  if (user) url.username = user;
  const client = await connectWritable(url.href);
  try {
    const { rows } = await client.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return rows[0]?.ssl === true;
  } finally {
    await client.end();
  }
}

test('connects without encryption to a server without TLS, unless sslmode requires it', async () => {
  for (const parameters of ['', 'sslmode=disable', 'sslmode=allow', 'sslmode=prefer']) expect(await isEncrypted(parameters)).toBe(false);
  for (const parameters of ['sslmode=require', `sslmode=verify-full&sslrootcert=${CA}`])
    await expect(isEncrypted(parameters)).rejects.toThrow('does not support SSL');
});

test('encrypts connections and checks certificates by the rules of libpq', async () => {
  const [found] = await queryServer<{ data_directory: string }>(server.url, 'SHOW data_directory');
  const folder = found?.data_directory ?? '';
  const { uid, gid } = await stat(folder);
  for (const [from, to] of [
    ['receiver.pem', 'server.crt'],
    ['receiver-key.pem', 'server.key'],
    ['ca.pem', 'root.crt'],
  ] as const) {
    await copyFile(join(TLS, from), join(folder, to));
    await chown(join(folder, to), uid, gid);
  }
  await chmod(join(folder, 'server.key'), 0o600);
  // The client certificate names the user `localhost`. Its connections are refused without encryption.
  await queryServer(server.url, 'CREATE ROLE localhost LOGIN SUPERUSER');
  const rules = await readFile(join(folder, 'pg_hba.conf'), 'utf8');
  await writeFile(join(folder, 'pg_hba.conf'), `hostssl all localhost all cert\nhostnossl all localhost all reject\n${rules}`);
  for (const setting of ["ssl_ca_file = 'root.crt'", 'ssl = on']) await queryServer(server.url, `ALTER SYSTEM SET ${setting}`);
  await queryServer(server.url, 'SELECT pg_reload_conf()');
  await until('the server encrypts', () =>
    isEncrypted('sslmode=require').then(
      () => true,
      () => false,
    ),
  );

  expect(await isEncrypted('sslmode=disable')).toBe(false);
  expect(await isEncrypted('sslmode=allow')).toBe(false);
  for (const parameters of ['sslmode=require', 'sslmode=prefer&application_name=later', `sslmode=verify-ca&sslrootcert=${CA}`])
    expect(await isEncrypted(parameters)).toBe(true);
  expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${CA}`, 'localhost')).toBe(true);
  expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${CA}`, '127.0.0.1')).toBe(true);
  // The certificate names localhost and the loopback addresses, not this alias of them.
  await expect(isEncrypted(`sslmode=verify-full&sslrootcert=${CA}`, '127.1.2.3')).rejects.toThrow();
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    await expect(isEncrypted(`sslmode=${mode}&sslrootcert=${STRANGER}`)).rejects.toThrow(/certificate/);
  await expect(isEncrypted('sslmode=verify-full')).rejects.toThrow(/certificate/);

  expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${CA}&${IDENTITY}`, '127.0.0.1', 'localhost')).toBe(true);
  await expect(isEncrypted('sslmode=require', '127.0.0.1', 'localhost')).rejects.toThrow(/certificate/);
});
