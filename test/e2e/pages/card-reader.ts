import type { Page } from '@playwright/test';

const GAP_SECONDS = 0.005;

/** The characters that a keyboard-wedge reader types for a readable stripe. */
export const GOOD_SWIPE = '%B4111111111111111^DOE/JOHN^28121010000000000000?;4111111111111111=28121010000000000000?';

/**
 * Simulates a card reader at the keyboard: characters 5 ms apart by the keyboard's own clock, then Enter. All are sent together, so that a
 * busy computer does not stretch the burst.
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
