import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { shippedPackages } from './shipped-packages.ts';

const ROOT = join(import.meta.dirname, '..');
const LICENSE_FILE = /^(licen[cs]e|copying|notice|ofl)([-.].*)?$/i;
const REPLACEABLE =
  'This library is a separate folder, node_modules/openpgp, and may be replaced by a changed version with the same interface. In the desktop application, the folder is in resources/app.asar.unpacked.';

/** Returns the licenses of all shipped packages as one text. Packages with the same license text share it. */
export function thirdPartyNotices(): string {
  const byText = Map.groupBy(shippedPackages(), ({ path }) => licenseTextOf(path));
  const parts = [...byText].map(([text, packages]) => {
    const names = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
    const isOpenPgp = packages.some(({ name }) => name === 'openpgp');
    const more = isOpenPgp ? [REPLACEABLE, readFileSync(join(ROOT, 'scripts/licenses/GPL-3.0.txt'), 'utf8').trim()] : [];
    return [names.join('\n'), text || 'The package contains no license text; its license is named above.', ...more].join('\n\n');
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `Paydesk contains software of others under the following licenses.${line}${parts.join(line)}\n`;
}

function licenseTextOf(path: string): string {
  const folder = join(ROOT, path);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => LICENSE_FILE.test(name)) : [];
  return files
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

/** Adds the notices to the built pages, which are part of the desktop application and of the npm package. */
export const noticesPlugin: Plugin = {
  name: 'third-party-notices',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source: thirdPartyNotices() });
  },
};
