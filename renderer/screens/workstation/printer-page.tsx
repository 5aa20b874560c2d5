import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import type { PrinterSetup, ReceiptPrinter } from '#renderer/desktop/bridge';
import { openDrawer, PrinterFields, savePrinter, usePrinterForm } from '#renderer/desktop/printing';
import { Dialog, showToast } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';

/** Reason that is stored with the opening. */
const TEST = 'Test of the drawer';

interface PrinterPageProps {
  readonly setup: PrinterSetup | null;
  readonly receiptPrinter: ReceiptPrinter;
  /** Returns to the other settings of the workstation. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Settings and tests of this workstation's receipt printer. Mounted while it is open. */
export function PrinterPage({ setup, receiptPrinter, onDone, onClose }: PrinterPageProps) {
  const { merchantId } = useMerchant();
  const drawer = useWorkstation((settings) => settings.drawer);
  const canOpen = useMay()('invoices:write');
  const form = usePrinterForm(setup, receiptPrinter);
  const { draft, busyWith } = form;
  const hasDrawer = draft.kind !== 'system' && draft.drawerPin !== null;
  const isKept = setup !== null;
  const save = async () => {
    if (!(await form.save())) return;
    showToast(t('Receipts are printed on {{name}}', { name: draft.name.trim() }));
    onDone();
  };
  const remove = async () => {
    await savePrinter(receiptPrinter, null);
    showToast(t('Receipts use the system’s print dialog'));
    onDone();
  };
  /** Opens the drawer as a test. The pulse goes to the saved printer, so the form is saved first. */
  const testDrawer = async () => {
    if (!(await form.save())) return;
    await form.runWithSetup('drawer', async ({ name, drawerPin }) => {
      const { sent, problem = '' } = await openDrawer({ merchantId, drawer, reason: TEST }, { receiptPrinter, pin: drawerPin ?? 2 });
      return sent
        ? { isGood: true, text: t('Sent to {{name}}. If the drawer stays shut, try the other pin.', { name }) }
        : { isGood: false, text: problem };
    });
  };
  return (
    <Dialog
      title={t('Receipt printer')}
      isOpen
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          {isKept && (
            <Button variant="text" color="error" onClick={() => void remove()} sx={{ marginInlineEnd: 'auto' }}>
              {t('Remove printer')}
            </Button>
          )}
          {hasDrawer && canOpen && (
            <Button onClick={() => void testDrawer()} loading={busyWith === 'drawer'}>
              {t('Test drawer')}
            </Button>
          )}
          <Button onClick={() => void form.test()} loading={busyWith === 'test'}>
            {t('Print test page')}
          </Button>
          <Button variant="text" onClick={onDone}>
            {t('Back')}
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={busyWith === 'save'}>
            {t('Save printer')}
          </Button>
        </>
      }
    >
      <PrinterFields form={form} showsCopiesAndDrawer />
    </Dialog>
  );
}
