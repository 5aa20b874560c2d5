import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { FormDialog, showToast } from '#renderer/kit/ui';
import { containsCardNumber } from '#shared/card-numbers';
import { type SavedView, useListSettings } from './store.ts';

const NAME_LENGTH_MAX = 40;

interface SavedViewsProps {
  /** Path of the list, without an open record: "/reconciliation/bank". By default the first part of the address. */
  readonly path?: string;
}

/**
 * Menu of the named filters of the current screen. A view is the list's path with the query of its address; it is stored on this computer.
 */
export function SavedViews({ path }: SavedViewsProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const area = pathname.split('/')[1] ?? '';
  const areaPath = `/${area}`;
  const listPath = path ?? areaPath;
  const views = useListSettings((settings) => settings.views[area]) ?? [];
  const setViews = useListSettings((settings) => settings.setViews);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isNaming, setNaming] = useState(false);
  const filter = withoutPage(search);
  const current = views.find((view) => view.search === filter && (view.path ?? areaPath) === listPath);
  const hasFilter = filter !== '' || listPath !== areaPath;
  const close = () => setAnchor(null);
  const open = (view: SavedView) => {
    close();
    void navigate({ pathname: view.path ?? areaPath, search: view.search });
  };
  const save = (name: string) => {
    setViews(area, [
      ...views.filter((view) => view.name !== name),
      { name, search: filter, ...(listPath !== areaPath && { path: listPath }) },
    ]);
    setNaming(false);
    showToast(t('View “{{name}}” saved on this computer.', { name }));
  };
  return (
    <>
      <Button
        startIcon={<Bookmark size={16} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {current?.name ?? t('Views')}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {views.map((view) => (
          <MenuItem key={view.name} selected={view === current} onClick={() => open(view)}>
            <ListItemText>{view.name}</ListItemText>
            <IconButton
              size="small"
              aria-label={t('Delete view {{name}}', { name: view.name })}
              edge="end"
              sx={{ marginInlineStart: 3 }}
              onClick={(event) => {
                event.stopPropagation();
                setViews(
                  area,
                  views.filter((other) => other !== view),
                );
              }}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </MenuItem>
        ))}
        <MenuItem
          divider={false}
          disabled={!hasFilter || containsCardNumber(filter)}
          onClick={() => {
            close();
            setNaming(true);
          }}
        >
          {hasFilter ? t('Save this filter as a view…') : t('Set a filter to save it as a view')}
        </MenuItem>
      </Menu>
      {isNaming && <NameDialog onSave={save} onClose={() => setNaming(false)} />}
    </>
  );
}

function NameDialog({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <FormDialog
      title={t('Save view')}
      submitLabel={t('Save view')}
      isDisabled={trimmed === ''}
      onSubmit={() => trimmed !== '' && onSave(trimmed)}
      onClose={onClose}
      maxWidth="xs"
    >
      <TextField
        id="view-name"
        label={t('Name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoFocus
        helperText={t('A view with the same name is replaced.')}
        slotProps={{ htmlInput: { maxLength: NAME_LENGTH_MAX, autoComplete: 'off' } }}
        sx={{ mt: 1 }}
      />
    </FormDialog>
  );
}

/** Returns the query of an address without its page. */
function withoutPage(search: string): string {
  const params = new URLSearchParams(search);
  params.delete('page');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
