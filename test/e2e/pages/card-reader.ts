import type { Page } from '@playwright/test';

const GAP_SECONDS = 0.005;

/** What a keyboard-wedge reader types for a good stripe. */
export const GOOD_SWIPE = '%B4111111111111111^DOE/JOHN^28121010000000000000?;4111111111111111=28121010000000000000?';

/**
 * A reader at the keyboard: signs 5 ms apart by the keyboard's own clock, then Enter. All are on their way at once, so
 * that a busy machine does not stretch the burst.
 */
export async function swipe(page: Page, text: string): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const start = Date.now() / 1000;
  const keys = [...text, '\r'].map((sign, index) => {
    const timestamp = start + index * GAP_SECONDS;
    const key = sign === '\r' ? { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 } : { key: sign };
    return [
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', text: sign, timestamp, ...key }),
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...key }),
    ];
  });
  await Promise.all(keys.flat());
  await keyboard.detach();
}
