import Box from '@mui/material/Box';
import { create } from 'zustand';
import { HIDDEN_FROM_SIGHT } from './hidden-from-sight.ts';

interface Announcement {
  readonly text: string;
  readonly count: number;
}

const useAnnouncement = create<Announcement>()(() => ({ text: '', count: 0 }));

/** Announces a text to screen readers. The newest one replaces earlier ones. */
export function announce(text: string): void {
  useAnnouncement.setState(({ count }) => ({ text, count: count + 1 }));
}

/** The one live region of the page. A repeated text is said again, because its element is new. */
export function LiveRegion() {
  const text = useAnnouncement((state) => state.text);
  const count = useAnnouncement((state) => state.count);
  return (
    <Box role="status" aria-live="polite" aria-atomic sx={HIDDEN_FROM_SIGHT}>
      <span key={count}>{text}</span>
    </Box>
  );
}
