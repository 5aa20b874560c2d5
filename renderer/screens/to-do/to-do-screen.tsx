import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import type { ToDoItem, ToDoList } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';
import { ChoiceMenu } from '#renderer/kit/list-settings';
import { EmptyState, QueryContent, Screen, shortTime, useShortcuts } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { KINDS, ToDoHeadings, ToDoLine, toDoQuery, useWorkThrough } from '#renderer/shared/to-do';

type Kind = ToDoItem['kind'];

const ALL_KINDS = Object.keys(KINDS) as Kind[];
const ADDRESS = addressSchema({ kind: oneOf(ALL_KINDS) });
const TICK_MS = 30_000;

/** Everything that waits for a person, the most urgent first. An item leaves the list when its work is done. */
export function ToDoScreen() {
  const { merchantId, timezone } = useMerchant();
  const { values, go } = useAddress(ADDRESS);
  const { kind } = values;
  const all = useQuery(toDoQuery(merchantId));
  const list = useQuery(toDoQuery(merchantId, kind));
  const nowMs = useTenantNow(TICK_MS);
  const lines = useRef<HTMLUListElement>(null);
  const links = () => [...(lines.current?.querySelectorAll('a') ?? [])];
  const step = (offset: 1 | -1) => {
    const found = links();
    const at = found.indexOf(document.activeElement as HTMLAnchorElement);
    found[at < 0 ? 0 : Math.min(Math.max(at + offset, 0), found.length - 1)]?.focus();
  };
  useShortcuts(t('To do'), [
    { keys: 'J', label: t('Next item'), run: () => step(1) },
    { keys: 'K', label: t('Previous item'), run: () => step(-1) },
  ]);
  useFocusWhereLeft(list.data, links);
  return (
    <Screen
      title={t('To do')}
      subtitle={t('What waits for a person, the most urgent first.')}
      filter={all.data && <KindField list={all.data} kind={kind} onKind={(next) => go({ kind: next })} />}
    >
      <QueryContent
        query={list}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('Nothing to do')}>
            {list.data && t('Last checked {{time}}.', { time: shortTime(list.data.checkedAt, timezone, nowMs) })}
          </EmptyState>
        }
      >
        {({ items, total }) => (
          <Box>
            <ToDoHeadings />
            <Box
              component="ul"
              ref={lines}
              aria-label={t('To do')}
              sx={(theme) => ({
                m: 0,
                p: 1,
                listStyle: 'none',
                border: `1px solid ${theme.vars.palette.divider}`,
                borderRadius: 1,
                backgroundColor: theme.vars.palette.background.paper,
                '& > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
              })}
            >
              {items.map((item) => (
                <li key={item.id}>
                  <ToDoLine item={item} list={items} nowMs={nowMs} isWide />
                </li>
              ))}
            </Box>
            {total > items.length && (
              <Box sx={{ pt: 2, fontSize: 13, color: 'text.secondary' }}>
                {t('{{count, number}} more. Choose a kind to see more of its items.', { count: total - items.length })}
              </Box>
            )}
          </Box>
        )}
      </QueryContent>
    </Screen>
  );
}

/** Focuses the item that was opened last, when the person returns to the list. */
function useFocusWhereLeft(list: ToDoList | undefined, links: () => HTMLAnchorElement[]): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (list === undefined || isDone.current) return;
    isDone.current = true;
    const { item, ids } = useWorkThrough.getState();
    if (item === null) return;
    const from = ids.indexOf(item.id);
    const at = list.items.findIndex(({ id }) => ids.indexOf(id) >= from);
    links()[at]?.focus();
  }, [list, links]);
}

interface KindFieldProps {
  readonly list: ToDoList;
  readonly kind: Kind | undefined;
  readonly onKind: (kind: Kind | undefined) => void;
}

/** All kinds that have work, each with the number of its records: an item can stand for several. */
function KindField({ list: { items, counts }, kind, onKind }: KindFieldProps) {
  const shown = ALL_KINDS.filter((each) => each === kind || (counts[each] ?? 0) > 0);
  const recordsOf = (wanted: Kind) => items.reduce((sum, item) => (item.kind === wanted ? sum + item.count - 1 : sum), counts[wanted] ?? 0);
  return (
    <div>
      <ChoiceMenu<Kind | 'all'>
        label={t('Kinds of work')}
        options={[['all', t('All kinds')], ...shown.map((each) => [each, `${KINDS[each].name} (${numberText(recordsOf(each))})`] as const)]}
        value={kind ?? 'all'}
        onChange={(chosen) => onKind(chosen === 'all' ? undefined : chosen)}
      />
    </div>
  );
}
