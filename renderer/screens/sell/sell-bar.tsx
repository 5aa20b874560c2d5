import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { ShiftChip } from '#renderer/screens/cash';
import { useIsSandbox } from '#renderer/session/user';
import { testCardValues } from '#renderer/shared/card-readers';
import { TypeBar } from './form/mode-bar.tsx';
import { TestCardMenu } from './form/test-card-menu.tsx';
import { ItemSearch } from './items/item-search.tsx';
import type { ItemFinder } from './items/use-item-finder.ts';
import { WaitingSales } from './order/waiting-sales.tsx';
import type { Terminal } from './use-terminal.ts';

/** Bar above the sale: its type, the search of items, a test card in a sandbox, and the drawer of this workstation. */
export function SellBar({ terminal, finder }: { terminal: Terminal; finder: ItemFinder }) {
  const { mode, stage, settings, rules, dispatch } = terminal;
  const isSandbox = useIsSandbox();
  return (
    <Box
      role="group"
      aria-label={t('Start of the sale')}
      sx={(theme) => ({
        gridArea: 'bar',
        display: 'flex',
        flexWrap: { xs: 'wrap', md: 'nowrap' },
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 1,
        minHeight: 48,
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: 'background.paper',
      })}
    >
      <TypeBar terminal={terminal} />
      {finder.items.length > 0 ? <ItemSearch finder={finder} currency={rules.currency} /> : <Box sx={{ flex: 1 }} />}
      {isSandbox && mode !== 'reader' && settings.modes.includes('card') && (
        <TestCardMenu
          onPick={(card) => dispatch({ kind: 'card-filled', values: testCardValues(card) })}
          disabled={stage.kind !== 'entry'}
        />
      )}
      <WaitingSales terminal={terminal} />
      <ShiftChip />
    </Box>
  );
}
