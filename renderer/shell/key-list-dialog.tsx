import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { t } from '#renderer/base/language';
import { Dialog, EVERYWHERE, KeyHint, keyLabel, useShortcutList } from '#renderer/kit/ui';

const IN_FORMS = [
  { keys: 'Enter', label: t('Next incomplete field, or submit') },
  { keys: 'Tab', label: t('Next field') },
  { keys: 'Esc', label: t('Close') },
];

/** All keyboard shortcuts of the current screen. */
export function KeyListDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const all = useShortcutList()
    .map(({ group, shortcuts }) => ({ group, shortcuts: shortcuts.filter(({ keys }) => keys !== '') }))
    .filter(({ shortcuts }) => shortcuts.length > 0);
  // The keys of the current screen come first.
  const groups = [...all.filter(({ group }) => group !== EVERYWHERE), ...all.filter(({ group }) => group === EVERYWHERE)];
  return (
    <Dialog title={t('Keyboard shortcuts')} isOpen={isOpen} onClose={onClose} actions={<Button onClick={onClose}>{t('Close')}</Button>}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, columnGap: 8, rowGap: 5, pt: 1 }}>
        {[...groups, { group: t('In forms'), shortcuts: IN_FORMS }].map(({ group, shortcuts }) => (
          <Box key={group} component="section">
            <Typography variant="h3" sx={{ mb: 2, fontSize: 12, color: 'text.secondary' }}>
              {group}
            </Typography>
            <Box component="dl" sx={{ m: 0, display: 'grid', rowGap: 1.5 }}>
              {shortcuts.map(({ keys, label }) => (
                <Box key={`${keys} ${label}`} sx={{ display: 'flex', gap: 3, alignItems: 'baseline', flexDirection: 'row-reverse' }}>
                  <Box component="dt" sx={{ flexShrink: 0 }} aria-label={keyLabel(keys)} role="term">
                    <KeyHint keys={keys} />
                  </Box>
                  <Box component="dd" sx={{ m: 0, flex: 1 }}>
                    {label}
                  </Box>
                </Box>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Dialog>
  );
}
