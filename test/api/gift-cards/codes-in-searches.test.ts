import { expect } from 'vitest';
import { documentedOperations } from '../../support/documented-operations.ts';
import { giveGiftCard } from '../../support/gift-cards.ts';
import { onAnyDatabase } from '../../support/server.ts';

/** Reads each list that has the search text `q`, on its surface. */
onAnyDatabase('refuses a whole gift card code as the search text of every list, and no other text', async (fixture) => {
  const { api } = fixture;
  const card = await giveGiftCard(fixture, 1);
  // One new code in 30 has another shape.
  const codes = ['X4TN-81QB-0KDW-7K2M', 'x4tn81qb0kdw7k2m'];
  const others = [card.giftCardId, card.lastCharacters ?? '', 'WEB2026000001', 'ida@friends.example', 'Anne Jane', '49.99'];
  const searches = (await documentedOperations(fixture)).filter(({ queryParameters }) => queryParameters.includes('q'));
  expect(searches.length).toBeGreaterThan(15);
  for (const { id, path } of searches) {
    const surface = path.startsWith('/public/') ? api.public : path.startsWith('/sdk/') ? api.sdk : api.admin;
    const search = (q: string) => surface.get(`${path.replace(/^\/(public|sdk)/, '')}?q=${encodeURIComponent(q)}`);
    for (const code of codes) {
      const { status, text } = await search(code);
      expect(status, `${id}: ${text}`).toBe(400);
      expect(text).toContain('A whole gift card code must not be part of an address.');
      expect(text.toUpperCase()).not.toContain('81QB');
    }
    for (const other of others) expect((await search(other)).text, `${id}: ${other}`).not.toContain('part of an address');
  }
});
