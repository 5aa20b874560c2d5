import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { type KeyboardEvent, useRef } from 'react';
import { t } from '#renderer/base/language';
import { AREAS, type Area, rightsOf } from '#shared/permission-areas';

/** Columns of the grid: the rights of most areas, and one column for the further right of an area. */
const COLUMNS = [
  ['read', t('View')],
  ['write', t('Change')],
  ['export', t('Export')],
  ['further', t('More')],
] as const;

/** Returns the right of an area in a column; undefined if the area has none there. */
const rightIn = (area: Area, column: (typeof COLUMNS)[number][0]): string | undefined =>
  rightsOf(area).find((right) => (column === 'further' ? Object.hasOwn(FURTHER_LABELS, right) : right === column));

const AREA_NAMES: Readonly<Record<Area, string>> = {
  transactions: t('Transactions'),
  refunds: t('Refunds'),
  credits: t('Unlinked credits'),
  customers: t('Customers'),
  recurring: t('Subscriptions'),
  invoices: t('Invoices'),
  items: t('Items'),
  tenders: t('Register'),
  'gift-cards': t('Gift cards'),
  'queued-payments': t('Charge later'),
  shifts: t('Shifts'),
  terminals: t('Card readers'),
  disputes: t('Disputes'),
  approvals: t('Approvals'),
  settlement: t('Payouts and reconciliation'),
  reporting: t('Reports'),
  webhooks: t('Webhooks'),
  merchants: t('Merchants'),
  users: t('Users'),
  roles: t('Roles'),
  'api-keys': t('API keys'),
  audit: t('Audit log'),
  notifications: t('Messages'),
  settings: t('Settings'),
};
const RIGHT_NAMES: Readonly<Record<string, string>> = {
  read: t('read'),
  write: t('write'),
  export: t('export'),
  refund: t('refund'),
  release: t('release'),
  manage: t('manage'),
};
const FURTHER_LABELS: Readonly<Record<string, string>> = {
  refund: t('Refund', { context: 'verb' }),
  release: t('Release'),
  manage: t('Manage'),
};

interface PermissionGridProps {
  readonly value: readonly string[];
  readonly onValue: (value: string[]) => void;
  /** Permissions that may be granted: only those that the user has. */
  readonly within: readonly string[];
  readonly isReadOnly: boolean;
}

/** Checkboxes for each area and right. Arrow keys move through the cells, Space toggles one. */
export function PermissionGrid({ value, onValue, within, isReadOnly }: PermissionGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const toggle = (permission: string) =>
    onValue(value.includes(permission) ? value.filter((known) => known !== permission) : [...value, permission]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    const cell = (event.target as HTMLElement).dataset.cell?.split('/').map(Number);
    if (!step || !cell) return;
    event.preventDefault();
    const [row = 0, column = 0] = cell;
    grid.current?.querySelector<HTMLInputElement>(`[data-cell="${row + (step[0] ?? 0)}/${column + (step[1] ?? 0)}"]`)?.focus();
  };
  return (
    <Box
      component="table"
      ref={grid}
      onKeyDown={onKeyDown}
      sx={{
        borderCollapse: 'collapse',
        fontSize: 13,
        '& th': { fontWeight: 400, textAlign: 'start', paddingInlineEnd: { xs: 2, lg: 6 } },
        '& td': { textAlign: 'center', whiteSpace: 'nowrap' },
      }}
    >
      <thead>
        <tr>
          <Box component="th" scope="col" sx={{ color: 'text.secondary', fontSize: 12 }}>
            {t('Area')}
          </Box>
          {COLUMNS.map(([column, name]) => (
            <Box key={column} component="th" scope="col" sx={{ color: 'text.secondary', fontSize: 12, textAlign: 'center !important' }}>
              {name}
            </Box>
          ))}
        </tr>
      </thead>
      <tbody>
        {AREAS.map((area, row) => (
          <tr key={area}>
            <th scope="row">{AREA_NAMES[area]}</th>
            {COLUMNS.map(([name], column) => {
              const right = rightIn(area, name);
              if (right === undefined) return <td key={name} />;
              const permission = `${area}:${right}`;
              return (
                <td key={name}>
                  <Checkbox
                    size="small"
                    checked={value.includes(permission)}
                    onChange={() => toggle(permission)}
                    disabled={isReadOnly || !within.includes(permission)}
                    sx={{ p: 1 }}
                    slotProps={{
                      input: {
                        'aria-label': `${AREA_NAMES[area]}, ${RIGHT_NAMES[right] ?? right}`,
                        ...{ 'data-cell': `${row}/${column}` },
                      },
                    }}
                  />
                  {FURTHER_LABELS[right]}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
