// `npm run sign-update -- --key update-signing-key.pem dist/latest*.yml` signs the descriptions of a new version, for 90 days or `--days`. The application
// verifies the signature with `update-public-key.pem` before it fetches anything.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signUpdate } from '../electron/updates/update-trust.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 366;

const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, days: { type: 'string', default: '90' } },
  allowPositionals: true,
});
const days = Number(values.days);
if (values.key === undefined || positionals.length === 0 || !Number.isInteger(days) || days < 1 || days > DAYS_MAX) {
  console.error(
    `Usage: npm run sign-update -- --key update-signing-key.pem [--days 1 to ${DAYS_MAX}] dist/latest.yml dist/latest-mac.yml dist/latest-linux.yml`,
  );
  process.exit(2);
}
const key = readFileSync(values.key, 'utf8');
const expires = new Date(Date.now() + days * DAY_MS).toISOString();
for (const feed of positionals) {
  const text = readFileSync(feed, 'utf8').replace(/^(expires|signature): .*\n/gm, '');
  const version = /^version: (\S+)$/m.exec(text)?.[1] ?? '';
  // electron-builder writes the address and the checksum of each file in this form; the application would refuse a signature of anything else.
  const files = [...text.matchAll(/^ +- url: (\S+)\n +sha512: (\S+)$/gm)].map(([, url = '', sha512 = '']) => ({ url, sha512 }));
  const signature = signUpdate({ version, expires, files }, key);
  // The quotes keep the time a text.
  writeFileSync(feed, `${text.trimEnd()}\nexpires: '${expires}'\nsignature: ${signature}\n`);
  console.log(`${feed} is signed until ${expires}.`);
}
