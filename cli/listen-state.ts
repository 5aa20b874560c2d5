import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Progress of `paydesk listen`, by server and account, in a file of the working folder. */
export class ListenState {
  readonly #file: string;
  readonly #key: string;
  #cursors: Record<string, string> = {};

  constructor(file: string, url: string, tenantId: string) {
    this.#file = file;
    this.#key = `${url} ${tenantId}`;
  }

  /** Reads the file. Returns the last event that was handled; undefined at the first start. */
  async load(): Promise<string | undefined> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '{}';
    });
    this.#cursors = JSON.parse(text) as Record<string, string>;
    return this.#cursors[this.#key];
  }

  /** Stores the last event that was handled. The file is replaced as a whole, so that a kill leaves the old or the new one. */
  async save(eventId: string): Promise<void> {
    this.#cursors[this.#key] = eventId;
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(`${this.#file}.new`, JSON.stringify(this.#cursors));
    await rename(`${this.#file}.new`, this.#file);
  }
}
