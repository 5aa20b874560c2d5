import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { announce, KeyHint, useShortcuts } from '#renderer/kit/ui';
import { THOUSANDTHS } from '#shared/line-items';
import { matchingItems, readEntry } from './basket.ts';
import { categoriesOf, categoryOf, OTHER } from './categories.ts';
import type { Basket } from './use-basket.ts';
import { useScanner } from './use-scanner.ts';

/** More buttons are found by typing. */
const BUTTONS_MAX = 12;
const ITEM_KEYS = 'Mod+I';

const BUTTON = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  textAlign: 'start',
  minHeight: 48,
  minWidth: 0,
  px: 2.5,
  py: 1,
  lineHeight: '18px',
} as const;

/** A low window has fewer rows of buttons, so that the amount and the card stay in view. The last button shows the others. */
const LOW_WINDOW = '(max-height: 860px)';
const LOW_ROWS = 2;
const LOWEST_WINDOW = '(max-height: 740px)';
const LOWEST_ROWS = 1;
const WIDE_WINDOW = '(min-width: 1280px)';
const [COLUMNS, WIDE_COLUMNS] = [3, 4];

/** Value of the choice of all categories. No category is empty. */
const ALL = '';

interface ItemsPanelProps {
  readonly items: readonly Item[];
  readonly basket: Basket;
  readonly frozen: boolean;
}

/** Buttons of items and quick amounts, by category if the items have categories, and an entry by key, barcode or name. */
export const ItemsPanel = memo(function ItemsPanel({ items, basket, frozen }: ItemsPanelProps) {
  const [typed, setTyped] = useState('');
  const entry = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const isLow = useMediaQuery(LOW_WINDOW, { noSsr: true });
  const rows = useMediaQuery(LOWEST_WINDOW, { noSsr: true }) ? LOWEST_ROWS : LOW_ROWS;
  const columns = useMediaQuery(WIDE_WINDOW, { noSsr: true }) ? WIDE_COLUMNS : COLUMNS;
  const { thousandths, text } = readEntry(typed);
  const groups = categoriesOf(items);
  // The category of the last item can disappear while it is chosen.
  const group = chosen !== null && groups.includes(chosen) ? chosen : null;
  // Typing finds the items of all categories.
  const found = group === null || text !== '' ? matchingItems(items, text) : items.filter((item) => categoryOf(item) === group);
  const buttons = found.slice(0, BUTTONS_MAX);
  const hidden = isLow && !showsAll && buttons.length > rows * columns ? buttons.splice(rows * columns - 1).length : 0;
  const add = (item: Item) => {
    if (frozen) return;
    basket.add(item, thousandths);
    setTyped('');
  };
  const showAll = () => {
    setShowsAll(true);
    // The button disappears, so the focus moves to the buttons that it showed.
    grid.current?.focus();
  };
  useScanner(items, (item) => !frozen && basket.add(item, THOUSANDTHS));
  useShortcuts(t('Sell'), [{ keys: ITEM_KEYS, label: t('Add an item'), run: () => entry.current?.focus() }]);
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter in the empty field moves to the next field of the sale.
    if (event.key !== 'Enter' || typed.trim() === '') return;
    event.preventDefault();
    event.stopPropagation();
    const [best] = found;
    if (best) add(best);
    else announce(t('No item matches {{text}}.', { text }));
  };
  return (
    <Box role="group" aria-label={t('Items')} sx={{ display: 'grid', gap: 2 }}>
      <TextField
        id="sale-item"
        name="item"
        label={t('Item')}
        value={typed}
        inputRef={entry}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        placeholder={t('Key, barcode or name; 3*FW for three')}
        error={found.length === 0}
        helperText={found.length === 0 ? t('No item matches.') : undefined}
        slotProps={{
          input: { readOnly: frozen, endAdornment: <KeyHint keys={ITEM_KEYS} /> },
          htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 80 },
        }}
      />
      {groups.length > 0 && (
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('Category')}
          value={group ?? ALL}
          onChange={(_, next: string | null) => setChosen(next === null || next === ALL ? null : next)}
          sx={{ flexWrap: 'wrap' }}
        >
          <ToggleButton value={ALL}>{t('All')}</ToggleButton>
          {groups.map((category) => (
            <ToggleButton key={category} value={category} sx={{ textTransform: 'none' }}>
              {category === OTHER ? t('Other') : category}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
      <Box
        ref={grid}
        tabIndex={-1}
        sx={{ outline: 'none', display: 'grid', gap: 1.5, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {buttons.map((item) => (
          <ItemButton key={item.itemId} item={item} frozen={frozen} onAdd={() => add(item)} />
        ))}
        {hidden > 0 && (
          <Button disabled={frozen} onClick={showAll} sx={{ minHeight: 48, color: 'text.secondary' }}>
            {t('{{number}} more', { number: hidden })}
          </Button>
        )}
      </Box>
    </Box>
  );
});

function ItemButton({ item, frozen, onAdd }: { item: Item; frozen: boolean; onAdd: () => void }) {
  return (
    <Button disabled={frozen} onClick={onAdd} sx={BUTTON}>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontSize: 13 }}>
        {item.name}
      </Box>
      <Box component="span" sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 12, color: 'text.secondary' }}>
        <span>{writeAmount(item.price, item.currency)}</span>
        {item.key && <span>{item.key}</span>}
      </Box>
    </Button>
  );
}
