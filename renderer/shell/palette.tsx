import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MuiDialog from '@mui/material/Dialog';
import InputAdornment from '@mui/material/InputAdornment';
import ListSubheader from '@mui/material/ListSubheader';
import TextField from '@mui/material/TextField';
import { CornerDownLeft, Search } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { KeyHint, KeyLayer } from '#renderer/kit/ui';
import { type Option, usePaletteOptions } from './palette-options.ts';

/** Command palette: opens a page, a command or a pasted ID, or searches transactions and customers. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const options = usePaletteOptions(text.trim());

  return (
    <MuiDialog
      open
      onClose={onClose}
      maxWidth="sm"
      fullWidth
      aria-label={t('Go to anything')}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start', pt: '12vh' } }}
    >
      <KeyLayer isBlocking>
        <Autocomplete<Option>
          open
          autoHighlight
          disablePortal
          options={options}
          getOptionLabel={({ id }) => id}
          filterOptions={(all) => all}
          groupBy={({ group }) => group}
          isOptionEqualToValue={({ id }, value) => id === value.id}
          inputValue={text}
          onInputChange={(_, value, reason) => reason === 'input' && setText(value)}
          value={null}
          onChange={(_, option) => {
            if (!option) return;
            onClose();
            option.run();
          }}
          onClose={(_, reason) => reason === 'escape' && onClose()}
          forcePopupIcon={false}
          noOptionsText={t('No matches')}
          renderInput={(params) => (
            <TextField
              {...params}
              autoFocus
              placeholder={t('Page, setting, command, payment, customer or invoice')}
              slotProps={{
                ...params.slotProps,
                htmlInput: { ...params.slotProps.htmlInput, 'aria-label': t('Go to anything') },
                input: {
                  ...params.slotProps.input,
                  startAdornment: (
                    <InputAdornment position="start" sx={{ marginInlineEnd: 0 }}>
                      <Search size={16} aria-hidden />
                    </InputAdornment>
                  ),
                  sx: {
                    height: 56,
                    fontSize: 16,
                    '&&&&': { paddingInlineStart: 4, gap: 3 },
                    '&& .MuiOutlinedInput-notchedOutline': { border: 'none' },
                  },
                },
              }}
            />
          )}
          renderGroup={({ key, group, children }) => (
            <Box component="li" key={key} role="group" aria-label={group}>
              <ListSubheader component="div" aria-hidden>
                {group}
              </ListSubheader>
              <Box component="ul" role="presentation" sx={{ p: 0, m: 0, listStyle: 'none' }}>
                {children}
              </Box>
            </Box>
          )}
          renderOption={({ key: _, ...props }, { id, label, icon: Icon, keys }) => (
            <Box component="li" key={id} {...props} sx={{ display: 'flex', gap: 3, minHeight: 40 }}>
              <Icon size={16} aria-hidden />
              <Box sx={{ flex: 1 }}>{label}</Box>
              {keys ? <KeyHint keys={keys} /> : <CornerDownLeft size={14} aria-hidden style={{ opacity: 0.5 }} />}
            </Box>
          )}
          slotProps={{
            popper: { sx: { position: 'static !important', transform: 'none !important', width: '100% !important' } },
            paper: { sx: { borderRadius: 0, borderTop: 1, borderColor: 'divider' } },
            listbox: { sx: { maxHeight: '46vh' } },
          }}
        />
      </KeyLayer>
    </MuiDialog>
  );
}
