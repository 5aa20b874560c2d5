import { createStore } from '#renderer/base/module-state';

/** The open dialog of the receipt printer. */
type PrinterDialog = 'queue' | 'drawer';

const useOpenDialog = createStore<{ readonly open: PrinterDialog | null }>()(() => ({ open: null }));

export const usePrinterDialog = () => useOpenDialog((state) => state.open);
export const openPrinterDialog = (open: PrinterDialog) => useOpenDialog.setState({ open });
export const closePrinterDialog = () => useOpenDialog.setState({ open: null });

/** Keys that open the drawer without a sale, on every screen. */
export const OPEN_DRAWER_KEYS = 'Mod+O';
export const openDrawerDialog = () => openPrinterDialog('drawer');
