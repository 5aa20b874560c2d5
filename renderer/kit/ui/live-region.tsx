import Box from '@mui/material/Box';
import { createStore } from '#renderer/base/module-state';
import { VISUALLY_HIDDEN } from './visually-hidden.ts';

interface Announcement {
  readonly text: string;
  readonly count: number;
}

const useAnnouncement = createStore<Announcement>()(() => ({ text: '', count: 0 }));

/** Announces a text to screen readers. The newest one replaces earlier ones. */
export function announce(text: string): void {
  useAnnouncement.setState(({ count }) => ({ text, count: count + 1 }));
}

/** The only live region of the page. A repeated text is announced again, because its element is new. */
export function LiveRegion() {
  const text = useAnnouncement((state) => state.text);
  const count = useAnnouncement((state) => state.count);
  return (
    <Box role="status" aria-live="polite" aria-atomic sx={VISUALLY_HIDDEN}>
      <span key={count}>{text}</span>
    </Box>
  );
}
