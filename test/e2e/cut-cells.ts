import type { Page } from '@playwright/test';

/** Columns whose texts have no bound, such as addresses and descriptions; the whole text is in their tooltip and in the record. */
const UNBOUNDED = new Set([
  'description',
  'details',
  'device',
  'events',
  'nextStep',
  'path',
  'permissions',
  'resource',
  'subject',
  'text',
  'url',
]);

/** Returns the cells and headers of lists whose content is wider than they are, or longer than two lines. */
export async function cutCells(page: Page) {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role=row] [role=gridcell][data-field], [role=columnheader][data-field]')].flatMap(
      (cell) => {
        const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some((part) => {
          const { textOverflow, webkitLineClamp } = getComputedStyle(part);
          const isWider = textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth + 1;
          // Letters may reach below the last line by some pixels; a third line adds 15.
          return isWider || (webkitLineClamp !== 'none' && part.scrollHeight > part.clientHeight + 4);
        });
        return isCut ? [{ field: cell.dataset.field ?? '', text: cell.textContent }] : [];
      },
    ),
  );
  return cut.filter(({ field }) => !UNBOUNDED.has(field));
}
