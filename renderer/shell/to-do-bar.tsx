import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation, useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { usePanelPlaces } from '#renderer/kit/record';
import { announce, keyTip, NOT_PRINTED, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { titleOf, toDoQuery, useWorkThrough } from '#renderer/shared/to-do';

const NEXT_KEY = '.';
const LIST_KEY = ',';
const screenOf = (path: string) => path.split(/[/?]/)[1];

/** Leads from the record of an item of To do to the next item and back to the list. Says when the item is done. */
export function ToDoBar() {
  const { pathname } = useLocation();
  const item = useWorkThrough((state) => state.item);
  return item !== null && screenOf(pathname) === screenOf(item.link) ? <Bar /> : null;
}

function Bar() {
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
  const { item, ids, open } = useWorkThrough();
  const { data } = useQuery(toDoQuery(merchantId));
  const isOpen = (id: string) => data?.items.some((other) => other.id === id) ?? true;
  const isDone = item !== null && !isOpen(item.id);
  const nextId = ids.slice(ids.indexOf(item?.id ?? '') + 1).find((id) => data?.items.some((other) => other.id === id));
  const next = data?.items.find(({ id }) => id === nextId);
  const goOn = () => {
    if (next) open(next);
    void navigate(next?.link ?? '/to-do');
  };
  useShortcuts(t('To do'), [
    { keys: NEXT_KEY, label: t('Next item of To do'), run: goOn },
    { keys: LIST_KEY, label: t('Back to To do'), run: () => void navigate('/to-do') },
  ]);
  useEffect(() => {
    if (isDone) announce(t('Done.'));
  }, [isDone]);
  const panelTop = usePanelPlaces(({ top }) => top);
  if (item === null) return null;
  const bar = (
    <Box
      component="nav"
      aria-label={t('To do')}
      sx={(theme) => ({
        ...NOT_PRINTED,
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 1,
        minHeight: 40,
        fontSize: 13,
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Link to="/to-do">{t('To do')}</Link>
      <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', color: 'text.secondary' }}>
        {isDone ? t('Done: {{item}}', { item: titleOf(item) }) : titleOf(item)}
      </Box>
      <Button size="small" variant={isDone ? 'contained' : 'text'} color="primary" onClick={goOn} {...keyTip(NEXT_KEY)}>
        {next ? t('Next: {{item}}', { item: titleOf(next) }) : t('Back to the list')}
      </Button>
    </Box>
  );
  return panelTop === null ? bar : createPortal(bar, panelTop);
}
