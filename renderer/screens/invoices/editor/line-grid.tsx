import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import { Plus, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { t } from '#renderer/base/language';
import { fromMinor } from '#renderer/base/money';
import { focusField, MoneyText, useAfterRender, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { cellId } from './editor-form.ts';
import { type FoundItem, useInvoiceItems } from './invoice-items.tsx';
import { CELLS, type Cell, cellProblem, emptyLine, isBlank, LINES_MAX, type LineForm, lineMinor, sumMinor } from './lines.ts';

const COLUMNS = { xs: 'minmax(0, 1fr) minmax(0, 1fr) auto 28px', sm: 'minmax(0, 1fr) 84px 116px 104px 28px' };
const CELL_NAMES: Readonly<Record<Cell, string>> = {
  description: t('description'),
  quantity: t('quantity'),
  unitPrice: t('price'),
};

interface LineGridProps {
  readonly lines: readonly LineForm[];
  readonly currency: string;
  readonly isChecked: boolean;
  readonly problem: string | undefined;
  readonly onChange: (lines: readonly LineForm[]) => void;
  /** Called on Enter in an empty row, when all lines are entered. */
  readonly onEnd: () => void;
}

/** Lines of an invoice. Enter moves from cell to cell and adds a row at the end; Backspace in an empty row removes it. */
export function LineGrid({ lines, currency, isChecked, problem, onChange, onEnd }: LineGridProps) {
  const change = (id: number, cell: Cell, text: string) =>
    onChange(lines.map((line) => (line.id === id ? { ...(cell === 'description' ? withoutItem(line) : line), [cell]: text } : line)));
  const items = useInvoiceItems(currency);
  /** Fills a line from an item. A price that was typed stays. */
  const fill = (id: number, { itemId, name, unitPrice }: FoundItem) =>
    onChange(
      lines.map((line) =>
        line.id === id
          ? { ...line, itemId, description: name, unitPrice: line.unitPrice.trim() === '' ? unitPrice : line.unitPrice }
          : line,
      ),
    );
  const setDescription = (id: number, text: string) => {
    const chosen = items.byName(text);
    if (chosen) fill(id, chosen);
    else change(id, 'description', text);
  };
  const afterRender = useAfterRender();
  const focusCell = (line: LineForm | undefined, cell: Cell) => line && focusField(cellId(line.id, cell));
  const add = () => {
    if (lines.length >= LINES_MAX) return;
    const added = emptyLine(Math.max(...lines.map(({ id }) => id)) + 1);
    onChange([...lines, added]);
    afterRender(() => focusCell(added, 'description'));
  };
  const remove = (row: number) => {
    const rest = lines.filter((_, index) => index !== row);
    const nextLines = rest.length > 0 ? rest : [emptyLine((lines[row]?.id ?? 0) + 1)];
    onChange(nextLines);
    afterRender(() => (row > 0 ? focusCell(nextLines[row - 1], 'unitPrice') : focusCell(nextLines[0], 'description')));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, row: number, cell: Cell) => {
    const line = lines[row];
    if (!line || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && !event.repeat && isBlank(line) && lines.length > 1 && line[cell] === '') {
      event.preventDefault();
      remove(row);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const coded = cell === 'description' ? items.byCode(line.description) : undefined;
    if (coded) fill(line.id, coded);
    const next = CELLS[CELLS.indexOf(cell) + 1];
    if (isBlank(line) && row === lines.length - 1 && row > 0) {
      onChange(lines.slice(0, -1));
      afterRender(onEnd);
    } else if (next) focusCell(line, next);
    else if (row < lines.length - 1) focusCell(lines[row + 1], 'description');
    else if (!isBlank(line)) add();
  };
  return (
    <Box role="group" aria-label={t('Lines')} sx={{ display: 'grid', gap: 2 }}>
      <Box
        aria-hidden
        sx={{
          display: { xs: 'none', sm: 'grid' },
          gridTemplateColumns: COLUMNS,
          columnGap: 2,
          fontSize: 12,
          fontWeight: 550,
          color: 'text.secondary',
          '& > *': { textAlign: 'end' },
          '& > :first-of-type': { textAlign: 'start' },
        }}
      >
        <span>{t('Description')}</span>
        <span>{t('Quantity')}</span>
        <span>{t('Price')}</span>
        <span>{t('Amount, {{currency}}', { currency })}</span>
      </Box>
      {lines.map((line, row) => (
        <Row
          key={line.id}
          line={line}
          row={row}
          currency={currency}
          isChecked={isChecked}
          listId={items.listId}
          onText={(cell, text) => (cell === 'description' ? setDescription(line.id, text) : change(line.id, cell, text))}
          onKeyDown={(event, cell) => onKeyDown(event, row, cell)}
          onRemove={() => remove(row)}
        />
      ))}
      {items.list}
      {problem !== undefined && (
        <Box role="alert" sx={(theme) => ({ fontSize: 12, color: theme.vars.palette.error.main })}>
          {problem}
        </Box>
      )}
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', justifyContent: 'space-between', paddingInlineEnd: '36px' }}
      >
        <Button size="small" startIcon={<Plus size={14} aria-hidden />} onClick={add} disabled={lines.length >= LINES_MAX}>
          {t('Add line')}
        </Button>
        <Box sx={{ fontSize: 16, fontWeight: 600 }} data-total>
          <Box component="span" sx={{ marginInlineEnd: 3, fontSize: 13, fontWeight: 500, color: 'text.secondary' }}>
            {t('Total')}
          </Box>
          <MoneyText amount={fromMinor(sumMinor(lines, currency), currency)} currency={currency} code />
        </Box>
      </Box>
    </Box>
  );
}

interface RowProps {
  readonly line: LineForm;
  readonly row: number;
  readonly currency: string;
  readonly isChecked: boolean;
  /** Suggestions of the description; undefined if there are none. */
  readonly listId: string | undefined;
  readonly onText: (cell: Cell, text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, cell: Cell) => void;
  readonly onRemove: () => void;
}

function Row({ line, row, currency, isChecked, listId, onText, onKeyDown, onRemove }: RowProps) {
  const minor = lineMinor(line, currency);
  const field = (cell: Cell, options: { readonly maxLength: number; readonly isFigure?: boolean; readonly placeholder?: string }) => {
    const problem = isChecked ? cellProblem(line, cell, currency) : null;
    return (
      <TextField
        id={cellId(line.id, cell)}
        value={line[cell]}
        placeholder={options.placeholder}
        onChange={({ target }) => onText(cell, target.value)}
        onKeyDown={(event) => onKeyDown(event, cell)}
        error={problem !== null}
        helperText={problem}
        slotProps={{
          htmlInput: {
            'aria-label': t('Line {{line}}, {{field}}', { line: row + 1, field: CELL_NAMES[cell] }),
            autoComplete: 'off',
            maxLength: options.maxLength,
            ...(options.isFigure && { inputMode: 'decimal', style: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' } }),
            ...(cell === 'description' && listId !== undefined && { list: listId }),
            ...(row === 0 && cell === 'description' && { 'data-first-cell': true }),
          },
        }}
        sx={cell === 'description' ? { gridColumn: { xs: '1 / -1', sm: 'auto' } } : undefined}
      />
    );
  };
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: COLUMNS, columnGap: 2, rowGap: 2, alignItems: 'start' }}>
      {field('description', { maxLength: 500, placeholder: row === 0 ? t('Item or service') : '' })}
      {field('quantity', { maxLength: 12, isFigure: true })}
      {field('unitPrice', { maxLength: 18, isFigure: true, placeholder: '0.00' })}
      <Box sx={{ lineHeight: '40px', textAlign: 'end', fontSize: 14 }}>
        <Box component="span" sx={VISUALLY_HIDDEN}>
          {t('Amount of line {{line}}', { line: row + 1 })}
        </Box>
        {minor === undefined ? '–' : <MoneyText amount={fromMinor(minor, currency)} currency={currency} />}
      </Box>
      <IconButton size="small" aria-label={t('Remove line {{line}}', { line: row + 1 })} onClick={onRemove} sx={{ mt: 1.5 }}>
        <X size={14} aria-hidden />
      </IconButton>
    </Box>
  );
}

/** Returns a line whose description no longer is that of an item. */
const withoutItem = ({ itemId: _, ...line }: LineForm): LineForm => line;
