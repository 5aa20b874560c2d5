import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KEY_BYTES } from './sealing.ts';

/**
 * The master key of a headless server: 64 hexadecimal digits in a file that only its owner may read, made at first start. Throws with the
 * reason in words when the file is readable by others or holds no key.
 */
export async function loadMasterKey(file: string): Promise<Buffer> {
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    const key = randomBytes(KEY_BYTES);
    await handle.writeFile(`${key.toString('hex')}\n`);
    await handle.sync();
    await handle.close();
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`The master key file ${file} can be read by others; restrict it with: chmod 600 ${file}`);
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new Error(`The master key file ${file} does not hold ${KEY_BYTES * 2} hexadecimal digits.`);
  return key;
}
