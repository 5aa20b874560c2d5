/** Program in the archive that checks its files. It needs Node alone. */
export const VERIFY_SCRIPT = `// Checks this evidence pack. Run it in the folder of the unpacked archive: node verify.mjs
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const faults = [];
const read = (name) => {
  try {
    return readFileSync(join(folder, name));
  } catch {
    faults.push(name + ': missing');
    return null;
  }
};

let manifest = null;
try {
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const parsed = JSON.parse(text);
  const { seal, ...content } = parsed;
  if (sha256(JSON.stringify(content)) === seal && JSON.stringify(parsed, null, 2) + '\\n' === text) manifest = parsed;
  else faults.push('manifest.json: changed');
} catch {
  faults.push('manifest.json: missing or unreadable');
}

if (manifest) {
  for (const { name, sha256: expected } of manifest.files) {
    const bytes = read(name);
    if (bytes && sha256(bytes) !== expected) faults.push(name + ': changed');
  }
  const known = new Set(['manifest.json', ...manifest.files.map(({ name }) => name)]);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll('\\\\', '/');
    if (entry.isFile() && !known.has(name)) faults.push(name + ': not part of the pack');
  }
  try {
    let previous = '';
    for (const { digest, entry } of JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))) {
      if (sha256(previous + JSON.stringify(entry)) !== digest) faults.push('audit.json: entry ' + entry.id + ' was changed');
      previous = digest;
    }
  } catch {
    faults.push('audit.json: unreadable');
  }
}

for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'The pack is unchanged. Manifest: ' + manifest.seal : faults.length + ' faults');
process.exitCode = faults.length === 0 ? 0 : 1;
`;
