import { parentPort, workerData } from 'node:worker_threads';
import { readLogo } from './logo.ts';
import { type DocumentType, type Exhibit, mergePages, type Pages, readPages } from './pages.ts';
import type { PictureType } from './picture.ts';
import { FileRefused } from './refusal.ts';

/** Work on files of strangers, by name, with the result of each. */
export interface DocumentTasks {
  readonly pages: { readonly input: { readonly type: DocumentType; readonly content: Uint8Array }; readonly result: Pages };
  readonly logo: { readonly input: { readonly type: PictureType; readonly content: Uint8Array }; readonly result: Uint8Array };
  readonly merge: { readonly input: { readonly first: Uint8Array; readonly exhibits: readonly Exhibit[] }; readonly result: Pages };
}
export type TaskName = keyof DocumentTasks;
export type DocumentTask = { readonly [Name in TaskName]: { readonly name: Name } & DocumentTasks[Name]['input'] }[TaskName];

/** Message that the thread of a task answers with. An unexpected error ends the thread instead. */
export type DocumentAnswer = { readonly result: unknown } | { readonly refused: string };

function run(task: DocumentTask): Promise<unknown> | unknown {
  if (task.name === 'merge') return mergePages(task.first, task.exhibits);
  const content = Buffer.from(task.content.buffer, task.content.byteOffset, task.content.byteLength);
  return task.name === 'pages' ? readPages(task.type, content) : readLogo(task.type, content);
}

// Without a parent thread the file is loaded only for its types.
if (parentPort !== null) {
  const port = parentPort;
  // A file could make the PDF library print millions of warnings.
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => {};
  const answer = async (): Promise<DocumentAnswer> => {
    try {
      return { result: await run(workerData as DocumentTask) };
    } catch (error) {
      if (error instanceof FileRefused) return { refused: error.message };
      const task = workerData as DocumentTask;
      if (task.name === 'merge') throw error;
      return { refused: 'The file cannot be read. It is damaged or protected by a password.' };
    }
  };
  port.postMessage(await answer());
}
