import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidAddress, parseAddress } from '../../../core/database/connections/index.ts';

const CA_FILE = join(import.meta.dirname, '../../support/tls/ca.pem');
const hosts = (url: string) => parseAddress(url).hosts.map(({ host, port }) => `${host} ${port}`);
const tls = (parameters: string) => parseAddress(`postgres://h/d?${parameters}`).tls.variants;

describe('Hosts of a PostgreSQL address', () => {
  test.each([
    ['postgres://user@a:5432,b:5433,c/paydesk?target_session_attrs=read-write', ['a 5432', 'b 5433', 'c 5432']],
    ['postgresql://user:p%40ss@[::1]:6000,[fe80::2],10.0.0.1:7000/paydesk', ['::1 6000', 'fe80::2 5432', '10.0.0.1 7000']],
    ['postgres:///paydesk', ['localhost 5432']],
    ['postgres://u@/paydesk?host=a,b&port=1,2', ['a 1', 'b 2']],
    ['postgres://u@/paydesk?host=a,b&port=6543', ['a 6543', 'b 6543']],
    ['postgres://u@%2Fvar%2Frun%2Fpostgresql/paydesk', ['/var/run/postgresql 5432']],
    ['postgres:///paydesk?host=/var/run/postgresql,db.example&user=u', ['/var/run/postgresql 5432', 'db.example 5432']],
    ['postgres://a,b', ['a 5432', 'b 5432']],
  ])('reads %s', (url, expected) => {
    expect(hosts(url)).toEqual(expected);
  });

  test.each([
    ["host=a,b port=5433,5434 dbname=paydesk user=shop password='s e\\'c\\\\ret' sslmode=disable", ['a 5433', 'b 5434'], "s e'c\\ret"],
    ['dbname = paydesk user = shop password = p@/?#% host=::1,/var/run', ['::1 5432', '/var/run 5432'], 'p@/?#%'],
    ["host='' dbname=paydesk user=shop password=a\\ b", ['localhost 5432'], 'a b'],
  ])('reads the keywords %s', (address, expected, password) => {
    expect(hosts(address)).toEqual(expected);
    expect(parseAddress(address).client).toMatchObject({ user: 'shop', password, database: 'paydesk' });
  });

  test('reads the same from keywords as from the form postgres://', () => {
    const { hosts: named, ...address } = parseAddress(
      'host=a,b port=5432 dbname=d user=u application_name=desk target_session_attrs=read-write connect_timeout=7',
    );
    const { hosts: listed, ...other } = parseAddress(
      'postgres://u@a,b/d?application_name=desk&target_session_attrs=read-write&connect_timeout=7',
    );
    expect(named).toEqual(listed);
    expect(address).toEqual(other);
  });

  test('keeps user, password and database with special characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1, unit: 'binary' }), (user, password) => {
        fc.pre(user.isWellFormed() && password.isWellFormed());
        const url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@a:1,b:2/pay%20desk`;
        const { client } = parseAddress(url);
        expect(client).toMatchObject({ user, password, database: 'pay desk' });
        expect(hosts(url)).toEqual(['a 1', 'b 2']);
      }),
    );
  });

  test('keeps a password with commas, colons, and at signs that are not encoded', () => {
    const url = 'postgres://user:p,a:s@s@a:1,b:2/paydesk';
    expect(hosts(url)).toEqual(['a 1', 'b 2']);
    expect(parseAddress(url).client).toMatchObject({ user: 'user', password: 'p,a:s@s', database: 'paydesk' });
  });

  test('passes other parameters to the client', () => {
    expect(parseAddress('postgres://u@a,b/d?application_name=desk%201&options=-c%20work_mem%3D8MB&connect_timeout=7')).toMatchObject({
      client: { application_name: 'desk 1', options: '-c work_mem=8MB' },
      connectTimeoutMs: 7_000,
      target: 'any',
    });
  });

  test.each([
    ['mysql://u@a/d', 'must begin with postgres://'],
    ['host=a password=secret x', 'cannot be read from character 24 on'],
    ["host=a password='secret", 'cannot be read from character 8 on'],
    ['host=a,b port=1,2,3 password=secret', '2 hosts and 3 ports'],
    ['postgres://u:secret#1@a/d', 'Encode special characters'],
    ['postgres://u:secret/1@a/d', 'Encode special characters'],
    ['postgres://u:secret@a:99999/d', 'not a number from 1 to 65535'],
    ['postgres://u:secret@::1/d', 'Write IPv6 addresses in brackets'],
    ['postgres://u:secret@a,b,c/d?port=1,2', '3 hosts and 2 ports'],
    ['postgres://u:secret@a/d?target_session_attrs=master', 'must be one of any, read-write, primary'],
    ['postgres://u:secret@a/d?sslmode=on', 'must be one of disable, allow, prefer'],
    ['postgres://u:secret@a/d?hostaddr=10.0.0.1', '`hostaddr` is not supported'],
    ['postgres://u:secret@a,b/d?load_balance_hosts=random', 'must be `disable`'],
    ['postgres://u:secret@a/d?connect_timeout=soon', 'number of seconds'],
    ['postgres://u:secret@a/d?sslmode=verify-full&sslrootcert=/no/such/file', 'file of `sslrootcert` cannot be read'],
    ['postgres://u:secret@a/d?sslmode=verify-ca', '`sslrootcert` must name'],
    ['postgres://u:secret@a/d?sslmode=require&sslrootcert=system', 'must be `verify-full`'],
    ['postgres://u:secret@a/d?sslcert=/x', 'must be given together'],
  ])('refuses %s without repeating the password', (url, reason) => {
    const refusal = (() => {
      try {
        parseAddress(url);
        return null;
      } catch (error) {
        return error as Error;
      }
    })();
    expect(refusal).toBeInstanceOf(InvalidAddress);
    expect(refusal?.message).toContain(reason);
    expect(refusal?.message).not.toContain('secret');
  });
});

describe('TLS of a PostgreSQL address', () => {
  test('supports the modes of libpq', () => {
    expect(tls('')).toEqual([{ rejectUnauthorized: false }, false]);
    expect(tls('sslmode=disable')).toEqual([false]);
    expect(tls('sslmode=allow')).toEqual([false, { rejectUnauthorized: false }]);
    expect(tls('sslmode=prefer')).toEqual([{ rejectUnauthorized: false }, false]);
    expect(tls('sslmode=require')).toEqual([{ rejectUnauthorized: false }]);
    expect(tls('sslmode=verify-full')).toEqual([{ ca: undefined }]);
    for (const mode of ['require', 'verify-ca'])
      expect(tls(`sslmode=${mode}&sslrootcert=${CA_FILE}`)).toEqual([
        { ca: expect.stringContaining('BEGIN CERTIFICATE'), checkServerIdentity: expect.any(Function) },
      ]);
    expect(tls(`sslmode=verify-full&sslrootcert=${CA_FILE}`)).toEqual([{ ca: expect.stringContaining('BEGIN CERTIFICATE') }]);
  });

  test('accepts the `ssl` parameter of node-postgres', () => {
    expect(tls('ssl=true')).toEqual([{ ca: undefined }]);
    expect(tls('ssl=0')).toEqual([false]);
    expect(tls('sslmode=no-verify')).toEqual([{ rejectUnauthorized: false }]);
  });
});
