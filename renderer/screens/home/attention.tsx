import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { type AttentionItem, useAttentionItems } from './attention-items.ts';
import { Panel } from './panel.tsx';

/** Items that need attention, each with one action. Nothing is shown to users who may see none of them. */
export function NeedsAttention({ today }: { today: string }) {
  const { items, isKnown } = useAttentionItems(today);
  const open = items.filter(({ count }) => (count ?? 0) > 0);
  if (items.length === 0) return null;
  return (
    <Panel title={t('Needs attention')}>
      {open.length === 0 ? (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 2, fontSize: 13, color: 'text.secondary' }}>
          {isKnown && (
            <>
              <Check size={16} aria-hidden />
              {t('Nothing needs attention.')}
            </>
          )}
        </Box>
      ) : (
        <Box component="ul" aria-label={t('Needs attention')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {open.map((item) => (
            <AttentionLine key={item.id} item={item} />
          ))}
        </Box>
      )}
    </Panel>
  );
}

function AttentionLine({ item: { id, icon: Icon, count = 0, text, action, to } }: { item: AttentionItem }) {
  return (
    <Box
      component="li"
      data-need={id}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        py: 1.5,
        fontSize: 13,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
        '&:first-of-type': { borderTop: 0 },
        '& > svg': { color: theme.vars.palette.tone.warning.main, flexShrink: 0 },
      })}
    >
      <Icon size={16} aria-hidden />
      <Box sx={{ flex: 1, minWidth: 0 }}>{text(count)}</Box>
      <Button size="small" component={Link} to={to} aria-label={`${action}: ${text(count)}`}>
        {action}
      </Button>
    </Box>
  );
}
