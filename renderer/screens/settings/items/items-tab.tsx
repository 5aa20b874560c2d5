import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Item } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { EmptyState, MoneyText, QueryContent, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { ExportCsvButton } from '#renderer/session/download';
import { useMay } from '#renderer/session/user';
import { itemsQuery } from '#renderer/shared/items';
import type { ListTabProps } from '../form-tabs.tsx';
import { ImportItemsDialog } from './import-items-dialog.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { orderItems, refreshItems } from './requests.ts';

/** Items and quick amounts of the merchant, in the order of their buttons on the Sell screen. */
export function ItemsTab({ merchantId, isNewOpen, onNewOpen }: ListTabProps) {
  const canWrite = useMay()('items:write');
  const query = useQuery(itemsQuery(merchantId));
  const [address] = useSearchParams();
  const [q, setQ] = useState(address.get('q') ?? '');
  const [open, setOpen] = useState<Item>();
  const [isImporting, setImporting] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLTableSectionElement>(null);
  const items = query.data ?? [];
  const ordering = useMutation({ mutationFn: (itemIds: string[]) => orderItems(merchantId, itemIds), onSettled: refreshItems });
  const move = (item: Item, offset: 1 | -1) => {
    const ids = items.map(({ itemId }) => itemId);
    const at = ids.indexOf(item.itemId);
    ids.splice(at, 1);
    ids.splice(at + offset, 0, item.itemId);
    ordering.mutate(ids);
  };
  useShortcuts(t('Items'), [{ keys: '/', label: t('Find an item'), run: () => search.current?.focus() }]);
  const wanted = q.trim().toLowerCase();
  const shown = items.filter(({ name, key, barcode, category }) =>
    [name, key, barcode, category].some((text) => text?.toLowerCase().includes(wanted)),
  );
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
      <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
        {t('Buttons on the Sell screen and lines of invoices. Sales keep their own copy, so a change here never alters a sale.')}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        {canWrite && (
          <Button startIcon={<Upload size={16} aria-hidden />} onClick={() => setImporting(true)}>
            {t('Import CSV')}
          </Button>
        )}
        <ExportCsvButton
          area="items"
          file={{ path: '/api/v1/items/export', query: { merchantId }, name: 'items.csv', rows: items.length }}
          exported={(count) => t('{{count, number}} items exported', { count })}
        />
        <Box sx={{ marginInlineStart: 'auto' }}>
          <SearchBox
            label={t('Find an item')}
            placeholder={t('Name, key or barcode')}
            value={q}
            widthPx={236}
            inputRef={search}
            onSearch={setQ}
            onArrowDown={() => rows.current?.querySelector('button')?.focus()}
          />
        </Box>
      </Box>
      <QueryContent
        query={query}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState title={t('No items yet')}>
            {t('Add an item or a quick amount. Without one, the Sell screen shows only the amount.')}
          </EmptyState>
        }
      >
        {() => (
          <Table size="small" aria-label={t('Items')} sx={{ '& td, & th': { px: 2 } }}>
            <TableHead>
              <TableRow>
                <TableCell>{t('Name')}</TableCell>
                <TableCell align="right">{t('Price')}</TableCell>
                <TableCell align="right" sx={WIDE_ONLY}>
                  {t('Tax')}
                </TableCell>
                <TableCell sx={WIDE_ONLY}>{t('Key')}</TableCell>
                <TableCell sx={WIDE_ONLY}>{t('Barcode')}</TableCell>
                {canWrite && <TableCell align="right">{t('Order', { context: 'sequence' })}</TableCell>}
              </TableRow>
            </TableHead>
            <TableBody ref={rows}>
              {shown.map((item) => (
                <TableRow key={item.itemId} hover>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>
                    {canWrite ? (
                      <Link component="button" type="button" onClick={() => setOpen(item)} sx={{ textAlign: 'start', fontWeight: 550 }}>
                        {item.name}
                      </Link>
                    ) : (
                      item.name
                    )}
                    <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{noteOf(item)}</Box>
                  </TableCell>
                  <TableCell align="right">
                    <MoneyText amount={item.price} currency={item.currency} />
                  </TableCell>
                  <TableCell align="right" sx={{ ...WIDE_ONLY, whiteSpace: 'nowrap' }}>
                    {taxText(item)}
                  </TableCell>
                  <TableCell sx={WIDE_ONLY}>{item.key ?? '–'}</TableCell>
                  <TableCell sx={{ ...WIDE_ONLY, overflowWrap: 'anywhere', minWidth: 112, fontVariantNumeric: 'tabular-nums' }}>
                    {item.barcode ?? '–'}
                  </TableCell>
                  {canWrite && (
                    <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                      <MoveButton
                        label={t('Move {{name}} up', { name: item.name })}
                        isDisabled={items[0] === item || wanted !== ''}
                        onMove={() => move(item, -1)}
                      >
                        <ArrowUp size={16} aria-hidden />
                      </MoveButton>
                      <MoveButton
                        label={t('Move {{name}} down', { name: item.name })}
                        isDisabled={items.at(-1) === item || wanted !== ''}
                        onMove={() => move(item, 1)}
                      >
                        <ArrowDown size={16} aria-hidden />
                      </MoveButton>
                    </TableCell>
                  )}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </QueryContent>
      {wanted !== '' && shown.length === 0 && items.length > 0 && (
        <EmptyState title={t('No items match')}>{t('Change the search to see others.')}</EmptyState>
      )}
      {(open || isNewOpen) && (
        <ItemDialog
          merchantId={merchantId}
          item={open}
          categories={categoriesIn(items)}
          onClose={() => {
            setOpen(undefined);
            onNewOpen(false);
          }}
        />
      )}
      {isImporting && <ImportItemsDialog merchantId={merchantId} onClose={() => setImporting(false)} />}
    </Box>
  );
}

/** Facts that a phone shows in the dialog of the item only. */
const WIDE_ONLY = { display: { xs: 'none', sm: 'table-cell' } } as const;

function noteOf({ kind, status, category }: Item): string | null {
  return [category, kind === 'amount' && t('Quick amount'), status === 'archived' && t('Archived')].filter(Boolean).join(', ') || null;
}

/** Returns the categories in use, in the order of their first items. */
const categoriesIn = (items: readonly Item[]) => [...new Set(items.flatMap(({ category }) => category ?? []))];

function taxText({ taxRate, taxIncluded }: Item): string {
  if (taxRate === null) return '–';
  return taxIncluded ? t('{{percent}}% incl.', { percent: taxRate }) : `+${taxRate}%`;
}

interface MoveButtonProps {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onMove: () => void;
  readonly children: React.ReactNode;
}

function MoveButton({ label, isDisabled, onMove, children }: MoveButtonProps) {
  return (
    <IconButton size="small" aria-label={label} disabled={isDisabled} onClick={onMove}>
      {children}
    </IconButton>
  );
}
