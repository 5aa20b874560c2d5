import { chmod, readFile, writeFile } from 'node:fs/promises';

const SECRET_FILE_MODE = 0o600;

/** Sets variables in a file of environment variables, readable by its owner only. Other lines stay. */
export async function writeEnvFile(file: string, values: Readonly<Record<string, string>>): Promise<void> {
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  await writeFile(file, withValues(present, values), { mode: SECRET_FILE_MODE });
  await chmod(file, SECRET_FILE_MODE);
}

/** Returns the text of such a file with variables set. */
export function withValues(text: string, values: Readonly<Record<string, string>>): string {
  const isSet = (line: string) => Object.keys(values).some((name) => line.startsWith(`${name}=`));
  const kept = text.split('\n').filter((line) => line !== '' && !isSet(line));
  return `${[...kept, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join('\n')}\n`;
}
