import { CHANNELS, type Notice } from '../bridge/index.ts';
import { showNotice } from '../notices.ts';
import { type Answer, requireThat } from './calls.ts';

const TITLE_MAX = 80;
const BODY_MAX = 200;

/** Handles the bridge's call for a system notice; `open` brings the named screen to the front. */
export function answerNotices(answer: Answer, open: (path: string) => void): void {
  answer(CHANNELS.notify, (input) => {
    const notice = noticeIn(input);
    showNotice(notice, () => open(notice.open));
  });
}

function noticeIn(input: unknown[]): Notice {
  const [notice] = input;
  requireThat(input.length === 1 && typeof notice === 'object' && notice !== null, 'a notice is an object');
  const { title, body, open } = notice as Record<keyof Notice, unknown>;
  requireThat(typeof title === 'string' && title !== '' && title.length <= TITLE_MAX, `title has 1 to ${TITLE_MAX} characters`);
  requireThat(typeof body === 'string' && body.length <= BODY_MAX, `body has at most ${BODY_MAX} characters`);
  requireThat(typeof open === 'string' && /^\/[a-z-]+(\/[\w-]+)?$/.test(open), 'open is a path of a screen');
  return { title, body, open };
}
