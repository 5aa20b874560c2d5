import { KeyFile } from './key-store.ts';

/**
 * Returns the master key of a headless server, created at the first start in a file that only its owner may read. @throws Error with a message for the
 * user if the file is readable by others or contains no key.
 */
export async function loadMasterKey(file: string): Promise<Buffer> {
  const store = new KeyFile(file);
  const [key] = await store.keys();
  return key ?? store.createFirst();
}
