import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ZippableFile, zipSync } from 'fflate';
import { ROOT } from '../bundle.ts';

const SOURCE = join(ROOT, 'clients/python');
const NAME = 'paydesk';
const SUMMARY = 'Typed client of the Paydesk payment API, with idempotency keys, retries, pagination and webhook verification.';
/** Earliest time that a zip file can contain. */
const ZIP_EPOCH_MS = Date.UTC(1980, 0, 1);

/**
 * Writes the client for Python as a wheel, which `pip install` accepts without a build. The generated files must be present. The same files give the same
 * bytes. The layout is that of the binary distribution format of Python packages, version 1.0.
 *
 * @param epoch time of all files, in seconds since 1970.
 * @returns name of the file.
 */
export function writePythonWheel(target: string, version: string, epoch: number): string {
  const info = `${NAME}-${version}.dist-info`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${NAME}`,
    `Version: ${version}`,
    `Summary: ${SUMMARY}`,
    'License: UNLICENSED',
    'Requires-Python: >=3.11',
    'Classifier: Private :: Do Not Upload',
    'Classifier: Typing :: Typed',
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(SOURCE, 'README.md'), 'utf8'),
  ].join('\n');
  const files = new Map<string, Buffer>(modules().map((path) => [path, readFileSync(join(SOURCE, path))]));
  files.set(`${info}/METADATA`, Buffer.from(metadata));
  files.set(`${info}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: paydesk-release\nRoot-Is-Purelib: true\nTag: py3-none-any\n'));
  const record = `${info}/RECORD`;
  files.set(
    record,
    Buffer.from(`${[...files].map(([path, content]) => `${path},${hashOf(content)},${content.length}\n`).join('')}${record},,\n`),
  );
  // The format has local times, and readers take them as they are.
  const at = Math.max(epoch * 1_000, ZIP_EPOCH_MS);
  const mtime = at + new Date(at).getTimezoneOffset() * 60_000;
  const name = `${NAME}-${version}-py3-none-any.whl`;
  const entries = [...files].map(([path, content]): [string, ZippableFile] => [
    path,
    [content, { mtime, level: 9, os: 3, attrs: 0o644 << 16 }],
  ]);
  writeFileSync(join(target, name), zipSync(Object.fromEntries(entries)));
  return name;
}

/** Returns the files of the package, without compiled ones. */
function modules(): string[] {
  return readdirSync(join(SOURCE, NAME), { recursive: true, encoding: 'utf8' })
    .map((path) => `${NAME}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.py$|\/py\.typed$/.test(path))
    .toSorted();
}

const hashOf = (content: Buffer) => `sha256=${createHash('sha256').update(content).digest('base64url')}`;
