// `npm run sign-update -- --feed dist/latest-linux.yml --key update-signing-key.pem` signs the description of a new version for Linux. The application verifies the
// signature with `update-public-key.pem` before it fetches anything.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signUpdate } from '../electron/updates/update-trust.ts';

const { values } = parseArgs({ options: { feed: { type: 'string' }, key: { type: 'string' } } });
if (values.feed === undefined || values.key === undefined) {
  console.error('Usage: npm run sign-update -- --feed dist/latest-linux.yml --key update-signing-key.pem');
  process.exit(2);
}
const text = readFileSync(values.feed, 'utf8').replace(/^signature: .*\n/m, '');
const version = /^version: (\S+)$/m.exec(text)?.[1] ?? '';
// electron-builder writes the address and the checksum of each file in this form; the application would refuse a signature of anything else.
const files = [...text.matchAll(/^ +- url: (\S+)\n +sha512: (\S+)$/gm)].map(([, url = '', sha512 = '']) => ({ url, sha512 }));
const signature = signUpdate({ version, files }, readFileSync(values.key, 'utf8'));
writeFileSync(values.feed, `${text.trimEnd()}\nsignature: ${signature}\n`);
console.log(`${values.feed} is signed.`);
