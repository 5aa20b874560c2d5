import { setImmediate } from 'node:timers/promises';
import { record } from './record.ts';

interface Question {
  message: string;
  detail?: string;
  buttons: string[];
  cancelId?: number;
  signal?: AbortSignal;
}

/** What the program must not do: the API would wait with it. Ends it, so that no test passes by. */
function blocked(how: string): never {
  console.error(`${how} stops the main process, and with it the API, until a person answers.`);
  process.exit(70);
}

/** Electron's dialogs, answered as the record says; questions wait for a person where it says nothing. */
export const dialog = {
  showErrorBox: (title: string, content: string) => void console.error(`${title}: ${content}`),

  showMessageBoxSync: () => blocked('showMessageBoxSync'),

  /** On macOS a message box that stands before no window is as good as showMessageBoxSync. A signal closes it as if a person had cancelled. */
  showMessageBox: async (...given: [window: object, question: Question] | [question: Question]) => {
    if (given.length === 1) blocked('A message box without a window');
    const { message, detail = '', buttons, cancelId = 0, signal } = given[1];
    record.messages.push(message);
    const { answer } = record;
    if (answer !== null) {
      // Nobody answers before what asked is done with its turn.
      await setImmediate();
      return { response: answer, checkboxChecked: false };
    }
    const asked = { message, detail, buttons, isOpen: true, answer: (_button: number): void => undefined };
    record.questions.push(asked);
    const response = await new Promise<number>((resolve) => {
      asked.answer = resolve;
      if (signal?.aborted) resolve(cancelId);
      signal?.addEventListener('abort', () => resolve(cancelId), { once: true });
    });
    asked.isOpen = false;
    return { response, checkboxChecked: false };
  },

  showSaveDialog: async () => ({ canceled: record.savePath === '', filePath: record.savePath }),
};
