export { MailDialog } from './mail-dialog.tsx';
