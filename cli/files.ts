import { readFile } from 'node:fs/promises';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** Returns the content of a file that the user named. @throws CommandFailure if it cannot be read. */
export async function readNamed(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandFailure(EXIT.usage, isMissing ? `There is no file ${file}.` : (error as Error).message);
  }
}
