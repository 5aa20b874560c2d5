import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { EVERYWHERE, KeyLayer, ListContext, type MenuRow, useList, useShortcuts } from '#renderer/kit/ui';
import { type ChosenAction, ChosenActionContext } from './menu-context.ts';
import { RowMenu } from './row-menu.tsx';

interface RecordPanelProps {
  /** Accessible name. */
  readonly label: string;
  /** ID of the open record; undefined closes the panel. */
  readonly openId: string | undefined;
  readonly onClose: () => void;
  /** Address before the ID of a record; undefined if the records have no address of their own. */
  readonly path?: string;
  /** `isOpen` is false while the panel is closing. */
  readonly children: (id: string, isOpen: boolean) => ReactNode;
}

/** Window from which the panel is beside the page, which stays usable. */
const BESIDE = '(min-width: 1100px)';

/** A record that opens must offer the action that was chosen in the menu of its row within this time. */
const CHOSEN_MS = 5000;

/** Places of the page: beside the screen for the panel, and above the record for a bar of the page that a covering panel makes inert. */
export const usePanelPlaces = createStore<{ readonly beside: HTMLElement | null; readonly top: HTMLElement | null }>()(() => ({
  beside: null,
  top: null,
}));

/** Element below the record, which stays in view; null outside of a panel. */
export const PanelFootContext = createContext<HTMLElement | null>(null);

/** One record of the list of the screen: beside the page in a wide window, and over it in a narrow one. Its keys work while it is open, and its
 * actions are in the context menu of its row. */
export function RecordPanel({ label, openId, onClose, path, children }: RecordPanelProps) {
  const isBeside = useMediaQuery(BESIDE, { noSsr: true });
  const beside = usePanelPlaces((places) => places.beside);
  const list = useList();
  const lastId = useRef(openId);
  /** Element of the record, which moves when the window becomes wide or narrow, so that a form keeps what was typed. */
  const [host] = useState(newHost);
  /** Returns the focus to the row, unless an element of the page or a dialog has it. */
  const returnFocus = () => {
    const holder = document.activeElement;
    const isTaken = !host.contains(holder) && holder?.closest('main, nav, .MuiModal-root') != null;
    if (lastId.current !== undefined && !isTaken) list?.focusRow(lastId.current);
  };
  const atClose = useRef(returnFocus);
  atClose.current = returnFocus;
  useLayoutEffect(() => {
    if (openId !== undefined) lastId.current = openId;
    else if (isBeside) atClose.current();
  }, [openId, isBeside]);
  const shownId = openId ?? lastId.current;
  const [isHeld, setHeld] = useState(false);
  const currentId = useRef(openId);
  currentId.current = openId;
  const hold = useCallback(
    (holder: HTMLElement | null) => {
      // An element that is appended again would lose the focus.
      if (holder !== null && host.parentElement !== holder) holder.append(host);
      // While the panel moves to another place, the record stays.
      if (holder !== null || currentId.current === undefined) setHeld(holder !== null);
    },
    [host],
  );
  const { rowMenu } = useContext(ListContext);
  const [menuRow, setMenuRow] = useState<MenuRow>();
  const [chosen, setChosen] = useState<ChosenAction & { readonly id: string }>();
  useLayoutEffect(() => {
    if (rowMenu === null) return undefined;
    rowMenu.current = setMenuRow;
    return () => {
      rowMenu.current = null;
    };
  }, [rowMenu]);
  // An action that the record does not have in time must not run later.
  useEffect(() => {
    if (chosen === undefined) return undefined;
    const timer = setTimeout(() => setChosen(undefined), CHOSEN_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  const runInRecord = ({ id, open }: MenuRow, label: string) => {
    setChosen({ id, label, onRun: () => setChosen(undefined) });
    if (id !== openId) open();
  };
  return (
    <>
      {menuRow && (
        <RowMenu row={menuRow} path={path} onAction={(label) => runInRecord(menuRow, label)} onClosed={() => setMenuRow(undefined)}>
          {children}
        </RowMenu>
      )}
      {!isBeside && (
        <Drawer
          anchor="right"
          open={openId !== undefined}
          onClose={onClose}
          disableRestoreFocus
          slotProps={{
            transition: { onExited: returnFocus },
            paper: {
              role: 'dialog',
              'aria-modal': true,
              'aria-label': label,
              sx: { width: '100%', '@media (min-width: 700px)': { maxWidth: 560 } },
            },
          }}
        >
          <Box ref={setTop} />
          <Box ref={hold} data-panel sx={{ flex: 1, minHeight: 0, display: 'flex' }} />
        </Drawer>
      )}
      {isBeside &&
        openId !== undefined &&
        beside !== null &&
        createPortal(
          <Box
            ref={hold}
            role="dialog"
            aria-label={label}
            data-panel
            sx={(theme) => ({
              display: 'flex',
              width: 420,
              '@media (min-width: 1360px)': { width: 500 },
              '@media (min-width: 1680px)': { width: 640 },
              borderInlineStart: `1px solid ${theme.vars.palette.divider}`,
              backgroundColor: theme.vars.palette.background.paper,
            })}
          />,
          beside,
        )}
      {isHeld &&
        shownId !== undefined &&
        createPortal(
          <KeyLayer key={shownId} isBlocking={false}>
            <ChosenActionContext value={chosen !== undefined && chosen.id === openId ? chosen : null}>
              <Record id={shownId} isOpen={openId !== undefined} onClose={onClose}>
                {children}
              </Record>
            </ChosenActionContext>
          </KeyLayer>,
          host,
        )}
    </>
  );
}

const setTop = (top: HTMLElement | null) => usePanelPlaces.setState({ top });

function newHost(): HTMLElement {
  const host = document.createElement('div');
  host.style.cssText = 'display: flex; flex: 1; min-width: 0; min-height: 0';
  return host;
}

interface RecordProps extends Pick<RecordPanelProps, 'onClose' | 'children'> {
  readonly id: string;
  readonly isOpen: boolean;
}

/** A record between the buttons of the panel and the actions of the record. */
function Record({ id, isOpen, onClose, children }: RecordProps) {
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const list = useList();
  useShortcuts(EVERYWHERE, [{ keys: 'Escape', label: t('Close'), run: onClose }]);
  const onKeyDown = (event: KeyboardEvent) => {
    // A field of the record uses the key itself.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <Box onKeyDown={onKeyDown} sx={{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <Box sx={{ order: 0, height: 0, position: 'relative', zIndex: 2, '@media print': { display: 'none' } }}>
        <Box sx={{ position: 'absolute', top: 12, insetInlineEnd: 12, display: 'flex' }}>
          {list && (
            <>
              <IconButton aria-label={t('Previous record')} title="K" onClick={() => list.step(-1)}>
                <ChevronUp size={18} aria-hidden />
              </IconButton>
              <IconButton aria-label={t('Next record')} title="J" onClick={() => list.step(1)}>
                <ChevronDown size={18} aria-hidden />
              </IconButton>
            </>
          )}
          <IconButton aria-label={t('Close')} title="Esc" onClick={onClose}>
            <X size={18} aria-hidden />
          </IconButton>
        </Box>
      </Box>
      {/* Before the content, so that Tab reaches the actions first. */}
      <Box ref={setFoot} sx={{ order: 2, '@media print': { display: 'none' } }} />
      <Box
        sx={{
          order: 1,
          flex: 1,
          minHeight: 0,
          overflow: 'auto',
          overflowWrap: 'anywhere',
          px: { xs: 5, md: 6 },
          pb: 6,
          pt: 4,
          // A failure instead of the record leaves room for the buttons.
          '& > .MuiAlert-root': { marginInlineEnd: 24 },
          '@media print': { overflow: 'visible' },
          // Only forms, and the actions of the record at its foot, have framed buttons.
          '& .MuiButton-outlined.MuiButton-sizeSmall.MuiButton-colorInherit': { borderColor: 'transparent', color: 'primary.main' },
          '& .MuiAlert-root .MuiButton-outlined.MuiButton-sizeSmall.MuiButton-colorInherit': { color: 'inherit' },
        }}
      >
        <PanelFootContext value={foot}>{children(id, isOpen)}</PanelFootContext>
      </Box>
    </Box>
  );
}
