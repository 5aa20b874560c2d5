import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { ShiftChip } from '#renderer/screens/cash';
import { useIsSandbox } from '#renderer/session/user';
import { TEST_CARDS, type TestCard, testCardValues } from '#renderer/shared/card-readers';
import { isTender, SALE_TYPES, type SaleType } from './form/form.ts';
import { ItemSearch } from './items/item-search.tsx';
import type { ItemFinder } from './items/use-item-finder.ts';
import { WaitingSales } from './order/waiting-sales.tsx';
import type { Terminal } from './terminal/use-terminal.ts';

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
      <WaitingSales
        sale={terminal.sale}
        form={terminal.form}
        isBusy={stage.kind === 'sending' || stage.kind === 'checking'}
        readyForEntry={terminal.readyForEntry}
      />
      <ShiftChip />
    </Box>
  );
}

/** Fills in a test card of the sandbox, chosen by its outcome. */
function TestCardMenu({ onPick, disabled }: { onPick: (card: TestCard) => void; disabled: boolean }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        size="small"
        variant="text"
        disabled={disabled}
        startIcon={<FlaskConical size={15} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ color: 'text.secondary' }}
      >
        {t('Test card')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        disableRestoreFocus
        slotProps={{ list: { dense: true, 'aria-label': t('Test cards by outcome') }, paper: { sx: { maxHeight: 420, minWidth: 300 } } }}
      >
        {TEST_CARDS.flatMap(({ group, cards }) => [
          <ListSubheader key={group} role="presentation" sx={{ lineHeight: '28px', fontSize: 12, backgroundColor: 'background.paper' }}>
            {group}
          </ListSubheader>,
          ...cards.map((card) => (
            <MenuItem
              key={card.number}
              onClick={() => {
                close();
                onPick(card);
              }}
            >
              <span style={{ flex: 1 }}>{card.outcome}</span>
              <span className="mono" style={{ opacity: 0.8 }}>
                …{card.number.slice(-4)}
              </span>
            </MenuItem>
          )),
        ])}
      </Menu>
    </>
  );
}

const TYPE_LABELS: Readonly<Record<SaleType, string>> = { sale: t('Sale'), auth: t('Authorization') };

/** Choice between a sale and an authorization. */
function TypeBar({ terminal: { type, mode, stage, basket, dispatch } }: { terminal: Terminal }) {
  const isSaleOnly = isTender(mode) || basket.giftCards().length > 0;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={t('Transaction type')}
      value={isSaleOnly ? 'sale' : type}
      disabled={stage.kind !== 'entry' || isSaleOnly}
      onChange={(_, next: SaleType | null) => next && dispatch({ kind: 'type-chosen', type: next })}
    >
      {SALE_TYPES.map((option) => (
        <ToggleButton key={option} value={option} sx={{ px: 3 }}>
          {TYPE_LABELS[option]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
