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
  'requestId',
  'resource',
  'subject',
  'text',
  'url',
]);

/** Returns the cells and headers of lists, and the titles of To do, whose content is wider than they are, or longer than two lines. */
export async function cutCells(page: Page) {
  const cut = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '[role=row] [role=gridcell][data-field], [role=columnheader][data-field], [data-to-do] [data-field]',
      ),
    ].flatMap((cell) => {
      const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some((part) => {
        const { textOverflow, webkitLineClamp } = getComputedStyle(part);
        const isWider = textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth + 1;
        // Letters may reach below the last line by some pixels; a third line adds 15.
        return isWider || (webkitLineClamp !== 'none' && part.scrollHeight > part.clientHeight + 4);
      });
      return isCut ? [{ field: cell.dataset.field ?? '', text: cell.textContent }] : [];
    }),
  );
  return cut.filter(({ field }) => !UNBOUNDED.has(field));
}

/** Returns the names of tabs that reach out of their row or that do not fit into themselves. */
export const cutTabs = (page: Page) =>
  page.getByRole('tab').evaluateAll((tabs) =>
    tabs
      .filter((tab) => {
        const row = tab.closest('[role=tablist]')?.parentElement?.getBoundingClientRect();
        const { left, right } = tab.getBoundingClientRect();
        return row === undefined || left < row.left - 1 || right > row.right + 1 || tab.scrollWidth > tab.clientWidth + 1;
      })
      .map(({ textContent }) => textContent),
  );

/** Returns the fields of columns that reach out of their list. */
export const cutColumns = (page: Page) =>
  page.locator('main [role=columnheader][data-field]').evaluateAll((headers) =>
    headers.flatMap((header) => {
      const edge = header.closest('[role=grid]')?.getBoundingClientRect().right ?? 0;
      return header.getBoundingClientRect().right > edge + 1 ? [header.getAttribute('data-field')] : [];
    }),
  );

/** Returns the names of fields, buttons and entries of the navigation that do not fit into themselves or into what contains them. */
export const cutNames = (page: Page) =>
  page.locator('label, button, nav a').evaluateAll((elements) =>
    elements
      .filter((element) => {
        if (element.getClientRects().length === 0 || element.textContent === '') return false;
        const container = element.parentElement?.closest('nav, main, header');
        if (element.getBoundingClientRect().right > (container?.getBoundingClientRect().right ?? innerWidth) + 1) return true;
        // Texts for screen readers only are one pixel wide.
        return [element, ...element.querySelectorAll('*')].some(
          (part) =>
            part.clientWidth > 1 &&
            part.scrollWidth > part.clientWidth + 1 &&
            [...part.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE) &&
            getComputedStyle(part).overflowX !== 'visible',
        );
      })
      .map(({ textContent }) => textContent),
  );
