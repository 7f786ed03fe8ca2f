import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import type { PrinterCommand } from './use-printer-commands.ts'

/** What a dialog that asks something of a printer is given. */
export interface CommandDialogProps {
  printer: PrinterDetail
  command: PrinterCommand
  isOpen: boolean
  onClose: () => void
}
