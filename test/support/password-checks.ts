import { until } from './until.ts';

let isHeld = false;
let waiting: (() => void)[] = [];

/** Resolves when checks of passwords and PINs are not held back. */
export function passwordCheckAllowed(): Promise<void> {
  return isHeld ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}

/** Sends a request to a server of this process, and checks its password or PIN only after a change. */
export async function sendBefore<Answer>(change: () => Promise<unknown>, send: () => Promise<Answer>): Promise<Answer> {
  isHeld = true;
  try {
    const answer = send();
    await until('a password is checked', () => waiting.length > 0);
    await change();
    release();
    return await answer;
  } finally {
    release();
  }
}

function release(): void {
  isHeld = false;
  for (const resume of waiting) resume();
  waiting = [];
}
