import Button from '@mui/material/Button';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { TEST_CARDS, type TestCard } from '#renderer/shared/card-readers';

/** Fills in a test card of the sandbox, chosen by its outcome. */
export function TestCardMenu({ onPick, disabled }: { onPick: (card: TestCard) => void; disabled: boolean }) {
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
