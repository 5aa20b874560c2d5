import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { KeyHint, PrintButton, showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { type ReportMail, ReportMailDialog } from './report-mail-dialog.tsx';

export interface ExportMenuProps {
  readonly isReady: boolean;
  /** The file of the report; absent if it has none. */
  readonly csv?: {
    /** Text of the key in the list of keys. */
    readonly label: string;
    /** Saves the file. Returns the notice of success; undefined if the person canceled. */
    readonly save: () => Promise<string | undefined>;
  };
  /** The report as a message; absent if it cannot be sent. */
  readonly mail?: ReportMail;
}

/** Saves a report as CSV, sends it by email, or prints it. People without the right to export can only print. */
export function ExportMenu({ isReady, csv, mail }: ExportMenuProps) {
  const mayExport = useMay()('reporting:export');
  return csv && mayExport ? (
    <Formats isReady={isReady} csv={csv} mail={mail} />
  ) : (
    <PrintButton group={t('Reports')} label={t('Print the report')} isReady={isReady} />
  );
}

function Formats({
  isReady,
  csv: { label, save },
  mail,
}: Required<Omit<ExportMenuProps, 'mail'>> & { readonly mail: ReportMail | undefined }) {
  const [isMailOpen, setMailOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [chosen, setChosen] = useState<() => unknown>();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (notice) => notice !== undefined && showToast(notice),
    onError: () => showToast(t('The export failed. Try again.')),
  });
  const formats = [
    { keys: 'X', name: t('CSV file'), label, run: () => !saving.isPending && saving.mutate() },
    ...(mail ? [{ keys: 'E', name: t('Email'), label: t('Email report'), run: () => setMailOpen(true) }] : []),
    { keys: 'P', name: t('Print'), label: t('Print the report'), run: () => window.print() },
  ];
  useShortcuts(t('Reports'), isReady ? formats.map(({ keys, label: text, run }) => ({ keys, label: text, run: () => void run() })) : []);
  return (
    <>
      <Button
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        startIcon={<Download size={16} aria-hidden />}
        endIcon={<ChevronDown size={14} aria-hidden />}
        loading={saving.isPending}
        loadingPosition="start"
        disabled={!isReady}
        onClick={(event) => {
          setChosen(undefined);
          setAnchor(event.currentTarget);
        }}
      >
        {t('Export')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{
          list: { 'aria-label': t('Export') },
          // Printing waits until the menu is closed, which would be on the page.
          transition: { onExited: () => chosen?.() },
        }}
      >
        {formats.map(({ keys, name, run }) => (
          <MenuItem
            key={keys}
            aria-keyshortcuts={keys}
            sx={{ justifyContent: 'space-between', minWidth: 160 }}
            onClick={() => {
              setChosen(() => run);
              setAnchor(null);
            }}
          >
            {name}
            <KeyHint keys={keys} />
          </MenuItem>
        ))}
      </Menu>
      {mail && isMailOpen && <ReportMailDialog mail={mail} onClose={() => setMailOpen(false)} />}
    </>
  );
}
