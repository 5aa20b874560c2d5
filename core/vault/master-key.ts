import { KeyFile } from './key-store.ts';

/**
 * The master key of a headless server, made at first start in a file that only its owner may read. Throws with the reason in words when the
 * file is readable by others or holds no key.
 */
export async function loadMasterKey(file: string): Promise<Buffer> {
  const store = new KeyFile(file);
  const [key] = await store.keys();
  return key ?? store.begin();
}
