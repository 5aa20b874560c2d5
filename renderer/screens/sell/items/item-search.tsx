import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { t } from '#renderer/base/language';
import { readAmount } from '#renderer/base/money';
import { KeyHint, useShortcuts } from '#renderer/kit/ui';
import { readEntry } from './basket.ts';
import type { ItemFinder } from './use-item-finder.ts';

const ITEM_KEYS = 'Mod+I';

/** Finds items by key, barcode or name. Enter adds the first one, or a typed amount. */
export function ItemSearch({ finder, currency }: { finder: ItemFinder; currency: string }) {
  const entry = useRef<HTMLInputElement>(null);
  const { typed, setTyped, found, addTyped } = finder;
  useShortcuts(t('Sell'), [{ keys: ITEM_KEYS, label: t('Add an item'), run: () => entry.current?.focus() }]);
  const isUnknown = found.length === 0 && readAmount(readEntry(typed).text, currency).kind !== 'valid';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace') return event.stopPropagation();
    // Enter in the empty field moves to the next field of the sale.
    if (event.key !== 'Enter' || typed.trim() === '') return;
    event.preventDefault();
    event.stopPropagation();
    addTyped();
  };
  return (
    <TextField
      id="sale-item"
      name="item"
      value={typed}
      inputRef={entry}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={onKeyDown}
      placeholder={t('Search or scan, 3*FW')}
      error={isUnknown}
      slotProps={{
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search size={16} aria-hidden />
            </InputAdornment>
          ),
          endAdornment: isUnknown ? (
            t('No item matches.')
          ) : (
            <Box component="span" sx={{ flex: 'none', display: { xs: 'none', lg: 'inline' } }}>
              <KeyHint keys={ITEM_KEYS} />
            </Box>
          ),
          sx: { fontSize: 14, whiteSpace: 'nowrap' },
        },
        htmlInput: { 'aria-label': t('Item'), autoComplete: 'off', spellCheck: false, maxLength: 80 },
      }}
      sx={{ flex: { xs: '1 1 180px', md: '1 1 120px' }, minWidth: { xs: 0, md: 120 } }}
    />
  );
}
