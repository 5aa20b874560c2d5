import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type MouseEvent, memo, useState } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';

/** More items are found by typing. */
const TILES_MAX = 60;
/** Value of the choice of all categories. No category is empty. */
const ALL = '';

const TILE = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'space-between',
  justifyItems: 'start',
  textAlign: 'start',
  whiteSpace: 'normal',
  minHeight: 76,
  minWidth: 0,
  px: 2.5,
  py: 2,
  lineHeight: '18px',
  backgroundColor: 'background.paper',
} as const;

interface ItemGridProps {
  /** Items that match the search. */
  readonly found: readonly Item[];
  readonly isSearching: boolean;
  readonly frozen: boolean;
  readonly onAdd: (item: Item) => void;
  /** Asks for an amount without an item. */
  readonly onCustomAmount: () => void;
  /** Called after an item was added with a pointer, which must not leave the focus on its tile: Enter would add it again. */
  readonly onPointerAdded: () => void;
}

/** Tiles of items and quick amounts, by category if the items have categories. */
export const ItemGrid = memo(function ItemGrid({ found, isSearching, frozen, onAdd, onCustomAmount, onPointerAdded }: ItemGridProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = categoriesOf(found);
  // The category of the last item can disappear while it is chosen. Typing finds the items of all categories.
  const group = chosen !== null && !isSearching && groups.includes(chosen) ? chosen : null;
  const tiles = (group === null ? found : found.filter((item) => categoryOf(item) === group)).slice(0, TILES_MAX);
  const onTile = (event: MouseEvent, item: Item) => {
    onAdd(item);
    if (event.detail > 0) onPointerAdded();
  };
  return (
    <Box role="group" aria-label={t('Items')} sx={{ display: 'grid', gap: 3 }}>
      {groups.length > 0 && !isSearching && (
        <ChoiceButtons
          label={t('Category')}
          options={[[ALL, t('All')], ...groups.map((category) => [category, category === OTHER ? t('Other') : category] as const)]}
          value={group ?? ALL}
          onChange={(next) => setChosen(next === ALL ? null : next)}
          sx={{ flexWrap: 'wrap' }}
        />
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(132px, 1fr))' }}>
        {tiles.map((item) => (
          <Button key={item.itemId} disabled={frozen} onClick={(event) => onTile(event, item)} title={item.key ?? undefined} sx={TILE}>
            <Box
              component="span"
              sx={{ fontWeight: 600, display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
            >
              {item.name}
            </Box>
            <Box component="span" sx={{ fontSize: 13, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
              {writeAmount(item.price, item.currency)}
            </Box>
          </Button>
        ))}
        <Button disabled={frozen} onClick={onCustomAmount} sx={{ ...TILE, borderStyle: 'dashed', fontWeight: 600 }}>
          {t('Custom amount')}
        </Button>
      </Box>
    </Box>
  );
});

/** Group of the items without a category. Categories have no line breaks. */
const OTHER = '\n';

const categoryOf = ({ category }: Item): string => category ?? OTHER;

/** Returns the groups of the buttons in the order of their first items, with the items without a category last; empty if no item has a category. */
function categoriesOf(items: readonly Item[]): readonly string[] {
  const found = new Set(items.map(categoryOf));
  const hasOthers = found.delete(OTHER);
  return found.size === 0 ? [] : [...found, ...(hasOthers ? [OTHER] : [])];
}
