import { setImmediate } from 'node:timers/promises';
import { record } from './record.ts';

interface Question {
  message: string;
  detail?: string;
  buttons: string[];
  cancelId?: number;
  signal?: AbortSignal;
}

/** Ends the process on a call that would block the API, so that the test fails. */
function failOnBlockingCall(call: string): never {
  console.error(`${call} stops the main process, and with it the API, until a person answers.`);
  process.exit(70);
}

/** Electron's dialogs. `record.answer` answers them; if it is null, questions stay open until the test answers. */
export const dialog = {
  showErrorBox: (title: string, content: string) => void console.error(`${title}: ${content}`),

  showMessageBoxSync: () => failOnBlockingCall('showMessageBoxSync'),

  /** On macOS a message box without a window blocks like showMessageBoxSync, so it fails. An abort signal closes the box as canceled. */
  showMessageBox: async (...args: [window: object, question: Question] | [question: Question]) => {
    if (args.length === 1) failOnBlockingCall('A message box without a window');
    const { message, detail = '', buttons, cancelId = 0, signal } = args[1];
    record.messages.push(message);
    const { answer } = record;
    if (answer !== null) {
      // A person cannot answer before the caller has finished its turn of the event loop.
      await setImmediate();
      return { response: answer, checkboxChecked: false };
    }
    const openQuestion = { message, detail, buttons, isOpen: true, answer: (_button: number): void => undefined };
    record.questions.push(openQuestion);
    const response = await new Promise<number>((resolve) => {
      openQuestion.answer = resolve;
      if (signal?.aborted) resolve(cancelId);
      signal?.addEventListener('abort', () => resolve(cancelId), { once: true });
    });
    openQuestion.isOpen = false;
    return { response, checkboxChecked: false };
  },

  showSaveDialog: async () => ({ canceled: record.savePath === '', filePath: record.savePath }),
};
